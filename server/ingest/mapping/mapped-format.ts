import { clockOfCourse } from '../../../domain/course-clock.ts'
import { isMissing } from '../../../domain/reading/clean-text.ts'
import { DAY_ORDERS, dayOrdersOf, readDay, type DayOrder } from '../../../domain/reading/read-day.ts'
import { decimalSignOf, readNumber, type DecimalSign } from '../../../domain/reading/read-number.ts'
import { isOtherNumber, withoutFavourite } from '../../../domain/reading/read-odds.ts'
import { readNumbered } from '../../../domain/reading/read-whole.ts'
import { FURLONG_FORMAT } from '../furlong/furlong-format.ts'
import { csvFilesAt, openCsv, readRows, type CsvFile, type CsvRow } from '../reading/csv-file.ts'
import {
  RowError,
  type FileKind,
  type ImportFormat,
  type MappedCell,
  type MappedField,
  type Note,
} from '../reading/format.ts'
import {
  badMap,
  columnOf,
  kindsOfMapping,
  parseMapping,
  type KindFields,
  type MapFile,
  type Mapping,
  type Source,
} from './mapping.ts'
import { roundedOdds, TIMES, UNITS } from './units.ts'

/** Name of the format that a mapping makes. */
export const MAP = 'map'

const NUMBERED: Readonly<Record<string, 'race' | 'saddle'>> = {
  race_no: 'race',
  horse_no: 'saddle',
  entry_no: 'saddle',
}
/** Fields whose cells are numbers, or words that stay as they are. */
const NUMBERS = new Set([
  ...Object.keys(UNITS),
  ...TIMES,
  'margin',
  'draw',
  'rating',
  'age',
  'place',
  'section',
  'position',
  'gameplay_class',
])

/** How cells are read that have two readings. `null`: there is none in the files. */
interface Forms {
  dates: DayOrder | null
  decimal: DecimalSign
}

/** A number in our form and unit; `null` if it cannot be read. */
function numberText(
  field: string,
  cell: string,
  unit: string | undefined,
  decimal: DecimalSign,
): string | null {
  const convert = unit === undefined ? undefined : UNITS[field]![unit]!
  const isOdds = field === 'win_odds'
  if (isOdds && isOtherNumber(cell)) return null
  const written = isOdds ? withoutFavourite(cell) : cell
  const plain = readNumber(written, { decimal })
  if (plain.kind === 'value') return String(convert === undefined ? plain.value : convert(plain.value))
  const fraction = isOdds ? readNumber(written, { decimal, odds: true }) : plain
  return fraction.kind === 'value' ? String(roundedOdds(fraction.value)) : null
}

/** In milliseconds. */
const MINUTE = 60_000
/** What programs write for a horse without a time. */
const NO_TIME = /^[0:.,]+$/

/** A race's time as our layout writes it: `1:42.270` for 102.27 seconds, and `''` for one of 0 or less, which no horse has. */
function timeText(cell: string, unit: string | undefined, decimal: DecimalSign): string {
  const seconds = unit === 'seconds' ? readNumber(cell, { decimal, plain: true }) : null
  if (NO_TIME.test(cell) || (seconds?.kind === 'value' && seconds.value <= 0)) return ''
  if (seconds?.kind !== 'value') return decimal === ',' ? cell.replace(',', '.') : cell
  // Rounded as a whole, so that 59.9999 is a minute and not 60 seconds of none.
  const ms = Math.round(seconds.value * 1000)
  const rest = ((ms % MINUTE) / 1000).toFixed(3).padStart(6, '0')
  return `${Math.floor(ms / MINUTE)}:${rest}`
}

/** Numbers as our layout divides them: `1-2` for `1 - 2` and `1, 2`, `2/1` for `2 / 1`. */
const joinedNumbers = (cell: string): string =>
  cell
    .trim()
    .replaceAll(/\s*\/\s*/g, '/')
    .replaceAll(/\s*[-,+\u2010-\u2015]\s*|\s+/g, '-')

/**
 * A cell as a text of our layout. What cannot be read stays as it is: our layout refuses it, in the words that it has for a
 * field.
 */
function ownText(
  field: string,
  cell: string,
  unit: string | undefined,
  { dates, decimal, zone }: Forms & { zone: () => string },
): string {
  if (isMissing(cell)) return ''
  if (field === 'date') {
    const day = readDay(cell, { order: dates, timeZone: zone(), serial: true })
    return day.kind === 'value' ? day.value : cell
  }
  const numbered = NUMBERED[field]
  if (numbered !== undefined) {
    const number = readNumbered(cell, numbered)
    return number.kind === 'value' ? String(number.value) : cell
  }
  if (TIMES.has(field)) return timeText(cell, unit, decimal)
  if (field === 'combination') return joinedNumbers(cell)
  return NUMBERS.has(field) ? (numberText(field, cell, unit, decimal) ?? cell) : cell
}

