import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { FeedReport, type FEED_REJECTIONS, type FeedBody, type FeedKind } from '../../contract/api/feed.ts'
import { FurlongError } from '../../domain/errors.ts'
import { parseRaceId } from '../../domain/race-id.ts'
import { readInstant } from '../../domain/reading/read-instant.ts'
import { contradiction, isConfirmable, lineFault, type ResultFault } from '../../domain/result-check.ts'
import { regionOfStadium } from '../../domain/region.ts'
import { addUp } from '../../domain/sections.ts'
import type { DividendLine } from '../../domain/settlement.ts'
import {
  NO_RESULT,
  personNamed,
  type DividendDraft,
  type OddsTickDraft,
  type RaceDraft,
  type RunnerDraft,
} from '../drafts/drafts.ts'
import {
  finishersOf,
  beforeStartFault,
  isLongOver,
  placesOf,
  resultFault,
  startsOnItsDay,
} from '../drafts/race-field.ts'
import { ReportBook } from '../drafts/report.ts'
import type { Database, Queries } from '../db/database.ts'
import { fieldMessage } from '../process/messages.ts'
import { holdsDemonstration } from '../store/racing/demonstration.ts'
import { findBatch, insertBatch } from '../store/operation/feed-store.ts'
import { dropHeld, holdResult, type HeldResult } from '../store/operation/held-store.ts'
import { enqueueJob } from '../store/operation/job-store.ts'
import { writeLiveOdds } from '../store/racing/odds-store.ts'
import { readDividendLines } from '../store/racing/outcome-store.ts'
import { readDrafts } from '../store/racing/race-draft-store.ts'
import { RacingWriter } from '../store/racing/racing-writer.ts'
import { combinationOf, poolOf } from './furlong/furlong-format.ts'
import { RowError } from './reading/format.ts'
import { lossesOf, poolLosses, renumberedRaces, SECTIONS_CONTRADICT_TIME } from './reading/judge.ts'

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

/** Waits for others that take batches, on any machine, until the transaction ends. */
export async function queueBatches({ rows }: Queries): Promise<void> {
  await rows('select pg_advisory_xact_lock($1)', [FEED_LOCK])
}

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
    await queueBatches(queries)
    const known = await findBatch(queries, source, key)
    if (known) {
      if (known.sha256 !== sha256 || known.kind !== kind) throw new FurlongError('batch-differs')
      return { ...FeedReport.parse(JSON.parse(known.report)), repeated: true }
    }
    if (kind === 'cards' && !ofDemonstration && (await holdsDemonstration(queries)))
      throw new FurlongError('demonstration-present')
    const book = new ReportBook()
    const { rejected, removed } =
      kind === 'odds'
        ? { rejected: await takeOdds(queries, body, book, now), removed: [] }
        : await takeRaces(queries, batch, book, { now, isConfirmed: false })
    const receivedAt = now.toISOString()
    const report: FeedReport = {
      kind,
      key,
      receivedAt,
      repeated: false,
      races: body.races.length,
      tables: book.tables,
      rejected,
      removed,
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
  /** Whether it waits for an operator to confirm it. */
  readonly isHeld: boolean

  constructor(reason: Reason, detail: string, horseNo: number | null = null, isHeld = false) {
    super(detail)
    this.reason = reason
    this.horseNo = horseNo
    this.isHeld = isHeld
  }
}

/** Under which conditions races are taken. */
interface Terms {
  now: Date
  /** Whether an operator has confirmed that a strange result is true. */
  isConfirmed: boolean
}

/** Throws `Rejected` for a fault, unless it can be confirmed and is. */
function needNoFault(raceId: string, fault: ResultFault | null, { isConfirmed }: Terms): void {
  if (fault === null) return
  const { problem, detail, horseNo } = fault
  if (isConfirmable(problem) && isConfirmed) return
  throw new Rejected(problem, `${raceId}: ${detail}`, horseNo, isConfirmable(problem))
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
      const { horseNo, reason, message: detail, isHeld: held } = error
      rejected.push({ raceId, horseNo, reason, detail, held })
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

/** An instant that the contract has checked, in UTC. */
function instantOf(text: string): string {
  const reading = readInstant(text)
  if (reading.kind !== 'value') throw new FurlongError('bad-parameters', { reason: text })
  return reading.value
}

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
    const seen = Date.parse(instantOf(seenAt))
    if (seen > now.getTime() + MAX_AHEAD_MS) throw new Rejected('odds-of-the-future', `${raceId} ${seenAt}`)
    needOnce(raceId, odds, ({ horseNo }) => horseNo)
    // All runners are looked up first: a race with an unknown number is rejected as a whole.
    const shown = odds.map((line) => ({ ...line, runner: runnerOf(race, line.horseNo) }))
    // Odds from a clock that is slightly ahead must not make later odds look older.
    const at = new Date(Math.min(seen, now.getTime())).toISOString()
    for (const { horseNo, odds: value, runner } of shown) {
      // A board may briefly still show a withdrawn horse; the odds of the others are valid.
      if (runner.status === 'withdrawn')
        lines.push({
          raceId,
          horseNo,
          reason: 'withdrawn-runner',
          detail: `${raceId} ${horseNo}`,
          held: false,
        })
      else ticks.push({ raceId, horseNo, seenAt: at, odds: value })
    }
  })
  if (ticks.length > 0) book.wrote('odds_tick', await writeLiveOdds(queries, ticks, now))
  return [...rejected, ...lines]
}

