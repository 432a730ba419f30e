import { FurlongError } from '../../domain/errors.ts'
import type { Database, Queries } from '../db/database.ts'
import type { NewJob } from '../drafts/job-kinds.ts'
import {
  countChanges,
  findRun,
  lastRunWithChanges,
  LOGGED_IMPORTS,
  markUndone,
  type ImportRun,
} from '../store/operation/import-log.ts'
import {
  changedSince,
  collectChanges,
  countPredictions,
  readOutdated,
  restoreRows,
  usedRows,
  type LoggedTable,
} from '../store/operation/import-undo.ts'
import { enqueueJob } from '../store/operation/job-store.ts'
import { forgetPaceRecord } from '../store/pace/pace-map-store.ts'
import { ChangeMarks } from '../store/racing/change-marks.ts'
import { daysOf, refreshTotalsOf } from '../store/racing/daily-hits-store.ts'
import { isLaterBearer } from '../store/racing/history-store.ts'
import { retireKeys } from '../store/racing/key-ring.ts'
import { endPieces, isHalfWritten } from '../store/operation/pieces-store.ts'
import { waitForWriters } from '../store/racing/racing-writer.ts'
import { queueBatches } from './feed.ts'

/**
 * Changes, with the predictions of races that go, that the embedded database takes back in about a second, during which its
 * server answers nobody.
 */
const MOST_BESIDE_SERVER = 5000

/** Number of rows that were restored or deleted, by table. */
type UndoReport = Partial<Record<LoggedTable, number>>

/**
 * Restores the racing tables to what they were before an import, in one transaction, marks what is derived from them as
 * outdated, and enqueues `next`. Throws `no-such-import`; `import-not-undone` with the reason if it is not the last import
 * with changes, if its rows were changed since, or if customers or locked predictions name what it added; and
 * `server-in-the-way` if it changed too much for a server that has the embedded database open.
 */
export function undoImport(database: Database, number: number, next: NewJob): Promise<UndoReport> {
  return database.transaction(async (queries) => {
    await queueBatches(queries)
    await waitForWriters(queries)
    const run = await findRun(queries, number)
    if (run === null) throw new FurlongError('no-such-import', { number })
    await needLast(queries, run)
    const changes = await countChanges(queries, number)
    needFew(database, changes)
    await collectChanges(queries, number)
    needFew(database, changes + (await countPredictions(queries)))
    const changed = await changedSince(queries)
    if (changed !== null) throw notUndone(number, 'changed', { ...changed })
    // Last, because customers wait from here on.
    const used = await usedRows(queries)
    if (used !== null) throw notUndone(number, 'used', { ...used })
    const restored = await restore(queries, number)
    await endPieces(queries, run)
    await markUndone(queries, number, new Date())
    await enqueueJob(queries, next)
    return restored
  })
}

const notUndone = (
  number: number,
  reason: 'undone' | 'later' | 'forgotten' | 'nothing' | 'writing' | 'changed' | 'used',
  details: { rows?: number; example?: string; other?: number } = {},
): FurlongError => new FurlongError('import-not-undone', { number, reason, ...details })

/** Throws `server-in-the-way` if a server that has the embedded database open could answer nobody for too long. */
function needFew({ shared }: Database, rows: number): void {
  if (shared && rows > MOST_BESIDE_SERVER) throw new FurlongError('server-in-the-way')
}

/** Throws `import-not-undone` unless no import is being written, and it is in the change log, and is the last one of it. */
async function needLast(queries: Queries, run: ImportRun): Promise<void> {
  const { number, undoneAt, changedRows, isLogged } = run
  if (undoneAt !== null) throw notUndone(number, 'undone')
  // Another import may have read what the undo would take away, and write what refers to it.
  if (await isHalfWritten(queries)) throw notUndone(number, 'writing')
  const last = await lastRunWithChanges(queries)
  if (last !== null && last > number) throw notUndone(number, 'later', { other: last })
  if (!isLogged)
    throw (changedRows ?? 0) === 0
      ? notUndone(number, 'nothing')
      : notUndone(number, 'forgotten', { other: LOGGED_IMPORTS })
}

async function restore(queries: Queries, number: number): Promise<UndoReport> {
  const { races, sectionRaces, oddsRaces, regions, form, horses } = await readOutdated(queries)
  const marks = new ChangeMarks()
  for (const id of races) marks.staleRaces.add(id)
  for (const id of oddsRaces) marks.movedOdds.add(id)
  for (const id of sectionRaces) marks.changedSections.add(id)
  for (const id of regions) marks.changedNames.add(id)
  for (const { regionId, day } of form) marks.noteForm(regionId, [day])
  for (const { id, brand } of horses) if (isLaterBearer(id)) marks.laterBearers.add(brand)
  const days = await daysOf(queries, races)
  await retireKeys(queries)
  const outdate = async (): Promise<void> => {
    await marks.outdate(queries)
    for (const regionId of await marks.forgetFitted(queries)) await forgetPaceRecord(queries, regionId)
  }
  // Before, for the races that go, and after, for what those that stay were.
  await outdate()
  const restored = await restoreRows(queries, number)
  await outdate()
  await refreshTotalsOf(queries, days)
  return restored
}
