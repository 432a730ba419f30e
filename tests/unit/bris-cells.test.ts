import { expect, test } from 'vitest'
import {
  combinationsOf,
  courseOf,
  distanceOf,
  dividendOf,
  finishOf,
  goingOf,
  legsOf,
  marginOf,
  offOf,
  personOf,
  readProgram,
  raceOf,
  winningTimeOf,
} from '../../server/ingest/us/bris-cells.ts'

const thrown = (read: () => unknown): unknown => {
  try {
    return read()
  } catch (error) {
    return (error as { kind: string }).kind
  }
}

test.each([
  ['13', { interest: 13, horseNo: 13 }],
  ['4 ', { interest: 4, horseNo: 4 }],
  ['1A', { interest: 1, horseNo: 31 }],
  ['2B', { interest: 2, horseNo: 52 }],
  ['1X', { interest: 1, horseNo: 81 }],
  ['1Z', 'no-saddle-number'],
  ['SCR', 'no-saddle-number'],
  ['0', 'no-saddle-number'],
  ['20X', 'no-saddle-number'],
])('the program number %s', (written, read) => {
  expect(thrown(() => readProgram(written))).toEqual(read)
})

const START = { track: 'KD', date: '20180913', race: '3', card: 'D' }

test('a race is where and when its line says, and codes have three letters', () => {
  expect(raceOf(START)).toEqual({ id: 'USKDX2018091303', stadiumId: 'USKDX', date: '2018-09-13', raceNo: 3 })
  expect(thrown(() => raceOf({ ...START, track: 'QQ' }))).toBe('unknown-venue')
  expect(thrown(() => raceOf({ ...START, track: 'constructor' }))).toBe('unknown-venue')
  expect(thrown(() => raceOf({ ...START, date: '2018-09-13' }))).toBe('bad-date')
  expect(thrown(() => raceOf({ ...START, date: '20180931' }))).toBe('bad-date')
  expect(thrown(() => raceOf({ ...START, race: '' }))).toBe('bad-race-number')
})

// Kentucky Downs has central time, New York eastern, both with an hour of summer time.
test.each([
  ['KD', 'D', '00128', '2018-09-13T18:28:00.000Z'],
  ['BEL', 'D', '01230', '2018-09-13T16:30:00.000Z'],
  ['BEL', 'D', '01105', '2018-09-13T15:05:00.000Z'],
  // The third race cannot be run at a quarter past ten in the morning.
  ['BEL', 'D', '01015', '2018-09-14T02:15:00.000Z'],
  ['BEL', 'E', '01105', '2018-09-14T03:05:00.000Z'],
  ['BEL', 'E', '00715', '2018-09-13T23:15:00.000Z'],
  ['TUP', 'D', '00100', '2018-09-13T20:00:00.000Z'],
  ['BEL', 'D', '', null],
  ['BEL', 'D', '00000', null],
  ['BEL', 'D', '00160', 'bad-time'],
  ['BEL', 'D', '1:28', 'bad-time'],
])('the off at %s on a card %s, written %s', (track, card, off, instant) => {
  const read = thrown(() => offOf({ ...START, track, card, off }, '2018-09-13'))
  expect(typeof read === 'string' && read.includes('T') ? new Date(read).toISOString() : read).toBe(instant)
})

test('distances in yards, furlongs and metres', () => {
  expect(distanceOf({ distance: '1320.00', unit: 'Y' })).toBe(1207)
  expect(distanceOf({ distance: '6.50', unit: 'F' })).toBe(1308)
  expect(distanceOf({ distance: '1600', unit: 'M' })).toBe(1600)
  expect(distanceOf({ distance: '', unit: 'Y' })).toBeNull()
  expect(thrown(() => distanceOf({ distance: '1320', unit: 'P' }))).toBe('unknown-unit')
  expect(distanceOf({ distance: '10936', unit: 'Y' })).toBe(10_000)
  // They would not fit into the database.
  for (const [distance, unit] of [
    ['1320', 'F'],
    ['10001', 'M'],
    ['0.1', 'Y'],
  ] as const)
    expect(thrown(() => distanceOf({ distance, unit }))).toBe('out-of-range')
})

test('goings, races over jumps, and times in which nothing can have run', () => {
  expect(goingOf({ going: 'FT' }, 'dirt')).toBe('fast')
  expect(goingOf({ going: 'FT' }, 'awt')).toBe('awt_fast')
  expect(thrown(() => goingOf({ going: 'ZZ' }, 'dirt'))).toBe('unknown-going')
  expect(courseOf({ name: 'Trial Hurdle S.', conditions: '' })).toBe('hurdle')
  expect(courseOf({ name: '', conditions: 'TO BE RUN OVER NATIONAL FENCES FOR MAIDENS' })).toBe('hurdle')
  expect(courseOf({ name: 'Trial Timber S.', conditions: '' })).toBe('chase')
  expect(courseOf({ name: 'Paper Chase S.', conditions: 'FOR FILLIES' })).toBeNull()
  expect(winningTimeOf({ time: '70.33' }, 1207)).toBe(70_330)
  expect(winningTimeOf({ time: '0.00' }, 1207)).toBeNull()
  expect(thrown(() => winningTimeOf({ time: '41.43' }, 3420))).toBe('not-a-time')
})

test('how horses finish', () => {
  const finish = (official: string, behind = '0.00') => finishOf({ program: '1', official, behind })
  expect(finish('1')).toMatchObject({ status: 'finished', place: 1, behind: 0 })
  expect(finish('9', '22.75')).toMatchObject({ status: 'finished', place: 9, behind: 22.75 })
  expect(finish('7', '120.5')).toMatchObject({ status: 'finished', place: 7, behind: 120.5 })
  for (const read of [finish('9', '99.99'), finish('99', '3'), finish('0')])
    expect(read).toEqual({ status: 'unfinished', place: null, placeCode: 'DNF', behind: null })
  expect(finishOf({ program: 'SCR', official: '0', behind: '0.00' })).toMatchObject({ status: 'withdrawn' })
  expect(thrown(() => finish('x'))).toBe('not-a-number')
  expect([0.05, 0.1, 0.25, 1.25, 6.6, 0].map(marginOf)).toEqual(['N', 'HD', 'NK', '1-1/4', '6.6', null])
})

test('people are named as they are called', () => {
  const jockey = { jockey_last: 'Rider, Jr.', jockey_first: 'Trial', jockey_middle: 'O.             ' }
  expect(personOf(jockey, 'jockey')).toBe('Trial O. Rider, Jr.')
  expect(personOf({}, 'trainer')).toBeNull()
})

test('pays of less than a dollar may begin with the point', () => {
  expect(dividendOf({ pay: '.10' }, 'pay', '.50')).toBe(200)
  expect(dividendOf({ pay: '6.87' }, 'pay', '0.10')).toBe(68_700)
  expect(dividendOf({ pay: '0.00' }, 'pay', '1.00')).toBeNull()
  expect(thrown(() => dividendOf({ pay: '.' }, 'pay', '1.00'))).toBe('bad-dividend')
})

test('combinations of legs', () => {
  expect(legsOf('4-1A-ALL')).toEqual([[4], [1], null])
  expect(legsOf('4-1/1A/6')).toEqual([[4], [1, 6]])
  expect(combinationsOf([[4], [1, 6]])).toEqual([
    [4, 1],
    [4, 6],
  ])
  expect(combinationsOf([[4], [4]])).toEqual([])
  expect(thrown(() => legsOf('PLACE 10'))).toBe('no-saddle-number')
})
