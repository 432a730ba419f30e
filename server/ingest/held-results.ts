import { FEED_BODIES } from '../../contract/api/feed.ts'
import { FurlongError } from '../../domain/errors.ts'
import { NO_RESULT, type RaceDraft } from '../drafts/drafts.ts'
import { ReportBook } from '../drafts/report.ts'
import type { Database } from '../db/database.ts'
import { dropHeld, listHeld, type HeldResult } from '../store/operation/held-store.ts'
import { enqueueJob } from '../store/operation/job-store.ts'
import { deleteOutcome } from '../store/racing/outcome-store.ts'
import { readDrafts } from '../store/racing/race-draft-store.ts'
import { readNewestOdds } from '../store/racing/race-store.ts'
import { RacingWriter } from '../store/racing/racing-writer.ts'
import { queueBatches, takeRaces, type RaceParts } from './feed.ts'

/** What follows; it is enqueued in the transaction that makes it necessary. */
const SETTLE = { kind: 'settle', payload: { verify: false } } as const

/** What is held as it came, a result before the dividends of its race. */
const partsOf = (held: readonly HeldResult[]): RaceParts[] =>
  held
    .toSorted((a, b) => Number(b.kind === 'results') - Number(a.kind === 'results'))
    .map(({ kind, body, source }) => {
      const races = FEED_BODIES[kind].parse({ races: [JSON.parse(body)] })
      return { source, kind, body: races } as RaceParts
    })

/**
 * Takes the result and the dividends of a race that are held, because an operator says that they are true. Returns what
 * they were, and enqueues settling. Throws `not-found` if nothing is held, `not-taken` if they can no longer be taken.
 */
export async function confirmHeld(
  database: Database,
  raceId: string,
  now: Date,
): Promise<HeldResult['kind'][]> {
  return database.transaction(async (queries) => {
    await queueBatches(queries)
    const held = await listHeld(queries, raceId)
    if (held.length === 0) throw new FurlongError('not-found')
    for (const parts of partsOf(held)) {
      const { rejected } = await takeRaces(queries, parts, new ReportBook(), { now, isConfirmed: true })
      const [first] = rejected
      if (first) throw new FurlongError('not-taken', { reason: `${first.reason}, ${first.detail}` })
    }
    await enqueueJob(queries, SETTLE)
    return held.map(({ kind }) => kind)
  })
}

/** Forgets what is held of a race. Throws `not-found` if nothing is. */
export async function dismissHeld(database: Database, raceId: string): Promise<void> {
  if ((await dropHeld(database, [raceId])) === 0) throw new FurlongError('not-found')
}

/**
 * Makes a final or abandoned race one that is to be run: its result, its dividends and their settlement are removed, its
 * locked predictions stay. Enqueues settling. Throws `no-such-race`, `not-taken` if the race is not over.
 */
export async function reopenRace(
  database: Database,
  raceId: string,
  now: Date,
): Promise<RaceDraft['status']> {
  return database.transaction(async (queries) => {
    await queueBatches(queries)
    const writer = await RacingWriter.open(queries, new ReportBook(), { races: [raceId] })
    const race = (await readDrafts(queries, [raceId])).get(raceId)
    if (!race) throw new FurlongError('no-such-race')
    if (race.status === 'scheduled' || race.runners.length === 0)
      throw new FurlongError('not-taken', {
        reason: `${raceId}: ${race.status}, ${race.runners.length} runners`,
      })
    await deleteOutcome(queries, raceId)
    // The result has brought its own odds.
    const shown = await readNewestOdds(queries, raceId, now)
    const odds = new Map(shown.map((tick) => [tick.horseNumber, tick.odds]))
    await writer.writeRaces([
      {
        ...race,
        winningTimeMs: null,
        status: 'scheduled',
        runners: race.runners.map((runner) =>
          runner.status === 'withdrawn'
            ? runner
            : {
                ...runner,
                ...NO_RESULT,
                status: 'declared',
                winOdds: odds.get(runner.horseNo ?? 0) ?? runner.winOdds,
              },
        ),
      },
    ])
    await writer.finish()
    await enqueueJob(queries, SETTLE)
    return race.status
  })
}
