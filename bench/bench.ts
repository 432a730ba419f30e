import { resolve } from 'node:path'
import { Command } from 'commander'
import { benchAblation } from './ablation.ts'
import { takeCharts } from './charts.ts'
import { benchConsole } from './console.ts'
import { benchEngine, brotliBytesOf } from './engine.ts'
import { benchFlood } from './flood.ts'
import { benchFirstScreen } from './first-screen.ts'
import { benchFirstStart } from './first-start.ts'
import { takeImportPictures } from './import-pictures.ts'
import { benchLab } from './lab.ts'
import { benchOwn } from './own.ts'
import { benchImporting } from './importing.ts'
import { benchLighthouse, benchLighthouseOfData } from './lighthouse.ts'
import { benchLoad } from './load.ts'
import { benchPeer } from './peer.ts'
import { benchModels } from './models.ts'
import { benchOrder } from './order.ts'
import { takePictures } from './pictures.ts'
import { benchQuestions } from './questions.ts'
import { benchRaceDay } from './race-day.ts'
import { benchRacePage } from './race-page.ts'
import { benchScreen } from './screen.ts'
import { benchScale } from './scale.ts'
import { takeSheets } from './sheets.ts'
import { benchShifts } from './shifts.ts'
import { benchSeason } from './season.ts'
import { benchSize } from './size.ts'

/** Results are ratios within one run, or are reported with the machine's load: no benchmark fails a test. */
const program = new Command('bench').description('What is fast, what is large, and against what.')

/** For what is looked at or measured on screens. */
const OWN_DATA = [
  '--data <folder>',
  'folder with an operator’s own seasons, copied first, instead of the demonstration',
] as const
interface OwnData {
  data?: string
}

const print = (report: unknown): void => void process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)

program
  .command('engine')
  .description(
    'questions in the browser against native DuckDB, linked panels, a brush, memory; questions in words',
  )
  .requiredOption('--data <folder>', 'data folder whose dataset files are measured')
  .option('--rounds <count>', 'paired rounds a question', '15')
  .option('--bytes', 'only the compressed bytes of the files', false)
  .action(async ({ data, rounds, bytes }: Record<'data' | 'rounds', string> & { bytes: boolean }) =>
    print(
      bytes ? brotliBytesOf(data) : { ...(await benchEngine(data, Number(rounds))), words: benchQuestions() },
    ),
  )

program
  .command('screen')
  .description(
    'record screen: from a click to the painted figures, of each subject and of pivots, engine warm',
  )
  .requiredOption('--data <folder>', 'data folder whose dataset files are measured')
  .action(async ({ data }: { data: string }) => print(await benchScreen(data)))

program
  .command('peer')
  .description('clicks, hovers, a brush and the opening beside Mosaic and plain queries, on the same rows')
  .requiredOption('--data <folder>', 'data folder whose dataset files are measured')
  .option('--rounds <count>', 'paired rounds', '2')
  .action(async ({ data, rounds }: Record<'data' | 'rounds', string>) =>
    print(await benchPeer(data, Number(rounds))),
  )

program
  .command('lab')
  .description('strategy lab: staking every starter of all seasons, and a slider to the painted curve')
  .requiredOption('--data <folder>', 'data folder whose dataset files are measured')
  .action(async ({ data }: { data: string }) => print(await benchLab(data)))

program
  .command('console')
  .description('SQL console: from its tab to the first answer, the ten examples, endless statements stopped')
  .requiredOption('--data <folder>', 'data folder whose dataset files are measured')
  .action(async ({ data }: { data: string }) => print(await benchConsole(data)))

program
  .command('models')
  .description('both models without odds walked forward over Hong Kong seasons, and the gain of the network')
  .requiredOption('--data <folder>', 'data folder whose races are read')
  .option('--network <json>', 'settings of the network to change, such as {"width":32}', '{}')
  .option('--last-season <year>', 'first year of the last season that is read', '9999')
  .action(async ({ data, network, lastSeason }: Record<'data' | 'network' | 'lastSeason', string>) =>
    print(await benchModels(data, JSON.parse(network) as object, Number(lastSeason))),
  )

