// @module-tag rest
import { describe, expect, test } from 'vitest'
import { RPSCRAPE_FORMAT } from '../../server/ingest/gb/rpscrape-format.ts'
import {
  changesOf,
  csv,
  importAs,
  rejectLines,
  storedRunners,
  withDatabase,
} from '../support/import-files.ts'
import { dividends, PRESENT, race, races } from '../support/rpscrape-files.ts'

describe('rpscrape: rows that cannot be read or believed', () => {
  test.each([
    { name: 'a torn row alone', spoilt: (text: string) => `${text},more`, kind: 'wrong-number-of-cells' },
    { name: 'no time', spoilt: (text: string) => text.replace(',1:00,', ',later,'), kind: 'not-a-time' },
    // May be of the meeting before it, too.
    {
      name: 'a torn row that ends early',
      spoilt: () => '2024-06-15,GB',
      kind: 'wrong-number-of-cells',
      first: 2,
    },
    { name: 'no day', spoilt: (text: string) => text.replace('06-15', '06'), kind: 'bad-date', first: 2 },
  ])('$name may be of one more race: no race of its meeting has a number', ({ spoilt, kind, first = 8 }) =>
    withDatabase(async (place) => {
      const report = await importAs(place, RPSCRAPE_FORMAT, {
        'results.csv': csv(
          PRESENT,
          ...race({ course: 'Ascot', off: '1:10' }),
          spoilt(race({ off: '1:00' })[0]!),
          ...race({ off: '2:30' }),
          ...race({ off: '3:00' }),
          ...race({ course: 'Ripon', off: '2:00' }),
        ),
      })
      expect((await races(place)).map(({ id }) => id)).toEqual(
        first === 8 ? ['GBASC2024061501', 'GBRIP2024061501'] : ['GBRIP2024061501'],
      )
      const told = rejectLines(report.rejects)
      const doubtful = Array.from({ length: 18 - first }, (_, at) => first + at).filter((line) => line !== 7)
      expect(told.toSorted()).toEqual(
        [
          `results.csv:7 ${kind}`,
          ...doubtful.map((line) => `results.csv:${line} race-number-uncertain`),
        ].toSorted(),
      )
      expect(report.rejects.at(-1)!.detail).toBe(
        'GBYRK 2024-06-15 15:00: results.csv:7 may be of another race',
      )
    }),
  )

  test('a torn row of a race that other rows have leaves out that race alone', () =>
    withDatabase(async (place) => {
      const report = await importAs(place, RPSCRAPE_FORMAT, {
        'results.csv': csv(
          PRESENT,
          ...race({ off: '2:00', ran: 4 }),
          `${race({ off: '2:00' })[4]},more`,
          ...race({ off: '2:30' }),
        ),
      })
      expect(rejectLines(report.rejects)).toEqual([
        'results.csv:6 wrong-number-of-cells',
        'results.csv:6 race-incomplete',
      ])
      expect((await races(place)).map(({ id }) => id)).toEqual(['GBYRK2024061502'])
    }))

  test('a race with a bad row in one file is good in another one that has it whole', () =>
    withDatabase(async (place) => {
      const report = await importAs(place, RPSCRAPE_FORMAT, {
        'a.csv': csv(PRESENT, ...race({}, [{}, {}, { pos: 'XX' }]), ...race({ course: 'Ripon' })),
        'b.csv': csv(PRESENT, ...race()),
      })
      expect(rejectLines(report.rejects)).toEqual(['a.csv:4 unknown-place-code', 'a.csv:4 race-incomplete'])
      expect(await dividends(place)).toEqual(['GBRIP2024061501 win 1 2500', 'GBYRK2024061501 win 1 2500'])
    }))

  test('figures that no race has are unknown, with their lines', () =>
    withDatabase(async (place) => {
      const report = await importAs(place, RPSCRAPE_FORMAT, {
        'results.csv': csv(
          PRESENT,
          ...race({ metres: '', dist: '21m' }, [
            { dec: '0', prize: '2000 guineas' },
            { dec: '-5', prize: '100' },
            { dec: '1e300' },
            { dec: '1.00' },
            { dec: '1.01' },
          ]),
          ...race({ off: '2:45', metres: '', dist: '99999m' }, [{ prize: '9'.repeat(30) }]),
        ),
      })
      expect([report.rejects, report.noted]).toEqual([[], []])
      const told = report.unknown.map(({ kind, line, detail }) => `${line} ${kind} ${detail.split(' (')[0]}`)
      expect(told.filter((text) => !text.includes('not-a-distance'))).toEqual([
        '2 not-a-number prize: 2000 guineas',
        '2 out-of-range dec: 0',
        '3 out-of-range dec: -5',
        '4 out-of-range dec: 1e300',
        '5 out-of-range dec: 1.00',
        `7 out-of-range prize: ${'9'.repeat(30)}`,
      ])
      expect(told.filter((text) => text.includes('not-a-distance dist: '))).toHaveLength(10)
      const stored = await races(place)
      expect(stored.map(({ distanceM, prizeCents }) => [distanceM, prizeCents])).toEqual([
        [null, null],
        [null, null],
      ])
      expect((await storedRunners(place)).map(({ winOdds }) => winOdds).slice(0, 5)).toEqual([
        null,
        null,
        null,
        null,
        1.01,
      ])
      expect(await dividends(place)).toEqual(['GBYRK2024061501 win 1 unknown', 'GBYRK2024061502 win 1 2500'])
    }))

  test('words that no table has are unknown, also those that every object has', () =>
    withDatabase(async (place) => {
      const header = PRESENT.replace('damsire', 'surface')
      const rows = race({ going: 'Constructor', type: 'constructor' }).map((text, at) =>
        text.replace(',Another,', at === 0 ? ',constructor,' : at === 1 ? ',Sand,' : ',Turf,'),
      )
      const report = await importAs(place, RPSCRAPE_FORMAT, { 'results.csv': csv(header, ...rows) })
      expect([report.rejects, report.noted]).toEqual([[], []])
      expect(new Set(report.unknown.map(({ detail }) => detail))).toEqual(
        new Set(['going: Constructor', 'surface: constructor', 'surface: Sand']),
      )
      expect((await races(place)).map(({ going, course, track }) => [going, course, track])).toEqual([
        [null, null, null],
      ])
    }))

  test('longer names than any are refused', () =>
    withDatabase(async (place) => {
      const long = 'x'.repeat(201)
      const report = await importAs(place, RPSCRAPE_FORMAT, {
        'results.csv': csv(
          PRESENT,
          ...race({ course: 'Ascot' }),
          ...race({ course: 'Ripon' }, [{ horse: long }]),
          ...race({ off: '3:00' }),
          ...race({ course: `York${' '.repeat(300_000)}x` }),
        ),
      })
      expect(report.rejects.map(({ line, kind }) => `${line} ${kind}`)).toEqual([
        '7 text-too-long',
        ...[8, 9, 10, 11].map((line) => `${line} runners-missing`),
        ...[12, 13, 14, 15, 16].map((line) => `${line} race-number-uncertain`),
        ...[17, 18, 19, 20, 21].map((line) => `${line} text-too-long`),
      ])
      expect(report.rejects[0]!.detail).toBe('horse: 201 characters (at most 200)')
      expect(report.rejects.at(-1)!.detail).toBe('course: 300005 characters (at most 200)')
    }))

  test('what the winner paid is unknown if a disqualified horse finished in front of it, and so are the margins', () =>
    withDatabase(async (place) => {
      const files = {
        'results.csv': csv(
          PRESENT,
          // Disqualified in front of the winner.
          ...race({ off: '2:00' }, [
            { pos: 'DSQ', behind: '0' },
            { pos: '1', behind: '1.25' },
            { pos: '2', behind: '2' },
            { pos: '3', behind: '3' },
            { pos: '4', behind: '4' },
          ]),
          // Behind the winner.
          ...race({ off: '2:30' }, [{}, {}, {}, {}, { pos: 'DSQ', behind: '4' }]),
          // Placed behind a horse that finished behind it.
          ...race({ off: '3:00' }, [{ behind: '0.1' }, { behind: '0' }]),
        ),
      }
      const report = await importAs(place, RPSCRAPE_FORMAT, files)
      expect([report.rejects, report.unknown]).toEqual([[], []])
      expect(rejectLines(report.noted)).toEqual(['results.csv:2 disqualified-in-front'])
      expect(await dividends(place)).toEqual(['GBYRK2024061502 win 1 2500', 'GBYRK2024061503 win 1 2500'])
      const margins = (await storedRunners(place)).map(({ margin }) => margin)
      expect(margins).toHaveLength(15)
      expect(margins.slice(5, 10)).toEqual([null, '1', '2', '3', null])
      expect(new Set([...margins.slice(0, 5), ...margins.slice(10)])).toEqual(new Set([null]))
      const again = await importAs(place, RPSCRAPE_FORMAT, files)
      expect([changesOf(again), again.differing]).toEqual([0, []])
    }))
})
