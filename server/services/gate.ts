import type { DatasetKind, Entitlement } from '../../contract/dataset.ts'
import type { Tip } from '../../contract/api/racing.ts'
import { FurlongError } from '../../domain/errors.ts'
import { addDays, dayIn } from '../../domain/region.ts'
import type { FullTip } from '../store/prediction-store.ts'
import type { RacePlace } from '../store/race-store.ts'
import type { Viewer } from './viewer.ts'

/**
 * Who sees what: the table of decisions section 3, and the only place where it is decided. Everything that carries a
 * prediction (calls, dataset files, socket) passes through here.
 */

type Who = Pick<Viewer, 'isVip'> | null

/** Races of a day whose tips everybody sees, the first number of each. */
const FREE_RACES_A_DAY = 3
/** Days of settled predictions that everybody sees, today included. */
const FREE_DAYS = 7

/** Races of a day whose items of the limited bet type are shown to readers who are not VIPs (config `limitedGameplayClass`). */
export const LIMITED_RACES_A_DAY = 2

/** The bet type that is limited for who asks; `null`: none. */
export const limitedClassFor = (who: Who, limitedGameplayClass: string): number | null =>
  who?.isVip === true || limitedGameplayClass === '' ? null : Number(limitedGameplayClass)

/** Oldest race day of settled predictions that who asks sees without a subscription; `null`: all history. */
export function oldestFreeDay(who: Who, timeZone: string, now: Date): string | null {
  return who?.isVip === true ? null : addDays(dayIn(timeZone, now), 1 - FREE_DAYS)
}

/** Whether all predictions of a race, its odds track and its report are open to somebody. */
export const seesWholeRace = (who: Who, isSubscribed: boolean): boolean => who?.isVip === true || isSubscribed

/** How much of a race's predictions somebody may see. */
export type Visibility = 'everything' | 'first-number' | 'nothing'

/** What may be seen of a race's tip: coming races by their number of the day, settled ones by their age. */
export function tipVisibility(who: Who, race: RacePlace, isSubscribed: boolean, now: Date): Visibility {
  if (seesWholeRace(who, isSubscribed)) return 'everything'
  if (race.status === 'final') {
    return race.date >= oldestFreeDay(who, race.timeZone, now)! ? 'everything' : 'nothing'
  }
  if (race.status === 'abandoned' || race.date < dayIn(race.timeZone, now)) return 'nothing'
  return race.position <= FREE_RACES_A_DAY ? 'first-number' : 'nothing'
}

/** Throws `not-subscribed` unless all of a race's predictions are open. */
export function requireWholeRace(who: Who, isSubscribed: boolean): void {
  if (!seesWholeRace(who, isSubscribed)) throw new FurlongError('not-subscribed')
}

/**
 * Whether somebody may fetch a dataset file. A file of recent predictions that was built before midnight holds a day too
 * many after it, until it is built anew.
 */
export function mayFetch(
  who: Who,
  file: { kind: DatasetKind; entitlement: Entitlement; from: string | null },
  timeZone: string,
  now: Date,
): boolean {
  if (who?.isVip === true) return true
  if (file.entitlement !== 'public') return false
  return file.kind !== 'recent' || file.from === null || file.from >= oldestFreeDay(who, timeZone, now)!
}

/**
 * What analytics may answer somebody: VIPs everything; `own`, the rows of races that a customer opened and of the last
 * seven days; else daily totals and the rows of the last seven days. Throws `signed-out` for `own` without a customer.
 */
export function analyticsScope(who: Who, own: boolean): 'all' | 'races' | 'public' {
  if (own && who === null) throw new FurlongError('signed-out')
  if (who?.isVip === true) return 'all'
  return own ? 'races' : 'public'
}

/**
 * What analytics may answer somebody of coming races: VIPs everything, customers the races that they opened. Throws
 * `signed-out` without a customer.
 */
export function comingScope(who: Who): 'all' | 'races' {
  if (who === null) throw new FurlongError('signed-out')
  return who.isVip ? 'all' : 'races'
}

/** A tip with what `visibility` lets through, and its odds over time with the whole race; `null` for nothing. */
export function showTip(tip: FullTip, visibility: Visibility, wholeRace: boolean): Tip | null {
  const [first] = tip.horses
  if (visibility === 'nothing' || !first) return null
  const open = visibility === 'everything'
  const number = (index: number): number | null => (open ? (tip.horses[index]?.horseNumber ?? null) : null)
  return {
    id: tip.race.id,
    raceId: tip.race.id,
    raceDate: tip.race.date,
    date: tip.race.date,
    raceNo: tip.raceNo,
    stadiumName: tip.stadiumName,
    time: tip.time,
    probability: first.probability,
    raceCompetitor1Num: first.horseNumber,
    raceCompetitor2Num: number(1),
    raceCompetitor3Num: number(2),
    raceCompetitor4Num: number(3),
    odds: first.odds,
    chartData: wholeRace ? tip.track : [],
    isAccuracy: tip.outcome === 'hit' ? 1 : 0,
    topCompetitors: tip.horses.map((horse, index) =>
      open || index === 0
        ? {
            ranking: horse.ranking,
            horseNumber: horse.horseNumber,
            name: horse.name,
            probability: horse.probability,
          }
        : { ranking: horse.ranking, horseNumber: null, name: null, probability: null },
    ),
    open,
  }
}

/** A tip as somebody may see it, who opened the race or not; `null` for nothing. */
export const tipFor = (who: Who, tip: FullTip, opened: boolean, now: Date): Tip | null =>
  showTip(tip, tipVisibility(who, tip.race, opened, now), seesWholeRace(who, opened))
