import { describe, expect, test } from 'vitest'
import {
  limitedClassFor,
  mayFetch,
  oldestFreeDay,
  requireWholeRace,
  seesWholeRace,
  showTip,
  tipVisibility,
  tipFor,
} from '../../server/services/gate.ts'
import type { FullTip } from '../../server/store/racing/prediction-store.ts'
import type { RacePlace } from '../../server/store/racing/race-store.ts'

const NOW = new Date('2026-11-21T04:00:00Z')
const MEMBER = { isVip: false }
const VIP = { isVip: true }
const race = (over: Partial<RacePlace> = {}): RacePlace => ({
  id: 'HKSHT2026112205',
  regionId: '100000',
  date: '2026-11-22',
  status: 'scheduled',
  lastRaceDay: '2026-11-21',
  position: 1,
  ...over,
})

describe('the table of decisions section 3', () => {
  test.each([
    ['a coming race, the first of its day', race(), 'first-number'],
    ['the third', race({ position: 3 }), 'first-number'],
    ['the fourth', race({ position: 4 }), 'nothing'],
    ['a coming race that was never run', race({ date: '2026-11-20' }), 'nothing'],
    ['abandoned', race({ status: 'abandoned' }), 'nothing'],
    ['settled today', race({ status: 'final', date: '2026-11-21', position: 9 }), 'everything'],
    ['settled six days ago', race({ status: 'final', date: '2026-11-15' }), 'everything'],
    ['settled seven days ago', race({ status: 'final', date: '2026-11-14' }), 'nothing'],
    [
      'settled at the last meeting, months ago',
      race({ status: 'final', date: '2026-07-15', lastRaceDay: '2026-07-15' }),
      'everything',
    ],
    [
      'settled seven days before that',
      race({ status: 'final', date: '2026-07-08', lastRaceDay: '2026-07-15' }),
      'nothing',
    ],
  ] as const)('%s: a visitor and a member see %s', (_, place, visibility) => {
    expect(tipVisibility(null, place, false, NOW)).toBe(visibility)
    expect(tipVisibility(MEMBER, place, false, NOW)).toBe(visibility)
    expect(tipVisibility(MEMBER, place, true, NOW)).toBe('everything')
    expect(tipVisibility(VIP, place, false, NOW)).toBe('everything')
  })
  test('a race to come is there until its day ends where it is run', () => {
    // Nine in the evening of the 22nd in Los Angeles is midnight in New York.
    const evening = new Date('2026-11-23T05:10:00Z')
    const of = (id: string) => tipVisibility(null, race({ id, regionId: '100840' }), false, evening)
    expect(of('USLAX2026112208')).toBe('first-number')
    expect(of('USBEL2026112208')).toBe('nothing')
  })
  test('the free days end with the region’s last race day', () => {
    expect(oldestFreeDay(null, '2026-11-21')).toBe('2026-11-15')
    expect(oldestFreeDay(MEMBER, '2026-03-02')).toBe('2026-02-24')
    expect(oldestFreeDay(VIP, '2026-11-21')).toBeNull()
  })
  test('the limited bet type is limited for readers who are not VIPs', () => {
    expect([null, MEMBER, VIP].map((who) => limitedClassFor(who, '3'))).toEqual([3, 3, null])
    expect(limitedClassFor(null, '')).toBeNull()
  })
  test('a whole race is for subscribers and VIP; entitled files for VIP', () => {
    expect([null, MEMBER, VIP].map((who) => seesWholeRace(who, false))).toEqual([false, false, true])
    expect(seesWholeRace(MEMBER, true)).toBe(true)
    expect(() => requireWholeRace(MEMBER, false)).toThrow('not-subscribed')
    const may = (who: { isVip: boolean } | null, file: Parameters<typeof mayFetch>[1]): boolean =>
      mayFetch(who, file, '2026-11-21')
    const record = { kind: 'record', entitlement: 'member', from: '2026-01-01' } as const
    expect([null, MEMBER, VIP].map((who) => may(who, record))).toEqual([false, false, true])
    expect(may(null, { kind: 'racing', entitlement: 'public', from: '2020-01-01' })).toBe(true)
    const recent = { kind: 'recent', entitlement: 'public' } as const
    expect(may(null, { ...recent, from: '2026-11-15' })).toBe(true)
    // A file of an earlier race day has one day too many.
    expect(may(null, { ...recent, from: '2026-11-14' })).toBe(false)
    expect(mayFetch(null, { ...recent, from: '2026-11-21' }, null)).toBe(false)
    expect(may(VIP, { ...recent, from: '2026-11-14' })).toBe(true)
  })
})

test('what is not to be seen is not in the tip', () => {
  const tip: FullTip = {
    race: race(),
    raceNo: 5,
    numbersByName: false,
    stadiumName: 'Sha Tin',
    time: '13:00:00',
    outcome: null,
    horses: [7, 3, 11, 2].map((horseNumber, index) => ({
      ranking: index + 1,
      horseNumber,
      horseId: `HK-X${horseNumber}`,
      name: `Horse ${horseNumber}`,
      nameLanguage: 'en' as const,
      silks: `Silks of ${horseNumber}`,
      probability: 0.4 - index / 10,
      odds: 2 + index,
      lastOdds: 5.5 + index,
      edge: 0.05 + index / 1000,
      result: `${index + 4}`,
    })),
    track: [{ createTime: '2026-11-21T01:00:00.000Z', odds: 2.4 }],
  }
  expect(showTip(tip, 'nothing', false)).toBeNull()
  const first = showTip(tip, 'first-number', false)!
  expect(JSON.stringify(first)).not.toMatch(/Horse (3|11|2)"|:11\b|0\.3|0\.2|0\.1/)
  // Odds, places and silks are public: beside a hidden rank they would say which horse it is.
  expect(JSON.stringify(first)).not.toMatch(
    /[678]\.5|0\.05[123]|"result":"[567]"|Silks of (3|11|2)"|HK-X(3|11|2)"/,
  )
  expect(first.topCompetitors[0]).toMatchObject({
    odds: 5.5,
    edge: 0.05,
    result: '4',
    silks: 'Silks of 7',
  })
  expect(first).toMatchObject({ raceCompetitor1Num: 7, raceCompetitor2Num: null, open: false })
  expect(showTip(tip, 'everything', false)).toMatchObject({
    raceCompetitor4Num: 2,
    open: true,
    chartData: [],
  })
  expect(first.chartData).toEqual([])
  // Odds over time need access to the race: a tip that becomes free afterwards does not include them.
  const settled = { ...tip, race: race({ status: 'final', date: '2026-11-21' }) }
  const tracks = [
    [null, false],
    [MEMBER, false],
    [MEMBER, true],
    [VIP, false],
  ] as const
  expect(tracks.map(([who, opened]) => tipFor(who, settled, opened, NOW)?.chartData.length)).toEqual([
    0, 0, 1, 1,
  ])
})
