import type { IntlShape } from 'react-intl'
import { MODELS, type ModelName } from '../../../analytics/models.ts'
import { OWN_TABLE } from '../../../analytics/own-api.ts'
import { quoted } from '../../../analytics/sql.ts'
import type { Column, ScalarType, Table } from '../../../analytics/table.ts'
import { FILE_TABLES } from '../../../analytics/tables.ts'
import type { ColumnKind } from '../../../domain/reading/guess-kind.ts'
import type { OwnTable } from '../../data/analytics/own-rows.ts'

/** Each table once, starting with those of races and predictions. */
export const CONSOLE_TABLES: readonly Table[] = [
  ...new Set<Table>(
    (['record', 'racing', 'reference', 'details', 'sections', 'reasons', 'ticks'] as const).flatMap(
      (kind): readonly Table[] => FILE_TABLES[kind],
    ),
  ),
]

/** The name under which statements read the rows of the page's view. */
export const SLICE_TABLE = 'slice'

/** The rows of the page's view as a table of the console: the columns of its subject's table. */
export function sliceColumns(subject: ModelName): Table {
  const { table } = MODELS[subject]
  return {
    name: SLICE_TABLE,
    meaning: 'The rows of the page’s view: what its filters leave.',
    columns: CONSOLE_TABLES.find(({ name }) => name === table)!.columns,
  }
}

const TYPES: Readonly<Record<ColumnKind, ScalarType>> = { number: 'DOUBLE', date: 'DATE', text: 'VARCHAR' }

const KEYS: Readonly<Record<string, Column>> = {
  race_key: { type: 'INTEGER', meaning: 'key of the race' },
  race_id: { type: 'VARCHAR', meaning: 'race id' },
  race_date: { type: 'DATE', meaning: 'race day at the racecourse' },
  horse_no: { type: 'TINYINT', meaning: 'saddle number' },
}

/** The user's own rows as a table of the console. */
export const ownColumns = ({ columns }: OwnTable): Table => ({
  name: OWN_TABLE,
  meaning: 'Your own rows that have a runner; they are on this device alone.',
  columns: {
    ...KEYS,
    ...Object.fromEntries(
      columns.map(({ column, kind }) => [column, { type: TYPES[kind], meaning: 'your own column' }]),
    ),
  },
})

/**
 * The meaning of a table or column in the user's language; `analytics/tables.ts` has it in English. The id of the
 * message is derived from that text: `meaning.race-id`.
 */
export function meaningOf(intl: IntlShape, text: string): string {
  const words = text.toLowerCase().split(/[^a-z0-9]+/)
  return intl.formatMessage({ id: `meaning.${words.filter((word) => word !== '').join('-')}` })
}

export const typeText = ({ type }: Column): string => (typeof type === 'string' ? type : 'ENUM')

/** DuckDB's reserved keywords, which cannot be used as unquoted names. */
export const RESERVED = new Set(
  `all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create default
   deferrable desc describe distinct do else end except false fetch for foreign from group having in initially intersect
   into lambda lateral leading limit not null offset on only or order pivot placing primary qualify references returning
   select show some summarize symmetric table then to trailing true union unique unpivot using variadic when where window
   with`.split(/\s+/),
)

/** A column's name for use in a statement: quoted if it would otherwise be misread. */
export const sqlName = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) && !RESERVED.has(name) ? name : quoted(name)
