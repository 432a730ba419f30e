import type { Command } from 'commander'
import { FurlongError } from '../../domain/errors.ts'
import type { ImportReport } from '../drafts/report.ts'
import type { ImportRequest } from '../ingest/import.ts'
import type { MapFile } from '../ingest/mapping/mapping.ts'
import { listRuns, type ImportRun } from '../store/operation/import-log.ts'
import { limitOf, showing, tell, tellEach, withDatabase, withPlace, type Json } from './session.ts'

/** `furlong imports …`: what was imported, and taking the last import back. */
export function importsCommands(program: Command): void {
  const imports = program.command('imports').description('what was imported, and taking the last import back')
  imports
    .command('list', { isDefault: true })
    .description('list imports, the last one first, with the rows that each changed')
    .option('--limit <n>', 'how many', limitOf, 20)
    .option('--json', 'print all that is known of them as JSON', false)
    .action(async ({ limit, json }: Json & { limit: number }) => {
      const runs = await withDatabase((database) => listRuns(database, limit))
      tellEach(json, runs, lineOf)
    })
  imports
    .command('undo')
    .description(
      'make races, runners, dividends and names what they were before the last import; locked predictions, customers and money are never touched',
    )
    .argument('<number>', 'the number of the import', numberOf)
    .option('--no-train', 'leave new models to `score train`')
    .option('--json', 'print as JSON', false)
    .action(async (number: number, { train, json }: Json & { train: boolean }) => {
      // Loaded on demand: the other commands do not need them, and start in half the time without them.
      const { undoImport } = await import('../ingest/undo-import.ts')
      const { doJobs } = await import('../jobs/do-jobs.ts')
      const next = { kind: train ? 'train' : 'settle', payload: { verify: true } } as const
      await withPlace(async (database, place, alone) => {
        const restored = await undoImport(database, number, next)
        // At once: what follows may take long, and may fail.
        tell(json, { number, restored }, [
          `import ${number} undone`,
          ...Object.entries(restored).map(([table, rows]) => `  ${table}: ${rows} restored or removed`),
        ])
        try {
          await showing((onProgress, stop) => doJobs(database, place, next, { alone, onProgress, stop }))
        } catch (error) {
          process.stderr.write(
            `import ${number} is undone; predictions, settlements and files are left to the worker\n`,
          )
          throw error
        }
      })
    })
}

/** The number of an import. Throws `bad-arguments`. */
function numberOf(given: string): number {
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new FurlongError('bad-arguments', { reason: given })
  return Number(given)
}

function lineOf(run: ImportRun): string {
  const { number, format, paths, startedAt, changedRows, counts } = run
  const tables = Object.entries(counts ?? {}).flatMap(([table, { inserted, updated }]) =>
    inserted + updated === 0 ? [] : [`${table} ${inserted} new ${updated} changed`],
  )
  const rows = changedRows === 0 ? ['nothing changed'] : tables
  return [String(number), startedAt, format, stateOf(run), paths.join(' '), rows.join(', ')].join('  ')
}

function stateOf({ endedAt, undoneAt, isLogged }: ImportRun): string {
  if (undoneAt !== null) return `undone ${undoneAt}`
  if (endedAt === null) return 'not ended'
  return isLogged ? 'logged' : 'not logged'
}

/**
 * Reads and checks files as an import does, and reports what it would change. `format`: its name, `auto`, or a mapping.
 */
export async function importDryRun(
  format: string | MapFile,
  request: Pick<ImportRequest, 'paths' | 'replaceDemonstration' | 'allowRemovals' | 'confirmed'>,
): Promise<ImportReport> {
  const { importFiles, progressText } = await import('../ingest/import.ts')
  const { formatFor } = await import('../ingest/recognise.ts')
  return showing(async (onProgress, stop) => {
    const { why, format: found } = await formatFor(format, request.paths)
    return withDatabase((database) =>
      importFiles(database, {
        ...request,
        format: found,
        recognised: why,
        dryRun: true,
        onProgress: (progress) => {
          // Thrown into the work, whose transaction is rolled back.
          if (stop.aborted) throw new FurlongError('query-cancelled')
          onProgress(progressText(progress))
        },
      }),
    )
  })
}
