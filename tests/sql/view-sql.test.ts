// @module-tag rest
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allOf, dimensionsOf, type Filter } from '../../analytics/filter.ts'
import { MODELS, type ModelName } from '../../analytics/models.ts'
import type { Model, Scalar } from '../../analytics/model.ts'
import { planGroups } from '../../analytics/plan.ts'
import { planRequest } from '../../analytics/plan-request.ts'
import { MODEL_IDS } from '../../contract/model-ids.ts'
import { profitDays } from '../../analytics/view/profit-days.ts'
import {
  BET_FIGURES,
  DAYS,
  groupedRows,
  linkedMeasures,
  linkedRequest,
  rowsByView,
  totalsAt,
  viewOf,
  type Slice,
} from '../../analytics/view/requests.ts'
import { modelName } from '../../analytics/view/over-days.ts'
import { rolling } from '../../analytics/view/rolling.ts'
import { stakedOf } from '../../analytics/view/totals.ts'
import { makeFormat } from '../../src/i18n/format.ts'
import { spreadOfDays, type ShowFigure } from '../../src/workspace/query/spread.ts'
import { figureText } from '../../src/workspace/words/measure-text.ts'
import { panelStatement, sliceStatement, viewStatement } from '../../src/workspace/query/view-statement.ts'
import { BET_MEASURES, panelOf, type PanelSpec } from '../../analytics/view/panel-spec.ts'
import { dayMeasuresOf } from '../support/day-measures.ts'
import type { TestDatabase } from '../support/databases.ts'
import { NativeEngine, type Row } from '../support/native.ts'
import { comparableRow } from '../support/questions.ts'
import { REGION } from '../support/reference-chances.ts'
import { raceReferenceSql, RACE_REFERENCE_VIEWS } from '../support/reference-races.ts'
import { RUNNER_REFERENCE_VIEWS, starterReferenceSql } from '../support/reference-runners.ts'
import { referenceFigures, referenceSql, REFERENCE_VIEWS } from '../support/reference-sql.ts'
import { expectSameFigures } from '../support/same-figures.ts'
import { newVariedDemonstration } from '../support/varied-demonstration.ts'

/** The console's statement of a view or a panel has the figures that the screen computes in another way. */

const ALL = { scope: 'all' } as const
const format = makeFormat('en')
const show: ShowFigure = (measure, value) => figureText(format, measure, value)

let place: TestDatabase
let native: NativeEngine

beforeAll(async () => {
  place = await newVariedDemonstration('pglite')
  for (const script of [REFERENCE_VIEWS, RUNNER_REFERENCE_VIEWS, RACE_REFERENCE_VIEWS])
    await place.database.script(script)
  // Every model, of which a statement must choose its own.
  native = await NativeEngine.open(place.dataFolder, REGION, MODEL_IDS)
})
afterAll(() => place.close())

const answer = async (sql: string): Promise<Row[]> => (await native.rows(sql)).map(comparableRow)

const WIN: Filter[] = [
  { dim: 'bet_type', in: [1] },
  { dim: 'prediction_type', in: [1] },
]
const WET: Filter = { not: { dim: 'going', in: ['good', 'good_to_firm'] } }

const sliceOf = (subject: ModelName, filters: readonly Filter[], more: Slice['more'] = []): Slice => ({
  subject,
  base: allOf({ dim: 'model', in: ['market-baseline'] }, { dim: 'origin', in: ['backtest'] })!,
  filter: allOf(...filters),
  history: true,
  own: [],
  more,
})

const isMoney = (measure: string): boolean =>
  Object.values<Model>(MODELS).some(({ measures }) => measures[measure]?.unit === 'cents')

/** A figure of a statement is that of the screen: money in dollars, ratios of four decimals. */
function expectFigures(own: Row | undefined, row: Row, measures: readonly string[], about: string): void {
  expect(own, about).toBeDefined()
  for (const measure of measures) {
    const [found, expected] = [own![measure] ?? null, row[measure] ?? null]
    if (found === null || expected === null) expect(found, `${about} ${measure}`).toBe(expected)
    else {
      const cents = isMoney(measure) ? 100 : 1
      const difference = Math.abs(Number(found) - Number(expected) / cents)
      expect(difference, `${about} ${measure}`).toBeLessThan(cents === 100 ? 0.0051 : 0.000051)
    }
  }
}

