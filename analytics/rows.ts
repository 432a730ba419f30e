import { DOUBLE } from '../domain/gameplay.ts'
import { NAME_COLUMNS, type NameColumn } from '../domain/languages.ts'
import type { DividendLine } from '../domain/settlement.ts'
import { checkSort, fieldsOf, modelOf, namesOf, wholeNumber, type Sort } from './check.ts'
import { bad, checkFilter, dimensionsOf, shownKey, type Filter } from './filter.ts'
import type { Model, Unit } from './model.ts'
import { horseName, nameColumnOf, nameFor } from './name-sql.ts'
import type { ModelName } from './models.ts'
import { dimensionColumns, requireBetTypes, type ColumnSpec, type Plan } from './plan.ts'
import { OWN_ROWS, OWN_SLOTS, ownValue } from './own-slots.ts'
import { requireOwnRows, rowSource, type Access } from './source.ts'

/** A page of rows: dimensions and fields as columns. */
export interface RowsRequest {
  model: ModelName
  columns: string[]
  where: Filter | null
  sort: Sort[]
  offset: number
  limit: number
}

/**
 * A column of rows that is not a dimension. `of` names the joined relation it reads; only the page
 * is joined, not the table.
 */
interface Field {
  sql: string
  type: ColumnSpec['type']
  unit?: Unit
  of?: 'race' | 'horses' | 'field' | 'result' | 'dividends' | 'runner' | 'horse' | 'own'
  sortable?: true
  /** Not a column that the list and its files have. */
  unlisted?: true
}

const HORSE_NUMBERS = '[horse_no_1, horse_no_2, horse_no_3, horse_no_4]'
const textField = (sql: string, of: NonNullable<Field['of']>): Field => ({ sql, type: 'text', of })
const sortableNumber = (sql: string): Field => ({ sql, type: 'number', sortable: true })
/** A text in each language. */
const named = (
  name: string,
  of: NonNullable<Field['of']>,
  sqlOf = (column: NameColumn): string => `${of}.${name}_${column}`,
): Record<string, Field> =>
  Object.fromEntries(NAME_COLUMNS.map((column) => [`${name}_${column}`, textField(sqlOf(column), of)]))

const SHARED: Readonly<Record<string, Field>> = {
  race_id: textField('race.race_id', 'race'),
  ...named('race_name', 'race', (column) => nameFor(column, 'race')),
  /** Saddle numbers of the first four in finishing order, `3-7-1-9`. */
  result: textField('result.numbers', 'result'),
  profit_cents: { sql: 'p.profit_cents', type: 'number', unit: 'cents', sortable: true },
  market_probability: { sql: 'p.market_probability', type: 'number', unit: 'share', sortable: true },
  win_odds: sortableNumber('p.win_odds'),
  opening_odds: sortableNumber('p.opening_odds'),
  late_odds: sortableNumber('p.late_odds'),
}

/** The reader's own numbers of the one horse of a row. */
const OWN_FIELDS: Readonly<Record<string, Field>> = Object.fromEntries(
  OWN_SLOTS.map((slot) => [
    ownValue(slot),
    { sql: `${OWN_ROWS}.${ownValue(slot)}`, type: 'number', of: 'own' } satisfies Field,
  ]),
)

/** What the one horse of a row is called in every language. */
const horseFields = (of: 'runner' | 'horse'): Readonly<Record<string, Field>> => ({
  horse_id: textField('listed.horse_id', of),
  brand: textField('listed.brand', of),
})

const ofRunner = (column: string, type: Field['type'] = 'number'): Field => ({
  sql: `runner.${column}`,
  type,
  of: 'runner',
})

/** The runner of a prediction of one horse; unknown for combinations. Named as the dimensions of horses. */
const RUNNER_FIELDS: Readonly<Record<string, Field>> = {
  ...named('jockey', 'runner', (column) => nameFor(column, 'jockey')),
  ...named('trainer', 'runner', (column) => nameFor(column, 'trainer')),
  draw: ofRunner('draw'),
  rating: ofRunner('rating'),
  weight_carried: ofRunner('weight_lb'),
  body_weight: ofRunner('body_weight_lb'),
  gear: ofRunner('gear', 'text'),
  first_time_gear: ofRunner('first_time_gear', 'boolean'),
  days_since_run: ofRunner('days_since_run'),
  career_runs: ofRunner('career_runs'),
}

