import type { FeedBody, FeedKind } from '../../../contract/api/feed.ts'
import { normal, seedOf, seededRandom } from '../../../domain/random.ts'
import { dayIn } from '../../../domain/region.ts'
import type { DemoRace } from '../../store/racing/demonstration.ts'
import { simulateMeeting, usualMeeting } from './demonstration.ts'
import { cardOf, dividendsOf, END_OF_TIME, resultOf } from './race-day.ts'
import { onBoard, type SimulatedRace } from './race-simulator.ts'
import type { DemoMeeting, DemoRegion } from './stable.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

/** A race this soon is soon enough for somebody who has just started the server. */
const SOON_MS = 10 * MINUTE_MS
/** From now to the first race, by the region's place in the list: the regions take turns. */
const FIRST_RACE_MS = [5 * MINUTE_MS, 8 * MINUTE_MS]
/** The same shortly before midnight. */
const FIRST_RACE_AT_LEAST_MS = 2 * MINUTE_MS
/** The same shortly after it. */
const FIRST_RACE_AT_MOST_MS = 8 * MINUTE_MS
/** Between races that were brought forward; less only if they would not all be run before midnight. */
const BETWEEN_MIN = [10, 8, 6, 5, 4, 3, 2]
/** Between the races of a day that begins while the server runs. */
const USUAL_BETWEEN_MS = 30 * MINUTE_MS
/** A race this close to the end of its day would be settled on the next one. */
const BEFORE_MIDNIGHT_MS = 4 * MINUTE_MS
const LEAST_RACES = 6
/** From the time when the day is over for new races to its midnight: a first race begins at a whole minute. */
const LAST_ANNOUNCEMENT_MS = FIRST_RACE_AT_LEAST_MS + MINUTE_MS + BEFORE_MIDNIGHT_MS
/** Races added for a server that starts when the day's races are over. */
const ADDED_RACES = 4
/** Numbers of races have two digits. */
const MOST_RACES = 99

const LATE_WITHDRAWAL_MS = 4 * MINUTE_MS
/** From the time when the winner is in to the official result, and from there to the dividends. */
const RESULT_AFTER_MS = 15 * SECOND_MS
const DIVIDENDS_AFTER_MS = 20 * SECOND_MS
/** How often odds are seen, by the time before post time. */
const BOARDS = [
  { withinMs: 15 * MINUTE_MS, everyMs: 20 * SECOND_MS },
  { withinMs: 60 * MINUTE_MS, everyMs: MINUTE_MS },
  { withinMs: 240 * MINUTE_MS, everyMs: 5 * MINUTE_MS },
  { withinMs: Infinity, everyMs: 20 * MINUTE_MS },
]
/** Standard deviation of a board's log odds around their course. */
const BOARD_NOISE = 0.012

/** A batch for the feed; its key tells the same batch of a process that was killed from another one. */
export type LiveBatch = {
  [Kind in FeedKind]: { key: string; kind: Kind; body: FeedBody<Kind> }
}[FeedKind]

/** A race and its post time. */
export interface Post {
  raceNo: number
  startsAt: Date
}

/** A region's day. */
export interface LiveDay {
  date: string
  /** The region's races of the day that are stored. */
  stored: readonly DemoRace[]
  /** Whether its races are run through the feed already. */
  isDriven: boolean
  /** Whether somebody waits for a race, because the server has just started. */
  isAwaited: boolean
}

/** The day of which races are announced at a time: in the last minutes before midnight the next one. */
export const announcedDay = ({ rules }: DemoRegion, now: Date): string =>
  dayIn(rules.timeZone, new Date(now.getTime() + LAST_ANNOUNCEMENT_MS))

/**
 * A region's meeting of a day that is run: on every day, at least six races, and as many as are stored. Days without a
 * usual meeting get one at either racecourse.
 */
export function liveMeeting(
  region: DemoRegion,
  date: string,
  stored: readonly Pick<DemoRace, 'raceNo' | 'stadiumId'>[],
): DemoMeeting {
  const usual = usualMeeting(region, date)
  const stadium = usual?.stadium ?? seedOf(`meeting ${region.rules.code} ${date}`) % region.stadiums.length
  const { id } = region.stadiums[stadium]!
  const numbers = stored.flatMap(({ stadiumId, raceNo }) => (stadiumId === id ? [raceNo] : []))
  return { stadium, races: Math.max(usual?.races ?? 0, LEAST_RACES, ...numbers) }
}

/** The races of a live meeting with their results, identical for every call; in some a horse is withdrawn late. */
export const simulateLive = (region: DemoRegion, date: string, meeting: DemoMeeting): SimulatedRace[] =>
  simulateMeeting(region, date, { run: true, closely: true, scratch: true }, END_OF_TIME, meeting)