type RaceKind = Exclude<FeedKind, 'odds'>

/** The races of a batch, and where they come from. */
export type RaceParts = {
  [Kind in RaceKind]: { source: string; kind: Kind; body: FeedBody<Kind> }
}[RaceKind]

type HeldParts = Extract<RaceParts, { kind: HeldResult['kind'] }>

/** What became of the races of a batch. */
interface Taken {
  rejected: Rejection[]
  removed: FeedReport['removed']
}

/**
 * Takes races within the caller's transaction. What can hardly be true is held for an operator, unless it is confirmed;
 * what is taken replaces what is held.
 */
export async function takeRaces(
  queries: Queries,
  parts: RaceParts,
  book: ReportBook,
  terms: Terms,
): Promise<Taken> {
  const ids = idsOf(parts.body.races)
  const writer = await RacingWriter.open(queries, book, { races: ids })
  const drafts = await readDrafts(queries, ids)
  const taken =
    parts.kind === 'dividends'
      ? await takeDividends(writer, parts.body, { drafts, terms })
      : await takeRunners(writer, parts, { drafts, lines: await readDividendLines(queries, ids), terms })
  if (parts.kind === 'results' || parts.kind === 'dividends') {
    const out = new Set(idsOf(taken.rejected))
    await dropHeld(
      queries,
      ids.filter((id) => !out.has(id)),
      parts.kind,
    )
    await hold(queries, parts, taken.rejected, terms.now)
  }
  await writer.finish()
  return taken
}

async function hold(
  queries: Queries,
  { source, kind, body }: HeldParts,
  rejected: readonly Rejection[],
  now: Date,
): Promise<void> {
  const races = new Map(body.races.map((race) => [race.raceId, JSON.stringify(race)]))
  for (const { raceId, reason, detail, held } of rejected)
    if (held) {
      const part = { raceId, kind, reason, detail, body: races.get(raceId)!, source }
      await holdResult(queries, { ...part, receivedAt: now.toISOString() })
    }
}

interface Stored {
  drafts: ReadonlyMap<string, RaceDraft>
  terms: Terms
}

async function takeDividends(
  writer: RacingWriter,
  { races }: FeedBody<'dividends'>,
  { drafts, terms }: Stored,
): Promise<Taken> {
  const dividends: DividendDraft[] = []
  const rejected = eachRace(races, (part) => {
    const race = known(drafts, part.raceId)
    const lines = dividendsOf(part)
    needTrueDividends(race, lines, terms)
    dividends.push(...lines)
  })
  const removed = poolLosses(dividends, await writer.linesOf(idsOf(dividends)))
  if (dividends.length > 0) await writer.writeDividends(dividends)
  return { rejected, removed: removed.map(({ raceId, detail }) => ({ raceId, detail })) }
}

function needTrueDividends(race: RaceDraft, lines: readonly DividendDraft[], terms: Terms): void {
  const { id, status, runners } = race
  // Of a race without runners only its refunds are known.
  if (runners.length === 0) return
  const isPaid = lines.some((line) => line.status === 'paid')
  if (isPaid && status === 'abandoned') throw new Rejected('race-was-abandoned', `${id}: it pays nothing`)
  const finishers = finishersOf(runners)
  for (const line of lines) needNoFault(id, lineFault(line, finishers), terms)
  if (isPaid && status === 'scheduled') needNoFault(id, beforeStartFault(race, terms.now), terms)
  if (status === 'final') needNoFault(id, contradiction(lines, finishers, placesOf(race, runners)), terms)
}

