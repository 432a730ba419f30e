import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { setTimeout } from 'node:timers/promises'
import { Command, Option } from 'commander'
import { asFurlongError } from '../domain/errors.ts'
import { examine } from './commands/doctor.ts'
import { demoCommands } from './commands/demo.ts'
import { feedCommands } from './commands/feed.ts'
import { operatorCommands } from './commands/operator.ts'
import { scoreCommands } from './commands/score.ts'
import { print, tell, withDatabase } from './commands/session.ts'
import type { BuildReport } from './dataset/build.ts'
import { readSettings } from './env.ts'
import { FORMATS } from './ingest/formats.ts'
import { importFiles } from './ingest/import.ts'
import { reportLines } from './ingest/report.ts'
import { errorMessage } from './messages.ts'
import type { Database } from './store/database.ts'
import { holdsDemonstration } from './store/demonstration.ts'
import { backup, restore } from './store/backup.ts'
import { StatusLine } from './status-line.ts'

const ENVIRONMENT = `
Environment:
  FURLONG_DATA    folder of everything written at run time (default: data)
  DATABASE_URL    PostgreSQL to use instead of the embedded database
  PORT, HOST      where to listen (default: 4170 on 127.0.0.1)
All of them: docs/operating.md`

const program = new Command('furlong')
  .description('Furlong: racing analysis. What an operator does, beside `npm start` and `npm test`.')
  .addHelpText('after', ENVIRONMENT)
  .showHelpAfterError()

/** Trains what is missing, scores what changed and builds the dataset files that lag behind. */
async function bringUpToDate(database: Database, status: StatusLine, train: boolean) {
  // The operator's other commands need nothing of it, and start in half the time without it.
  const { scoreStaleRaces } = await import('./scoring/score.ts')
  const { trainMissing } = await import('./scoring/train.ts')
  if (train) {
    await trainMissing(database, (what, done, total) => status.show(`training, ${what}: ${done} of ${total}`))
  }
  const scored = await scoreStaleRaces(database, (done, total) =>
    status.show(`predicting and settling: ${done} of ${total} races`),
  )
  const dataset = await buildWhenFree(database, status)
  status.clear()
  return { scored, dataset }
}

/** How long a build of the server's own, or of another command, is waited for. */
const BUILD_WAIT_MS = 1_200_000

/** Builds the dataset files once nobody else builds into the same folder. Throws `database-locked` when that takes too long. */
async function buildWhenFree(database: Database, status: StatusLine): Promise<BuildReport> {
  const { buildDataset } = await import('./dataset/build.ts')
  const started = Date.now()
  for (;;) {
    status.show('building dataset files')
    try {
      return await buildDataset(database, readSettings().dataFolder, new Date(), { verify: true })
    } catch (error) {
      if (asFurlongError(error).code !== 'database-locked' || Date.now() - started > BUILD_WAIT_MS)
        throw error
    }
    status.show('waiting for the server, which is building dataset files')
    await setTimeout(1000)
  }
}

program
  .command('serve')
  .description('serve site and API; `npm start` builds first and calls this')
  .option('--site <folder>', 'folder of the built site')
  .action(async ({ site }: { site?: string }) => {
    // The operator's other commands need nothing of the service, and start in half the time without it.
    const { serve } = await import('./serve.ts')
    await serve(readSettings(), site === undefined ? null : resolve(site), print)
  })

