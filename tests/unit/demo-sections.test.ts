import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { sectionLengths } from '../../domain/pace.ts'
import { addDays } from '../../domain/region.ts'
import { completeTimes } from '../../domain/sections.ts'
import { simulateMeeting } from '../../server/ingest/demo/demonstration.ts'
import { DEMO_REGIONS } from '../../server/ingest/demo/regions.ts'

const NOW = new Date('2026-11-22T00:00:00Z')
const RUN = { run: true, closely: false }

const meetings = DEMO_REGIONS.flatMap((region) =>
  Array.from({ length: 28 }, (_, day) =>
    simulateMeeting(region, addDays('2026-09-06', day), RUN, NOW),
  ).flat(),
)

test('sections of the demonstration add up to the finishing times, and end in the places', () => {
  expect(meetings.length).toBeGreaterThan(80)
  for (const { race } of meetings) {
    const finished = race.runners.filter(({ place }) => place !== null)
    const count = Math.max(...finished.map(({ sections }) => sections!.length))
    expect(sectionLengths(race.distanceM, count)).not.toBeNull()
    for (const { sections, finishTimeMs, place, runningPosition } of finished) {
      const times = completeTimes(sections!, count)!
      expect(times.reduce((sum, time) => sum + time, 0)).toBe(finishTimeMs)
      expect(Math.min(...times)).toBeGreaterThan(9000)
      expect(sections!.at(-1)!.position).toBe(place)
      expect(runningPosition).toBe(sections!.map(({ position }) => position).join(' '))
      expect(sections!.every(({ margin }) => margin !== '')).toBe(true)
    }
    for (let call = 0; call < count; call += 1)
      expect(Math.min(...finished.map(({ sections }) => sections![call]!.position!))).toBe(1)
    for (const { sections, place } of race.runners) if (place === null) expect(sections).toBeNull()
  }
})

test('results, odds and dividends of the demonstration do not depend on its sections', () => {
  const facts = meetings.map(({ race, dividends, ticks }) => ({
    race: [race.id, race.winningTimeMs, race.distanceM, race.going],
    runners: race.runners.map(({ place, finishTimeMs, winOdds, draw, status }) => [
      place,
      finishTimeMs,
      winOdds,
      draw,
      status,
    ]),
    dividends: dividends.map(({ pool, combination, dividendCents }) => [pool, combination, dividendCents]),
    ticks: ticks.length,
  }))
  // Of the races as they were before they had sections, without the lines of pools that Australia has not.
  expect(createHash('sha256').update(JSON.stringify(facts)).digest('hex')).toBe(
    '74d347238ab8e327d7cc382227572a1f14516c5519afc63e84ab63433b3c2e41',
  )
})

test('a horse that led before leads again more often than by chance', () => {
  const leads = new Map<string, number[]>()
  for (const { race } of meetings) {
    const finished = race.runners.filter(({ sections }) => sections !== null)
    for (const { brand, sections } of finished) {
      const early = (sections![0]!.position! - 1) / (finished.length - 1)
      leads.set(brand, [...(leads.get(brand) ?? []), early])
    }
  }
  const again = [...leads.values()].filter((runs) => runs.length > 1 && runs[0]! < 0.25)
  const mean = again.reduce((sum, runs) => sum + runs[1]!, 0) / again.length
  expect(again.length).toBeGreaterThan(20)
  expect(mean).toBeLessThan(0.4)
})
