import { groupBy } from '../../../domain/group-by.ts'
import { centsText } from '../../../domain/money.ts'
import { contradiction, isConfirmable, lineFault, type ResultProblem } from '../../../domain/result-check.ts'
import { addUp } from '../../../domain/sections.ts'
import type {
  DividendDraft,
  OddsTickDraft,
  RaceDraft,
  RunnerDraft,
  RunnerSections,
} from '../../drafts/drafts.ts'
import {
  finishersOf,
  beforeStartFault,
  resultFault,
  type PoolLine,
  type RaceField,
} from '../../drafts/race-field.ts'
import { raceIdsOn } from './cells.ts'
import type { DraftWriter } from './draft-writer.ts'
import { RowError, type ImportFormat } from './format.ts'

/** What an operator allows an import to do. */
export interface ImportRules {
  /** Races may lose runners, dividends and results that are stored. */
  allowRemovals: boolean
  /** Races that did have the strange result that the files say. */
  confirmed: ReadonlySet<string>
  /** What the format's files may contain: it is noted. */
  tolerated: readonly ResultProblem[]
  now: Date
}

/** Why something is refused, removed or noted; `kind` groups the report. */
export interface Verdict {
  kind: string
  detail: string
}

/** A verdict on what a file says; what is only noted is stored. */
interface FileVerdict extends Verdict {
  isNoted: boolean
}

const listed = (values: readonly unknown[]): string => values.join(', ')

/**
 * Throws `contradictory-status`, `horse-twice-in-race`, `saddle-number-twice-in-race` for a runner that cannot be in a race
 * beside those of its earlier rows.
 */
export function requireFit(known: RaceDraft, race: Omit<RaceDraft, 'runners'>, runner: RunnerDraft): void {
  if (known.status !== race.status)
    throw new RowError('contradictory-status', `${race.id}: ${known.status} and ${race.status}`)
  if (known.runners.some((other) => other.brand === runner.brand))
    throw new RowError('horse-twice-in-race', `${race.id} ${runner.brand}`)
  if (runner.horseNo !== null && known.runners.some((other) => other.horseNo === runner.horseNo))
    throw new RowError('saddle-number-twice-in-race', `${race.id} ${runner.horseNo}`)
}

/** Whether a race has the horse under its number. */
export const isAmong = ({ runners }: RaceDraft, { brand, horseNo }: RunnerDraft): boolean =>
  runners.some((runner) => runner.brand === brand && runner.horseNo === horseNo)

/** Why a race is refused or noted; `null` if it can be true. `stored`: the race as it is stored, if it is. */
export function raceVerdict(
  race: RaceDraft,
  stored: RaceField | undefined,
  { confirmed, tolerated, now }: ImportRules,
): FileVerdict | null {
  const { id, status } = race
  // Whoever called a race off after its result knows more than the file with the result.
  if (stored?.status === 'abandoned' && status !== 'abandoned' && stored.runners.length > 0)
    return {
      kind: 'race-was-abandoned',
      detail: `${id}: to take it back, furlong races reopen ${id}`,
      isNoted: false,
    }
  const fault = status === 'final' ? resultFault(race, now) : null
  if (fault === null || (isConfirmable(fault.problem) && confirmed.has(id))) return null
  const isNoted = tolerated.includes(fault.problem)
  return { kind: fault.problem, detail: `${id}: ${fault.detail}`, isNoted }
}

/** Why a race that is not stored is refused where it may be stored at the sister of its course; `null` if it cannot be. */
export function sisterVerdict(
  { id, stadiumId, date }: RaceDraft,
  { sisters }: Pick<ImportFormat, 'sisters'>,
  isStored: (raceId: string) => boolean,
): FileVerdict | null {
  const stadium = sisters?.get(stadiumId)
  if (stadium === undefined) return null
  const other = raceIdsOn(stadium, date).find(isStored)
  if (other === undefined) return null
  return {
    kind: 'sister-course-has-races',
    detail: `${id}: ${other} is stored, and may be of the same meeting`,
    isNoted: false,
  }
}

/** What the stored race would lose. */
export function lossesOf(
  { id, status, runners }: RaceDraft,
  stored: Pick<RaceField, 'status' | 'runners'> | undefined,
): Verdict[] {
  if (stored === undefined) return []
  const losses: Verdict[] = []
  if (stored.status === 'final' && status !== 'final')
    losses.push({ kind: 'result-lost', detail: `${id}: final, now ${status}` })
  const brands = new Set(runners.map(({ brand }) => brand))
  const lost = stored.runners.filter(({ brand }) => !brands.has(brand))
  if (lost.length > 0) {
    const names = lost.map(({ horseNo, brand }) => (horseNo === null ? brand : `${horseNo} ${brand}`))
    losses.push({
      kind: 'runners-lost',
      detail: `${id}: ${runners.length} runners, ${stored.runners.length} stored; without ${listed(names)}`,
    })
  }
  return losses
}

/**
 * What a race says of stored horses whose number is another one now; `null` if every number is still that of its horse. What is
 * stored under a number, such as dividends and odds, would then be that of another horse.
 */
function renumberingOf(
  { id, runners }: RaceDraft,
  stored: Pick<RaceField, 'runners'> | undefined,
): (Verdict & { raceId: string }) | null {
  const before = new Map(stored?.runners.map(({ brand, horseNo }) => [brand, horseNo]))
  const taken = new Set(runners.map(({ horseNo }) => horseNo))
  const moved = runners.flatMap(({ brand, horseNo }) => {
    const old = before.get(brand) ?? null
    // A horse that does not start any more keeps its number if no other one has it.
    const isMoved = old !== null && old !== horseNo && (horseNo !== null || taken.has(old))
    return isMoved ? [`${brand} ${old}, now ${horseNo ?? 'none'}`] : []
  })
  return moved.length === 0
    ? null
    : { raceId: id, kind: 'numbers-changed', detail: `${id}: ${moved.join('; ')}` }
}