/** Fields of each model's rows. */
export const FIELDS: Readonly<Record<ModelName, Readonly<Record<string, Field>>>> = {
  predictions: {
    ...SHARED,
    /** Saddle numbers: in finishing order for ordered bet types, otherwise ascending. */
    combination: {
      sql: `concat_ws('-', p.horse_no_1, p.horse_no_2, p.horse_no_3, p.horse_no_4)`,
      type: 'text',
      sortable: true,
    },
    /** Names of the horses in the combination's order, each in another language where its own is unknown. */
    ...named('horses', 'horses'),
    /** Paid odds of a hit, otherwise the last recorded odds. */
    price: sortableNumber('p.odds'),
    price_paid: { sql: 'p.odds_paid', type: 'boolean' },
    selected: { sql: 'p.selected', type: 'boolean' },
    cautious: { sql: 'p.cautious', type: 'boolean' },
    upset_guard: { sql: 'p.upset_guard', type: 'boolean' },
    ...RUNNER_FIELDS,
    ...horseFields('runner'),
    ...OWN_FIELDS,
  },
  runners: {
    ...SHARED,
    horse_no: sortableNumber('p.horse_no'),
    place: sortableNumber('p.place'),
    ...horseFields('horse'),
    won: { sql: 'p.won', type: 'number' },
    places_paid: { sql: 'race.places', type: 'number', of: 'race', unlisted: true },
    /** Every published dividend of the race: see `readDividends`. */
    dividends: { sql: 'dividends.lines', type: 'text', of: 'dividends', unlisted: true },
    ...OWN_FIELDS,
  },
  /** Odds and probability are those of the model's first choice. */
  races: {
    ...SHARED,
    first_no: sortableNumber('p.horse_no'),
    ...named('first', 'field'),
    first_place: sortableNumber('p.place'),
    favourite_no: sortableNumber('p.favourite_no'),
    ...named('favourite', 'field'),
    favourite_place: sortableNumber('p.favourite_place'),
    /** Saddle numbers of the horses that won, `3` or `3-7`, and their names. */
    winner_no: textField('field.winner_no', 'field'),
    ...named('winner', 'field'),
    winner_odds: sortableNumber('p.winner_odds'),
    winner_market_rank: sortableNumber('p.winner_market_rank'),
    winner_model_rank: sortableNumber('p.winner_model_rank'),
    win_dividend: { sql: 'p.win_dividend', type: 'number', unit: 'cents', sortable: true },
  },
}

export const MAX_PAGE = 5000

/**
 * Checks an untrusted request for a page. Throws `bad-parameters`.
 *
 * ```ts
 * checkRows({ model: 'predictions', columns: ['day'], limit: 10 }) // => { model: 'predictions', columns: ['day'], where: null, sort: [], offset: 0, limit: 10 }
 * ```
 */
export function checkRows(value: unknown): RowsRequest {
  const fields = fieldsOf(value, 'rows', ['model', 'columns', 'where', 'sort', 'offset', 'limit'])
  const { name, model } = modelOf(fields['model'])
  const known = { ...rowDimensions(model), ...FIELDS[name] }
  const columns = namesOf(fields['columns'], known, 'columns', Object.keys(known).length)
  if (columns.length === 0 || new Set(columns).size < columns.length)
    throw bad('columns: none, or named twice')
  return {
    model: name,
    columns,
    where: checkFilter(model, fields['where']),
    sort: checkSort(fields['sort'] ?? [], sortableColumns(name, model), 'sort'),
    offset: wholeNumber(fields['offset'] ?? 0, 'offset', 0, 10_000_000),
    limit: wholeNumber(fields['limit'] ?? 100, 'limit', 1, MAX_PAGE),
  }
}

/**
 * Dimensions of which a row has exactly one value: neither those of horses, where a bet may have several, nor
 * overlapping prediction types.
 *
 * ```ts
 * import { PREDICTIONS } from './predictions.ts'
 * 'prediction_type' in rowDimensions(PREDICTIONS) // => false
 * ```
 */
export function rowDimensions(model: Model): Model['dimensions'] {
  return Object.fromEntries(
    Object.entries(model.dimensions).filter(
      ([name, { level, own }]) =>
        name !== 'prediction_type' && !own && (level !== 'horse' || model.table === 'starter'),
    ),
  )
}

