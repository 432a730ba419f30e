import fc from 'fast-check'
import { expect, test } from 'vitest'
import { afterPick, excludedValues, pickedValues, without } from '../../analytics/clauses.ts'
import { planRequest } from '../../analytics/plan-request.ts'
import { PREDICTIONS } from '../../analytics/predictions.ts'
import { checkRequest } from '../../analytics/request.ts'
import { fansOut } from '../../analytics/source.ts'
import {
  falseDiscoveryRates,
  normalCdf,
  pairedDifference,
  pValue,
  ratioOfGroups,
  shrunk,
} from '../../domain/statistics.ts'
import { dimensionsOf, type Filter } from '../../analytics/filter.ts'
import {
  indexFor,
  isUsable,
  linkedRequest,
  totalsAt,
  viewOf,
  type Slice,
} from '../../analytics/view/requests.ts'
import { groupText, toldText } from '../../src/workspace/words/measure-text.ts'
import { readPanels } from '../../analytics/view/panel-spec.ts'
import { commonDays } from '../../src/workspace/panels/models-panel.tsx'
import { commonRaces } from '../../src/workspace/compare/compare.tsx'
import { MONTH_TICKS, profitAxes } from '../../src/workspace/query/profit-line.ts'
import { profitDays } from '../../analytics/view/profit-days.ts'
import { makeFormat } from '../../src/i18n/format.ts'

test('a gesture picks a value alone, beside others, or leaves it out, and takes itself back', () => {
  const only = afterPick(null, 'going', 'good', 'only')
  expect(pickedValues(only, 'going')).toEqual(['good'])
  expect(afterPick(only, 'going', 'good', 'only')).toBeNull()
  const both = afterPick(only, 'going', 'firm', 'add')
  expect(pickedValues(both, 'going')).toEqual(['good', 'firm'])
  expect(pickedValues(afterPick(both, 'going', 'good', 'add'), 'going')).toEqual(['firm'])
  const left = afterPick(both, 'going', 'soft', 'exclude')
  expect(pickedValues(left, 'going')).toEqual([])
  expect(excludedValues(left, 'going')).toEqual(['soft'])
  expect(afterPick(left, 'going', 'soft', 'exclude')).toBeNull()
  expect(without(left, ['going'])).toBeNull()
})

test('each view of the linked question skips its own picks, and no other’s', () => {
  const base = { dim: 'model', in: ['blended'] }
  const filter = {
    and: [
      { dim: 'going', in: ['good'] },
      { dim: 'season', in: [2024] },
    ],
  }
  const { linked } = linkedRequest(
    { subject: 'predictions', base, filter, history: true, own: [], more: [] },
    readPanels('bars:going~heat:season.distance', null),
    ['racecourse'],
  )
  const dims = (by: string[]) => JSON.stringify(linked.panels[viewOf(linked, by)]!.where)
  expect(dims([])).toContain('going')
  expect(dims(['going'])).not.toContain('going')
  expect(dims(['going'])).toContain('season')
  expect(dims(['season', 'distance'])).toContain('going')
  expect(dims(['season', 'distance'])).not.toContain('season')
  expect(dims(['racecourse'])).toContain('going')
})

test('the totals of a pivot skip the picks of both its dimensions, on the page and in an index', () => {
  const base = { dim: 'model', in: ['blended'] }
  const clicks = ['going', 'season', 'class'].map((dim) => ({ dim, in: [1] }))
  const slice: Slice = {
    subject: 'predictions',
    base,
    filter: { and: clicks },
    history: true,
    own: [],
    more: [],
  }
  const panels = readPanels('bars:season~pivot:going.season', null)
  const { linked } = linkedRequest(slice, panels, ['racecourse'])
  const filterOf = (panel: { where: Filter | null } | undefined): string[] =>
    [...dimensionsOf(panel!.where)].toSorted()
  const at = totalsAt(linked, ['going', 'season'])
  const totals = linked.panels.slice(at)
  expect(totals.map(({ by }) => by)).toEqual([[], ['going'], ['season']])
  for (const panel of [...totals, linked.panels[viewOf(linked, ['going', 'season'])]])
    expect(filterOf(panel)).toEqual(['class', 'model'])
  // The breakdown of a dimension that is also in the pivot skips its own alone.
  expect(filterOf(linked.panels[viewOf(linked, ['season'])])).toEqual(['class', 'going', 'model'])
  expect(viewOf(linked, ['going'])).toBe(-1)
  expect(totalsAt(linked, ['season', 'going'])).toBe(-1)
  const index = indexFor(slice, linked, ['class'])
  expect(isUsable(index)).toBe(true)
  for (const panel of index.panels.slice(at)) expect(filterOf(panel)).toEqual(['model'])
})