const GROUPED: [name: string, subject: ModelName, filters: Filter[], spec: PanelSpec][] = [
  ['by season', 'predictions', [...WIN, WET], panelOf('bars', ['season'])],
  ['by bands of a number', 'predictions', WIN, panelOf('columns', ['odds'])],
  [
    'one horse, by jockey',
    'predictions',
    [
      { dim: 'bet_type', in: [1] },
      { dim: 'draw', in: [1, 2] },
    ],
    { ...panelOf('bars', ['jockey']), measures: ['ae_market'], sort: 'return', least: 20 },
  ],
  [
    'combinations, once for each of their horses',
    'predictions',
    [{ dim: 'bet_type', in: [3] }],
    panelOf('bars', ['trainer']),
  ],
  ['types that overlap', 'predictions', [{ dim: 'bet_type', in: [1] }], panelOf('bars', ['prediction_type'])],
  [
    'runners by jockey and trainer',
    'runners',
    [{ dim: 'days_since_run', in: [29, 43] }],
    panelOf('bars', ['jockey_trainer']),
  ],
  [
    'races by the favourite’s odds',
    'races',
    [{ dim: 'field_size', from: 5 }],
    { ...panelOf('bars', ['favourite_odds']), measures: ['favourite_rate'] },
  ],
  ['races by front-runners', 'races', [WET], panelOf('bars', ['leaders'])],
  [
    'runners by draw and distance, placed or not',
    'runners',
    [{ dim: 'odds', from: 3, to: 12.5 }],
    { ...panelOf('heat', ['draw', 'distance']), measures: ['place_rate'] },
  ],
  [
    'the longest losing run of each jockey',
    'runners',
    [{ dim: 'market_rank', in: [1, 2, 3] }],
    { ...panelOf('bars', ['jockey']), measures: ['losing_run'], sort: 'drawdown' },
  ],
]

test.each(GROUPED)('a panel of groups: %s', async (_, subject, filters, spec) => {
  const model: Model = MODELS[subject]
  const { by } = spec
  const more = spec.measures.flatMap((measure) =>
    measure === 'place_rate' || measure === 'favourite_rate' ? [measure] : [],
  )
  const slice = sliceOf(subject, filters, more)
  const where = allOf(slice.base, ...filters.filter((each) => !('dim' in each) || !by.includes(each.dim)))
  const own = spec.measures.map((measure) => (measure === 'count' ? model.rows : measure))
  const measures = [...new Set([model.rows, 'hits', 'hit_rate', 'profit', 'return', ...own])]
  const all = await answer(planGroups(model, { by, measures, where, limit: 10_000 }, ALL).sql)
  const expected = all.filter((row) => Number(row[model.rows]) >= spec.least)
  expect(spec.least === 0 || expected.length < all.length).toBe(true)
  const rows = await answer(panelStatement(slice, spec, { days: [], show }))
  const keyOf = (row: Row): string => JSON.stringify(by.map((dim) => row[dim] ?? null))
  const found = new Map(rows.map((row) => [keyOf(row), row]))
  expect(rows.length).toBeGreaterThan(1)
  expect([found.size, rows.length]).toEqual([expected.length, expected.length])
  for (const row of expected) expectFigures(found.get(keyOf(row)), row, measures, keyOf(row))
  if (spec.sort !== null) {
    const sorted = rows.map((row) => row[spec.sort!]).filter((value) => value !== null)
    expect(sorted).toEqual(sorted.toSorted((a, b) => Number(b) - Number(a)))
  }
})

/** What the page asks for and reads of a slice. */
async function page(slice: Slice, panels: readonly PanelSpec[] = [], read = answer) {
  const request = linkedRequest(slice, panels, [])
  const rows = rowsByView({ rows: await read(planRequest(request, ALL).sql) })
  return { linked: request.linked, rows }
}

test.each<[ModelName, Filter[]]>([
  ['predictions', [...WIN, WET]],
  ['runners', [{ dim: 'draw', in: [1, 2, 3] }]],
])('the figures of a view of %s, with those in the order of the bets', async (subject, filters) => {
  const slice = sliceOf(subject, filters)
  const measures = [...linkedMeasures(slice), ...BET_FIGURES]
  const where = allOf(slice.base, slice.filter)
  const [expected] = await answer(planGroups(MODELS[subject], { by: [], measures, where }, ALL).sql)
  const rows = await answer(viewStatement({ ...slice, rolled: ['hit_rate', 'mean_odds'] }))
  expect(rows).toHaveLength(1)
  expect(Object.keys(rows[0]!)[0]).toBe(MODELS[subject].rows)
  expect(Object.keys(rows[0]!).toSorted()).toEqual(measures.toSorted())
  expectFigures(rows[0], expected!, measures, subject)
  const [count] = await answer(`SELECT count(*) AS n FROM (${sliceStatement(slice)})`)
  expect(count!['n']).toBe(expected![MODELS[subject].rows])
})

