import { describe, expect, test } from 'vitest'
import { FEED_BODIES } from '../../contract/api/feed.ts'
import { addDays, dayIn } from '../../domain/region.ts'
import {
  announcedDay,
  cardsBatch,
  dueBatch,
  liveMeeting,
  planDay,
  racesLeft,
  simulateLive,
  type LiveBatch,
  type LiveRace,
  type Post,
} from '../../server/ingest/demo/live-meeting.ts'
import { DEMO_REGIONS } from '../../server/ingest/demo/regions.ts'
import type { DemoRegion } from '../../server/ingest/demo/stable.ts'
import type { DemoRace } from '../../server/store/racing/demonstration.ts'

const [HONG_KONG, AUSTRALIA] = DEMO_REGIONS as readonly [DemoRegion, DemoRegion]
const MINUTE_MS = 60_000
/** A Saturday without a usual meeting in Hong Kong; noon there. */
const DATE = '2026-11-21'
const NOON = new Date('2026-11-21T04:00:00Z')
const later = (now: Date, minutes: number): Date => new Date(now.getTime() + minutes * MINUTE_MS)

const stored = (over: Partial<DemoRace> & Pick<DemoRace, 'raceNo'>): DemoRace => {
  const { stadium } = liveMeeting(HONG_KONG, DATE, [])
  const stadiumId = HONG_KONG.stadiums[stadium]!.id
  return {
    id: `${stadiumId}20261121${String(over.raceNo).padStart(2, '0')}`,
    date: DATE,
    stadiumId,
    status: 'scheduled',
    startsAt: null,
    boardAt: null,
    hasDividends: false,
    isLocked: false,
    withdrawn: [],
    ...over,
  }
}
const plan = (
  races: readonly DemoRace[],
  now: Date,
  over: { isDriven?: boolean; isAwaited?: boolean } = {},
) => planDay(HONG_KONG, { date: DATE, stored: races, isDriven: false, isAwaited: true, ...over }, 0, now)
const minutesFrom = (now: Date, posts: readonly Post[]): number[] =>
  posts.map(({ startsAt }) => (startsAt.getTime() - now.getTime()) / MINUTE_MS)

describe('the meeting of a day', () => {
  test('every region races on every day of a week, at least six races', () => {
    for (const region of DEMO_REGIONS)
      for (let day = 0; day < 7; day += 1) {
        const date = addDays(DATE, day)
        const { stadium, races } = liveMeeting(region, date, [])
        expect(region.stadiums[stadium]).toBeDefined()
        expect(races).toBeGreaterThanOrEqual(6)
      }
  })

  test('a longer meeting begins with the races of the shorter one, and no race has a horse twice', () => {
    const short = simulateLive(AUSTRALIA, DATE, { stadium: 0, races: 6 })
    const long = simulateLive(AUSTRALIA, DATE, { stadium: 0, races: 40 })
    expect(long.slice(0, 6)).toEqual(short)
    expect(long).toHaveLength(40)
    for (const { race } of long)
      expect(new Set(race.runners.map(({ brand }) => brand)).size).toBe(race.runners.length)
  })

  test('a horse is withdrawn after its odds were shown, in the first race of every meeting', () => {
    for (const region of DEMO_REGIONS)
      for (let day = 0; day < 7; day += 1) {
        const date = addDays(DATE, day)
        const withLate = simulateLive(region, date, liveMeeting(region, date, [])).filter(({ race, ticks }) =>
          race.runners.some(
            ({ status, horseNo }) => status === 'withdrawn' && ticks.some((tick) => tick.horseNo === horseNo),
          ),
        )
        expect(withLate.length, `${region.rules.code} ${date}`).toBeGreaterThan(0)
      }
  })
})

