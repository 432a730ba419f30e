import { expect, test } from 'vitest'
import type { OriginRow } from '../../contract/queries.ts'
import {
  filterOf,
  FIRST_VIEW,
  readView,
  subjectOf,
  writeView,
  type RecordView,
} from '../../src/features/record/record-view.ts'

const SUBJECT = { modelKey: 2, modelId: 'fundamental', origin: 'backtest' as const }
const REGION = { id: '100000', seasonStartMonth: 9 }
const row = (model_key: number, model_id: string, origin: OriginRow['origin']): OriginRow => ({
  model_key,
  model_id,
  origin,
  predictions: 1,
})

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
    model: 'fundamental',
    tuning: true,
    origin: 'locked',
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
  expect(filterOf({ ...FIRST_VIEW, period: 'month' }, '2025-07-16', SUBJECT, REGION).from).toBe('2025-06-17')
  expect(filterOf(FIRST_VIEW, '2025-07-16', SUBJECT, REGION)).toMatchObject({ from: null, to: null })
})

test('seasons on which settings were chosen are left out of a tuned model unless asked for', () => {
  const exceptOf = (view: Partial<RecordView>, modelId: string, region: typeof REGION | null = REGION) =>
    filterOf({ ...FIRST_VIEW, ...view }, '2025-07-16', { ...SUBJECT, modelId }, region).except
  expect(exceptOf({}, 'fundamental')).toEqual({ from: '2017-09-01', to: '2020-08-31' })
  expect(exceptOf({}, 'blended')).not.toBeNull()
  expect(exceptOf({ tuning: true }, 'fundamental')).toBeNull()
  expect(exceptOf({}, 'market-baseline')).toBeNull()
  expect(exceptOf({}, 'fundamental', { id: '100840', seasonStartMonth: 1 })).toBeNull()
})

test('a view is of the best model that there is, of what was locked before backtests, and never of what was changed', () => {
  const baseline = row(1, 'market-baseline', 'backtest')
  expect(subjectOf(FIRST_VIEW, [baseline])).toMatchObject({ modelKey: 1, origin: 'backtest' })
  const own = [row(2, 'fundamental', 'backtest'), row(2, 'fundamental', 'changed')]
  expect(subjectOf(FIRST_VIEW, [baseline, ...own])).toMatchObject({ modelKey: 2, origin: 'backtest' })
  expect(subjectOf(FIRST_VIEW, [baseline, ...own, row(2, 'fundamental', 'locked')]).origin).toBe('locked')
  // A better model without locks comes after one with them.
  const locked = row(1, 'market-baseline', 'locked')
  expect(subjectOf(FIRST_VIEW, [baseline, locked, ...own])).toMatchObject({ modelKey: 1, origin: 'locked' })
  expect(subjectOf({ model: 'market-baseline', origin: 'locked' }, [baseline, ...own])).toMatchObject({
    modelKey: 1,
    origin: 'locked',
    origins: ['backtest'],
  })
  expect(subjectOf({ model: 'no-such', origin: '' }, [])).toMatchObject({ modelKey: 1, origin: 'backtest' })
})
