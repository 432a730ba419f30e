import { expect, test } from 'vitest'
import {
  horseOf,
  marketOf,
  meetingOf,
  offOf,
  raceNamed,
  resultOf,
} from '../../server/ingest/gb/betfair-sp-cells.ts'
import { courseAbbreviated } from '../../server/ingest/gb/courses.ts'

/** What is read, or the kind of the error. */
const told = (read: () => unknown): unknown => {
  try {
    return read()
  } catch (error) {
    return (error as { kind: string }).kind
  }
}

test.each([
  ['GB / Uttoxeter 1st Apr', '01-04-2021 13:00', { stadiumId: 'GBUTT', date: '2021-04-01' }],
  ['IRE / Gowran Park 22nd Apr', '22-04-2021 13:00', { stadiumId: 'IEGOW', date: '2021-04-22' }],
  // Without a country, as in the files of today.
  ['Nottingham 31st May', '31-05-2026 16:55', { stadiumId: 'GBNOT', date: '2026-05-31' }],
  ['Down Royal 3rd May', '03-05-2026 16:55', { stadiumId: 'IEDRO', date: '2026-05-03' }],
  ['GB / Chelmsford City 2nd Sept', '02-09-2021 13:00', { stadiumId: 'GBCHM', date: '2021-09-02' }],
  ['GB / MrktR 16th Sep', '16-09-2014 13:00', { stadiumId: 'GBMAR', date: '2014-09-16' }],
  ['GB / Wolv 16th Sep', '16/09/2014 13:00', { stadiumId: 'GBWOL', date: '2014-09-16' }],
  ['Sandown (AUS) 1st Aug', '01-08-2026 06:25', { stadiumId: 'AUSAN', date: '2026-08-01' }],
  ['AUS / Flem (AUS) 1st Jan', '31-12-2025 23:30', { stadiumId: 'AUFLE', date: '2026-01-01' }],
  // Half past nine in Perth, and half past midnight in Sydney.
  ['AUS / Northam (AUS) 1st Jan', '01-01-2026 13:30', { stadiumId: 'AUNOR', date: '2026-01-01' }],
  ['AUS / Flem (AUS) 1st Jan', '02-01-2026 03:30', 'day-contradicts-menu-hint'],
  ['AUS / Wa (AUS) 1st Jan', '01-01-2026 03:30', 'unknown-venue'],
  ['AUS / Flem (AUS) 1st Jan', '01-01-2026', 'bad-time'],
  // York in Western Australia has its country with it.
  ['York 1st Jun', '01-06-2024 14:00', { stadiumId: 'GBYRK', date: '2024-06-01' }],
  ['York (AUS) 1st Jun', '01-06-2024 04:00', { stadiumId: 'AUYOR', date: '2024-06-01' }],
  ['Ellerslie (NZL) 1st Aug', '01-08-2026 01:25', { country: 'NZL' }],
  ['USA / Aqueduct (US) 1st Aug', '01-08-2026 06:25', { country: 'USA' }],
  ['FR / Deauville 1st Aug', '01-08-2026 06:25', { country: 'FR' }],
  ['GB / Nowhere 1st Apr', '01-04-2021 13:00', 'unknown-venue'],
  ['GB / Win 1st Apr', '01-04-2021 13:00', 'unknown-venue'],
  ['GB / Uttoxeter', '01-04-2021 13:00', 'bad-menu-hint'],
  ['', '01-04-2021 13:00', 'missing-field'],
  // A spreadsheet has put the month first.
  ['GB / Uttoxeter 1st Apr', '04-01-2021 13:00', 'day-contradicts-menu-hint'],
  ['GB / Uttoxeter 13th Apr', '04-13-2021 13:00', 'no-such-day'],
  ['GB / Uttoxeter 31st Abc', '31-05-2021 13:00', 'day-contradicts-menu-hint'],
  ['GB / Uttoxeter 1st Apr', 'soon', 'not-a-day'],
])('a meeting: %s, %s', (menu, time, expected) => {
  expect(told(() => meetingOf({ menu, time }, 'menu', 'time'))).toEqual(expected)
})

