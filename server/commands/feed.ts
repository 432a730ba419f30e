import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { InvalidArgumentError, type Command } from 'commander'
import { FEED_BODIES, FEED_KINDS, type FeedKind } from '../../contract/api/feed.ts'
import { asFurlongError, FurlongError, type ErrorCode } from '../../domain/errors.ts'
import { doJobs } from '../jobs/do-jobs.ts'
import { FURLONG_FORMAT } from '../ingest/furlong/furlong-format.ts'
import { importFiles } from '../ingest/import.ts'
import { errorMessage } from '../process/messages.ts'
import { issuesOf, takeBatch, type FeedBatch } from '../ingest/feed.ts'
import { tokenHash } from '../db/keys.ts'
import { makeOperatorToken } from '../services/viewer.ts'
import type { Database } from '../db/database.ts'
import { enqueueJob } from '../store/operation/job-store.ts'
import { listBatches, listOperatorTokens, revokeOperatorToken } from '../store/operation/feed-store.ts'
import { stopSignal, waitFor } from '../process/stop-signal.ts'
import {
  limitOf,
  print,
  tell,
  tellEach,
  withDatabase,
  withPlace,
  withRunningServer,
  type Json,
} from './session.ts'

const EVERY_MS = 1000
const RETRY_MS = 5000
const SOURCE = 'folder'
const SETTLE = { kind: 'settle', payload: { verify: false } } as const

function scopesOf(given: string): FeedKind[] {
  const names = given === 'all' ? [...FEED_KINDS] : given.split(',')
  const unknown = names.find((name) => !FEED_KINDS.includes(name as FeedKind))
  if (unknown !== undefined)
    throw new InvalidArgumentError(`${unknown}: all, or some of ${FEED_KINDS.join(',')}`)
  return [...new Set(names)] as FeedKind[]
}

/**
 * `furlong feed …`: tokens for sending race-day data, the received batches, and a folder that is read as a
 * feed.
 */
export function feedCommands(program: Command): void {
  const feed = program
    .command('feed')
    .description('tokens of systems that send cards, odds and results, and folders that are read as a feed')
  tokenCommands(feed)
  batchCommand(feed)
  watchCommand(feed)
}

function tokenCommands(feed: Command): void {
  feed
    .command('token')
    .description('make a token; it is printed once and stored as a hash')
    .argument('<name>', 'who will use it')
    .requiredOption('--scope <kinds>', `all, or some of ${FEED_KINDS.join(',')}`, scopesOf)
    .option('--json', 'print as JSON', false)
    .action(async (name: string, { scope, json }: Json & { scope: FeedKind[] }) => {
      const { id, token } = await withDatabase((database) =>
        makeOperatorToken(database, name, scope, new Date()),
      )
      tell(json, { id, token, scopes: scope }, [`${id} ${name}: ${scope.join(', ')}`, token])
    })

  feed
    .command('tokens')
    .description('list the tokens')
    .option('--json', 'print as JSON', false)
    .action(async ({ json }: Json) => {
      const tokens = await withDatabase(listOperatorTokens)
      tellEach(json, tokens, ({ id, name, scopes, lastUsedAt, revokedAt }) => {
        const use = revokedAt ? `revoked ${revokedAt}` : `last used ${lastUsedAt ?? 'never'}`
        return `${id} ${name}: ${scopes.join(', ')}; ${use}`
      })
    })

  feed
    .command('revoke')
    .description('end a token at once')
    .argument('<id>')
    .action(async (id: string) => {
      if (!(await withDatabase((database) => revokeOperatorToken(database, id, new Date()))))
        throw new FurlongError('not-found')
      print('revoked')
    })
}

function batchCommand(feed: Command): void {
  feed
    .command('batches')
    .description('the newest batches with their reports')
    .option('--limit <n>', 'how many', limitOf, 20)
    .option('--json', 'print the whole reports as JSON', false)
    .action(async ({ limit, json }: Json & { limit: number }) => {
      const batches = await withDatabase((database) => listBatches(database, limit))
      const reports = batches.map(({ report, ...batch }) => ({
        ...batch,
        report: JSON.parse(report) as { races: number; rejected: unknown[] },
      }))
      tellEach(
        json,
        reports,
        ({ receivedAt, kind, key, report }) =>
          `${receivedAt} ${kind} ${key}: ${report.races} races, ${report.rejected.length} rejected`,
      )
    })
}

function watchCommand(feed: Command): void {
  feed
    .command('watch')
    .description(
      'take the files that are put into a folder: batches as .json, and .csv files of the furlong layout; each is moved to done/ or failed/ with its report',
    )
    .argument('<folder>')
    .option('--once', 'take what is there, and end', false)
    .option(
      '--allow-removals',
      'let .csv files take stored runners, dividends or results out of races',
      false,
    )
    .action(async (given: string, { once, allowRemovals }: { once: boolean; allowRemovals: boolean }) => {
      const folder: Watched = { path: resolve(given), allowRemovals, passedOver: new Set() }
      const stop = stopSignal()
      for (const name of ['done', 'failed']) mkdirSync(join(folder.path, name), { recursive: true })
      print(`watching ${folder.path}`)
      if (!once) return withRunningServer((database) => watch(database, folder, stop))
      await withPlace(async (database, place, alone) => {
        await takeFiles(database, folder, [...stampsOf(folder).keys()], stop)
        // The jobs that follow are completed before the command ends, whether or not a worker runs.
        await doJobs(database, place, SETTLE, { alone, onProgress: () => {}, stop })
      })
    })
}