test.each<[ModelName, Filter[], string[]]>([
  ['predictions', WIN, ['racecourse', 'season']],
  ['runners', [{ dim: 'odds', from: 3, to: 12.5 }], ['draw', 'racecourse']],
  ['runners', [{ dim: 'market_rank', in: [1, 2, 3] }], ['probability', 'racecourse']],
  // Some of these cells have none but void bets.
  ['predictions', [{ dim: 'bet_type', in: [2] }], ['outcome', 'racecourse']],
  ['races', [], ['class', 'distance']],
])('a pivot of %s with its totals', async (subject, filters, by) => {
  const spec: PanelSpec = { ...panelOf('pivot', by), measures: ['count', 'hit_rate', 'return', 'ae_market'] }
  const slice = sliceOf(subject, filters)
  const measures = [MODELS[subject].rows, 'hit_rate', 'return', 'ae_market']
  const { linked, rows } = await page(slice, [spec])
  const at = totalsAt(linked, by)
  const [down, across] = by as [string, string]
  const names = new Map()
  const expected = [
    ...groupedRows(rows[viewOf(linked, by)]!, by, names),
    ...groupedRows(rows[at]!, [], names),
    ...groupedRows(rows[at + 1]!, [down], names),
    ...groupedRows(rows[at + 2]!, [across], names),
  ] as Row[]
  const found = await answer(panelStatement(slice, spec, { days: [], show }))
  const keyOf = (row: Row): string => JSON.stringify([row[down] ?? null, row[across] ?? null])
  const totals = found.filter((row) => row[`all_${down}`] || row[`all_${across}`])
  expect(totals).toHaveLength(expected.length - rows[viewOf(linked, by)]!.length)
  expect(found[0]).toMatchObject({ [`all_${down}`]: true, [`all_${across}`]: true })
  const own = new Map(found.map((row) => [keyOf(row), row]))
  expect([found.length, own.size]).toEqual([expected.length, expected.length])
  for (const row of expected) expectFigures(own.get(keyOf(row)), row, measures, keyOf(row))
  // Those over each single bet are of the bets of each cell, each line, each column and all.
  const where = allOf(slice.base, slice.filter)
  const ofBets = await answer(panelStatement(slice, { ...spec, measures: BET_MEASURES }, { days: [], show }))
  expect(ofBets).toHaveLength(found.length)
  for (const dims of [by, [down], [across], []]) {
    const plan = planGroups(MODELS[subject], { by: dims, measures: BET_MEASURES, where, limit: 5000 }, ALL)
    const groups = await answer(plan.sql)
    const shown = ofBets.filter((row) => by.every((dim) => row[`all_${dim}`] !== dims.includes(dim)))
    const byGroup = new Map(shown.map((row) => [keyOf(row), row]))
    expect([shown.length, byGroup.size]).toEqual([groups.length, groups.length])
    for (const row of groups) expectFigures(byGroup.get(keyOf(row)), row, BET_MEASURES, keyOf(row))
  }
})

/** Of some days no bet has a known profit: void, or hits whose dividend is not known. */
const RETURNED: Filter = { dim: 'outcome', in: ['hit', 'void'] }

const ROLLED = [
  { length: 1, unit: 'race-days' },
  { length: 10, unit: 'race-days' },
  { length: 45, unit: 'days' },
  { length: 20, unit: 'bets' },
] as const