test('a short name of a course is one only if it can be no other course of its region', () => {
  expect(
    ['Sthl', 'Epsm', 'Newm', 'Chelt', 'Ches', 'Curr', 'Ne', 'New', 'constructor'].map((name) =>
      courseAbbreviated(name, 'GB'),
    ),
  ).toEqual(['GBSOU', 'GBEPS', 'GBNMK', 'GBCHL', 'GBCHS', undefined, undefined, undefined, undefined])
  expect(courseAbbreviated('Curr', 'IE')).toBe('IECUR')
})

test.each([
  ['01-04-2021 13:00', '13:00'],
  ['31-05-2026 9:05:00', '09:05'],
  ['31-05-2026 24:05', 'bad-time'],
  ['31-05-2026', 'bad-time'],
  ['', 'missing-field'],
])('an off: %s', (time, expected) => {
  expect(told(() => offOf({ time }, 'time'))).toBe(expected)
})

test.each([
  ['2m7f Nov Hrd', 'win'],
  ['5f Hcap', 'win'],
  ['4m2f Grd3 Hcap Chs', 'win'],
  ['TO BE PLACED', 'place'],
  ['To Be Placed', 'place'],
  ['4 TBP', 'other'],
  ['Forecast', 'other'],
  ['Frankel v Cirrus Des Aigles', 'other'],
  ['1m2f Match Alpha v Beta', 'other'],
  ['1m Trot M', 'other'],
  ['R6 1600m CL1', 'win'],
  ['R5 1609m Pace M', 'other'],
  ['R2 2150m Trot S', 'other'],
])('a market: %s', (name, expected) => {
  expect(marketOf(name)).toBe(expected)
})

test.each([
  ['2m7f Nov Hrd', 4627, 'hurdle', null],
  ['4m2f Grd3 Hcap Chs', 6840, 'chase', 'GR3'],
  ['2m4f Listed Hcap Chase', 4023, 'chase', 'L'],
  ['3m List Nov Hrd', 4828, 'hurdle', 'L'],
  ['7f Grp 3', 1408, null, 'G3'],
  ['1m4f Grp1', 2414, null, 'G1'],
  ['2m NHF', 3219, null, null],
  ['5f Class Stks', 1006, null, null],
])('a race: %s', (name, distanceM, course, raceClass) => {
  expect(raceNamed(name)).toEqual({ distanceM, course, raceClass })
})

test('a name with a saddle number, and without one', () => {
  expect(['1. Alpha', '12.Beta', 'Alpha (IRE)', '5 Star', 'No. 7'].map(horseOf)).toEqual([
    { name: 'Alpha', printedNo: 1 },
    { name: 'Beta', printedNo: 12 },
    { name: 'Alpha (IRE)', printedNo: null },
    { name: '5 Star', printedNo: null },
    { name: 'No. 7', printedNo: null },
  ])
})

test.each([
  ['1', '3.05', 'won'],
  ['1.0', '3.05', 'won'],
  ['2', '3.05', 'shared'],
  ['0', '1000', 'lost'],
  ['0', '', 'lost'],
  ['0', 'NaN', 'lost'],
  ['0', '0', 'removed'],
  ['0', '0.0', 'removed'],
  ['-1', '3.05', 'removed'],
  ['1', '0', 'removed-winner'],
  ['2', '0', 'removed-winner'],
  ['3', '3.05', 'out-of-range'],
  ['0.5', '3.05', 'not-whole'],
  ['W', '3.05', 'not-a-number'],
  ['', '3.05', 'missing-field'],
])('a result: %s at %s', (mark, price, expected) => {
  expect(told(() => resultOf({ mark, price }, 'mark', 'price'))).toBe(expected)
})