async function takeRunners(
  writer: RacingWriter,
  { kind, body }: Exclude<RaceParts, { kind: 'dividends' }>,
  { drafts, lines, terms }: Stored & { lines: ReadonlyMap<string, readonly DividendLine[]> },
): Promise<Taken> {
  const written: RaceDraft[] = []
  const refused: Rejection[] = []
  const rejected =
    kind === 'cards'
      ? eachRace(body.races, (race) => written.push(cardOf(race, drafts.get(race.raceId), terms.now)))
      : kind === 'withdrawals'
        ? eachRace(body.races, ({ raceId, horses }) =>
            written.push(withoutHorses(comingRace(drafts, raceId), horses)),
          )
        : eachRace(body.races, (race) => {
            const before = known(drafts, race.raceId)
            const after = resultOf(before, race)
            if (after.status === 'final') needTrueResult(before, after, lines.get(after.id) ?? [], terms)
            refused.push(...refuseSections(after))
            written.push(after)
          })
  if (kind === 'results') await writer.expect(written)
  const accepted: RaceDraft[] = []
  for (const race of written) {
    const twin = await writer.twinOf(race)
    const detail = `${race.id} has the runners and finish times of ${twin}`
    if (twin === null) accepted.push(race)
    else rejected.push({ raceId: race.id, horseNo: null, reason: 'race-repeated', detail, held: false })
  }
  const removed = accepted.flatMap((race) =>
    lossesOf(race, drafts.get(race.id)).map(({ detail }) => ({ raceId: race.id, detail })),
  )
  removed.push(...(await dropUnderOldNumbers(writer, accepted, drafts)))
  if (accepted.length > 0) await writer.writeRaces(accepted)
  return { rejected: [...rejected, ...refused], removed }
}

/** Deletes odds and dividends that are stored under numbers that other horses have now, and says of which races. */
async function dropUnderOldNumbers(
  writer: RacingWriter,
  races: readonly RaceDraft[],
  drafts: ReadonlyMap<string, RaceDraft>,
): Promise<Taken['removed']> {
  const renumbered = await renumberedRaces(writer, races, drafts)
  await writer.dropNumbered(renumbered.map(({ raceId }) => raceId))
  return renumbered.map(({ raceId, detail }) => ({ raceId, detail }))
}

/** Leaves out the sections that do not add up to their runner's time, and says which; the result is true without them. */
function refuseSections({ id, runners }: RaceDraft): Rejection[] {
  const count = Math.max(0, ...runners.map(({ sections }) => sections?.length ?? 0))
  return runners.flatMap((runner) => {
    const { horseNo, sections, finishTimeMs } = runner
    if (sections === null || addUp(sections, count, finishTimeMs)) return []
    runner.sections = null
    const detail = `${id} ${horseNo}: the sections do not add up to ${finishTimeMs! / 1000} s`
    return [{ raceId: id, horseNo, reason: SECTIONS_CONTRADICT_TIME, detail, held: false }]
  })
}

function needTrueResult(
  before: RaceDraft,
  after: RaceDraft,
  lines: readonly DividendLine[],
  terms: Terms,
): void {
  if (before.status === 'abandoned')
    throw new Rejected('race-was-abandoned', `${after.id}: to take it back, furlong races reopen ${after.id}`)
  needNoFault(after.id, resultFault(after, terms.now), terms)
  // A result that is amended after the pools have paid contradicts what they paid.
  if (before.status === 'final') return
  const places = placesOf(after, after.runners)
  needNoFault(after.id, contradiction(lines, finishersOf(after.runners), places), terms)
}

/** Turns a racecard into a race. Withdrawn horses stay withdrawn; horses that it omits are removed. */
function cardOf(card: RaceOf<'cards'>, before: RaceDraft | undefined, now: Date): RaceDraft {
  const { raceId, runners, startsAt: written, ...facts } = card
  const startsAt = instantOf(written)
  const { stadium, date, raceNo } = parseRaceId(raceId)
  if (!regionOfStadium(stadium)) throw new Rejected('unknown-venue', stadium)
  const time = { stadiumId: stadium, date, startsAt }
  if (!startsOnItsDay(time)) throw new Rejected('start-on-another-day', `${raceId}: ${written}`)
  if (isLongOver(time, now)) throw new Rejected('day-is-over', `${raceId}: ${date}`)
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
    startsAt,
    winningTimeMs: null,
    status: 'scheduled',
    numbersByName: false,
    runners: runners.map(({ jockey, trainer, winOdds, ...runner }): RunnerDraft => {
      const earlier = before?.runners.find(({ brand }) => brand === runner.brand)
      const isOut = earlier?.status === 'withdrawn'
      return {
        ...runner,
        jockey: personNamed(jockey),
        trainer: personNamed(trainer),
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
        sections: one.sections?.map((section, index) => ({ ...section, sectionNo: index + 1 })) ?? null,
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
    .map(({ path, code, message, ...params }) => {
      const isOurs = message.startsWith('field.')
      const text = isOurs ? fieldMessage('en', { keyword: code, message, params }) : message
      return `${path.join('.') || 'body'}: ${text.replace(/\.$/, '')}`
    })
    .join('; ')
