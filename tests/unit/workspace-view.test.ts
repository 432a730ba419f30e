import { expect, test } from 'vitest'
import { FIRST_PANELS, readPanels, writePanels } from '../../analytics/view/panel-spec.ts'
import { allOf, type Filter } from '../../analytics/filter.ts'
import { modelOrder } from '../../contract/model-ids.ts'
import {
  cleared,
  FIRST_VIEW,
  raceFilterOf,
  readView,
  basisOf,
  whereOf,
  type OriginCount,
  type WorkspaceView,
} from '../../analytics/view/view.ts'
import { writeView } from '../../src/workspace/state/write-view.ts'

const SUBJECT = { model: 'fundamental', origin: 'backtest' } as const
const REGION = { id: '100000', seasonStartMonth: 9 }
const row = (model: OriginCount['model'], origin: OriginCount['origin']): OriginCount => ({
  model,
  origin,
  predictions: 1,
})
const clausesOf = (filter: Filter | null): Filter[] =>
  filter === null ? [] : 'and' in filter ? filter.and : [filter]

test('a view survives its address', () => {
  const view: WorkspaceView = {
    subject: 'runners',
    period: 'own',
    from: '2019-09-01',
    to: '2020-07-15',
    model: 'fundamental',
    tuning: true,
    origin: 'locked',
    filter: {
      and: [
        { dim: 'bet_type', in: [3, 9] },
        { dim: 'going', in: ['good_to_firm'] },
        { dim: 'distance', from: 1200, to: 1650 },
        { not: { dim: 'racecourse', in: [2] } },
      ],
    },
    tab: 'models',
    panels: readPanels(
      'profit!~bars:jockey.sort-return.min-30.adjusted~heat:draw.distance.profit!~calendar',
      null,
    ),
    sort: [
      { by: 'profit_cents', descending: true },
      { by: 'day', descending: false },
    ],
    columns: ['day', 'race_no', 'profit_cents'],
    group: 'season',
    compare: 'period=year&model=fundamental',
    holdOut: 2024,
    revealed: true,
    race: 'HKSHT2025071301',
    lab: 'starters~value-from:1.1~kelly:0.25~bank:1000000',
    sql: 'SELECT 1 -- 50% & more',
    sqlModels: ['blended', 'network'],
  }
  expect(readView(writeView(view))).toEqual(view)
  expect(writeView(FIRST_VIEW).toString()).toBe('')
  expect(readView(new URLSearchParams())).toEqual(FIRST_VIEW)
})

test('a view without any filter is an address of its own, not the first view', () => {
  const all = { ...FIRST_VIEW, filter: null }
  expect(readView(writeView(all))).toEqual(all)
})

test('addresses of the first record screen are still read', () => {
  const read = (address: string) => readView(new URLSearchParams(address))
  expect(
    read(
      'period=year&class=3,9&stadium=2&type=0&track=awt&going=good_to_firm&distance=1650&model=blended&origin=locked&tuning=1',
    ),
  ).toEqual({
    ...FIRST_VIEW,
    period: 'year',
    model: 'blended',
    origin: 'locked',
    tuning: true,
    filter: {
      and: [
        { dim: 'bet_type', in: [3, 9] },
        { dim: 'racecourse', in: [2] },
        { dim: 'track', in: ['awt'] },
        { dim: 'going', in: ['good_to_firm'] },
        { dim: 'distance', in: [1650] },
      ],
    },
  })
  expect(read('class=').filter).toEqual({ and: [{ dim: 'prediction_type', in: [1] }] })
  expect(read('type=2').filter).toEqual({
    and: [
      { dim: 'bet_type', in: [1] },
      { dim: 'prediction_type', in: [2] },
    ],
  })
})

test('nonsense in an address is as if it were not there', () => {
  const first = new URLSearchParams(
    "period=ever&from=yesterday&class=12,x&type=9&track=sea&going=';DROP&distance=far",
  )
  expect(readView(first)).toEqual({ ...FIRST_VIEW, filter: { and: [{ dim: 'prediction_type', in: [1] }] } })
  const second = new URLSearchParams('v=2&f=sea:turf~going:good~season:x&by=constructor&model=mine')
  expect(readView(second)).toEqual({ ...FIRST_VIEW, filter: { and: [{ dim: 'going', in: ['good'] }] } })
})

