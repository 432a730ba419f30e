import type { SchemaElement } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'

type Element = Omit<SchemaElement, 'name' | 'repetition_type'>

/** Kinds of columns, with the values that each takes; every value may be `null`. */
export const PARQUET = {
  /** `boolean`. */
  boolean: { type: 'BOOLEAN' },
  /** `number`, a whole one of 32 bits. */
  integer: { type: 'INT32' },
  /** `bigint` of 64 bits. */
  long: { type: 'INT64' },
  /** `number`, rounded to single precision. */
  single: { type: 'FLOAT' },
  /** `number`. */
  double: { type: 'DOUBLE' },
  /** `string`. */
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  /** `number`, days since 1970-01-01. */
  day: { type: 'INT32', converted_type: 'DATE' },
  /** `bigint`, microseconds since 1970-01-01 of a clock without a time zone. */
  instant: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' } },
  /** `bigint`, nanoseconds since 1970-01-01 of a clock without a time zone. */
  preciseInstant: {
    type: 'INT64',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'NANOS' },
  },
  /** `bigint`, microseconds since 1970-01-01 in UTC. */
  instantUtc: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } },
} as const satisfies Record<string, Element>

/** An exact decimal number; its values are `bigint`: the number times 10^`scale`. */
export const decimalElement = (precision: number, scale: number): Element => ({
  type: 'FIXED_LEN_BYTE_ARRAY',
  type_length: 16,
  converted_type: 'DECIMAL',
  precision,
  scale,
})

export interface ParquetColumn {
  name: string
  element: Element
  data: readonly (string | number | bigint | boolean | null)[]
}

/** Columns of equal length as a Parquet file; their names must differ. */
export function parquetFile(columns: readonly ParquetColumn[]): Blob {
  const schema: SchemaElement[] = [
    { name: 'root', num_children: columns.length },
    ...columns.map(({ name, element }): SchemaElement => ({ ...element, name, repetition_type: 'OPTIONAL' })),
  ]
  const columnData = columns.map(({ name, data }) => ({ name, data: [...data] }))
  return new Blob([parquetWriteBuffer({ columnData, schema })])
}

const DAY_MS = 86_400_000

/** Days from 1970-01-01 to a day written as `yyyy-mm-dd`. */
export const daysTo = (day: string): number => Date.parse(day) / DAY_MS