/** How the cells of a field are read. */
function fieldOf(field: string, from: Source, forms: Forms, zoneOf: (row: CsvRow) => string): MappedField {
  const { column, words = {}, otherwise, unit } = columnOf(from)
  const meaningOf = (row: CsvRow, cell: string): MappedCell => {
    const told = Object.hasOwn(words, cell)
    const blank = isMissing(cell)
    if (told || (otherwise !== undefined && (column === null || !blank))) {
      const text = told ? words[cell]! : otherwise!
      return { text, isAssumed: !told && column !== null }
    }
    return { text: ownText(field, cell, unit, { ...forms, zone: () => zoneOf(row) }), isAssumed: false }
  }
  return { field, column, read: (row) => meaningOf(row, column === null ? '' : (row[column]?.trim() ?? '')) }
}

/** The row of our layout that a row stands for; its cells are read when they are asked for. */
const ownRow = (row: CsvRow, fields: ReadonlyMap<string, MappedField>): CsvRow =>
  new Proxy(row, {
    get: (_, field) => fields.get(String(field))?.read(row).text ?? undefined,
    has: (_, field) => fields.has(String(field)),
  })

/** What a message calls a field: by the column that it is read from, if there is one. */
export const fieldName = ({ field, column }: Pick<MappedField, 'field' | 'column'>): string =>
  column === null ? field : `column "${column}" (${field})`

const LEADING_FIELDS = /^[a-z_]+(?:, [a-z_]+)*(?=:|$)/

/** What is said of our fields, with the columns of the file that they are read from. */
const withColumns = (detail: string, fields: ReadonlyMap<string, MappedField>): string =>
  detail.replace(LEADING_FIELDS, (names) =>
    names
      .split(', ')
      .map((name) => fieldName(fields.get(name) ?? { field: name, column: null }))
      .join(', '),
  )

/** A kind of our layout for files of another one. */
function mappedKind(kind: FileKind, own: KindFields, forms: Forms): FileKind {
  const fields = new Map<string, MappedField>()
  const zoneOf = (row: CsvRow): string => clockOfCourse(fields.get('stadium')!.read(row).text ?? '')
  for (const [field, from] of Object.entries(own)) fields.set(field, fieldOf(field, from, forms, zoneOf))
  const passing = Object.entries(own).flatMap(([field, from]) => {
    const { words = {}, otherwise } = columnOf(from)
    return [...Object.values(words), otherwise].includes(null) ? [fields.get(field)!] : []
  })
  const told = <Result>(read: () => Result): Result => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof RowError)) throw error
      throw new RowError(error.kind, withColumns(error.message, fields))
    }
  }
  const { raceOf, complete } = kind
  return {
    name: kind.name,
    order: kind.order,
    joinsFacts: kind.joinsFacts,
    columns: columnsOfFields(own),
    fields: [...fields.values()],
    read(row, note) {
      const unneeded = passing.find((field) => field.read(row).text === null)
      if (unneeded !== undefined) {
        const { field, column } = unneeded
        return { kind: 'passed-over', what: `${field}: ${row[column!]?.trim() ?? ''}` }
      }
      const noted: Note = (problem, detail) => note(problem, withColumns(detail, fields))
      return told(() => kind.read(ownRow(row, fields), noted))
    },
    raceOf: raceOf && ((row) => raceOf(ownRow(row, fields))),
    complete:
      complete &&
      ((race, rows, note) =>
        complete(
          race,
          rows.map((row) => ownRow(row, fields)),
          note,
        )),
  }
}

/** The columns that a file must have to be read with these fields. */
const columnsOfFields = (own: KindFields): string[] => [
  ...new Set(Object.values(own).flatMap((from) => columnOf(from).column ?? [])),
]

/** Texts of the cells that can have two readings. */
interface Evidence {
  days: Map<string, Set<string>>
  numbers: Map<string, Set<string>>
}

/** As many different texts of a column prove how it is read. */
const MOST_TEXTS = 20_000

async function gather(file: CsvFile, mapping: Mapping, own: KindFields, evidence: Evidence): Promise<void> {
  const open = Object.entries(own).flatMap(([field, from]) => {
    const { column, words = {} } = columnOf(from)
    const set = field === 'date' ? 'days' : NUMBERS.has(field) ? 'numbers' : null
    if (column === null || set === null || mapping[set === 'days' ? 'dates' : 'decimal'] !== undefined)
      return []
    const texts = evidence[set].get(column) ?? new Set<string>()
    evidence[set].set(column, texts)
    return [{ column, words, texts }]
  })
  if (open.length === 0) return
  for await (const { row } of readRows(file))
    for (const { column, words, texts } of open) {
      const cell = row[column]!.trim()
      if (texts.size < MOST_TEXTS && !Object.hasOwn(words, cell)) texts.add(cell)
    }
}

