import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Command, Option } from 'commander'
import { examine } from './doctor.ts'
import { demoCommands } from './demo.ts'
import { feedCommands } from './feed.ts'
import { importDryRun, importsCommands } from './imports.ts'
import { operatorCommands } from './operator.ts'
import { scoreCommands } from './score.ts'
import { raceCommands } from './races.ts'
import { print, raceIdsOf, showing, tell, tellEach, withPlace, type Json } from './session.ts'
import { workCommands } from './work.ts'
import type { BuildReport } from '../dataset/build.ts'
import { readSettings } from '../process/env.ts'
import { AUTO, FORMATS } from '../ingest/formats.ts'
import { MAP } from '../ingest/mapping/mapped-format.ts'
import { parseMapping, readMapFile, type MapFile } from '../ingest/mapping/mapping.ts'
import { LOSSES, reportLines, type ImportReport } from '../drafts/report.ts'
import type { JobReports } from '../jobs/do-jobs.ts'
import type { NewJob } from '../drafts/job-kinds.ts'
import type { ScoreReport } from '../scoring/score.ts'
import type { Database } from '../db/database.ts'
import { holdsDemonstration } from '../store/racing/demonstration.ts'
import { backup, restore } from '../store/operation/backup.ts'

const ENVIRONMENT = `
Environment:
  FURLONG_DATA    folder of everything written at run time (default: data)
  DATABASE_URL    PostgreSQL to use instead of the embedded database
  PORT, HOST      where to listen (default: 4170 on 127.0.0.1)
All of them: docs/operating.md`

/** Runs a job and its successors and shows the progress; Ctrl-C stops it as `doJobs` says. */
async function doAndShow(job: (database: Database) => Promise<NewJob>): Promise<JobReports> {
  // Loaded on demand: the other commands do not need it, and start in half the time without it.
  const { doJobs } = await import('../jobs/do-jobs.ts')
  return showing((onProgress, stop) =>
    withPlace(async (database, place, alone) =>
      doJobs(database, place, await job(database), { alone, onProgress, stop }),
    ),
  )
}

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

/** The whole command line `furlong`, called by `npm start`, `npm run admin`, `import`, `score` and `demo`. */
export function newProgram(): Command {
  const program = new Command('furlong')
    .description('Furlong: racing analysis. What an operator does, beside `npm start` and `npm test`.')
    .addHelpText('after', ENVIRONMENT)
    .showHelpAfterError()
  serveCommand(program)
  importCommand(program)
  importsCommands(program)
  buildCommand(program)
  doctorCommand(program)
  backupCommands(program)
  operatorCommands(program)
  demoCommands(program)
  feedCommands(program)
  raceCommands(program)
  scoreCommands(program)
  workCommands(program)
  return program
}

function serveCommand(program: Command): void {
  program
    .command('serve')
    .description('serve site and API; `npm start` builds first and calls this')
    .option('--site <folder>', 'folder of the built site')
    .option(
      '--await-site',
      'listen only when the process that started this one says that the site is built',
      false,
    )
    .action(async ({ site, awaitSite }: { site?: string; awaitSite: boolean }) => {
      const parent = awaitSite ? listenToParent() : null
      // Loaded on demand: the other commands do not need the service, and start in half the time without it.
      const { serve } = await import('../serving/serve.ts')
      const folder = site === undefined ? null : resolve(site)
      await serve(readSettings(), folder, print, parent?.hasSpoken).finally(() => parent?.leave())
    })
}

interface ImportOptions {
  format: string
  map?: string
  explain: boolean
  replaceDemo: boolean
  allowRemovals: boolean
  confirm: string[]
  train: boolean
  dryRun: boolean
  json: boolean
}

/** The process that started this one. `hasSpoken` resolves with its first message; this one exits if it ends before. */
function listenToParent(): { hasSpoken: Promise<void>; leave(): void } {
  const exit = (): void => process.exit(1)
  process.once('disconnect', exit)
  const hasSpoken = new Promise<void>((resolve) => {
    process.once('message', () => {
      process.removeListener('disconnect', exit)
      resolve()
    })
  })
  // An open channel would keep a process that has been stopped.
  const leave = (): void => {
    process.removeListener('disconnect', exit)
    if (process.connected) process.disconnect()
  }
  return { hasSpoken, leave }
}