test('a paired difference of the same figures is exactly nothing, and is that of a worked example', () => {
  const groups = [
    { numerator: 3, denominator: 10 },
    { numerator: 1, denominator: 8 },
    { numerator: 4, denominator: 12 },
  ]
  const same = pairedDifference(groups.map((a) => ({ a, b: a })))!
  expect(same.difference).toBe(0)
  expect(same.interval).toEqual({ low: 0, high: 0 })
  // Against a constant zero the difference is the ratio itself, with its own interval.
  const sure = { numerator: 0, denominator: 10 }
  const alone = pairedDifference(groups.map((b) => ({ a: sure, b })))!
  const ratio = ratioOfGroups(groups)
  expect(alone.difference).toBeCloseTo(ratio.ratio, 12)
  expect(alone.interval!.low).toBeCloseTo(ratio.interval!.low, 12)
  expect(pairedDifference([])).toBeNull()
})

test('false discovery rates are those of Benjamini and Hochberg, and keep what is unknown', () => {
  // Their example (1995, table 1): four of fifteen p values are found at 0.05.
  const p = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528,
    0.759, 1,
  ]
  const rates = falseDiscoveryRates(p)
  expect(rates.filter((rate) => rate! <= 0.05)).toHaveLength(4)
  expect(rates[3]).toBeCloseTo((0.0095 * 15) / 4, 10)
  expect(falseDiscoveryRates([null, 0.02, null])).toEqual([null, 0.02, null])
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 }), (values) => {
      for (const [index, rate] of falseDiscoveryRates(values).entries())
        expect(rate! >= values[index]! - 1e-12 && rate! <= 1).toBe(true)
    }),
  )
})

test('shrunk values lie between the estimate and the centre, the surer the nearer to the estimate', () => {
  const [sure, unsure] = shrunk(
    [
      { value: 0.3, standardError: 0.02 },
      { value: 0.3, standardError: 0.4 },
      { value: -0.5, standardError: 0.05 },
    ],
    -0.1,
  )
  expect(sure!).toBeGreaterThan(unsure!)
  expect(sure!).toBeLessThan(0.3)
  expect(unsure!).toBeGreaterThan(-0.1)
  // Differences explained by chance are shrunk to zero.
  expect(
    shrunk(
      [
        { value: 0.1, standardError: 1 },
        { value: -0.1, standardError: 1 },
      ],
      0,
    ),
  ).toEqual([0, 0])
})

test('the normal distribution is right to seven places', () => {
  expect(normalCdf(1.959963984540054)).toBeCloseTo(0.975, 6)
  expect(normalCdf(0)).toBeCloseTo(0.5, 6)
  expect(pValue(1.96, 0, 1)).toBeCloseTo(0.05, 3)
  expect(pValue(1, 0, 0)).toBeNull()
})

test('models are compared on days on which each predicted the same races', () => {
  const row = (day: string, model: string, races: number) => ({ day, model, races })
  const rows = [
    row('2024-01-01', 'a', 9),
    row('2024-01-01', 'b', 9),
    row('2024-01-03', 'a', 9),
    row('2024-01-05', 'a', 8),
    row('2024-01-05', 'b', 9),
  ]
  expect([...commonDays(rows, ['a', 'b'])]).toEqual(['2024-01-01'])
})

test('slices are compared on races that both have', () => {
  const race = (key: string, key2: string, hits: number) => ({ key, key2, hits })
  const common = commonRaces([race('m', '1', 1), race('m', '2', 0)], [race('m', '2', 1), race('m', '3', 1)])
  expect(common).toEqual([[race('m', '2', 0), race('m', '2', 1)]])
})

test('a view says that combinations count once for each horse exactly where its answer says so', () => {
  const quinella = { dim: 'bet_type', in: [3] }
  const drawn = { dim: 'draw', in: [1, 2] }
  for (const [by, clauses, expected] of [
    [['jockey'], [quinella], true],
    [['jockey'], [], true],
    [['jockey'], [{ dim: 'bet_type', in: [1, 2] }], false],
    [['going'], [quinella], false],
    [['going'], [quinella, drawn], true],
    [[], [drawn], true],
    [[], [drawn, { dim: 'bet_type', in: [1] }], false],
  ] as const) {
    const where = {
      and: [{ dim: 'model', in: ['blended'] }, { dim: 'origin', in: ['backtest'] }, ...clauses],
    }
    const request = { aggregate: { model: 'predictions', by, measures: ['predictions'], where } }
    expect(planRequest(checkRequest(request), { scope: 'all' }).fanOut).toBe(expected)
    expect(fansOut(PREDICTIONS, by, where)).toBe(expected)
  }
})

