import { expect, test } from 'vitest'
import {
  filterOf,
  FIRST_VIEW,
  readView,
  writeView,
  type RecordView,
} from '../../src/features/record/record-view.ts'

test('a view survives its address', () => {
  const view: RecordView = {
    period: 'own',
    from: '2019-09-01',
    to: '2020-07-15',
    gameplayClasses: [3, 9],
    stadiumKeys: [2],
    predictionType: 0,
    track: 'awt',
    going: 'good_to_firm',
    distanceM: 1650,
  }
  expect(readView(writeView(view))).toEqual(view)
  expect(writeView(FIRST_VIEW).toString()).toBe('')
  expect(readView(new URLSearchParams())).toEqual(FIRST_VIEW)
})

test('all bet types are an address of their own, not the first view', () => {
  const all = { ...FIRST_VIEW, gameplayClasses: [] }
  expect(readView(writeView(all))).toEqual(all)
})

test('nonsense in an address is as if it were not there', () => {
  const params = new URLSearchParams(
    "period=ever&from=yesterday&class=12,x&type=9&track=sea&going=';DROP&distance=far",
  )
  expect(readView(params)).toEqual({ ...FIRST_VIEW, gameplayClasses: [] })
})

test('a period counts back from the newest race day', () => {
  expect(filterOf({ ...FIRST_VIEW, period: 'month' }, '2025-07-16').from).toBe('2025-06-17')
  expect(filterOf(FIRST_VIEW, '2025-07-16')).toMatchObject({ from: null, to: null })
})
