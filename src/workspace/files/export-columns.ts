import type { Model } from '../../../analytics/model.ts'
import { MODELS } from '../../../analytics/models.ts'
import { offeredColumns } from '../../../analytics/offered.ts'
import { NAME_COLUMNS } from '../../../domain/languages.ts'
import { EVERY } from '../../../analytics/view/dimension-of.ts'
import type { Subject } from '../../../analytics/view/view.ts'

const OF_RACE = ['race_id', 'day', 'racecourse', 'race_no', 'model', 'origin']
/** The most important columns of each subject first; the others follow in the order of the model. */
const FIRST: Readonly<Record<Subject, readonly string[]>> = {
  predictions: [
    ...OF_RACE,
    'bet_type',
    'rank',
    'selected',
    'cautious',
    'upset_guard',
    'combination',
    'probability',
    'price',
    'price_paid',
    'outcome',
    'profit_cents',
    'result',
  ],
  runners: [
    ...OF_RACE,
    'horse_no',
    'horse',
    'jockey',
    'trainer',
    'draw',
    'probability',
    'win_odds',
    'place',
    'outcome',
    'profit_cents',
    'result',
  ],
  races: [
    ...OF_RACE,
    'class',
    'distance',
    'going',
    'field_size',
    'first_no',
    'probability',
    'win_odds',
    'first_place',
    'outcome',
    'profit_cents',
    'favourite_no',
    'favourite_odds',
    'favourite_place',
    'winner_no',
    'winner_odds',
    'win_dividend',
    'result',
  ],
}
/** Fields with names that are one column in the user's language. */
const NAMED: Readonly<Record<Subject, readonly string[]>> = {
  predictions: ['horses', 'race_name', 'jockey', 'trainer'],
  runners: ['race_name'],
  races: ['race_name', 'first', 'favourite', 'winner'],
}
/**
 * Names are exported in the columns of the user's language only. Redundant columns are omitted, and the market ranks of
 * combinations, which would be looked up anew for every page of rows.
 */
const LEFT_OUT = new RegExp(
  `^(race_name|horses|jockey|trainer|first|favourite|winner)_(${NAME_COLUMNS.join('|')})$|^(jockey_trainer|meeting|month|value|market_ranks)$`,
)

/** Columns of the file: every dimension and field of a row, except redundant ones. */
export function exportColumns(subject: Subject, suffix: string): string[] {
  const all = offeredColumns(subject, MODELS[subject])
  const names = NAMED[subject].map((name) => `${name}_${suffix}`)
  const others = all.filter((name) => !FIRST[subject].includes(name) && !LEFT_OUT.test(name))
  return [...FIRST[subject], ...names, ...others]
}

/** Columns of a file of races: of a row those that are of its race. */
export function raceColumns(suffix: string): string[] {
  const { dimensions }: Model = MODELS.runners
  return exportColumns('runners', suffix).filter(
    (column) =>
      dimensions[column]?.level === 'race' || ['race_id', `race_name_${suffix}`, 'result'].includes(column),
  )
}

const NAME_SUFFIX = new RegExp(`_(${NAME_COLUMNS.join('|')})$`)

/** Message id of a column's heading. */
export const headingOf = (column: string): string =>
  Object.hasOwn(EVERY.dimensions, column) ? `dimension.${column}` : `field.${column.replace(NAME_SUFFIX, '')}`
