import { cleanText, isMissing } from './clean-text.ts'
import { DAY_ORDERS, dayOrdersOf, readDay, type DayOrder } from './read-day.ts'
import { decimalSignOf, readNumber, type DecimalSign, type NumberForm } from './read-number.ts'
import type { Reading } from './reading.ts'

export type ColumnKind = 'number' | 'date' | 'text'

/** What the cells of a column are, and how they are read. */
export type GuessedKind =
  | ({ kind: 'number' } & NumberForm)
  | { kind: 'date'; order: DayOrder; serial: boolean; timeZone: string }
  | { kind: 'text' }

/** What was found about the decimal sign of a file, for its numbers that can be read with either. */
export interface FileSign {
  decimal: DecimalSign
  /** `chosen` by the reader, `proved` by other cells of the file, or `assumed`: nothing or only contradictions say it. */
  by: 'chosen' | 'proved' | 'assumed'
  /** A cell that can be read in two ways; `null` if there is none. */
  example: string | null
}

/** A column as far as guessing needs it: its name, and cells from all parts of the file. */
export interface SampledColumn {
  name: string
  sample: readonly string[]
}

const NEARLY_ALL = 0.95
/** Names of columns whose fractions are odds: elsewhere `3/5` may be three wins of five runs. */
const ODDS_NAME = /odds|price|^(?:win)?sp$|^bsp$|賠率|赔率/i
const DATE_NAME = /date|day\b|日期|賽期|赛期|賽日|赛日/i
/** Short texts that are days only in a column of days: elsewhere `10-9-10` is how a horse ran. */
const UNCERTAIN_DAY = /^(?:\d{1,2}([-. ])\d{1,2}\1\d{2}|\d{5}(?:\.\d+)?)$/

const share = (cells: readonly string[], holds: (cell: string) => boolean): number =>
  cells.length === 0 ? 0 : cells.filter(holds).length / cells.length

/** Cells from all parts of a sample by which most columns are seen not to be of a kind. */
const FEW_CELLS = 100

/** The share of cells that are of a kind; 0 if a few of them say that most are not. */
function shareOf(cells: readonly string[], holds: (cell: string) => boolean): number {
  const step = Math.ceil(cells.length / FEW_CELLS)
  const few = cells.filter((_, at) => at % step === 0)
  return share(few, holds) < NEARLY_ALL / 2 ? 0 : share(cells, holds)
}

const isValue = (reading: Reading<unknown>): boolean => reading.kind === 'value'

interface Signs {
  point: number
  comma: number
  either: string | null
}

function signsOf(cells: readonly string[]): Signs {
  const signs: Signs = { point: 0, comma: 0, either: null }
  for (const cell of cells) {
    const sign = decimalSignOf(cell)
    if (sign === '.') signs.point += 1
    else if (sign === ',') signs.comma += 1
    else if (sign === 'either') signs.either ??= cell.trim()
  }
  return signs
}

/** How days of a column are read; `null` if nearly all of its cells are not days. */
export function dayKindOf(
  { name, sample }: SampledColumn,
  timeZone: string,
  isDate = DATE_NAME.test(name),
): Extract<GuessedKind, { kind: 'date' }> | null {
  const cells = sample.filter((cell) => !isMissing(cell))
  const serial = isDate
  const isDay = (cell: string, order: DayOrder): boolean =>
    (isDate || !UNCERTAIN_DAY.test(cleanText(cell))) && isValue(readDay(cell, { order, timeZone, serial }))
  // A text that is a day in some order is one of few forms, whatever the order.
  if (shareOf(cells, (cell) => DAY_ORDERS.some((order) => isDay(cell, order))) < NEARLY_ALL) return null
  const order = dayOrdersOf(cells)[0] ?? 'dmy'
  return share(cells, (cell) => isDay(cell, order)) >= NEARLY_ALL
    ? { kind: 'date', order, serial, timeZone }
    : null
}

/**
 * The kind of each column: date or number if 95% of the cells of its sample are, and the decimal sign of the file. A
 * column whose own cells prove a sign is read with it; any other is read with the sign of the file.
 */
export function guessKinds(
  columns: readonly SampledColumn[],
  { timeZone, chosen, likely }: { timeZone: string; chosen: DecimalSign | null; likely: DecimalSign },
): { kinds: GuessedKind[]; sign: FileSign } {
  const found = columns.map((column) => {
    const cells = column.sample.filter((cell) => !isMissing(cell))
    const day = dayKindOf(column, timeZone)
    const odds = ODDS_NAME.test(column.name)
    const readable = (decimal: DecimalSign): number =>
      shareOf(cells, (cell) => isValue(readNumber(cell, { decimal, odds })))
    const [point, comma] = day === null ? [readable('.'), readable(',')] : [0, 0]
    const isNumber = Math.max(point, comma) >= NEARLY_ALL
    return { day, odds, point, comma, signs: isNumber ? signsOf(cells) : null }
  })
  const proofs = found.flatMap(({ signs }) => (signs === null ? [] : [signs]))
  const [point, comma] = [proofs.some((each) => each.point > 0), proofs.some((each) => each.comma > 0)]
  const example =
    proofs.find((each) => each.either !== null && each.point === 0 && each.comma === 0)?.either ?? null
  const proved = point === comma ? null : point ? '.' : ','
  const sign: FileSign = {
    decimal: chosen ?? proved ?? likely,
    by: chosen !== null ? 'chosen' : proved !== null ? 'proved' : 'assumed',
    example,
  }
  const kinds = found.map(({ day, odds, signs, ...shares }): GuessedKind => {
    if (day !== null) return day
    if (signs === null) return { kind: 'text' }
    const own = signs.point === signs.comma ? null : signs.point > signs.comma ? '.' : ','
    const decimal = own ?? sign.decimal
    const readable = decimal === '.' ? shares.point : shares.comma
    return readable >= NEARLY_ALL ? { kind: 'number', decimal, odds } : { kind: 'text' }
  })
  return { kinds, sign }
}

/** The value of a cell of a column as a text for SQL: a number, a day, or the text itself. */
export function readCell(text: string, kind: GuessedKind): Reading<number | string> {
  if (kind.kind === 'number') return readNumber(text, kind)
  if (kind.kind === 'date') return readDay(text, kind)
  return isMissing(text) ? { kind: 'missing' } : { kind: 'value', value: text.trim() }
}

/** Whether a text column looks like one of numbers: half of its cells are some number. */
export const looksLikeNumbers = (sample: readonly string[]): boolean =>
  shareOf(
    sample.filter((cell) => !isMissing(cell)),
    isSomeNumber,
  ) >= 0.5

/** Whether a text is a number with either decimal sign, or a fraction. */
export const isSomeNumber = (text: string): boolean =>
  isValue(readNumber(text, { decimal: '.', odds: true })) || isValue(readNumber(text, { decimal: ',' }))
