import { allOf, type Filter } from '../../analytics/filter.ts'
import type { Request } from '../../analytics/request.ts'

export interface Case {
  label: string
  request: Request
}

/** Predictions of one model and origin, with further conditions. */
export const of = (...filters: (Filter | null)[]): Filter =>
  allOf({ dim: 'model', in: ['market-baseline'] }, { dim: 'origin', in: ['backtest'] }, ...filters)!

const WIN: Filter[] = [
  { dim: 'bet_type', in: [1] },
  { dim: 'prediction_type', in: [1] },
]
export const EVERYTHING = of()
const MAIN = of(...WIN)
const TURF = of({ dim: 'track', in: ['turf'] })
const HITS = of({ dim: 'outcome', in: ['hit'] })

const FIGURES = ['predictions', 'hits', 'hit_rate', 'staked', 'profit', 'return']
const groups = (label: string, by: string[], where: Filter, measures = FIGURES, intervals = false): Case => ({
  label,
  request: { aggregate: { model: 'predictions', by, measures, where, ...(intervals ? { intervals } : {}) } },
})
const page = (label: string, where: Filter, by: string | null): Case => ({
  label,
  request: {
    rows: {
      model: 'predictions',
      columns: [
        'race_id',
        'day',
        'racecourse',
        'race_no',
        'bet_type',
        'rank',
        'combination',
        'horses_en',
        'probability',
        'outcome',
        'profit_cents',
        'result',
      ],
      where,
      sort: by === null ? [] : [{ by, descending: true }],
      offset: 0,
      limit: 100,
    },
  },
})

/** Dimensions of the twelve linked panels: of the race, of the prediction, and of time. */
const PANELS = [
  'season',
  'month',
  'weekday',
  'racecourse',
  'track',
  'going',
  'distance',
  'class',
  'bet_type',
  'rank',
  'outcome',
  'probability',
]
export const LINKED_MEASURES = ['predictions', 'hits', 'hit_rate', 'staked', 'profit', 'return', 'expected']

export const linked = (label: string, where: Filter): Case => ({
  label,
  request: {
    linked: {
      model: 'predictions',
      panels: PANELS.map((dim) => ({ by: [dim], where })),
      measures: LINKED_MEASURES,
    },
  },
})

/** Every kind of query, answered from rollups and from rows. */
export const CASES: readonly Case[] = [
  groups('totals, rollup by day', [], EVERYTHING),
  groups('totals on turf, rollup by race', [], TURF),
  groups('totals of hits, rows', [], HITS),
  groups('days, rollup by day', ['day'], EVERYTHING),
  groups('days of main picks, rows', ['day'], MAIN),
  groups('by season with intervals', ['season'], EVERYTHING, FIGURES, true),
  groups('by racecourse with intervals', ['racecourse'], MAIN, FIGURES, true),
  groups('by distance and going', ['distance', 'going'], EVERYTHING),
  groups('by probability, rows', ['probability'], EVERYTHING, [
    ...FIGURES,
    'mean_probability',
    'ae',
    'ae_market',
  ]),
  groups('by jockey, rows', ['jockey'], MAIN),
  groups('by horse, rows', ['horse'], MAIN),
  groups('by the market ranks of each combination’s horses, rows', ['market_ranks'], EVERYTHING),
  groups('log loss by season, rows', ['season'], EVERYTHING, ['log_loss', 'r2', 'r2_market', 'brier']),
  groups('longest losing run and drawdown', [], MAIN, ['losing_run', 'drawdown']),
  linked('twelve panels', of({ dim: 'going', in: ['good'] })),
  linked('twelve panels of main picks', MAIN),
  {
    label: 'evaluation by season',
    request: {
      aggregate: {
        model: 'runners',
        by: ['season'],
        measures: ['races', 'log_loss', 'r2', 'r2_gain', 'pick_rate', 'pick_return'],
        where: EVERYTHING,
        intervals: true,
      },
    },
  },
  page('first page', EVERYTHING, null),
  page('page by profit', EVERYTHING, 'profit_cents'),
  page('page of main picks', MAIN, null),
]