/**
 * The post times to announce for a region's day: all of a day that is not driven yet, and those that are brought forward
 * because somebody waits. Races that were committed to before their start keep it: they are run late. None if the day
 * ends too soon for another race.
 */
export function planDay(
  region: DemoRegion,
  { date, stored, isDriven, isAwaited }: LiveDay,
  place: number,
  now: Date,
): Post[] {
  const meeting = liveMeeting(region, date, stored)
  const left: Post[] = []
  for (let raceNo = 1; raceNo <= meeting.races; raceNo += 1) {
    const race = stored.find((each) => each.raceNo === raceNo)
    if (race && race.status !== 'scheduled') continue
    const startsAt = race?.startsAt ? new Date(race.startsAt) : usualStart(region, meeting, date, raceNo)
    const isMissed = startsAt <= now && race !== undefined && (isDriven || race.isLocked)
    if (!isMissed) left.push({ raceNo, startsAt })
  }
  const hasPassed = left.some(({ startsAt }) => startsAt <= now)
  const isSoon = left.some(({ startsAt }) => startsAt > now && startsAt.getTime() - now.getTime() <= SOON_MS)
  if (!hasPassed && (!isAwaited || isSoon)) return isDriven ? [] : left
  const next = meeting.races + 1
  const added = Array.from({ length: ADDED_RACES }, (_, index) => next + index).filter(
    (raceNo) => raceNo <= MOST_RACES,
  )
  const numbers = left.length > 0 ? left.map(({ raceNo }) => raceNo) : added
  return broughtForward(region, date, numbers, FIRST_RACE_MS[place % FIRST_RACE_MS.length]!, now)
}

function usualStart(region: DemoRegion, { stadium }: DemoMeeting, date: string, raceNo: number): Date {
  const firstMs = region.stadiums[stadium]!.firstRaceUtc * MINUTE_MS
  return new Date(Date.parse(`${date}T00:00:00Z`) + firstMs + (raceNo - 1) * USUAL_BETWEEN_MS)
}

/** As many of the races as fit into the rest of the day, in order. */
function broughtForward(
  { rules }: DemoRegion,
  date: string,
  numbers: readonly number[],
  firstMs: number,
  now: Date,
): Post[] {
  const fits = (at: number): boolean =>
    [at, at + BEFORE_MIDNIGHT_MS].every((time) => dayIn(rules.timeZone, new Date(time)) === date)
  const atMinute = (afterMs: number): number => Math.ceil((now.getTime() + afterMs) / MINUTE_MS) * MINUTE_MS
  const first = [firstMs, FIRST_RACE_AT_LEAST_MS, FIRST_RACE_AT_MOST_MS].map(atMinute).find(fits)
  if (first === undefined) return []
  const offs = (betweenMin: number): number[] =>
    numbers.map((_, index) => first + index * betweenMin * MINUTE_MS)
  const between = BETWEEN_MIN.find((minutes) => offs(minutes).every(fits)) ?? BETWEEN_MIN.at(-1)!
  return offs(between).flatMap((at, index) =>
    fits(at) ? [{ raceNo: numbers[index]!, startsAt: new Date(at) }] : [],
  )
}

/** The racecards of these races. */
export const cardsBatch = (
  { rules }: DemoRegion,
  races: readonly SimulatedRace[],
  posts: readonly Post[],
  now: Date,
): LiveBatch => ({
  key: `cards ${rules.code} ${now.toISOString()}`,
  kind: 'cards',
  body: {
    races: posts.map(({ raceNo, startsAt }) => {
      const { race } = races.find((each) => each.race.raceNo === raceNo)!
      return cardOf(race, startsAt)
    }),
  },
})

/**
 * A region's races of a day that are not over, without the odds of horses that the stored racecards show as withdrawn;
 * if all are over, further ones.
 */
export function racesLeft(region: DemoRegion, date: string, stored: readonly DemoRace[]): SimulatedRace[] {
  const meeting = liveMeeting(region, date, stored)
  const known = new Map(stored.map((race) => [race.id, race]))
  const isLeft = ({ race }: SimulatedRace): boolean =>
    (known.get(race.id)?.status ?? 'scheduled') === 'scheduled'
  const left = simulateLive(region, date, meeting).filter(isLeft)
  const races =
    left.length > 0
      ? left
      : simulateLive(region, date, { ...meeting, races: meeting.races + ADDED_RACES }).filter(isLeft)
  return races.map(({ ticks, ...rest }) => {
    const out = known.get(rest.race.id)?.withdrawn ?? []
    return { ...rest, ticks: ticks.filter(({ horseNo }) => !out.includes(horseNo)) }
  })
}

/** Ends a race whose result the feed does not take. */
export const abandonedBatch = (raceId: string): LiveBatch => ({
  key: `abandoned ${raceId}`,
  kind: 'results',
  body: { races: [{ raceId, status: 'abandoned' }] },
})