program
  .command('order')
  .description(
    'combinations of a field by finishing times, and the lab’s bets of ten seasons with own chances',
  )
  .action(() => print(benchOrder()))

program
  .command('ablation')
  .description('what the parts of the network are worth: four of them, each without some, walked forward')
  .requiredOption('--data <folder>', 'data folder whose races are read')
  .action(async ({ data }: { data: string }) => print(await benchAblation(data)))

program
  .command('own')
  .description('a reader’s own file: ratings of every starter by names, and the largest file that is taken')
  .requiredOption('--data <folder>', 'data folder whose dataset files are measured')
  .action(async ({ data }: { data: string }) => print(await benchOwn(data)))

program
  .command('flood')
  .description('simple analytics questions of a VIP and of a visitor while others flood the server')
  .requiredOption('--data <folder>', 'data folder whose dataset files are measured')
  .option('--seconds <seconds>', 'length of each flood', '10')
  .action(async ({ data, seconds }: Record<'data' | 'seconds', string>) =>
    print(await benchFlood(data, Number(seconds))),
  )

program
  .command('load')
  .description('the server as a process: lists and subscribes over loopback')
  .option('--database <kind>', 'pglite or postgresql (one of its own, started here)', 'postgresql')
  .option('--seconds <seconds>', 'length of each of the three runs', '10')
  .option('--connections <count>', 'requests in flight', '50')
  .option('--files <folder>', 'seasons in the hk layout, which are trained and built again meanwhile')
  .action(
    async ({
      database,
      seconds,
      connections,
      files,
    }: Record<'database' | 'seconds' | 'connections', string> & { files?: string }) => {
      if (database !== 'pglite' && database !== 'postgresql')
        throw new Error('--database: pglite or postgresql')
      const folder = files === undefined ? null : resolve(files)
      print(await benchLoad(database, Number(seconds), Number(connections), folder))
    },
  )

program
  .command('importing')
  .description('lists at a steady pace while Hong Kong seasons are imported, trained, predicted and built')
  .requiredOption('--files <folder>', 'folder of the files in the hk layout')
  .option('--database <kind>', 'pglite or postgresql (one of its own, started here)', 'postgresql')
  .action(async ({ files, database }: Record<'files' | 'database', string>) => {
    if (database !== 'pglite' && database !== 'postgresql')
      throw new Error('--database: pglite or postgresql')
    print(await benchImporting(database, resolve(files)))
  })

program
  .command('season')
  .description('a British season of 10,000 races imported alone, made of the days of a real file')
  .requiredOption('--file <csv>', 'a file in the rpscrape layout')
  .action(async ({ file }: { file: string }) => print(await benchSeason(resolve(file))))

program
  .command('race-day')
  .description(
    'a simulated race day through the feed with 200 readers connected and 2,000 who are told of what they follow: when each batch is answered, and when readers receive it',
  )
  .option('--database <kind>', 'pglite or postgresql (one of its own, started here)', 'postgresql')
  .option('--speed <n>', 'how many seconds of the race day pass in a second', '60')
  .option('--data <folder>', 'data folder of the embedded database to begin with, copied')
  .option('--kill-worker <seconds>', 'how often the process that does the jobs is killed')
  .option('--followers <count>', 'customers who follow a race and a horse', '2000')
  .action(
    async ({
      database,
      speed,
      data,
      killWorker,
      followers,
    }: Record<'database' | 'speed' | 'followers', string> &
      Partial<Record<'data' | 'killWorker', string>>) => {
      if (database !== 'pglite' && database !== 'postgresql')
        throw new Error('--database: pglite or postgresql')
      const killed = killWorker ? Number(killWorker) : null
      print(await benchRaceDay(database, Number(speed), data ?? null, killed, Number(followers)))
    },
  )