describe('post times', () => {
  test('whoever has just started a server gets a race within ten minutes, and the others every ten', () => {
    for (const [place, region] of DEMO_REGIONS.entries()) {
      const date = dayIn(region.rules.timeZone, NOON)
      const posts = planDay(region, { date, stored: [], isDriven: false, isAwaited: true }, place, NOON)
      const minutes = minutesFrom(NOON, posts)
      expect(minutes[0]).toBeLessThan(10)
      expect(minutes[0]).toBeGreaterThan(3)
      expect(minutes.map((each, index) => each - index * 10)).toEqual(minutes.map(() => minutes[0]))
    }
  })

  test('a day that begins while the server runs keeps its usual times, and is announced once', () => {
    const midnight = new Date('2026-11-20T16:00:10Z')
    const posts = plan([], midnight, { isAwaited: false })
    expect(posts).toHaveLength(6)
    expect(minutesFrom(midnight, posts)[0]).toBeGreaterThan(600)
    expect(plan([], midnight, { isDriven: true, isAwaited: false })).toEqual([])
  })

  test('a race that was committed to before its start keeps it: it is run late; another is brought forward', () => {
    const past = later(NOON, -90).toISOString()
    const races = [
      stored({ raceNo: 1, startsAt: past, isLocked: true }),
      stored({ raceNo: 2, startsAt: past }),
      stored({ raceNo: 3, startsAt: later(NOON, 200).toISOString(), isLocked: true }),
    ]
    expect(plan(races, NOON).map(({ raceNo }) => raceNo)).toEqual([2, 3, 4, 5, 6])
    // Once the day is run, each race whose start has passed was announced.
    expect(plan(races, NOON, { isDriven: true }).map(({ raceNo }) => raceNo)).toEqual([3, 4, 5, 6])
  })

  test('nothing is moved if a race starts soon anyway', () => {
    const races = [1, 2, 3, 4, 5, 6].map((raceNo) =>
      stored({ raceNo, startsAt: later(NOON, 4 + 10 * raceNo - 10).toISOString(), isLocked: true }),
    )
    expect(plan(races, NOON, { isDriven: true })).toEqual([])
  })

  test('after the last race further ones are added', () => {
    const races = [1, 2, 3, 4, 5, 6].map((raceNo) => stored({ raceNo, status: 'final' }))
    const posts = plan(races, NOON, { isDriven: true })
    expect(posts.map(({ raceNo }) => raceNo)).toEqual([7, 8, 9, 10])
    expect(plan(races, NOON, { isDriven: true, isAwaited: false })).toEqual([])
  })

  test.each([
    ['two hours before midnight all fit', '2026-11-21T14:00:00Z', 6],
    ['half an hour before midnight they follow more closely', '2026-11-21T15:30:00Z', 6],
    ['ten minutes before midnight only some fit', '2026-11-21T15:50:00Z', 1],
  ])('%s', (_, text, least) => {
    const now = new Date(text)
    const posts = plan([], now)
    expect(posts.length).toBeGreaterThanOrEqual(least)
    for (const { startsAt } of posts) expect(dayIn('Asia/Hong_Kong', startsAt)).toBe(DATE)
    expect(minutesFrom(now, posts)[0]).toBeLessThanOrEqual(10)
  })

  test('at every minute around midnight a server that has just started has a race within nine minutes', () => {
    const midnights = [Date.parse('2026-11-21T16:00:00Z'), Date.parse('2026-11-21T13:00:00Z')]
    for (const [place, region] of DEMO_REGIONS.entries())
      for (let second = -1800; second < 1800; second += 20) {
        const now = new Date(midnights[place]! + second * 1000)
        const date = announcedDay(region, now)
        const posts = planDay(region, { date, stored: [], isDriven: false, isAwaited: true }, place, now)
        expect(minutesFrom(now, posts)[0], now.toISOString()).toBeLessThanOrEqual(9)
        for (const { startsAt } of posts) expect(dayIn(region.rules.timeZone, startsAt)).toBe(date)
      }
  })
})

/** What is sent of a race from a time on, a second at a time, with the stored race changed as the feed does it. */
function run(live: LiveRace, from: Date, minutes: number): { at: Date; batch: LiveBatch }[] {
  const sent: { at: Date; batch: LiveBatch }[] = []
  const race = { ...live.race }
  for (let second = 0; second < minutes * 60; second += 1) {
    const at = new Date(from.getTime() + second * 1000)
    for (;;) {
      const { batch } = dueBatch([{ ...live, race }], at)
      if (batch === null) break
      sent.push({ at, batch })
      if (batch.kind === 'odds') race.boardAt = at.toISOString()
      if (batch.kind === 'withdrawals') race.withdrawn = [...race.withdrawn, ...batch.body.races[0]!.horses]
      if (batch.kind === 'results') race.status = 'final'
      if (batch.kind === 'dividends') race.hasDividends = true
    }
  }
  return sent
}

