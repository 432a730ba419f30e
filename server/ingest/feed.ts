import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { FeedReport, type FEED_REJECTIONS, type FeedBody, type FeedKind } from '../../contract/api/feed.ts'
import { FurlongError } from '../../domain/errors.ts'
import { parseRaceId } from '../../domain/race-id.ts'
import { regionOfStadium } from '../../domain/region.ts'
import {
  NO_NAMES,
  NO_RESULT,
  type DividendDraft,
  type OddsTickDraft,
  type PersonDraft,
  type RaceDraft,
  type RunnerDraft,
} from '../drafts/drafts.ts'
import { ReportBook } from '../drafts/report.ts'
import type { Database, Queries } from '../db/database.ts'
import { holdsDemonstration } from '../store/racing/demonstration.ts'
import { findBatch, insertBatch } from '../store/operation/feed-store.ts'
import { enqueueJob } from '../store/operation/job-store.ts'
import { writeLiveOdds } from '../store/racing/live-odds-store.ts'
import { readDrafts } from '../store/racing/race-draft-store.ts'
import { RacingWriter } from '../store/racing/racing-writer.ts'
import { combinationOf, poolOf } from './furlong/furlong-format.ts'
import { RowError } from './reading/format.ts'

type Rejection = FeedReport['rejected'][number]

/**
 * A received batch; `source` is the id of the operator's token, or another origin. Keys are unique within a
 * source.
 */
export type FeedBatch = {
  [Kind in FeedKind]: { source: string; key: string; kind: Kind; body: FeedBody<Kind> }
}[FeedKind]

/** Arbitrary advisory lock key, shared by every process that accepts batches. */
const FEED_LOCK = 7_312_033
/** Tolerated clock difference between two systems. */
const MAX_AHEAD_MS = 5000

/** Whether a batch of this kind may finish races, after which dataset files must be built. */
const bringsResults = (kind: FeedKind): boolean => kind === 'results' || kind === 'dividends'

/**
 * Applies a batch once, in one transaction: the same key with the same content returns the first report
 * again. New predictions and dataset files are enqueued as jobs in the same transaction. Throws
 * `batch-differs` for a known key with other content, and `demonstration-present` for racecards while the
 * races are simulated, unless they come from the demonstration.
 */
export async function takeBatch(
  database: Database,
  batch: FeedBatch,
  now: Date,
  { ofDemonstration = false }: { ofDemonstration?: boolean } = {},
): Promise<FeedReport> {
  const { source, key, kind, body } = batch
  const sha256 = createHash('sha256').update(JSON.stringify(body)).digest('hex')
  return database.transaction(async (queries) => {
    // Concurrent copies of a batch wait here for the first one.
    await queries.rows('select pg_advisory_xact_lock($1)', [FEED_LOCK])
    const known = await findBatch(queries, source, key)
    if (known) {
      if (known.sha256 !== sha256 || known.kind !== kind) throw new FurlongError('batch-differs')
      return { ...FeedReport.parse(JSON.parse(known.report)), repeated: true }
    }
    if (kind === 'cards' && !ofDemonstration && (await holdsDemonstration(queries)))
      throw new FurlongError('demonstration-present')
    const book = new ReportBook()
    const rejected =
      kind === 'odds' ? await takeOdds(queries, body, book, now) : await takeRaces(queries, batch, book)
    const receivedAt = now.toISOString()
    const report: FeedReport = {
      kind,
      key,
      receivedAt,
      repeated: false,
      races: body.races.length,
      tables: book.tables,
      rejected,
    }
    await insertBatch(queries, { source, key, kind, sha256, receivedAt, report: JSON.stringify(report) })
    await enqueueJob(
      queries,
      bringsResults(kind) ? { kind: 'settle', payload: { verify: false } } : { kind: 'score', payload: {} },
    )
    return report
  })
}

type RaceOf<Kind extends FeedKind> = FeedBody<Kind>['races'][number]
type Reason = (typeof FEED_REJECTIONS)[number]

/** Why a race, or one line of it, is left out. */
class Rejected extends Error {
  readonly reason: Reason
  readonly horseNo: number | null

  constructor(reason: Reason, detail: string, horseNo: number | null = null) {
    super(detail)
    this.reason = reason
    this.horseNo = horseNo
  }
}

function runnerOf({ id, runners }: RaceDraft, horseNo: number): RunnerDraft {
  const runner = runners.find((each) => each.horseNo === horseNo)
  if (!runner) throw new Rejected('no-such-runner', `${id} ${horseNo}`, horseNo)
  return runner
}

/** Throws `Rejected` for the first duplicate value, a saddle number or a text. */
function needOnce<Row>(raceId: string, rows: readonly Row[], valueOf: (row: Row) => number | string): void {
  const values = rows.map(valueOf)
  const twice = values.find((each, index) => values.indexOf(each) !== index)
  if (twice !== undefined)
    throw new Rejected('runner-twice', `${raceId} ${twice}`, typeof twice === 'number' ? twice : null)
}