/** The order of days that the mapping or all cells say, and in which words. Throws `bad-map` if neither does. */
function datesOf(
  file: string,
  mapping: Mapping,
  { days }: Evidence,
): { dates: DayOrder | null; why: string } {
  if (mapping.dates !== undefined) return { dates: mapping.dates, why: `dates ${mapping.dates} as it says` }
  const texts = [...days.values()].flatMap((each) => [...each])
  const [order, other] = dayOrdersOf(texts)
  const dayAs = (text: string, assumed: DayOrder | null): ReturnType<typeof readDay> =>
    readDay(text, { order: assumed, timeZone: 'UTC', serial: true })
  const isEither = (text: string): boolean => {
    const day = dayAs(text, null)
    return day.kind === 'unreadable' && day.problem === 'two-readings'
  }
  if (order === undefined) return { dates: null, why: 'dates have one reading' }
  // Days of another order beside them, however few, say that two people wrote the file.
  const isOther = (text: string): boolean =>
    dayAs(text, order).kind === 'unreadable' && DAY_ORDERS.some((each) => dayAs(text, each).kind === 'value')
  if (other !== undefined || texts.some(isOther)) {
    const example = texts.find(isEither)
    if (example === undefined) return { dates: null, why: 'dates have one reading' }
    throw badMap(file, 'dates', {
      place: [...days].find(([, each]) => each.has(example))![0],
      known: example,
    })
  }
  return { dates: order, why: `dates ${order} as their cells prove` }
}

/** The decimal sign that the mapping or the cells say, and in which words. Throws `bad-map` if neither does. */
function decimalOf(
  file: string,
  mapping: Mapping,
  { numbers }: Evidence,
): { decimal: DecimalSign; why: string } {
  if (mapping.decimal !== undefined)
    return { decimal: mapping.decimal, why: `decimal sign ${mapping.decimal} as it says` }
  const found = [...numbers].flatMap(([column, texts]) =>
    [...texts].flatMap((text) => {
      const sign = decimalSignOf(text)
      return sign === null ? [] : [{ sign, column, text }]
    }),
  )
  const first = (sign: DecimalSign | 'either') => found.find((each) => each.sign === sign)
  const [point, comma, either] = [first('.'), first(','), first('either')]
  const undecided = point === undefined && comma === undefined ? either : point && comma
  if (undecided !== undefined)
    throw badMap(file, 'decimal', { place: undecided.column, known: undecided.text })
  const decimal = comma === undefined ? '.' : ','
  const why = found.length === 0 ? 'numbers have one reading' : `decimal sign ${decimal} as cells prove`
  return { decimal, why }
}

const missingColumns = ({ header }: CsvFile, own: KindFields): string[] =>
  columnsOfFields(own).filter((column) => !header.includes(column))

/** Of two kinds that a file can be, the one that needs more of its columns. */
const byColumns = (a: { fields: KindFields }, b: { fields: KindFields }): number =>
  columnsOfFields(b.fields).length - columnsOfFields(a.fields).length

/**
 * The format that a mapping makes of our own layout, with what decided how its days and numbers are read, in English. Throws
 * `bad-map` for a mapping with a mistake, for a file that lacks its columns, and where nothing decides between two readings;
 * `file-missing`, `file-unreadable`, `no-csv-files`.
 */
export async function formatOfMap(
  map: MapFile,
  paths: readonly string[],
): Promise<{ format: ImportFormat; why: string }> {
  const mapping = parseMapping(map)
  const encoding = mapping.encoding ?? 'utf8'
  const kinds = kindsOfMapping(mapping).toSorted(byColumns)
  const evidence: Evidence = { days: new Map(), numbers: new Map() }
  for (const path of paths.flatMap(csvFilesAt)) {
    const file = await openCsv(path, encoding)
    const own = kinds.find(({ fields }) => missingColumns(file, fields).length === 0)
    if (own === undefined) throw lacking(map.file, file, kinds)
    await gather(file, mapping, own.fields, evidence)
  }
  const { dates, why } = datesOf(map.file, mapping, evidence)
  const { decimal, why: whyDecimal } = decimalOf(map.file, mapping, evidence)
  const format: ImportFormat = {
    ...FURLONG_FORMAT,
    name: MAP,
    encoding,
    kinds: kinds.map(({ kind, fields }) => mappedKind(kind, fields, { dates, decimal })),
  }
  return { format, why: `as ${map.file} says; ${why}; ${whyDecimal}` }
}

function lacking(map: string, file: CsvFile, kinds: ReturnType<typeof kindsOfMapping>): Error {
  const [nearest] = kinds
    .map(({ kind, fields }) => ({ kind, missing: missingColumns(file, fields) }))
    .toSorted((a, b) => a.missing.length - b.missing.length)
  return badMap(map, 'column', {
    place: `${file.name}, ${nearest!.kind.name}: ${nearest!.missing.join(', ')}`,
    known: file.header.join(', '),
  })
}