describe('a race', () => {
  const meeting = liveMeeting(HONG_KONG, DATE, [])
  const simulated = simulateLive(HONG_KONG, DATE, meeting)
  const [first] = simulated
  const off = later(NOON, 6)
  const live = (over: Partial<DemoRace> = {}): LiveRace => ({
    race: stored({ raceNo: 1, startsAt: off.toISOString(), ...over }),
    simulated: first!,
  })

  test('has moving odds, a withdrawal, a result after it was run, and dividends; each a batch of the feed', () => {
    const sent = run(live(), NOON, 15)
    for (const { batch } of sent) expect(FEED_BODIES[batch.kind].safeParse(batch.body).error).toBeUndefined()
    const timeOf = (kind: string): Date[] =>
      sent.flatMap(({ at, batch }) => (batch.kind === kind ? [at] : []))
    const odds = timeOf('odds')
    expect(odds.length).toBeGreaterThan(12)
    expect(odds.at(-1)! < off).toBe(true)
    expect(timeOf('withdrawals').every((at) => at < off)).toBe(true)
    expect(timeOf('withdrawals').length).toBeGreaterThan(0)
    const [[result], [dividends]] = [timeOf('results'), timeOf('dividends')]
    expect(timeOf('results')).toHaveLength(1)
    expect(result!.getTime() - off.getTime()).toBeGreaterThan(MINUTE_MS)
    expect(result!.getTime() - off.getTime()).toBeLessThan(3 * MINUTE_MS)
    expect(dividends! > result!).toBe(true)
    const boards = sent.flatMap(({ batch }) =>
      batch.kind === 'odds' ? [JSON.stringify(batch.body.races[0]!.odds)] : [],
    )
    expect(new Set(boards).size).toBeGreaterThan(boards.length / 2)
    expect(new Set(sent.map(({ batch }) => batch.key)).size).toBe(sent.length)
  })

  test('that was missed has its withdrawal, result and dividends at once, and no odds any more', () => {
    const { batch } = dueBatch([live()], later(off, 300))
    expect(batch?.kind).toBe('withdrawals')
    const sent = run(live(), later(off, 300), 0.1)
    expect(sent.map(({ batch: { kind } }) => kind).slice(-2)).toEqual(['results', 'dividends'])
    expect(sent.every(({ batch: { kind } }) => kind !== 'odds')).toBe(true)
  })

  test('the odds of a withdrawn horse are not sent, and the winner is none', () => {
    const out = first!.race.runners
      .filter(({ status }) => status === 'withdrawn')
      .map(({ horseNo }) => horseNo!)
    const { batch } = dueBatch([live({ withdrawn: out })], later(NOON, 1))
    if (batch?.kind !== 'odds') throw new Error('no odds')
    for (const { horseNo } of batch.body.races[0]!.odds) expect(out).not.toContain(horseNo)
  })

  test('its card has all horses, and the planned start', () => {
    const batch = cardsBatch(HONG_KONG, simulated, [{ raceNo: 1, startsAt: off }], NOON)
    if (batch.kind !== 'cards') throw new Error('no cards')
    const [card] = batch.body.races
    expect(card!.startsAt).toBe(off.toISOString())
    expect(card!.runners).toHaveLength(first!.race.runners.length)
  })

  test('what is left of a day is what is not over; after the last race, further ones', () => {
    const done = [1, 2].map((raceNo) => stored({ raceNo, status: 'final' }))
    const numbers = (races: readonly DemoRace[]): number[] =>
      racesLeft(HONG_KONG, DATE, races).map(({ race }) => race.raceNo)
    expect(numbers(done)).toEqual([3, 4, 5, 6])
    expect(numbers([1, 2, 3, 4, 5, 6].map((raceNo) => stored({ raceNo, status: 'final' })))).toEqual([
      7, 8, 9, 10,
    ])
  })
})