test.each<[ModelName, Filter[]]>([
  ['predictions', WIN],
  ['predictions', [...WIN, RETURNED]],
  ['runners', [{ dim: 'market_rank', in: [1, 2] }]],
  ['races', [WET]],
])('race days of %s: calendar, profit to date, rolling figures and spread', async (subject, filters) => {
  const { more, rolled } = dayMeasuresOf(subject, filters)
  const slice: Slice = { ...sliceOf(subject, filters, more), rolled }
  const days = (await page(slice)).rows[DAYS]!
  for (const measure of rolled) {
    const spec: PanelSpec = { ...panelOf('calendar'), measures: [measure] }
    const calendar = await answer(panelStatement(slice, spec, { days, show }))
    const byDay = new Map(calendar.map((row) => [row['day'], row]))
    expect(calendar).toHaveLength(days.length)
    const names = [MODELS[subject].rows, 'profit', 'hits', modelName(subject, measure)]
    for (const day of days as Row[])
      expectFigures(byDay.get(day['key']), day, names, `${measure} ${String(day['key'])}`)
  }

  const toDate = await answer(panelStatement(slice, panelOf('profit'), { days, show }))
  const cents = (row: Row, name: string): number => Math.round(100 * Number(row[name]))
  expect(toDate.map((row) => [row['day'], cents(row, 'profit_to_date'), cents(row, 'peak')])).toEqual(
    profitDays(days).map(({ day, profitToDate, peak }) => [day, profitToDate, peak]),
  )

  const ofNoBet = rolling(days, { subject, measure: 'profit' }, ROLLED[0]).filter(
    ({ value }) => value === null,
  )
  // On some days every first choice was withdrawn, or no dividend is known.
  expect(ofNoBet.length > 0).toBe(filters.includes(RETURNED) || subject === 'races')
  for (const measure of rolled) {
    const name = modelName(subject, measure)
    for (const window of ROLLED) {
      const spec: PanelSpec = { ...panelOf('rolling'), measures: [measure], window }
      const rows = await answer(panelStatement(slice, spec, { days, show }))
      const points = rolling(days, { subject, measure }, window)
      expect(points.length).toBeGreaterThan(5)
      expect(rows.map((row) => row['day'])).toEqual(points.map(({ day }) => day))
      for (const [index, point] of points.entries()) {
        const { value, standard } = point
        const about = `${measure} ${point.day}`
        const expected = { [name]: value, standard }
        expectFigures(rows[index], expected, [name, ...(standard === null ? [] : ['standard'])], about)
      }
    }
  }

  for (const measure of rolled) {
    const name = modelName(subject, measure)
    const spec: PanelSpec = { ...panelOf('spread'), measures: [measure] }
    const spread = spreadOfDays(days, { subject, measure }, show)!
    const bands = await answer(panelStatement(slice, spec, { days, show }))
    const scale = isMoney(name) ? 100 : 1
    const expected = spread.bands
      .filter(({ count }) => count > 0)
      .map(({ from, to, count }) => ({ from: from / scale, to: to / scale, count }))
    expect(
      bands.map((row) => Number(row['days'])),
      measure,
    ).toEqual(expected.map(({ count }) => count))
    for (const [at, { from, to }] of expected.entries()) {
      expect(Number(bands[at]![`from_${name}`]), measure).toBeCloseTo(from, 9)
      expect(Number(bands[at]![`to_${name}`]), measure).toBeCloseTo(to, 9)
    }
  }
})

type ReferenceOf = (measures: readonly string[], where: Filter | null) => string

test.each<[ModelName, Filter[], ReferenceOf]>([
  [
    'predictions',
    [{ dim: 'bet_type', in: [1] }],
    (measures, where) => referenceSql([], measures, where, [...dimensionsOf(where)]),
  ],
  [
    'predictions',
    [...WIN, RETURNED],
    (measures, where) => referenceSql([], measures, where, [...dimensionsOf(where)]),
  ],
  ['runners', [], (measures, where) => starterReferenceSql([], measures, where)],
  ['races', [], (measures, where) => raceReferenceSql([], measures, where)],
])('rolling figures of %s are those of the days of their windows', async (subject, filters, sqlOf) => {
  const { more, rolled } = dayMeasuresOf(subject, filters)
  const slice: Slice = { ...sliceOf(subject, filters, more), rolled }
  const days = (await page(slice, [], (sql) => native.rows(sql))).rows[DAYS]!
  const keys = days.map((row) => String(row['key'])).toSorted()
  const names = rolled.map((measure) => modelName(subject, measure))
  const stakes = [...new Set(names.flatMap((name) => stakedOf(name) ?? []))]
  const seen = new Set<string>()
  for (const length of [1, 7, 30]) {
    const lines = rolled.map((measure) => rolling(days, { subject, measure }, { length, unit: 'race-days' }))
    for (let at = length - 1; at < keys.length; at += 9) {
      const [from, to] = [keys[at - length + 1]!, keys[at]!]
      const where = allOf(slice.base, slice.filter, { dim: 'day', from, to })
      const [row] = await place.database.rows<Record<string, Scalar | null>>(
        sqlOf([...new Set([...names, ...stakes])], where),
      )
      const points = lines.map((line) => line[at - length + 1]!)
      expect(points.map(({ day }) => day)).toEqual(rolled.map(() => to))
      const figures = points.map(({ value }) => value)
      const isKnown = (name: string): boolean =>
        referenceFigures(row!, [stakedOf(name) ?? []].flat()).every((staked) => staked !== 0)
      const expected = referenceFigures(row!, names).map((value, index) =>
        isKnown(names[index]!) ? value : null,
      )
      expectSameFigures(
        [{ key: [to], figures }],
        [{ key: [to], figures: expected }],
        `${subject}, ${length} race days`,
      )
      for (const [index, name] of names.entries()) if (figures[index]) seen.add(name)
    }
  }
  // Figures that are all 0 or unknown would agree too.
  expect(names.filter((name) => !seen.has(name))).toEqual([])
})