program
  .command('import')
  .description('import racing data: all of it, or nothing')
  .argument('<paths...>', 'files, or folders whose .csv files are read')
  .addOption(
    new Option('--format <format>', 'layout of the files')
      .choices(Object.keys(FORMATS))
      .makeOptionMandatory(),
  )
  .option('--replace-demo', 'remove the demonstration season without asking', false)
  .option('--no-train', 'leave new models to `score train`')
  .option('--json', 'print the whole report as JSON', false)
  .action(
    async (
      paths: string[],
      options: { format: keyof typeof FORMATS; replaceDemo: boolean; train: boolean; json: boolean },
    ) => {
      await withDatabase(async (database) => {
        const replaceDemonstration = options.replaceDemo || (await agreesToReplace(database))
        const status = new StatusLine(process.stderr)
        const report = await importFiles(database, {
          format: FORMATS[options.format],
          paths,
          replaceDemonstration,
          onProgress: ({ file, rows, bytesDone, bytesTotal, secondsLeft }) => {
            const percent = Math.floor((100 * bytesDone) / bytesTotal)
            const left = secondsLeft === null ? '' : `, about ${Math.ceil(secondsLeft)} s left`
            status.show(`${file}: ${rows} rows, ${percent}%${left}`)
          },
        })
        const after = await bringUpToDate(database, status, options.train)
        if (options.json) return print(JSON.stringify({ import: report, ...after }, null, 2))
        for (const line of reportLines(report)) print(line)
        print(
          `scored: ${after.scored.races} races, ${after.scored.predictions} predictions in ${after.scored.seconds.toFixed(1)} s`,
        )
        for (const race of after.scored.unsettled)
          print(`  not settled, its places contradict each other: ${race}`)
        print(
          `dataset: ${after.dataset.built} partitions built, ${after.dataset.unchanged} unchanged, ${after.dataset.bytes} bytes in ${after.dataset.seconds.toFixed(1)} s`,
        )
      })
    },
  )

async function agreesToReplace(database: Database): Promise<boolean> {
  if (!process.stdin.isTTY || !(await holdsDemonstration(database))) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const reply = await terminal.question(
      'The database holds the demonstration season. Replace it with this data? [y/N] ',
    )
    return /^y(es)?$/i.test(reply.trim())
  } finally {
    terminal.close()
  }
}

program
  .command('build')
  .description('score what changed and build the dataset files that lag behind')
  .option('--json', 'print the report as JSON', false)
  .action(async ({ json }: { json: boolean }) => {
    const report = await withDatabase((database) =>
      bringUpToDate(database, new StatusLine(process.stderr), true),
    )
    print(
      json
        ? JSON.stringify(report, null, 2)
        : `${report.scored.races} races scored, ${report.dataset.built} partitions built`,
    )
  })

program
  .command('doctor')
  .description('look at database, dataset, secrets and clock; ends with 1 when something is wrong')
  .option('--json', 'print the findings as JSON', false)
  .action(async ({ json }: { json: boolean }) => {
    const findings = await examine(readSettings())
    tell(
      json,
      findings,
      findings.map(({ check, ok, detail }) => `${ok ? 'ok  ' : 'BAD '} ${check}: ${detail}`),
    )
    if (findings.some(({ ok }) => !ok)) process.exitCode = 1
  })

program
  .command('backup')
  .description('write database and secrets into an empty folder')
  .argument('<folder>')
  .option('--json', 'print as JSON', false)
  .action(async (folder: string, { json }: { json: boolean }) => {
    const about = await backup(readSettings(), resolve(folder))
    tell(json, { folder: resolve(folder), ...about }, [`${about.kind} written to ${resolve(folder)}`])
  })

program
  .command('restore')
  .description('put a backup into an empty database; `build` or the next start makes the dataset files')
  .argument('<folder>')
  .option('--json', 'print as JSON', false)
  .action(async (folder: string, { json }: { json: boolean }) => {
    const about = await restore(readSettings(), resolve(folder))
    tell(json, about, [`restored what was written at ${about.madeAt}`])
  })

operatorCommands(program)
demoCommands(program)
feedCommands(program)
scoreCommands(program)

// What is written is its owner's alone: database, secrets, backups, dataset files.
process.umask(0o077)

try {
  await program.parseAsync()
} catch (error) {
  const told = asFurlongError(error)
  process.stderr.write(`furlong: ${errorMessage('en', told)}\n`)
  if (told.code === 'internal' && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  process.exitCode = 1
}
// A part that failed may never end by itself: the embedded database on a full disk keeps its process alive. What was
// printed has to reach a slow reader of the pipe first.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write('', resolve))),
)
process.exit()