/**
 * Names that rows can be sorted by.
 *
 * ```ts
 * import { PREDICTIONS } from './predictions.ts'
 * 'combination' in sortableColumns('predictions', PREDICTIONS) // => true
 * ```
 */
export function sortableColumns(name: ModelName, model: Model): Record<string, unknown> {
  const fields = Object.entries(FIELDS[name]).filter(([, { sortable }]) => sortable)
  return { ...rowDimensions(model), ...Object.fromEntries(fields) }
}

/**
 * Columns of a result; a dimension with names adds a name column per language.
 *
 * ```ts
 * import { PREDICTIONS } from './predictions.ts'
 * rowColumns('predictions', PREDICTIONS, ['rank', 'racecourse']).map(({ name }) => name) // => ['rank', 'racecourse', 'racecourse_en', 'racecourse_hant', 'racecourse_hans']
 * ```
 */
export function rowColumns(name: ModelName, model: Model, columns: readonly string[]): ColumnSpec[] {
  return columns.flatMap((column): ColumnSpec[] => {
    const field = FIELDS[name][column]
    if (field) return [{ name: column, type: field.type, ...(field.unit ? { unit: field.unit } : {}) }]
    return dimensionColumns(column, model.dimensions[column]!)
  })
}

/** A request for every row. */
export type AllRows = Omit<RowsRequest, 'offset' | 'limit'>

/** Plans one page. Joins names and results only to the rows of the page. Throws `bad-parameters`. */
export const planRows = (name: ModelName, model: Model, request: RowsRequest, access: Access): Plan =>
  planPage(name, model, request, access, { offset: request.offset, limit: request.limit })

/**
 * Plans every row of a query. Throws `bad-parameters`.
 *
 * ```ts
 * import { PREDICTIONS } from './predictions.ts'
 * planAllRows('predictions', PREDICTIONS, { model: 'predictions', columns: ['rank'], where: null, sort: [] }, { scope: 'all' }).columns // => [{ name: 'rank', type: 'number' }]
 * ```
 */
export const planAllRows = (name: ModelName, model: Model, request: AllRows, access: Access): Plan =>
  planPage(name, model, request, access, null)

/** The rows that a request chooses, behind FROM. Throws `bad-parameters`. */
function chosenRows(name: ModelName, model: Model, { columns, where, sort }: AllRows, access: Access) {
  // A row may show odds; only a filter on them would select by outcome.
  requireBetTypes(model, dimensionsOf(where), where)
  const read = [...columns, ...sort.map(({ by }) => by)].filter((column) => !FIELDS[name][column])
  const source = rowSource(model, read, where, access)
  const key = model.table === 'prediction' ? 'race_key, model, bet_type, rank' : 'race_key, model, horse_no'
  // A row that is selected through several of its horses is listed once.
  const chosen = source.fanOut
    ? `${model.table} WHERE (${key}) IN (SELECT (${key}) FROM ${source.from} WHERE ${source.condition})`
    : `${source.from} WHERE ${source.condition}`
  return { source, chosen }
}

/**
 * Plans the number of rows that all pages of a request have together, as `total`. Throws `bad-parameters`.
 *
 * ```ts
 * import { PREDICTIONS } from './predictions.ts'
 * planRowCount('predictions', PREDICTIONS, { model: 'predictions', columns: ['rank'], where: null, sort: [] }, { scope: 'all' }).sql // => 'SELECT count(*)::DOUBLE AS total FROM prediction WHERE true'
 * ```
 */
export function planRowCount(name: ModelName, model: Model, request: AllRows, access: Access): Plan {
  const { source, chosen } = chosenRows(name, model, request, access)
  return {
    sql: `SELECT count(*)::DOUBLE AS total FROM ${chosen}`,
    source: source.name,
    rejected: [],
    columns: [{ name: 'total', type: 'number' }],
    fanOut: false,
    cluster: null,
  }
}

