import type { DatasetKind, Entitlement } from '../../contract/dataset.ts'
import type { Tip } from '../../contract/api/racing.ts'
import { FurlongError } from '../../domain/errors.ts'
import { clockOfCourse } from '../../domain/course-clock.ts'
import { addDays, dayIn } from '../../domain/region.ts'
import type { FullTip } from '../store/racing/prediction-store.ts'
import type { RacePlace } from '../store/racing/race-store.ts'
import type { Viewer } from './viewer.ts'

/**
 * Access rules for predictions: the table of decisions section 3, implemented only here. Everything that
 * carries a prediction (calls, dataset files, socket) passes through this module.
 */

type Who = Pick<Viewer, 'isVip'> | null

/** Number of races per day whose tips are open to everyone, limited to the first saddle number. */
const FREE_RACES_A_DAY = 3
/** Number of days of settled predictions that are open to everyone, up to the region's last race day. */
const FREE_DAYS = 7

/** Races per day whose items of the limited bet type non-VIPs see (config `limitedGameplayClass`). */
export const LIMITED_RACES_A_DAY = 2

/** The bet type that is limited for a viewer; `null`: none. */
export const limitedClassFor = (who: Who, limitedGameplayClass: string): number | null =>
  who?.isVip === true || limitedGameplayClass === '' ? null : Number(limitedGameplayClass)

/**
 * Oldest race day whose settled predictions a viewer sees without unlocking races; `null`: any. `lastRaceDay`: the
 * region's last day with results, so that something can be seen however long nobody has raced.
 */
export function oldestFreeDay(who: Who, lastRaceDay: string): string | null {
  return who?.isVip === true ? null : addDays(lastRaceDay, 1 - FREE_DAYS)
}

/** Whether a viewer may see all predictions of a race, its odds track and its report. */
export const seesWholeRace = (who: Who, isSubscribed: boolean): boolean => who?.isVip === true || isSubscribed

/** How much of a race's predictions a viewer may see. */
export type Visibility = 'everything' | 'first-number' | 'nothing'

/** Visibility of a race's tip: upcoming races by their position in the day, settled ones by their age. */
export function tipVisibility(who: Who, race: RacePlace, isSubscribed: boolean, now: Date): Visibility {
  if (seesWholeRace(who, isSubscribed)) return 'everything'
  if (race.status === 'final') {
    return race.date >= oldestFreeDay(who, race.lastRaceDay)! ? 'everything' : 'nothing'
  }
  if (race.status === 'abandoned' || race.date < dayIn(clockOfCourse(race.id), now)) return 'nothing'
  return race.position <= FREE_RACES_A_DAY ? 'first-number' : 'nothing'
}

/** Throws `not-subscribed` unless the viewer may see all of a race's predictions. */
export function requireWholeRace(who: Who, isSubscribed: boolean): void {
  if (!seesWholeRace(who, isSubscribed)) throw new FurlongError('not-subscribed')
}

/**
 * Whether a viewer may fetch a dataset file. A file of recent predictions that begins too early for the files of the
 * last race day, `lastRaceDay`, is refused until it is rebuilt.
 */
export function mayFetch(
  who: Who,
  file: { kind: DatasetKind; entitlement: Entitlement; from: string | null },
  lastRaceDay: string | null,
): boolean {
  if (who?.isVip === true) return true
  if (file.entitlement !== 'public') return false
  if (file.kind !== 'recent' || file.from === null) return true
  return lastRaceDay !== null && file.from >= oldestFreeDay(who, lastRaceDay)!
}

/**
 * Scope of analytics for a viewer: everything for VIPs; with `own`, the rows of unlocked races and of the
 * last seven days of racing; otherwise daily totals and the rows of those days. Throws `signed-out` for `own`
 * without a customer.
 */
export function analyticsScope(who: Who, own: boolean): 'all' | 'races' | 'public' {
  if (own && who === null) throw new FurlongError('signed-out')
  if (who?.isVip === true) return 'all'
  return own ? 'races' : 'public'
}

/**
 * Scope of analytics on upcoming races: everything for VIPs, unlocked races for other customers. Throws
 * `signed-out` without a customer.
 */
export function comingScope(who: Who): 'all' | 'races' {
  if (who === null) throw new FurlongError('signed-out')
  return who.isVip ? 'all' : 'races'
}

/**
 * The parts of a tip that `visibility` allows, with its odds over time if `wholeRace`; `null` if nothing is
 * visible.
 */
export function showTip(tip: FullTip, visibility: Visibility, wholeRace: boolean): Tip | null {
  const [first] = tip.horses
  if (visibility === 'nothing' || !first) return null
  const open = visibility === 'everything'
  const number = (index: number): number | null => (open ? (tip.horses[index]?.horseNumber ?? null) : null)
  const { race, raceNo, numbersByName, stadiumName, time } = tip
  return {
    id: race.id,
    raceId: race.id,
    raceDate: race.date,
    date: race.date,
    raceNo,
    numbersByName,
    stadiumName,
    time,
    probability: first.probability,
    raceCompetitor1Num: first.horseNumber,
    raceCompetitor2Num: number(1),
    raceCompetitor3Num: number(2),
    raceCompetitor4Num: number(3),
    odds: first.odds,
    chartData: wholeRace ? tip.track : [],
    isAccuracy: tip.outcome === 'hit' ? 1 : 0,
    topCompetitors: tip.horses.map((horse, index) =>
      open || index === 0 ? shownHorse(horse) : hiddenHorse(horse),
    ),
    status: race.status,
    outcome: tip.outcome,
    open,
  }
}

const shownHorse = (horse: FullTip['horses'][number]): Tip['topCompetitors'][number] => {
  const { ranking, horseNumber, horseId, name, nameLanguage, silks, probability, edge, result } = horse
  const { lastOdds: odds } = horse
  return { ranking, horseNumber, horseId, name, nameLanguage, silks, probability, odds, edge, result }
}

/** Nothing but the rank: the silks, the odds and the place of a horse are known to everybody, and would name it. */
const hiddenHorse = ({ ranking }: FullTip['horses'][number]) => ({
  ranking,
  horseNumber: null,
  horseId: null,
  name: null,
  nameLanguage: null,
  silks: null,
  probability: null,
  odds: null,
  edge: null,
  result: '',
})

/** A tip as a viewer may see it, given whether they unlocked the race; `null` if nothing is visible. */
export const tipFor = (who: Who, tip: FullTip, opened: boolean, now: Date): Tip | null =>
  showTip(tip, tipVisibility(who, tip.race, opened, now), seesWholeRace(who, opened))