function importCommand(program: Command): void {
  program
    .command('import')
    .description('import racing data; safe to repeat and to interrupt')
    .argument(
      '<paths...>',
      'files, or folders whose .csv files and charts of BRIS, or markets of Betfair, are read',
    )
    .addOption(
      new Option('--format <format>', 'layout of the files; auto recognises it by their columns')
        .choices([AUTO, ...Object.keys(FORMATS)])
        .default(AUTO),
    )
    .addOption(
      new Option('--map <file>', 'read files of another layout as this mapping says').conflicts('format'),
    )
    .option('--explain', 'show how each column is read, or a mapping to edit, and change nothing', false)
    .option('--replace-demo', 'remove the demonstration season without asking', false)
    .option(
      '--allow-removals',
      'let races lose runners, numbers, dividends or results that are stored',
      false,
    )
    .option(
      '--confirm <races>',
      'race ids, separated by commas, whose strange results are true',
      raceIdsOf,
      [],
    )
    .option('--no-train', 'leave new models to `score train`')
    .option('--dry-run', 'read and check everything, report what would change, and change nothing', false)
    .option('--json', 'print the whole report as JSON', false)
    .action(async (paths: string[], options: ImportOptions) => {
      const map = options.map === undefined ? null : readMapFile(resolve(options.map))
      if (options.explain) {
        // Loaded on demand, as what imports is.
        const { explainFiles, explanationLines } = await import('../ingest/explain.ts')
        const explanation = await explainFiles(paths, options.format, map)
        return tell(options.json, explanation, explanationLines(explanation))
      }
      if (map !== null) parseMapping(map)
      if (options.dryRun) return tellDryRun(paths, options, map)
      const reports = await doAndShow(async (database) => ({
        kind: 'import',
        payload: {
          ...(map === null ? { format: options.format } : { format: MAP, map }),
          paths: paths.map((path) => resolve(path)),
          replaceDemonstration: options.replaceDemo || (await agreesToReplace(database)),
          train: options.train,
          allowRemovals: options.allowRemovals,
          confirmed: options.confirm,
          host: hostname(),
        },
      }))
      const imported = reports.import as ImportReport
      const scored = reports.settle as ScoreReport
      const dataset = reports.build as BuildReport
      if (imported.rejects.some(({ kind }) => LOSSES.has(kind))) process.exitCode = 1
      if (options.json) return print(JSON.stringify({ import: imported, scored, dataset }, null, 2))
      for (const line of reportLines(imported)) print(line)
      print(
        `scored: ${scored.races} races, ${scored.predictions} predictions in ${scored.seconds.toFixed(1)} s`,
      )
      for (const race of scored.unsettled) print(`  not settled, its places contradict each other: ${race}`)
      print(
        `dataset: ${dataset.built} partitions built, ${dataset.unchanged} unchanged, ${dataset.bytes} bytes in ${dataset.seconds.toFixed(1)} s`,
      )
    })
}

async function tellDryRun(
  paths: readonly string[],
  options: ImportOptions,
  map: MapFile | null,
): Promise<void> {
  const report = await importDryRun(map ?? options.format, {
    paths: paths.map((path) => resolve(path)),
    replaceDemonstration: options.replaceDemo,
    allowRemovals: options.allowRemovals,
    confirmed: options.confirm,
  })
  if (report.rejects.some(({ kind }) => LOSSES.has(kind))) process.exitCode = 1
  tell(options.json, { import: report }, reportLines(report))
}

function buildCommand(program: Command): void {
  program
    .command('build')
    .description('score what changed and build the dataset files that lag behind')
    .option('--json', 'print the report as JSON', false)
    .action(async ({ json }: Json) => {
      const reports = await doAndShow(async () => ({ kind: 'train', payload: { verify: true } }))
      const scored = reports.settle as ScoreReport
      const dataset = reports.build as BuildReport
      print(
        json
          ? JSON.stringify({ scored, dataset }, null, 2)
          : `${scored.races} races scored, ${dataset.built} partitions built`,
      )
    })
}

function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check database, dataset, secrets and clock; exits with status 1 when something is wrong')
    .option('--json', 'print the findings as JSON', false)
    .action(async ({ json }: Json) => {
      const findings = await examine(readSettings())
      tellEach(json, findings, ({ check, ok, detail }) => `${ok ? 'ok  ' : 'BAD '} ${check}: ${detail}`)
      if (findings.some(({ ok }) => !ok)) process.exitCode = 1
    })
}

function backupCommands(program: Command): void {
  program
    .command('backup')
    .description('write database and secrets into an empty folder')
    .argument('<folder>')
    .option('--json', 'print as JSON', false)
    .action(async (folder: string, { json }: Json) => {
      const about = await backup(readSettings(), resolve(folder))
      tell(json, { folder: resolve(folder), ...about }, [`${about.kind} written to ${resolve(folder)}`])
    })

  program
    .command('restore')
    .description('put a backup into an empty database; `build` or the next start makes the dataset files')
    .argument('<folder>')
    .option('--json', 'print as JSON', false)
    .action(async (folder: string, { json }: Json) => {
      const about = await restore(readSettings(), resolve(folder))
      tell(json, about, [`restored what was written at ${about.madeAt}`])
    })
}