/** Ordered rows: the columns of the page `p` and of the relations joined to it. */
function planPage(
  name: ModelName,
  model: Model,
  request: AllRows,
  access: Access,
  page: { offset: number; limit: number } | null,
): Plan {
  const { columns } = request
  const { source, chosen } = chosenRows(name, model, request, access)
  const order = rowOrder(name, model, request.sort)
  const paged = page
    ? `(SELECT * FROM ${chosen} ORDER BY ${order} LIMIT ${page.limit} OFFSET ${page.offset})`
    : chosen
  const dims = columns.flatMap((column, index) =>
    FIELDS[name][column] ? [] : [`${model.dimensions[column]!.sql} AS d${index}, `],
  )
  const needs = new Set(columns.map((column) => FIELDS[name][column]?.of))
  if (needs.has('own')) requireOwnRows(access)
  const joined = Object.entries(RELATIONS).flatMap(([of, relation]) =>
    needs.has(of as keyof typeof RELATIONS) ? [relation] : [],
  )
  const selected = columns.flatMap((column, index) => columnSql(name, model, column, index))
  const parts = [
    `page AS (SELECT *, ${dims.join('')}row_number() OVER (ORDER BY ${order}) AS line FROM ${paged})`,
    ...joined.flatMap(({ part }) => part ?? []),
  ]
  const sql = `WITH ${parts.join(', ')}
    SELECT ${selected.join(', ')} FROM page p ${joined.map(({ join }) => join(model)).join(' ')}
    ${namesJoins(model, name, columns)} ORDER BY p.line`
  return {
    sql,
    source: source.name,
    rejected: [],
    columns: rowColumns(name, model, columns),
    fanOut: source.fanOut,
    cluster: null,
  }
}

const HORSES_SQL = `horses AS (
  SELECT line, ${NAME_COLUMNS.map(
    (column) => `CASE WHEN count(*) = max(size)
        THEN string_agg(${horseName(column)}, ' · ' ORDER BY position)
        END AS horses_${column}`,
  ).join(', ')}
  FROM (
    SELECT line, race_key, model, size, unnest(numbers) AS horse_no, generate_subscripts(numbers, 1) AS position
    FROM (SELECT line, race_key, model, list_filter(${HORSE_NUMBERS}, lambda n: n IS NOT NULL) AS numbers,
      len(numbers) AS size FROM page)
  ) chosen
  JOIN starter ON starter.race_key = chosen.race_key AND starter.horse_no = chosen.horse_no
    AND starter.model = chosen.model
  JOIN horse ON horse.horse_key = starter.horse_key
  GROUP BY line
)`

const WON = 'starter.won > 0'
const namesWhere = (name: string, condition: string): string[] =>
  NAME_COLUMNS.map(
    (column) =>
      `string_agg(${horseName(column)}, ' · ' ORDER BY starter.horse_no) FILTER (WHERE ${condition}) AS ${name}_${column}`,
  )
/** Names of a race's horses: the model's first choice, the favourite, and those that won. */
const FIELD_SQL = `field AS (
  SELECT line, ${[
    ...namesWhere('first', 'starter.model_rank = 1'),
    ...namesWhere('favourite', 'starter.market_rank = 1'),
    ...namesWhere('winner', WON),
  ].join(', ')},
    string_agg(starter.horse_no::VARCHAR, '-' ORDER BY starter.horse_no) FILTER (WHERE ${WON}) AS winner_no
  FROM page JOIN starter ON starter.race_key = page.race_key AND starter.model = page.model
  JOIN horse ON horse.horse_key = starter.horse_key
  GROUP BY line
)`

const RUNNER_JOINS = `LEFT JOIN starter AS runner ON runner.race_key = p.race_key AND runner.model = p.model
      AND runner.horse_no = p.horse_no_1 AND p.horse_no_2 IS NULL
    LEFT JOIN jockey ON jockey.jockey_key = runner.jockey_key
    LEFT JOIN trainer ON trainer.trainer_key = runner.trainer_key
    LEFT JOIN horse AS listed ON listed.horse_key = runner.horse_key`

const RESULT_SQL = `result AS (
  SELECT race_key, string_agg(horse_no::VARCHAR, '-' ORDER BY place, horse_no) AS numbers
  FROM (SELECT DISTINCT race_key, horse_no, place FROM starter
    WHERE place <= 4 AND race_key IN (SELECT race_key FROM page))
  GROUP BY race_key
)`