test('what a subject does not have restricts nothing of it, and stays in the address for the other one', () => {
  const filter = {
    and: [
      { dim: 'going', in: ['good'] },
      { dim: 'bet_type', in: [1] },
      { dim: 'rank', in: [2] },
      { dim: 'model_rank', in: [1] },
    ],
  }
  const dimsOf = (subject: WorkspaceView['subject']) =>
    clausesOf(whereOf({ ...FIRST_VIEW, subject, filter }, '2025-07-16', SUBJECT, null)).flatMap((part) =>
      'dim' in part ? [part.dim] : [],
    )
  expect(dimsOf('runners')).toEqual(['model', 'origin', 'going', 'model_rank'])
  expect(dimsOf('predictions')).toEqual(['model', 'origin', 'going', 'bet_type', 'rank'])
  const view = readView(writeView({ ...FIRST_VIEW, subject: 'runners', filter }))
  expect(view.subject).toBe('runners')
  expect(clausesOf(view.filter)).toHaveLength(4)
})

test('a period counts back from the newest race day', () => {
  const where = whereOf({ ...FIRST_VIEW, period: 'month' }, '2025-07-16', SUBJECT, REGION)
  expect(clausesOf(where)).toContainEqual({ dim: 'day', from: '2025-06-17' })
  expect(clausesOf(whereOf({ ...FIRST_VIEW, tuning: true }, '2025-07-16', SUBJECT, REGION))).toEqual([
    { dim: 'model', in: ['fundamental'] },
    { dim: 'origin', in: ['backtest'] },
    ...clausesOf(FIRST_VIEW.filter),
  ])
})

test('seasons on which settings were chosen are left out of a tuned model unless asked for', () => {
  const leftOut = (
    view: Partial<WorkspaceView>,
    model: OriginCount['model'],
    region: typeof REGION | null = REGION,
  ) =>
    clausesOf(whereOf({ ...FIRST_VIEW, ...view }, '2025-07-16', { ...SUBJECT, model }, region)).filter(
      (clause) => 'not' in clause,
    )
  const tuned = [{ not: { dim: 'day', from: '2017-09-01', to: '2020-08-31' } }]
  expect(leftOut({}, 'fundamental')).toEqual(tuned)
  expect(leftOut({}, 'blended')).toEqual(tuned)
  expect(leftOut({ tuning: true }, 'fundamental')).toEqual([])
  expect(leftOut({}, 'market-baseline')).toEqual([])
  expect(leftOut({}, 'fundamental', { id: '100840', seasonStartMonth: 1 })).toEqual([])
})

test('the evaluation of win probabilities is asked of races, whatever the bet', () => {
  const where = allOf(
    { dim: 'model', in: ['blended'] },
    { dim: 'bet_type', in: [1] },
    { dim: 'outcome', in: ['hit'] },
    { dim: 'jockey', in: [4] },
    { dim: 'going', in: ['good'] },
  )!
  expect(raceFilterOf(where)).toEqual({
    and: [
      { dim: 'model', in: ['blended'] },
      { dim: 'going', in: ['good'] },
    ],
  })
})

test('a view is of the best model that there is, of what was locked before backtests, and never of what was changed', () => {
  const baseline = row('market-baseline', 'backtest')
  expect(basisOf(FIRST_VIEW, [baseline])).toMatchObject({ model: 'market-baseline', origin: 'backtest' })
  const own = [row('fundamental', 'backtest'), row('fundamental', 'changed')]
  expect(basisOf(FIRST_VIEW, [baseline, ...own])).toMatchObject({
    model: 'fundamental',
    origin: 'backtest',
  })
  expect(basisOf(FIRST_VIEW, [baseline, ...own, row('fundamental', 'locked')]).origin).toBe('locked')
  // Of the models without odds, the promoted one stands before its challenger.
  const both = [baseline, ...own, row('network', 'backtest')]
  expect(basisOf(FIRST_VIEW, both).model).toBe('fundamental')
  expect(basisOf(FIRST_VIEW, both, modelOrder('network'))).toMatchObject({
    model: 'network',
    models: ['network', 'fundamental', 'market-baseline'],
  })
  // A better model without locks ranks after one with locks.
  const locked = row('market-baseline', 'locked')
  expect(basisOf(FIRST_VIEW, [baseline, locked, ...own])).toMatchObject({
    model: 'market-baseline',
    origin: 'locked',
  })
  expect(basisOf({ model: 'market-baseline', origin: 'locked' }, [baseline, ...own])).toMatchObject({
    model: 'market-baseline',
    origin: 'locked',
    origins: ['backtest'],
  })
  expect(basisOf({ model: 'blended', origin: '' }, [])).toMatchObject({
    model: 'market-baseline',
    origin: 'backtest',
  })
})

