import { expect, test } from 'vitest'
import { makeRaceId, parseRaceId, raceIdDate } from '../../domain/race-id.ts'

test('a race id holds stadium, day and number, its date at slice 5 to 13', () => {
  const id = makeRaceId({ stadium: 'HKSHT', date: '2026-11-21', raceNo: 5 })
  expect(id).toBe('HKSHT2026112105')
  expect(id).toHaveLength(15)
  expect(id.slice(5, 13)).toBe('20261121')
  expect(raceIdDate(id)).toBe('2026-11-21')
  expect(parseRaceId(id)).toEqual({ stadium: 'HKSHT', date: '2026-11-21', raceNo: 5 })
})

test.each([
  { stadium: 'HKS', date: '2026-11-21', raceNo: 5 },
  { stadium: 'HKSHT', date: '21/11/2026', raceNo: 5 },
  { stadium: 'HKSHT', date: '2026-11-21', raceNo: 0 },
  { stadium: 'HKSHT', date: '2026-11-21', raceNo: 100 },
])('parts out of range are refused: %o', (parts) => {
  expect(() => makeRaceId(parts)).toThrow(expect.objectContaining({ code: 'bad-race-id' }))
})

test('what is no race id is refused', () => {
  expect(() => parseRaceId('HKSHT20261121')).toThrow(expect.objectContaining({ code: 'bad-race-id' }))
})