/** What these races say so, where anything is stored under the numbers. `stored`: the races as they are stored, by id. */
export async function renumberedRaces(
  writer: Pick<DraftWriter, 'numberedAmong'>,
  races: readonly RaceDraft[],
  stored: ReadonlyMap<string, Pick<RaceField, 'runners'>>,
): Promise<(Verdict & { raceId: string })[]> {
  const told = races.flatMap((race) => renumberingOf(race, stored.get(race.id)) ?? [])
  const numbered = new Set(await writer.numberedAmong(told.map(({ raceId }) => raceId)))
  return told.filter(({ raceId }) => numbered.has(raceId))
}

/** Why a dividend is refused or noted; `null` if it can be true. A race without runners is known from refunds only. */
export function dividendVerdict(
  dividend: DividendDraft,
  field: RaceField | undefined,
  { confirmed, tolerated, now }: ImportRules,
): FileVerdict | null {
  if (field === undefined || field.runners.length === 0) return null
  const { raceId, pool, status } = dividend
  const told = (kind: string, detail: string, isNoted = false) => ({
    kind,
    detail: `${raceId} ${pool} ${detail}`,
    isNoted,
  })
  if (status === 'paid' && field.status === 'abandoned')
    return told('race-was-abandoned', `${dividend.combination}: an abandoned race pays nothing`)
  const early = status === 'paid' && field.status === 'scheduled' ? beforeStartFault(field, now) : null
  if (early !== null && !confirmed.has(raceId))
    return told(early.problem, `${dividend.combination}: ${early.detail}`)
  const finishers = finishersOf(field.runners)
  const wrong = lineFault(dividend, finishers)
  if (wrong !== null) return told(wrong.problem, wrong.detail)
  if (field.status !== 'final') return null
  const against = contradiction([dividend], finishers, field.places)
  if (against === null || confirmed.has(raceId)) return null
  return told(against.problem, against.detail, tolerated.includes(against.problem))
}

/** What a pool's stored lines lose by those that are written in their place. */
interface PoolLoss {
  raceId: string
  pool: string
  /** Whether the pool has fewer lines than before, and is not refunded as a whole. */
  isFewer: boolean
  detail: string
}

/**
 * What the pools of these lines lose by them. `read`: all lines of the file, of which `lines` can be true; a pool that had
 * a line that cannot be true loses it by right.
 */
export function poolLosses(
  lines: readonly DividendDraft[],
  stored: readonly PoolLine[],
  read: readonly PoolLine[] = lines,
): PoolLoss[] {
  const before = groupBy(stored, poolKeyOf)
  const inFile = groupBy(read, poolKeyOf)
  return [...groupBy(lines, poolKeyOf)].flatMap(([key, own]) => {
    const old = before.get(key) ?? []
    const kept = new Set(own.map(({ combination }) => combination))
    const gone = old.filter(({ combination }) => !kept.has(combination))
    if (gone.length === 0) return []
    // A refund of the whole pool replaces whatever it paid.
    const isWhole = own.some(({ status, combination }) => status === 'refund' && combination === '')
    const shown = own.map(({ combination, dividendCents }) =>
      dividendCents === null ? combination || 'refund' : `${combination} ${centsText(dividendCents)}`,
    )
    const { raceId, pool } = own[0]!
    const without = listed(gone.map(({ combination }) => combination || 'refund'))
    const detail = `${key}: ${listed(shown)}; without ${without}, which ${gone.length === 1 ? 'is' : 'are'} stored`
    return [{ raceId, pool, isFewer: inFile.get(key)!.length < old.length && !isWhole, detail }]
  })
}

export const poolKeyOf = ({ raceId, pool }: Pick<PoolLine, 'raceId' | 'pool'>): string => `${raceId} ${pool}`

/** Why the odds of a moment are refused: nobody bets on a horse that is not in the race. */
export function tickVerdict(
  { raceId, horseNo }: OddsTickDraft,
  field: RaceField | undefined,
): Verdict | null {
  if (field === undefined || field.runners.some((runner) => runner.horseNo === horseNo)) return null
  return { kind: 'no-such-runner', detail: `${raceId} ${horseNo}` }
}

/** Of sections that do not add up to the time of their runner. */
export const SECTIONS_CONTRADICT_TIME = 'sections-contradict-time'

/**
 * Why a runner's sections are refused; `null` if they can be true. `count`: how many sections its race has. Times that do not
 * add up to the runner's, in the file or as it is stored, are wrong in one of them.
 */
export function sectionsVerdict(
  { raceId, horseNo, brand, finishTimeMs, sections }: RunnerSections,
  count: number,
  field: RaceField | undefined,
): Verdict | null {
  if (field === undefined) return null
  const detail = `${raceId} ${horseNo}`
  const runner = field.runners.find((each) => each.horseNo === horseNo)
  if (runner === undefined) return { kind: 'no-such-runner', detail }
  if (brand !== null && runner.brand !== brand)
    return { kind: 'no-such-runner', detail: `${detail}: ${brand}, stored as ${runner.brand}` }
  if (runner.status === 'withdrawn') return { kind: 'withdrawn-runner', detail }
  for (const time of [finishTimeMs, runner.finishTimeMs])
    if (!addUp(sections, count, time))
      return { kind: SECTIONS_CONTRADICT_TIME, detail: `${detail}: they do not add up to ${time! / 1000} s` }
  return null
}
