import { numberIn, type ConsoleCell, type ConsoleRows } from '../../data/analytics/console-rows.ts'
import { daysTo, decimalElement, PARQUET, parquetFile, type ParquetColumn } from '../files/parquet-file.ts'

/** A cell as a value of its column's kind in Parquet; `undefined` if the kind has none for it, as for `infinity`. */
type Read = (cell: string) => string | number | bigint | boolean | undefined

interface Form {
  element: ParquetColumn['element']
  read: Read
}

const whole = (element: Form['element']): Form => ({ element, read: Number })

const MAX_DECIMAL = 10n ** 38n
const readDecimal =
  (scale: number): Read =>
  (cell) => {
    const value = BigInt(cell.replace('.', ''))
    const isExact = (cell.split('.')[1] ?? '').length === scale && value < MAX_DECIMAL && value > -MAX_DECIMAL
    return isExact ? value : undefined
  }
const decimal = (precision: number, scale: number): Form => ({
  element: decimalElement(precision, scale),
  read: readDecimal(scale),
})

const readDay: Read = (cell) => (/^\d{4}-\d\d-\d\d$/.test(cell) ? daysTo(cell) : undefined)
const INSTANT = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:\+00)?$/
/** `digits`: of the fraction of a second. */
const instant = (element: Form['element'], digits: 6 | 9): Form => ({
  element,
  read: (cell) => {
    const [, day, clock, fraction = ''] = INSTANT.exec(cell) ?? []
    if (day === undefined || fraction.length > digits) return undefined
    const seconds = Math.floor(Date.parse(`${day}T${clock}Z`) / 1000)
    return BigInt(seconds) * 10n ** BigInt(digits) + BigInt(fraction.padEnd(digits, '0'))
  },
})

const TEXT: Form = { element: PARQUET.text, read: (cell) => cell }

/** The form of each of DuckDB's types in Parquet; of the others that of texts, as the shell prints them. */
const FORMS: Readonly<Record<string, Form>> = {
  BOOLEAN: { element: PARQUET.boolean, read: (cell) => cell === 'true' },
  TINYINT: whole(PARQUET.integer),
  SMALLINT: whole(PARQUET.integer),
  INTEGER: whole(PARQUET.integer),
  UTINYINT: whole(PARQUET.integer),
  USMALLINT: whole(PARQUET.integer),
  UINTEGER: { element: PARQUET.long, read: BigInt },
  BIGINT: { element: PARQUET.long, read: BigInt },
  UBIGINT: decimal(20, 0),
  HUGEINT: decimal(38, 0),
  UHUGEINT: decimal(38, 0),
  FLOAT: { element: PARQUET.single, read: numberIn },
  DOUBLE: { element: PARQUET.double, read: numberIn },
  DATE: { element: PARQUET.day, read: readDay },
  TIMESTAMP: instant(PARQUET.instant, 6),
  TIMESTAMP_S: instant(PARQUET.instant, 6),
  TIMESTAMP_MS: instant(PARQUET.instant, 6),
  TIMESTAMP_NS: instant(PARQUET.preciseInstant, 9),
  'TIMESTAMP WITH TIME ZONE': instant(PARQUET.instantUtc, 6),
}

function formOf(type: string): Form {
  const [, precision, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(type) ?? []
  return precision === undefined ? (FORMS[type] ?? TEXT) : decimal(Number(precision), Number(scale))
}

/** A column of a result in its own type, or as texts if the type in Parquet does not hold each of its values. */
function parquetColumn(name: string, type: string, cells: readonly ConsoleCell[]): ParquetColumn {
  const { element, read } = formOf(type)
  const data = cells.map((cell) => (cell === null ? null : read(cell)))
  return data.includes(undefined)
    ? { name, element: TEXT.element, data: cells }
    : { name, element, data: data as ParquetColumn['data'] }
}

/** A result as a Parquet file. */
export const parquetOf = ({ columns, rows }: ConsoleRows): Blob =>
  parquetFile(
    columns.map(({ name, type }, at) =>
      parquetColumn(
        name,
        type,
        rows.map((row) => row[at] ?? null),
      ),
    ),
  )
