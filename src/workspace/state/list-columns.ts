import { HORSE_DIMENSIONS } from '../../../analytics/dimensions.ts'
import { offeredColumns } from '../../../analytics/offered.ts'
import { OWN_SLOTS, ownValue } from '../../../analytics/own-slots.ts'
import { PREDICTIONS } from '../../../analytics/predictions.ts'

/** Default columns of the list. */
export const USUAL_COLUMNS: readonly string[] = [
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
]

/** Names are one column in the user's language, and these fields are part of other columns. */
const PART_OF_OTHERS = /^(race_name|horses|jockey|trainer)_|^price_paid$|^region$/

/** Columns that the list offers, in the order of the model. */
export const LIST_COLUMNS: readonly string[] = [
  ...USUAL_COLUMNS,
  ...OWN_SLOTS.map(ownValue),
  ...offeredColumns('predictions', PREDICTIONS).filter(
    (column) =>
      !PART_OF_OTHERS.test(column) &&
      !USUAL_COLUMNS.includes(column) &&
      // Those of the runner of a single horse are in the files.
      !Object.hasOwn(HORSE_DIMENSIONS, column),
  ),
]
