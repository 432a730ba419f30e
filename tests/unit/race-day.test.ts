import { describe, expect, test } from 'vitest'
import { FEED_BODIES } from '../../contract/api/feed.ts'
import { simulateMeeting } from '../../server/ingest/demo/demonstration.ts'
import { END_OF_TIME, planRaceDay, type DayEvent } from '../../server/ingest/demo/race-day.ts'
import { DEMO_REGIONS } from '../../server/ingest/demo/regions.ts'

const HOUR_MS = 3_600_000
const beginsAt = new Date('2026-11-22T00:00:00Z')
/** A Sunday: eight races in Hong Kong. */
const races = simulateMeeting(DEMO_REGIONS[0]!, '2026-11-22', { run: true, closely: true }, END_OF_TIME)
const planned = (speed: number): DayEvent[] => planRaceDay(races, { beginsAt, speed, boardEveryMs: 10_000 })

describe('a simulated race day', () => {
  test('every batch is one that the feed takes, in order of time', () => {
    const events = planned(60)
    expect(events[0]!.kind).toBe('cards')
    for (const [index, { at, kind, body }] of events.entries()) {
      expect(FEED_BODIES[kind].safeParse(body).error).toBeUndefined()
      if (index > 0) expect(at.getTime()).toBeGreaterThanOrEqual(events[index - 1]!.at.getTime())
    }
  })

  test('each race has odds until its off, then one result and its dividends', () => {
    const events = planned(60)
    const [cards] = events
    if (cards?.kind !== 'cards') throw new Error('no cards')
    expect(cards.body.races).toHaveLength(8)
    for (const { raceId, startsAt, runners } of cards.body.races) {
      const off = Date.parse(startsAt)
      const of = events.filter(({ body }) => body.races.some((race) => race.raceId === raceId)).slice(1)
      const kinds = of.map(({ kind }) => kind).filter((kind) => kind !== 'withdrawals')
      expect(kinds.slice(-2)).toEqual(['results', 'dividends'])
      expect(kinds.slice(0, -2).every((kind) => kind === 'odds')).toBe(true)
      expect(kinds.length).toBeGreaterThan(3)
      for (const { at, kind } of of)
        if (kind === 'odds') expect(at.getTime()).toBeLessThan(off)
        else if (kind !== 'withdrawals') expect(at.getTime()).toBeGreaterThan(off)
      const out = of.flatMap(({ kind, body }) => (kind === 'withdrawals' ? body.races[0]!.horses : []))
      const result = of.find(({ kind }) => kind === 'results')
      if (result?.kind !== 'results' || result.body.races[0]?.status !== 'final') throw new Error('no result')
      expect(result.body.races[0].runners.map(({ horseNo }) => horseNo)).toEqual(
        runners.map(({ horseNo }) => horseNo).filter((horseNo) => !out.includes(horseNo)),
      )
    }
  })

  test('speed shortens the day and leaves the time between boards', () => {
    const lengthOf = (events: readonly DayEvent[]): number =>
      events.at(-1)!.at.getTime() - events[0]!.at.getTime()
    expect(lengthOf(planned(60))).toBeCloseTo((3.9 * HOUR_MS) / 60, -3)
    expect(lengthOf(planned(1))).toBeCloseTo(3.9 * HOUR_MS, -4)
    const boards = (events: readonly DayEvent[], raceId: string): number[] =>
      events.flatMap(({ at, kind, body }) =>
        kind === 'odds' && body.races[0]!.raceId === raceId ? [at.getTime()] : [],
      )
    const times = boards(planned(120), races.at(-1)!.race.id)
    for (const [index, at] of times.entries())
      if (index > 0) expect(at - times[index - 1]!).toBeCloseTo(10_000, -2)
  })

  test('a day without racing has nothing to send', () => {
    expect(planRaceDay([], { beginsAt, speed: 1, boardEveryMs: 10_000 })).toEqual([])
  })
})