/** Calls `work` for each race; a race that cannot be used is reported, and the others continue. */
function eachRace<Race extends { raceId: string }>(
  races: readonly Race[],
  work: (race: Race) => void,
): Rejection[] {
  const rejected: Rejection[] = []
  const seen = new Set<string>()
  for (const race of races) {
    const { raceId } = race
    try {
      if (seen.has(raceId)) throw new Rejected('race-twice', raceId)
      seen.add(raceId)
      work(race)
    } catch (error) {
      if (!(error instanceof Rejected)) throw error
      rejected.push({ raceId, horseNo: error.horseNo, reason: error.reason, detail: error.message })
    }
  }
  return rejected
}

function known(drafts: ReadonlyMap<string, RaceDraft>, raceId: string): RaceDraft {
  const draft = drafts.get(raceId)
  if (!draft) throw new Rejected('no-such-race', raceId)
  return draft
}

function comingRace(drafts: ReadonlyMap<string, RaceDraft>, raceId: string): RaceDraft {
  const draft = known(drafts, raceId)
  if (draft.status !== 'scheduled') throw new Rejected('race-is-over', `${raceId}: ${draft.status}`)
  return draft
}

const idsOf = (races: readonly { raceId: string }[]): string[] => races.map(({ raceId }) => raceId)

async function takeOdds(
  queries: Queries,
  { races }: FeedBody<'odds'>,
  book: ReportBook,
  now: Date,
): Promise<Rejection[]> {
  const drafts = await readDrafts(queries, idsOf(races))
  const ticks: OddsTickDraft[] = []
  const lines: Rejection[] = []
  const rejected = eachRace(races, ({ raceId, seenAt, odds }) => {
    const race = comingRace(drafts, raceId)
    if (Date.parse(seenAt) > now.getTime() + MAX_AHEAD_MS)
      throw new Rejected('odds-of-the-future', `${raceId} ${seenAt}`)
    needOnce(raceId, odds, ({ horseNo }) => horseNo)
    // All runners are looked up first: a race with an unknown number is rejected as a whole.
    const shown = odds.map((line) => ({ ...line, runner: runnerOf(race, line.horseNo) }))
    // Odds from a clock that is slightly ahead must not make later odds look older.
    const at = new Date(Math.min(Date.parse(seenAt), now.getTime())).toISOString()
    for (const { horseNo, odds: value, runner } of shown) {
      // A board may briefly still show a withdrawn horse; the odds of the others are valid.
      if (runner.status === 'withdrawn')
        lines.push({ raceId, horseNo, reason: 'withdrawn-runner', detail: `${raceId} ${horseNo}` })
      else ticks.push({ raceId, horseNo, seenAt: at, odds: value })
    }
  })
  if (ticks.length > 0) book.wrote('odds_tick', await writeLiveOdds(queries, ticks, now))
  return [...rejected, ...lines]
}

type RaceBatch = Exclude<FeedBatch, { kind: 'odds' }>

async function takeRaces(queries: Queries, batch: RaceBatch, book: ReportBook): Promise<Rejection[]> {
  const ids = idsOf(batch.body.races)
  const writer = await RacingWriter.open(queries, book, { races: ids })
  const rejected =
    batch.kind === 'dividends'
      ? await takeDividends(writer, batch.body)
      : await takeRunners(writer, batch, await readDrafts(queries, ids))
  await writer.finish()
  return rejected
}

async function takeDividends(writer: RacingWriter, { races }: FeedBody<'dividends'>): Promise<Rejection[]> {
  const dividends: DividendDraft[] = []
  const rejected = eachRace(races, (race) => {
    if (!writer.hasRace(race.raceId)) throw new Rejected('no-such-race', race.raceId)
    dividends.push(...dividendsOf(race))
  })
  if (dividends.length > 0) await writer.writeDividends(dividends)
  return rejected
}

async function takeRunners(
  writer: RacingWriter,
  { kind, body }: Exclude<RaceBatch, { kind: 'dividends' }>,
  drafts: ReadonlyMap<string, RaceDraft>,
): Promise<Rejection[]> {
  const written: RaceDraft[] = []
  const rejected =
    kind === 'cards'
      ? eachRace(body.races, (race) => written.push(cardOf(race, drafts.get(race.raceId))))
      : kind === 'withdrawals'
        ? eachRace(body.races, ({ raceId, horses }) =>
            written.push(withoutHorses(comingRace(drafts, raceId), horses)),
          )
        : eachRace(body.races, (race) => written.push(resultOf(known(drafts, race.raceId), race)))
  if (kind === 'results') await writer.expect(written)
  const accepted: RaceDraft[] = []
  for (const race of written) {
    const twin = await writer.twinOf(race)
    const detail = `${race.id} has the runners and finish times of ${twin}`
    if (twin === null) accepted.push(race)
    else rejected.push({ raceId: race.id, horseNo: null, reason: 'race-repeated', detail })
  }
  if (accepted.length > 0) await writer.writeRaces(accepted)
  return rejected
}