/** Of the nine bet types; cents are empty unless the line is paid. */
const DIVIDENDS_SQL = `dividends AS (
  SELECT race_key, string_agg(concat_ws(',', bet_type, coalesce(combination, ''), status, coalesce(dividend_cents::VARCHAR, '')), ';'
      ORDER BY bet_type, combination) AS lines
  FROM dividend WHERE bet_type < ${DOUBLE.class} AND race_key IN (SELECT race_key FROM page)
  GROUP BY race_key
)`

const joinOwn = ({ table }: Model): string =>
  `LEFT JOIN ${OWN_ROWS} ON ${OWN_ROWS}.race_key = p.race_key AND ${OWN_ROWS}.horse_no = ${
    table === 'prediction' ? 'p.horse_no_1 AND p.horse_no_2 IS NULL' : 'p.horse_no'
  }`

/** The relations that fields read: how each is joined to the page `p`, and what WITH says of it. */
const RELATIONS: Readonly<Record<NonNullable<Field['of']>, { join(model: Model): string; part?: string }>> = {
  race: { join: () => 'JOIN race ON race.race_key = p.race_key' },
  horses: { join: () => 'LEFT JOIN horses ON horses.line = p.line', part: HORSES_SQL },
  field: { join: () => 'LEFT JOIN field ON field.line = p.line', part: FIELD_SQL },
  result: { join: () => 'LEFT JOIN result ON result.race_key = p.race_key', part: RESULT_SQL },
  dividends: {
    join: () => 'LEFT JOIN dividends ON dividends.race_key = p.race_key',
    part: DIVIDENDS_SQL,
  },
  runner: { join: () => RUNNER_JOINS },
  horse: { join: () => 'LEFT JOIN horse AS listed ON listed.horse_key = p.horse_key' },
  own: { join: joinOwn },
}

/**
 * The lines of the column `dividends` of rows: bet type, combination, state and cents for HK$10 of each.
 *
 * ```ts
 * readDividends('1,3,paid,4500;9,-,refund,') // => [{ gameplayClass: 1, combination: '3', status: 'paid', dividendCents: 4500 }, { gameplayClass: 9, combination: '', status: 'refund', dividendCents: null }]
 * ```
 */
export function readDividends(lines: string | null): DividendLine[] {
  if (lines === null || lines === '') return []
  return lines.split(';').map((line) => {
    const [betType, combination = '', status, cents = ''] = line.split(',')
    return {
      gameplayClass: Number(betType) as DividendLine['gameplayClass'],
      // A line of the whole pool.
      combination: combination === '-' ? '' : combination,
      status: status as DividendLine['status'],
      dividendCents: cents === '' ? null : Number(cents),
    }
  })
}

function namesJoins(model: Model, name: ModelName, columns: readonly string[]): string {
  return columns
    .map((column, index) => {
      const names = FIELDS[name][column] ? undefined : model.dimensions[column]!.names
      return names ? `LEFT JOIN ${names.table} AS n${index} ON n${index}.${names.key} = p.d${index}` : ''
    })
    .join(' ')
}

/** SELECT expressions of a column over the page, with its names. */
function columnSql(name: ModelName, model: Model, column: string, index: number): string[] {
  const field = FIELDS[name][column]
  if (field) {
    const cast = field.type === 'number' ? '::DOUBLE' : field.type === 'text' ? '::VARCHAR' : ''
    return [`(${field.sql})${cast} AS ${column}`]
  }
  const dimension = model.dimensions[column]!
  const { bins: _bins, ...value } = dimension
  const { names } = dimension
  return [
    `${shownKey(value, `p.d${index}`)} AS ${column}`,
    ...(names
      ? NAME_COLUMNS.map(
          (language) => `${nameColumnOf(language, names.table, `n${index}`)} AS ${column}_${language}`,
        )
      : []),
  ]
}

/** A total order: without the final tie-break, two pages could share rows or miss some. */
function rowOrder(name: ModelName, model: Model, sort: readonly Sort[]): string {
  const requested = sort.map(({ by, descending }) => {
    const field = FIELDS[name][by]
    const sql = field ? field.sql.replaceAll('p.', '') : model.dimensions[by]!.sql
    return `${sql} ${descending ? 'DESC' : 'ASC'} NULLS LAST`
  })
  return [...requested, ...model.rowOrder].join(', ')
}
