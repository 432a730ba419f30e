import type { Filter } from '../../../analytics/filter.ts'
import type { Model } from '../../../analytics/model.ts'
import { PREDICTIONS } from '../../../analytics/predictions.ts'
import type { Request } from '../../../analytics/request.ts'
import type { AnswerRow, Rows } from '../../data/analytics/decode.ts'
import { numberOf } from '../../data/analytics/cells.ts'
import { raceFilterOf } from './record-view.ts'
import { BOUNDS, TOTALS } from './totals.ts'

const MODEL: Model = PREDICTIONS

/** Panels of the linked question, in its order. */
export const PANELS = { total: 0, days: 1 } as const

const measuresOf = (history: boolean): string[] => [
  ...TOTALS,
  'hit_rate',
  'return',
  ...(history ? BOUNDS : []),
]

/** Totals and days in one statement. */
export const linkedRequest = (where: Filter, history: boolean): Request => ({
  linked: {
    model: 'predictions',
    panels: [
      { by: [], where },
      { by: ['day'], where },
    ],
    measures: measuresOf(history),
  },
})

/** The rows of one panel. */
export const panelRows = (answer: Rows, panel: number): AnswerRow[] =>
  answer.rows.filter((row) => numberOf(row, 'panel') === panel)

/** Totals with their intervals, asked once the totals are on screen. */
export const intervalRequest = (where: Filter): Request => ({
  aggregate: { model: 'predictions', by: [], measures: ['hit_rate', 'return'], where, intervals: true },
})

export const breakdownRequest = (where: Filter, by: string, history: boolean): Request => ({
  aggregate: {
    model: 'predictions',
    by: [by],
    measures: measuresOf(history),
    where,
    intervals: true,
    limit: 200,
    ...(MODEL.dimensions[by]?.order === 'count' ? { sort: [{ by: 'predictions', descending: true }] } : {}),
  },
})

/** How good the win probabilities of the chosen races were, season by season, or all together. */
export const evaluationRequest = (where: Filter, by: string[]): Request => ({
  aggregate: {
    model: 'starters',
    by,
    measures: [
      'races',
      'log_loss',
      'r2',
      'r2_market',
      'r2_gain',
      'brier',
      'pick_rate',
      'favourite_rate',
      'chance_rate',
      'pick_bets',
      'pick_return',
      'favourite_return',
      'chance_return',
    ],
    where: raceFilterOf(where),
    intervals: true,
  },
})

/** Which predictions there are: by model, locked or not. */
export const ORIGINS_REQUEST: Request = {
  aggregate: {
    model: 'predictions',
    by: ['model', 'origin'],
    measures: ['predictions'],
    where: { dim: 'prediction_type', in: [0] },
  },
}