test('panels survive their words, and what is not understood is left out', () => {
  const words = 'profit:high-300!~bars:going.sort-hit_rate~columns:odds~heat:racecourse.season.hit_rate'
  expect(writePanels(readPanels(words, null))).toBe(words)
  expect(readPanels(words, null)[0]).toMatchObject({ height: 300 })
  // Each kind has a first measure, which needs no word: of a calendar it is the profit.
  expect(readPanels('calendar', null)[0]).toMatchObject({ measures: ['profit'] })
  expect(writePanels(readPanels('calendar:return~spread:profit', null))).toBe('calendar:return~spread')
  expect(readPanels('bars:going.high-5', null)).toEqual(readPanels('bars:going', null))
  // A heat map of a dimension by itself has nothing to compare.
  expect(readPanels('heat:jockey.jockey~bars:going', null)).toEqual(readPanels('bars:going', null))
  expect(readPanels('bars:nonsense~heat:draw~bars:going.min-x~chart', null)).toEqual(
    readPanels('bars:going', null),
  )
  expect(readPanels(null, null)).toBe(FIRST_PANELS)
  // The breakdown in an address of the second record screen.
  expect(readPanels(null, 'jockey')[1]).toMatchObject({ kind: 'bars', by: ['jockey'] })
})

test('a pivot has up to four figures, and is sorted by those of any column', () => {
  const words =
    'pivot:course.gear.count.hit_rate.return.profit.sort-return.at-C%252B3.ascending!~pivot:draw.going.ae'
  expect(writePanels(readPanels(decodeURIComponent(words), null))).toBe(decodeURIComponent(words))
  expect(readPanels('pivot:going.course.ae.sort-ae.at-A%2E1%7E2', null)).toMatchObject([
    { kind: 'pivot', by: ['going', 'course'], measures: ['ae'], sort: 'ae', at: 'A.1~2' },
  ])
  const [five] = readPanels('pivot:going.course.ae.count.impact.profit.return', null)
  expect(five!.measures).toEqual(['ae', 'count', 'impact', 'profit'])
  expect(readPanels('heat:going.course.ae.count', null)).toMatchObject([{ measures: ['ae'] }])
  expect(readPanels('pivot:going.course.at-%E0%A4%A', null)).toEqual(readPanels('pivot:going.course', null))
  const split = 'pivot:going.course.count.return.within-draw.sort-count'
  expect(writePanels(readPanels(split, null))).toBe(split)
  expect(readPanels(split, null)[0]).toMatchObject({ by: ['going', 'course'], within: 'draw' })
  // A dimension of the pivot itself, and one that nobody knows, split nothing.
  for (const within of ['going', 'nonsense'])
    expect(readPanels(`pivot:going.course.within-${within}`, null)[0]).not.toHaveProperty('within')
  expect(readPanels('heat:going.course.within-draw', null)[0]).not.toHaveProperty('within')
  // What sorts nothing is not written.
  expect(writePanels(readPanels('pivot:going.course.at-1.ascending', null))).toBe('pivot:going.course')
})

test('a cleared view shows the whole record again, and keeps the model and the layout', () => {
  const layout = {
    model: 'fundamental',
    panels: readPanels('bars:going', null),
    tab: 'seasons',
    sort: [{ by: 'day', descending: true }],
    compare: 'period=year',
  } as const
  const view: WorkspaceView = {
    ...FIRST_VIEW,
    ...layout,
    period: 'own',
    from: '2024-01-01',
    to: '2024-02-01',
    origin: 'locked',
    tuning: true,
    holdOut: 2024,
    revealed: true,
    filter: { dim: 'going', in: ['good'] },
  }
  expect(cleared(view)).toEqual({ ...FIRST_VIEW, ...layout })
})

test('a season that is held back is in no figure, whatever else is chosen', () => {
  const where = whereOf({ ...FIRST_VIEW, holdOut: 2024 }, '2025-07-16', SUBJECT, REGION)
  expect(clausesOf(where)).toContainEqual({ not: { dim: 'day', from: '2024-09-01', to: '2025-08-31' } })
})
