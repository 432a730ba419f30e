import type { Filter } from '../../../analytics/filter.ts'
import type { Scalar } from '../../../analytics/model.ts'
import { writeFilter } from '../../../analytics/url.ts'
import type { AnswerRow } from '../../../analytics/cells.ts'

/** Predefined views: what the messages of their name and question end in, and the query string of the address. */
export interface BuiltInView {
  id: string
  address: string
}

const WIN: Filter[] = [
  { dim: 'bet_type', in: [1] },
  { dim: 'prediction_type', in: [1] },
]

const address = (panels: string, filter: Filter[] = WIN, extra: Record<string, string> = {}): string =>
  new URLSearchParams({ v: '2', f: writeFilter({ and: filter }), p: panels, ...extra }).toString()

/** Of every runner, or of every race, instead of predictions. */
const OF_RUNNERS = { s: 'runners' }
const OF_RACES = { s: 'races' }

const GOING: BuiltInView = {
  id: 'going',
  address: address('profit!~bars:going~bars:racecourse'),
}

const drawAt = (racecourse: Scalar): BuiltInView => ({
  id: 'draw',
  address: address('heat:draw.distance!~bars:draw~bars:course', [
    ...WIN,
    { dim: 'racecourse', in: [racecourse] },
  ]),
})

const OTHERS: readonly BuiltInView[] = [
  {
    id: 'outsiders',
    address: address('profit!~bars:odds~bars:value', [
      { dim: 'bet_type', in: [1] },
      { dim: 'odds', in: [20, 30, 50] },
      { dim: 'value', in: [1.1, 1.25, 1.5, 2] },
    ]),
  },
  {
    id: 'class5',
    address: address('profit!~bars:class~bars:probability', [...WIN, { dim: 'class', in: ['C5'] }], {
      tab: 'calibration',
    }),
  },
  {
    id: 'pairs',
    address: address('bars:jockey_trainer.min-30.adjusted!~bars:jockey.min-30~bars:trainer.min-30'),
  },
  { id: 'moves', address: address('profit!~bars:odds_move~heat:odds.odds_move.return') },
  { id: 'months', address: address('heat:calendar_month.season.profit!~calendar') },
  {
    id: 'people',
    address: address('bars:jockey.min-100!~bars:trainer.min-100!', [], OF_RUNNERS),
  },
  {
    id: 'firstUp',
    address: address(
      'bars:trainer.min-30.adjusted!~bars:days_since_run',
      [{ dim: 'days_since_run', in: [61, 91, 181] }],
      OF_RUNNERS,
    ),
  },
  {
    id: 'classDroppers',
    address: address(
      'bars:trainer.min-30.adjusted!~bars:last_place~bars:class',
      [{ dim: 'class_move', in: ['down'] }],
      OF_RUNNERS,
    ),
  },
  {
    id: 'frontRunners',
    address: address(
      'heat:running_style.distance.ae_market!~bars:running_style~bars:leaders',
      [],
      OF_RUNNERS,
    ),
  },
  {
    id: 'favourites',
    address: address(
      'bars:class.favourite_rate!~bars:favourite_odds.favourite_rate!~bars:field_size.mean_win_dividend!',
      [],
      OF_RACES,
    ),
  },
  {
    id: 'bets',
    address: address('bars:bet_type.adjusted!', [{ dim: 'prediction_type', in: [1] }]),
  },
]

/**
 * The predefined views of a dataset. `racecourses`: its racecourses with their names, because their keys differ
 * between datasets; the view of Happy Valley is left out where it is not among them.
 */
export function builtInViews(racecourses: readonly AnswerRow[]): readonly BuiltInView[] {
  const found = racecourses.find((row) => row['racecourse_en'] === 'Happy Valley')?.['racecourse'] ?? null
  return [GOING, ...(found === null ? [] : [drawAt(found)]), ...OTHERS]
}
