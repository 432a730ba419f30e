import { HORSE_DIMENSIONS } from '../dimensions.ts'
import { MODELS, type ModelName } from '../models.ts'
import { offeredColumns } from '../offered.ts'
import { OWN_SLOTS, ownValue } from '../own-slots.ts'
import { NAME_COLUMNS } from '../../domain/languages.ts'

/** Default columns of the list of each subject, those that are most wanted first. */
const USUAL_COLUMNS: Readonly<Record<ModelName, readonly string[]>> = {
  predictions: [
    'day',
    'racecourse',
    'race_no',
    'bet_type',
    'rank',
    'combination',
    'result',
    'probability',
    'price',
    'outcome',
    'profit_cents',
  ],
  runners: [
    'day',
    'racecourse',
    'race_no',
    'horse_no',
    'horse',
    'jockey',
    'win_odds',
    'place',
    'profit_cents',
    'draw',
    'trainer',
    'probability',
  ],
  races: [
    'day',
    'racecourse',
    'race_no',
    'first_no',
    'win_odds',
    'first_place',
    'winner_no',
    'winner_odds',
    'profit_cents',
    'class',
    'distance',
    'field_size',
    'favourite_no',
    'favourite_odds',
    'going',
  ],
}

/** The window, in pixels, that has room for all usual columns beside the filters, and how many a narrower one has, from 1,280. */
export const ROOM: Readonly<Record<ModelName, { width: number; narrower: number }>> = {
  // What every row has is left out.
  predictions: { width: 0, narrower: USUAL_COLUMNS.predictions.length },
  runners: { width: 1600, narrower: 10 },
  races: { width: 1900, narrower: 9 },
}

/** The usual columns of a subject's list: all in a window with `room` for them. */
export const usualColumns = (subject: ModelName, room: boolean): readonly string[] =>
  USUAL_COLUMNS[subject].slice(0, room ? undefined : ROOM[subject].narrower)

/** Names are one column in the user's language, and these fields are part of other columns. */
const PART_OF_OTHERS = new RegExp(
  `^(race_name|horses|jockey|trainer|first|favourite|winner)_(${NAME_COLUMNS.join('|')})$|^price_paid$|^region$`,
)

/** Columns of the runner of a prediction on one horse, which are in the files alone. */
const isOfFiles = (subject: ModelName, column: string): boolean =>
  subject === 'predictions' && Object.hasOwn(HORSE_DIMENSIONS, column)

/** The name of the race in the user's language. */
export const RACE_NAME = 'race_name'

const columnsOf = (subject: ModelName): readonly string[] => {
  const usual = USUAL_COLUMNS[subject]
  return [
    ...usual,
    RACE_NAME,
    ...OWN_SLOTS.filter((slot) => slot in MODELS[subject].dimensions).map(ownValue),
    ...offeredColumns(subject, MODELS[subject]).filter(
      (column) => !PART_OF_OTHERS.test(column) && !usual.includes(column) && !isOfFiles(subject, column),
    ),
  ]
}

/** Columns that the list of each subject offers, in the order of its model. */
export const LIST_COLUMNS: Readonly<Record<ModelName, readonly string[]>> = {
  predictions: columnsOf('predictions'),
  runners: columnsOf('runners'),
  races: columnsOf('races'),
}

/** Whether the list of some subject has a column. */
export const isListColumn = (column: string): boolean =>
  Object.values(LIST_COLUMNS).some((columns) => columns.includes(column))

/** The chosen columns that a subject's list has; the usual ones if there are none. */
export function shownColumns(
  subject: ModelName,
  chosen: readonly string[],
  room: boolean,
): readonly string[] {
  const known = chosen.filter((column) => LIST_COLUMNS[subject].includes(column))
  return known.length > 0 ? known : usualColumns(subject, room)
}