/** A stored race that is run through the feed, and its simulation. */
export interface LiveRace {
  race: DemoRace
  simulated: SimulatedRace
}

/** The first batch that is due, or when the next one will be; `Infinity` if nothing is left. */
export function dueBatch(
  races: readonly LiveRace[],
  now: Date,
): { batch: LiveBatch } | { batch: null; at: number } {
  const steps = races.flatMap((each) => nextStep(each) ?? []).toSorted((a, b) => a.at - b.at)
  const [first] = steps
  if (first && first.at <= now.getTime()) return { batch: first.batch }
  const boards = races.flatMap((each) => {
    const at = boardTime(each.race, now)
    return at === null ? [] : [{ ...each, at }]
  })
  const due = boards.filter(({ at }) => at <= now.getTime())
  if (due.length > 0) return { batch: oddsBatch(due, now) }
  return { batch: null, at: Math.min(first?.at ?? Infinity, ...boards.map(({ at }) => at)) }
}

/** A race's next batch that is not of odds, and when it is due; `null` if it is over. */
function nextStep({ race, simulated }: LiveRace): { at: number; batch: LiveBatch } | null {
  const raceId = race.id
  const off = Date.parse(race.startsAt ?? simulated.race.startsAt!)
  const resultAt = off + (simulated.race.winningTimeMs ?? 0) + RESULT_AFTER_MS
  if (race.status === 'final') {
    if (race.hasDividends) return null
    const body = { races: [dividendsOf(simulated)] }
    return {
      at: resultAt + DIVIDENDS_AFTER_MS,
      batch: { key: `dividends ${raceId}`, kind: 'dividends', body },
    }
  }
  if (race.status !== 'scheduled') return null
  const priced = new Set(simulated.ticks.map(({ horseNo }) => horseNo))
  const out = simulated.race.runners.flatMap(({ horseNo, status }) =>
    status === 'withdrawn' && !race.withdrawn.includes(horseNo!) ? [horseNo!] : [],
  )
  // Withdrawn before any odds were shown.
  const early = out.filter((horseNo) => !priced.has(horseNo))
  const horses = early.length > 0 ? early : out
  if (horses.length > 0) {
    const key = `withdrawals ${raceId} ${horses.join('-')}`
    const batch: LiveBatch = { key, kind: 'withdrawals', body: { races: [{ raceId, horses }] } }
    return { at: early.length > 0 ? 0 : off - LATE_WITHDRAWAL_MS, batch }
  }
  const body = { races: [resultOf(simulated.race)] }
  return { at: resultAt, batch: { key: `results ${raceId}`, kind: 'results', body } }
}

/** When a race's odds are to be seen next; `null` once it has started. */
function boardTime({ status, startsAt, boardAt }: DemoRace, now: Date): number | null {
  if (status !== 'scheduled' || startsAt === null) return null
  const leftMs = Date.parse(startsAt) - now.getTime()
  if (leftMs <= 0) return null
  const { everyMs } = BOARDS.find(({ withinMs }) => leftMs <= withinMs)!
  return boardAt === null ? 0 : Date.parse(boardAt) + everyMs
}

function oddsBatch(races: readonly LiveRace[], now: Date): LiveBatch {
  const seenAt = now.toISOString()
  return {
    key: `odds ${races[0]!.race.stadiumId} ${seenAt}`,
    kind: 'odds',
    body: {
      races: races.map(({ race, simulated }) => ({
        raceId: race.id,
        seenAt,
        odds: boardOf(simulated, race, now),
      })),
    },
  }
}

/** The odds of the horses that still run, between those that the simulation has before and after. */
function boardOf(
  { race, ticks }: SimulatedRace,
  { startsAt, withdrawn }: DemoRace,
  now: Date,
): { horseNo: number; odds: number }[] {
  const at = Date.parse(race.startsAt!) - (Date.parse(startsAt!) - now.getTime())
  const board: { horseNo: number; odds: number }[] = []
  for (const horseNo of new Set(ticks.map((tick) => tick.horseNo))) {
    if (withdrawn.includes(horseNo)) continue
    const own = ticks.filter((tick) => tick.horseNo === horseNo)
    const next = own.find(({ seenAt }) => Date.parse(seenAt) > at) ?? own.at(-1)!
    const before = own.findLast(({ seenAt }) => Date.parse(seenAt) <= at) ?? next
    const [from, to] = [Date.parse(before.seenAt), Date.parse(next.seenAt)]
    const part = to > from ? (at - from) / (to - from) : 0
    const noise = BOARD_NOISE * normal(seededRandom(seedOf(`${race.id} ${horseNo} ${now.getTime()}`)))
    const log = Math.log(before.odds) + part * (Math.log(next.odds) - Math.log(before.odds)) + noise
    board.push({ horseNo, odds: onBoard(Math.exp(log)) })
  }
  return board
}