test('a total profit is told only where the figure above the list tells it', () => {
  const totals = (row: Partial<Record<string, number>>): string =>
    toldText(
      (_id, values) => `${String(values?.['low'])} to ${String(values?.['high'])}`,
      makeFormat('en'),
      { predictions: 3, hits: 0, voids: 0, unknown: 0, unknown_hits: 0, staked: 3000, profit: -3000, ...row },
      'profit',
    )
  expect(totals({})).toBe('−HK$30.00')
  expect(totals({ predictions: 0, staked: 0, profit: 0 })).toBe('–')
  expect(totals({ voids: 3, staked: 0, profit: 0 })).toBe('–')
  const unknown = { hits: 2, unknown: 1, unknown_hits: 1, staked: 2000, profit: 500 }
  expect(totals({ ...unknown, profit_worst: 500, profit_best: 4500 })).toBe('+HK$5.00 to +HK$45.00')
  // Daily totals lack what the bounds need.
  expect(totals(unknown)).toBe('–')
})

test('a return on places is judged by the bets on places, whatever is known of those to win', () => {
  const shown = (row: Partial<Record<string, number>>): string =>
    groupText(
      (_id, values) => `${String(values?.['low'])} to ${String(values?.['high'])}`,
      makeFormat('en'),
      {
        runners: 300,
        hits: 30,
        voids: 0,
        unknown: 0,
        unknown_hits: 0,
        staked: 300_000,
        profit: -3000,
        place_hits: 90,
        place_unknown: 0,
        place_unknown_hits: 0,
        place_staked: 300_000,
        place_return: -0.2,
        place_return_worst: -0.2,
        place_return_best: -0.2,
        ...row,
      },
      'place_return',
    )
  expect(shown({})).toBe('−20.0%')
  const missing = {
    place_unknown: 60,
    place_unknown_hits: 60,
    place_return_worst: -0.6,
    place_return_best: 0.1,
  }
  expect(shown(missing)).toBe('−60.0% to +10.0%')
  // Winners of unknown dividend say nothing about places.
  expect(shown({ unknown: 20, unknown_hits: 20 })).toBe('−20.0%')
  // The page asks for all that it is judged by.
  const slice: Slice = {
    subject: 'runners',
    base: { dim: 'model', in: ['blended'] },
    filter: null,
    history: true,
    own: [],
    more: ['place_return'],
  }
  const asked = linkedRequest(slice, readPanels('bars:draw.place_return', null), []).linked.measures
  for (const name of ['return', 'return_worst', 'return_best', 'staked', 'hits', 'unknown', 'unknown_hits'])
    expect(asked).toContain(`place_${name}`)
})

test('the return of favourites is judged by their own bets', () => {
  const shown = (row: Partial<Record<string, number>>): string =>
    groupText(
      (_id, values) => `${String(values?.['low'])} to ${String(values?.['high'])}`,
      makeFormat('en'),
      {
        races: 300,
        hits: 90,
        voids: 0,
        unknown: 0,
        unknown_hits: 0,
        staked: 300_000,
        favourite_hits: 90,
        favourite_unknown: 0,
        favourite_unknown_hits: 0,
        favourite_staked: 300_000,
        favourite_return: -0.2,
        favourite_return_worst: -0.2,
        favourite_return_best: -0.2,
        ...row,
      },
      'favourite_return',
    )
  expect(shown({})).toBe('−20.0%')
  expect(shown({ unknown: 20, unknown_hits: 20 })).toBe('−20.0%')
  const missing = { favourite_unknown: 60, favourite_unknown_hits: 60, favourite_return_worst: -0.6 }
  expect(shown(missing)).toBe('−60.0% to −20.0%')
})

test('months below a chart are written once each, and not over one another', () => {
  const spans = [
    ['2026-08-30', 80],
    ['2026-09-02', 20],
    ['2016-09-03', 3300],
  ] as const
  for (const [first, length] of spans) {
    const days = profitDays(
      Array.from({ length: Math.ceil(length / 4) }, (_, index) => ({
        key: new Date(Date.parse(first) + index * 4 * 86_400_000).toISOString().slice(0, 10),
        profit: 100,
        predictions: 1,
        hits: 0,
      })),
    )
    const { ticks } = profitAxes(days, [days], makeFormat('en'), MONTH_TICKS.wide).x
    expect(new Set(ticks!.text).size).toBe(ticks!.text.length)
    const at = ticks!.at.map((day) => Date.parse(String(day)))
    const gaps = at.slice(1).map((time, index) => time - at[index]!)
    expect(at.length).toBeGreaterThan(0)
    expect(Math.min(...gaps, Infinity)).toBeGreaterThan((at.at(-1)! - at[0]!) / 25)
  }
})
