import { OWN_TABLE } from '../../../analytics/own-api.ts'
import type { Column, ScalarType, Table } from '../../../analytics/table.ts'
import type { OwnKind } from '../../../domain/own-columns.ts'
import type { OwnTable } from '../../data/analytics/own-rows.ts'

const TYPES: Readonly<Record<OwnKind, ScalarType>> = { number: 'DOUBLE', date: 'DATE', text: 'VARCHAR' }

const KEYS: Readonly<Record<string, Column>> = {
  race_key: { type: 'INTEGER', meaning: 'key of the race' },
  race_id: { type: 'VARCHAR', meaning: 'race id' },
  race_date: { type: 'DATE', meaning: 'race day in the region’s time zone' },
  horse_no: { type: 'TINYINT', meaning: 'saddle number' },
}

/** The user's own rows as a table of the console. */
export const ownColumns = ({ columns }: OwnTable): Table => ({
  name: OWN_TABLE,
  meaning: 'Your own rows that have a runner; they are on this device alone.',
  columns: {
    ...KEYS,
    ...Object.fromEntries(
      columns.map(({ column, kind }): [string, Column] => [
        column,
        { type: TYPES[kind], meaning: 'your own column' },
      ]),
    ),
  },
})