/** A folder that is read as a feed. */
interface Watched {
  path: string
  allowRemovals: boolean
  /** Files of other kinds that were named already. */
  passedOver: Set<string>
}

/**
 * Processes files in order of name, one at a time; a file that changed between two checks is still being
 * written and is skipped.
 */
async function watch(database: Database, folder: Watched, stop: AbortSignal): Promise<void> {
  let before = new Map<string, string>()
  while (!stop.aborted) {
    const now = stampsOf(folder)
    const ready = [...now.keys()].filter((name) => before.get(name) === now.get(name))
    try {
      await takeFiles(database, folder, ready, stop)
    } catch (error) {
      const failure = asFurlongError(error)
      // The server has stopped: if this command continued, it would block the next start of the server.
      if (failure.code === 'database-unreachable' && database.kind === 'pglite') throw failure
      print(`waiting: ${errorMessage('en', failure)}`)
      await waitFor(RETRY_MS, stop)
    }
    before = now
    await waitFor(EVERY_MS, stop)
  }
}

async function takeFiles(
  database: Database,
  folder: Watched,
  names: readonly string[],
  stop: AbortSignal,
): Promise<void> {
  for (const name of names) {
    if (stop.aborted) return
    await takeFile(database, folder, name)
  }
}

/** Files that can be taken, with what tells whether they change; others are named once. */
function stampsOf({ path, passedOver }: Watched): Map<string, string> {
  const stamps = new Map<string, string>()
  for (const name of readdirSync(path).toSorted()) {
    const stat = statSync(join(path, name), { throwIfNoEntry: false })
    if (!stat?.isFile()) continue
    if (/\.(json|csv)$/i.test(name)) stamps.set(name, `${stat.size} ${stat.mtimeMs}`)
    else if (!passedOver.has(name)) {
      passedOver.add(name)
      print(`left alone, because it is no .json and no .csv file: ${name}`)
    }
  }
  return stamps
}

/**
 * Errors of the file itself; after any other error, which may be temporary, the file stays for another
 * attempt.
 */
const FILE_ERRORS: readonly ErrorCode[] = [
  'file-unreadable',
  'file-missing',
  'not-this-format',
  'other-format',
  'no-good-row',
  'bad-race-id',
  'batch-differs',
  'demonstration-present',
]

/**
 * Processes one file and moves it, with its report beside it. Throws errors that are not the file's, and
 * leaves the file where it is.
 */
async function takeFile(database: Database, folder: Watched, name: string): Promise<void> {
  const path = join(folder.path, name)
  let report: { rejects?: unknown[]; rejected?: unknown[]; error?: string; message?: string }
  let failed = false
  try {
    if (/\.csv$/i.test(name)) {
      report = await importFiles(database, {
        format: FURLONG_FORMAT,
        paths: [path],
        replaceDemonstration: false,
        allowRemovals: folder.allowRemovals,
      })
      await enqueueJob(database, SETTLE)
    } else {
      const batch = batchOf(name, readFileSync(path, 'utf8'), statSync(path).mtimeMs)
      report = await takeBatch(database, batch, new Date())
    }
  } catch (error) {
    const failure = asFurlongError(error)
    if (!FILE_ERRORS.includes(failure.code)) throw failure
    failed = true
    report = { error: failure.code, message: errorMessage('en', failure) }
  }
  const target = join(folder.path, failed ? 'failed' : 'done')
  writeFileSync(join(target, `${name}.report.json`), `${JSON.stringify(report, null, 2)}\n`)
  renameSync(path, join(target, name))
  const { rejects, rejected, message } = report
  const left = (rejects ?? rejected ?? []).length
  const more = left > 0 ? `; ${left} rejected, see done/${name}.report.json` : ''
  print(failed ? `failed: ${name}: ${message}` : `taken: ${name}${more}`)
}

/**
 * A batch in a file: `{"kind": "odds", "races": […]}`. Its key is the file's name, content and modification
 * time: a file left behind by an interruption is the same batch, one that is put there again is another.
 */
function batchOf(name: string, content: string, changedMs: number): FeedBatch {
  let parsed: unknown
  try {
    parsed = JSON.parse(content)
  } catch (error) {
    const reason = `it must hold one batch as one JSON value; ${(error as Error).message}`
    throw new FurlongError('file-unreadable', { file: name, reason })
  }
  const { kind, ...body } = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as {
    kind?: FeedKind
  }
  if (kind === undefined || !FEED_KINDS.includes(kind))
    throw new FurlongError('file-unreadable', { file: name, reason: `kind: one of ${FEED_KINDS.join(', ')}` })
  const checked = FEED_BODIES[kind].safeParse(body)
  if (!checked.success)
    throw new FurlongError('file-unreadable', { file: name, reason: issuesOf(checked.error) })
  return {
    source: SOURCE,
    key: `${name} ${tokenHash(content).slice(0, 16)} ${Math.round(changedMs)}`,
    kind,
    body: checked.data,
  } as FeedBatch
}
