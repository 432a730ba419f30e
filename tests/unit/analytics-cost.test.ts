import { describe, expect, test } from 'vitest'
import { costOf, sizeOf } from '../../analytics/cost.ts'
import { allOf, type Filter } from '../../analytics/filter.ts'
import { PREDICTIONS } from '../../analytics/predictions.ts'
import { checkRequest, type Request } from '../../analytics/request.ts'
import { intervalsRequest, linkedRequest } from '../../analytics/view/requests.ts'
import { readPanels } from '../../analytics/view/panel-spec.ts'

const of = (...filters: Filter[]): Filter =>
  allOf({ dim: 'model', in: ['blended'] }, { dim: 'origin', in: ['backtest'] }, ...filters)!

const linked = (panels: number, measures: string[], { filters = 1, intervals = false } = {}): Request =>
  checkRequest({
    linked: {
      model: 'predictions',
      measures,
      intervals,
      panels: Array.from({ length: panels }, (_, index) => ({
        by: ['month'],
        where: of({ dim: 'day', from: `2020-01-0${1 + (index % filters)}` }),
      })),
    },
  })

const MILLION = (_table: string): number => 1_000_000
const costIn = (request: Request, rowsOf = MILLION): number => costOf(request, { scope: 'public' }, rowsOf)

describe('what a request costs', () => {
  test('its size is panels, filters, and figures with their bounds', () => {
    expect(sizeOf(linked(6, ['hits', 'hit_rate'], { filters: 3 }))).toEqual({
      panels: 6,
      filters: 3,
      figures: 2,
    })
    expect(sizeOf(linked(6, ['hits', 'hit_rate'], { intervals: true })).figures).toBe(4)
    expect(
      sizeOf(checkRequest({ rows: { model: 'predictions', columns: ['day', 'race_id'], limit: 10 } })),
    ).toEqual({ panels: 1, filters: 1, figures: 2 })
    expect(sizeOf(checkRequest({ named: { name: 'race_months' } }))).toEqual({
      panels: 1,
      filters: 1,
      figures: 1,
    })
  })

  test('it grows with panels, figures, filters and rows', () => {
    const one = costIn(linked(4, ['hits']))
    expect(costIn(linked(8, ['hits']))).toBeGreaterThan(one)
    expect(costIn(linked(4, ['hits', 'profit']))).toBeGreaterThan(one)
    expect(costIn(linked(4, ['hits'], { filters: 4 }))).toBeGreaterThan(one)
    expect(costIn(linked(4, ['hits']), () => 2_000_000)).toBeGreaterThan(one)
    expect(costIn(linked(4, ['hits']), () => 0)).toBeGreaterThan(0)
  })

  test('rows of horses cost more than those of predictions, and the order of bets most', () => {
    const vip = (by: string[], measures: string[]): number =>
      costOf(
        checkRequest({ aggregate: { model: 'predictions', by, measures, where: of() } }),
        { scope: 'all' },
        MILLION,
      )
    expect(vip(['rank'], ['hits'])).toBeLessThan(vip(['jockey'], ['hits']))
    expect(vip(['jockey'], ['hits'])).toBeLessThan(vip([], ['drawdown']))
    // Of the rollup by race only a tenth as many rows are read.
    expect(vip(['going'], ['hits'])).toBeLessThan(vip(['rank'], ['hits']))
  })

  test('what a visitor’s record asks for costs a third of the limit at most', () => {
    const rowsOfTenSeasons = (table: string): number => (table === 'accuracy_day' ? 65_000 : 0)
    const slice = {
      subject: 'predictions' as const,
      base: of(),
      filter: null,
      history: false,
      own: [],
      more: [],
    }
    const facets = Object.keys(PREDICTIONS.dimensions)
    const panels = readPanels(facets.map((dim) => `bars:${dim}`).join('~'), null)
    for (const request of [
      linkedRequest(slice, panels, facets),
      intervalsRequest(slice, [['bet_type'], ['prediction_type'], ['season'], ['weekday'], ['month']]),
    ]) {
      const asked = checkRequest(request)
      const { panels: count, figures } = sizeOf(asked)
      expect(count * figures).toBeLessThanOrEqual(120)
      expect(costIn(asked, rowsOfTenSeasons)).toBeLessThanOrEqual(85)
    }
  })
})