const personOf = (name: string | null): PersonDraft | null =>
  name === null ? null : { ...NO_NAMES, name, en: name }

/** Turns a racecard into a race. Withdrawn horses stay withdrawn; horses that it omits are removed. */
function cardOf(card: RaceOf<'cards'>, before: RaceDraft | undefined): RaceDraft {
  const { raceId, runners, startsAt, ...facts } = card
  const { stadium, date, raceNo } = parseRaceId(raceId)
  if (!regionOfStadium(stadium)) throw new Rejected('unknown-venue', stadium)
  if (before && before.status !== 'scheduled')
    throw new Rejected('race-is-over', `${raceId}: ${before.status}`)
  needOnce(raceId, runners, ({ horseNo }) => horseNo)
  needOnce(raceId, runners, ({ brand }) => brand)
  return {
    ...facts,
    id: raceId,
    stadiumId: stadium,
    date,
    raceNo,
    startsAt: new Date(startsAt).toISOString(),
    winningTimeMs: null,
    status: 'scheduled',
    runners: runners.map(({ jockey, trainer, winOdds, ...runner }): RunnerDraft => {
      const earlier = before?.runners.find(({ brand }) => brand === runner.brand)
      const isOut = earlier?.status === 'withdrawn'
      return {
        ...runner,
        jockey: personOf(jockey),
        trainer: personOf(trainer),
        status: isOut ? 'withdrawn' : 'declared',
        // A racecard without odds keeps the odds received since.
        winOdds: isOut ? null : (winOdds ?? earlier?.winOdds ?? null),
        ...NO_RESULT,
      }
    }),
  }
}

function withoutHorses(race: RaceDraft, horses: readonly number[]): RaceDraft {
  needOnce(race.id, horses, (horseNo) => horseNo)
  const out = new Set(horses.map((horseNo) => runnerOf(race, horseNo)))
  return {
    ...race,
    runners: race.runners.map((runner) =>
      out.has(runner) ? { ...runner, status: 'withdrawn', winOdds: null } : runner,
    ),
  }
}

function resultOf(race: RaceDraft, result: RaceOf<'results'>): RaceDraft {
  if (result.status === 'abandoned')
    return {
      ...race,
      status: 'abandoned',
      runners: race.runners.map((runner) => ({
        ...runner,
        ...NO_RESULT,
        status: runner.status === 'withdrawn' ? 'withdrawn' : 'declared',
      })),
    }
  needOnce(race.id, result.runners, ({ horseNo }) => horseNo)
  const results = new Map(result.runners.map((runner) => [runnerOf(race, runner.horseNo), runner]))
  const sharing = new Map<number, number>()
  for (const { place } of result.runners)
    if (place !== null) sharing.set(place, (sharing.get(place) ?? 0) + 1)
  return {
    ...race,
    status: 'final',
    going: result.going ?? race.going,
    winningTimeMs: result.winningTimeMs ?? race.winningTimeMs,
    runners: race.runners.map((runner): RunnerDraft => {
      const one = results.get(runner)
      if (runner.status === 'withdrawn') {
        if (one) throw new Rejected('withdrawn-runner', `${race.id} ${one.horseNo}`, one.horseNo)
        return runner
      }
      if (!one)
        throw new Rejected('no-result', `${race.id} ${runner.horseNo ?? runner.brand}`, runner.horseNo)
      return {
        ...runner,
        status: one.place === null ? 'unfinished' : 'finished',
        place: one.place,
        placeCode: one.code,
        deadHeat: one.place !== null && sharing.get(one.place)! > 1,
        margin: one.margin,
        runningPosition: one.runningPosition,
        finishTimeMs: one.finishTimeMs,
        winOdds: one.winOdds ?? runner.winOdds,
      }
    }),
  }
}

function dividendsOf({ raceId, lines }: RaceOf<'dividends'>): DividendDraft[] {
  const dividends = lines.map(({ gameplayClass, combination, status, dividendCents }) => {
    try {
      const isWholePool = status === 'refund' && combination === ''
      return {
        raceId,
        pool: poolOf(gameplayClass),
        gameplayClass,
        combination: isWholePool ? '' : combinationOf(gameplayClass, combination),
        status,
        dividendCents,
      }
    } catch (error) {
      if (!(error instanceof RowError)) throw error
      throw new Rejected('bad-combination', `${raceId} ${gameplayClass}: ${combination}`)
    }
  })
  needOnce(raceId, dividends, ({ pool, combination }) => `${pool} ${combination}`)
  return dividends
}

/** Describes the invalid fields of a body to the sender of a file. */
export const issuesOf = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`)
    .join('; ')
