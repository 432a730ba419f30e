import { describe, expect, test } from 'vitest'
import { EVERYTHING } from '../../bench/cases.ts'
import type { QueryName } from '../../contract/queries.ts'
import { prepareQuery } from '../../workers/queries/catalogue.ts'
import { text } from '../../workers/sql/literal.ts'

const HISTORY = { history: true, seasonStartMonth: 9 }
const PUBLIC = { history: false, seasonStartMonth: 9 }

test('only names that there are may be asked', () => {
  for (const name of ['toString', 'DROP TABLE', '__proto__']) {
    expect(() => prepareQuery(name as QueryName, {}, HISTORY)).toThrow(
      expect.objectContaining({ code: 'unknown-query' }),
    )
  }
})

describe('parameters are checked, and the bad ones named', () => {
  test.each([
    ['a day that is none', { ...EVERYTHING, from: "2020-01-01'; --" }, 'filter.from'],
    ['a class out of range', { ...EVERYTHING, gameplayClasses: [10] }, 'filter.gameplayClasses.0'],
    ['SQL for a going', { ...EVERYTHING, goings: ["good') OR 1=1 --"] }, 'filter.goings.0'],
    ['a missing field', { ...EVERYTHING, modelKey: undefined }, 'filter.modelKey'],
    ['a field too many', { ...EVERYTHING, sql: 'SELECT 1' }, 'filter'],
  ])('%s', (_, filter, field) => {
    expect(() => prepareQuery('record_totals', { filter }, HISTORY)).toThrow(
      expect.objectContaining({
        code: 'bad-parameters',
        details: { reason: expect.stringContaining(field) as string },
      }),
    )
  })
})

test('the cube answers what its dimensions allow, the predictions the rest', () => {
  const source = (filter: object): string =>
    prepareQuery('record_totals', { filter: { ...EVERYTHING, ...filter } }, HISTORY).source
  expect(source({ from: '2020-01-01', gameplayClasses: [1, 2], stadiumKeys: [1], predictionType: 1 })).toBe(
    'cube',
  )
  expect(source({ tracks: ['turf'] })).toBe('rows')
  expect(source({ distanceFromM: 1200 })).toBe('rows')
})

test('without the history only the public totals may be asked', () => {
  expect(prepareQuery('record_totals', { filter: EVERYTHING }, PUBLIC).sql).toContain('accuracy_day')
  const missing = expect.objectContaining({ code: 'vip-needed' }) as Error
  expect(() =>
    prepareQuery('record_totals', { filter: { ...EVERYTHING, stadiumKeys: [1] } }, PUBLIC),
  ).toThrow(missing)
  expect(() =>
    prepareQuery('record_totals', { filter: { ...EVERYTHING, tracks: ['turf'] } }, PUBLIC),
  ).toThrow(missing)
  expect(() => prepareQuery('record_breakdown', { filter: EVERYTHING, by: 'stadium' }, PUBLIC)).toThrow(
    missing,
  )
  expect(() => prepareQuery('record_breakdown', { filter: EVERYTHING, by: 'horse' }, PUBLIC)).toThrow(missing)
  expect(() => prepareQuery('record_calibration', { filter: EVERYTHING }, PUBLIC)).toThrow(missing)
})

test('quotes in a text are doubled', () => {
  expect(text("O'Brien'; DROP TABLE race; --")).toBe("'O''Brien''; DROP TABLE race; --'")
})
