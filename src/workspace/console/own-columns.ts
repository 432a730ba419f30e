import { DataType, RecordBatchReader } from 'apache-arrow'
import { OWN_TABLE } from '../../../analytics/own-api.ts'
import type { Column, ScalarType, Table } from '../../../analytics/table.ts'

/** Meanings of the columns that name the runner; the others are the reader's own. */
const KEYS: Readonly<Record<string, string>> = {
  race_key: 'key of the race',
  race_id: 'race id',
  race_date: 'race day in the region’s time zone',
  horse_no: 'saddle number',
}

const typeOf = (type: DataType): ScalarType =>
  DataType.isDate(type)
    ? 'DATE'
    : DataType.isFloat(type)
      ? 'DOUBLE'
      : DataType.isInt(type)
        ? 'INTEGER'
        : 'VARCHAR'

/** The reader's own rows (an Arrow IPC stream) as a table of the console. */
export function ownColumns(bytes: Uint8Array): Table {
  const reader = RecordBatchReader.from(bytes)
  reader.open()
  return {
    name: OWN_TABLE,
    meaning: 'Your own rows that have a runner; they are on this device alone.',
    columns: Object.fromEntries(
      reader.schema.fields.map(({ name, type }): [string, Column] => [
        name,
        { type: typeOf(type as DataType), meaning: KEYS[name] ?? 'your own column' },
      ]),
    ),
  }
}