program
  .command('scale')
  .description(
    'a large installation on a PostgreSQL of its own: every call and job, statements that read whole tables, many sockets',
  )
  .option('--customers <count>', 'customers', '1000000')
  .option('--subscriptions <count>', 'races that they opened, together', '10000000')
  .option('--regions <count>', 'regions', '50')
  .option('--seasons <count>', 'seasons of each', '20')
  .option('--sockets <count>', 'sockets to one process; the limit of open files must allow as many', '10000')
  .action(
    async ({
      sockets,
      ...scale
    }: Record<'customers' | 'subscriptions' | 'regions' | 'seasons' | 'sockets', string>) =>
      print(
        await benchScale(
          {
            customers: Number(scale.customers),
            subscriptions: Number(scale.subscriptions),
            regions: Number(scale.regions),
            seasons: Number(scale.seasons),
          },
          Number(sockets),
          (text) => process.stderr.write(`${text}\n`),
        ),
      ),
  )

program
  .command('pictures')
  .description('the README’s pictures and animation, of a demonstration that it starts')
  .option('--to <folder>', 'where they are written', 'docs/pictures')
  .action(async ({ to }: Record<'to', string>) => print(await takePictures(to)))

program
  .command('import-pictures')
  .description('the pictures of the pages about layouts, of the invented files in docs/samples')
  .option('--to <folder>', 'where they are written', 'docs/pictures')
  .action(async ({ to }: Record<'to', string>) => print(await takeImportPictures(to)))

program
  .command('sheets')
  .description(
    'contact sheets of every screen by role, size, theme and language, of a demonstration that it starts',
  )
  .requiredOption('--to <folder>', 'where they are written')
  .option('--only <pattern>', 'names to take, such as VIP-phone', '')
  .option('--pages', 'each screen besides, unscaled and to its end, as a picture of its own', false)
  .option(...OWN_DATA)
  .action(async ({ to, only, pages, data }: Record<'to' | 'only', string> & { pages: boolean } & OwnData) =>
    print(await takeSheets(to, new RegExp(only), { data: data ?? null, pages })),
  )

program
  .command('shifts')
  .description(
    'layout shift of every screen while it loads, phone and desk, of a demonstration that it starts',
  )
  .option('--only <pattern>', 'screens to visit, such as "phone visitor"', '')
  .option(...OWN_DATA)
  .action(async ({ only, data }: Record<'only', string> & OwnData) =>
    print(await benchShifts(data ?? null, new RegExp(only))),
  )

program
  .command('race-page')
  .description('a race’s page: from a tap on its pace or form, and from a trial, to the painted part')
  .option(...OWN_DATA)
  .option('--races <count>', 'finished races, the newest first', '10')
  .action(async ({ data, races }: OwnData & { races: string }) =>
    print(await benchRacePage(data ?? null, Number(races))),
  )

program
  .command('first-screen')
  .description('what a phone shows of home before any scrolling, of a demonstration that it starts')
  .option(...OWN_DATA)
  .action(async ({ data }: OwnData) => print(await benchFirstScreen(data ?? null)))

program
  .command('charts')
  .description('each chart of the record in light, dark, grey and forced colours, on a phone and a desk')
  .requiredOption('--data <folder>', 'data folder whose dataset files are shown')
  .requiredOption('--to <folder>', 'where they are written')
  .option('--model <id>', 'model that is shown', 'blended')
  .action(async ({ data, to, model }: Record<'data' | 'to' | 'model', string>) =>
    print(await takeCharts(data, model, to)),
  )

program
  .command('first-start')
  .description('npm start in a bare clone of what is committed, then with its packages only, then again')
  .action(async () => print(await benchFirstStart()))

program
  .command('size')
  .description('what the first route and the lazy chunks weigh, brotli')
  .action(() => print(benchSize()))

program
  .command('lighthouse')
  .description('Lighthouse’s mobile preset: medians over the five pages of a demonstration that it starts')
  .option('--url <address>', 'one page of a running server instead (npm start)')
  .option('--rounds <count>', 'runs', '3')
  .option(...OWN_DATA)
  .action(async ({ url, rounds, data }: Record<'rounds', string> & { url?: string } & OwnData) =>
    print(
      url === undefined
        ? await benchLighthouseOfData(data ?? null, Number(rounds))
        : await benchLighthouse(url, Number(rounds)),
    ),
  )

await program.parseAsync()
