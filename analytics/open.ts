import { NAME_COLUMNS } from '../domain/languages.ts'
import { PROBABILITY_EDGES } from './dimensions.ts'
import { bandIndex } from './filter.ts'
import { MODELS } from './models.ts'
import type { Scalar, Sum } from './model.ts'
import { RACE_TOTALS, RANKED_PREDICTIONS } from './predictions.ts'
import { DETAILED_RACE_ROWS, raceRows, RACES } from './races.ts'
import { DETAILED_STARTER } from './runners.ts'
import { FREQUENT, FREQUENT_ROWS, HORSE_COLUMNS, hasPart, partColumn } from './source.ts'
import { nameFor } from './name-sql.ts'
import { sqlType, type Table } from './table.ts'
import { FILE_TABLES, PREDICTION, RACE, STARTER, STARTER_DETAIL, STARTER_SECTIONS } from './tables.ts'

/** An attached file: its name in SQL and its tables. */
export interface AttachedFile {
  alias: string
  tables: readonly string[]
}

/**
 * Tables copied to memory in the background after the first queries, because nearly every query reads them.
 * The others are read from the files.
 */
const IN_MEMORY: ReadonlySet<string> = new Set(['race', 'accuracy_day', 'prediction', 'starter', 'stadium'])

/** Tables of which all files together take as long as one file of the others. */
const SMALL: ReadonlySet<string> = new Set(['race', 'accuracy_day', 'stadium'])

/** Text columns that become ENUMs once their values are known: they group several times faster. */
const TEXT_ENUMS: Readonly<Record<string, readonly string[]>> = {
  prediction: ['course', 'going', 'race_class'],
  starter: ['course', 'going', 'race_class', 'gear'],
}

/**
 * Whole cents far below 2^53 add up exactly as doubles, and several times faster than as 128-bit integers.
 */
const AS_DOUBLE = 'profit_cents'

const TABLES: readonly Table[] = [...new Set<Table>(Object.values(FILE_TABLES).flat())]

/**
 * Empty relation of a table, so that a query on a table that is in no file finds no rows instead of failing.
 */
const emptyOf = (of: Table): string =>
  `SELECT ${Object.entries(of.columns)
    .map(([name, column]) => `NULL::${sqlType(column)} AS ${name}`)
    .join(', ')} WHERE false`

const union = (files: readonly AttachedFile[], of: Table): string => {
  const parts = files
    .filter(({ tables }) => tables.includes(of.name))
    .map(({ alias }) => `SELECT * FROM ${alias}.${of.name}`)
  return parts.length === 0 ? emptyOf(of) : parts.join(' UNION ALL ')
}

const enumName = (column: string): string => `enum_${column}`

/**
 * Statements that create an ENUM type of a text column's values in a relation. No type is empty, even for a column without
 * values: DuckDB fails with "Enum needs a set of entries" where it optimises some joins.
 */
const enumOf = (column: string, rows: string): string[] => [
  `DROP TYPE IF EXISTS ${enumName(column)}`,
  `CREATE TYPE ${enumName(column)} AS ENUM (
    SELECT ${column} FROM ${rows} WHERE ${column} IS NOT NULL UNION SELECT '' ORDER BY 1)`,
]

/**
 * Selects a file's columns with some expressions replaced, and adds the columns that only
 * the opened relation has.
 */
function selectOf(of: Table, rows: string, enums: readonly string[]): string {
  const replaced = [
    ...enums.map((column) => `${column}::${enumName(column)} AS ${column}`),
    ...(AS_DOUBLE in of.columns ? [`${AS_DOUBLE}::DOUBLE AS ${AS_DOUBLE}`] : []),
  ]
  const star = replaced.length === 0 ? '*' : `* REPLACE (${replaced.join(', ')})`
  const band =
    'probability' in of.columns ? `, ${bandIndex('probability', PROBABILITY_EDGES)} AS probability_band` : ''
  return `SELECT ${star}${band} FROM (${rows})`
}

const viewOver = (of: Table, rows: string): string =>
  `CREATE OR REPLACE VIEW ${of.name} AS ${IN_MEMORY.has(of.name) ? selectOf(of, rows, []) : rows}`

const memoryName = (of: Table): string => `memory_${of.name}`

/**
 * Creates a table of the rows of all selects. One step per select, and so per file, each taking tens of milliseconds: a
 * query waits for at most one of them.
 */
const fillSteps = (table: string, [first, ...others]: readonly string[]): string[][] => [
  [`CREATE OR REPLACE TABLE ${table} AS ${first}`],
  ...others.map((select) => [`INSERT INTO ${table} ${select}`]),
]

/** The rows of a table in each file that has it, with its texts as ENUMs. */
const selectsOf = (files: readonly AttachedFile[], of: Table): string[] =>
  files
    .filter(({ tables }) => tables.includes(of.name))
    .map(({ alias }) => selectOf(of, `SELECT * FROM ${alias}.${of.name}`, TEXT_ENUMS[of.name] ?? []))

function memorySteps(files: readonly AttachedFile[], of: Table): string[][] {
  const selects = selectsOf(files, of)
  const view = `CREATE OR REPLACE VIEW ${of.name} AS SELECT * FROM ${memoryName(of)}`
  if (selects.length === 0) return []
  if (SMALL.has(of.name)) return [[...fillSteps(memoryName(of), [selects.join(' UNION ALL ')]).flat(), view]]
  return [...fillSteps(memoryName(of), selects), [view, ...viewsOf(of)]]
}

/**
 * Sums of the ten predictions per race and bet type: the rollup `RACE_TOTALS`. What the table of races, which is in memory by
 * then, has of its dimensions is read there once a race instead of from each row.
 */
function raceTotals(rows: string): string {
  const { sums } = MODELS.predictions
  const additive = RACE_TOTALS.sums.flatMap((name) => {
    const sum = sums[name as keyof typeof sums]
    if (sum.kind !== 'additive') return []
    const sql = 'product' in sum ? `coalesce(-ln(${sum.product}), 0)` : sum.sql
    return [`${sql} AS ${name}`]
  })
  const texts = TEXT_ENUMS[PREDICTION.name]!
  const ofRace = ['race_date', 'stadium_key', 'race_no', 'track', 'distance_m', 'starters']
  return `SELECT total.*, ${ofRace.map((column) => `race.${column}`).join(', ')},
    ${texts.map((column) => `race.${column}::${enumName(column)} AS ${column}`).join(', ')}
    FROM (SELECT race_key, bet_type, model, origin,
      ${['region', 'season', 'meeting_key'].map((column) => `any_value(${column}) AS ${column}`).join(', ')},
      ${additive.join(', ')} FROM (${rows}) GROUP BY race_key, bet_type, model, origin) total
    LEFT JOIN race ON race.race_key = total.race_key`
}

const PAIRS_VIEW = `CREATE VIEW jockey_trainer AS SELECT j.jockey_key::INTEGER * 32768 + t.trainer_key AS pair_key,
  ${NAME_COLUMNS.map((column) => `${nameFor(column, 'j')} || ' / ' || ${nameFor(column, 't')} AS name_${column}`).join(', ')}
  FROM jockey j CROSS JOIN trainer t`

const DETAIL_COLUMNS = Object.keys(STARTER_DETAIL.columns).filter((column) => !(column in STARTER.columns))
const SECTION_COLUMNS = Object.keys(STARTER_SECTIONS.columns).filter((column) => !(column in STARTER.columns))
const PEDIGREE = ['sire', 'dam_sire', 'country']
const DETAIL_TEXTS = ['last_class', 'new_gear', 'sex', 'owner']

/** Every starter with its details, pedigree and sections. `enums`: texts become ENUMs, of the types that `enumOf` makes. */
function detailedStarters(enums: boolean): string {
  const typed = (text: string, column: string): string =>
    enums ? `${text}.${column}::${enumName(column)} AS ${column}` : `${text}.${column}`
  const details = DETAIL_COLUMNS.map((column) =>
    DETAIL_TEXTS.includes(column) ? typed('d', column) : `d.${column}`,
  )
  const pedigree = PEDIGREE.map((column) => typed('h', column))
  const sections = SECTION_COLUMNS.map((column) => `x.${column}`)
  return `SELECT s.*, ${[...details, ...pedigree, ...sections].join(', ')}, x.race_key IS NOT NULL AS has_sections
    FROM ${STARTER.name} s
    LEFT JOIN ${STARTER_DETAIL.name} d ON d.race_key = s.race_key AND d.horse_no = s.horse_no
    LEFT JOIN ${STARTER_SECTIONS.name} x ON x.race_key = s.race_key AND x.horse_no = s.horse_no
    LEFT JOIN horse h ON h.horse_key = s.horse_key`
}

const DETAILED_VIEW = `CREATE OR REPLACE VIEW ${DETAILED_STARTER} AS`
const DETAILED_MEMORY = `memory_${DETAILED_STARTER}`

const JOINED: readonly string[] = [STARTER_DETAIL.name, STARTER_SECTIONS.name]

/** Joins the starters in memory with their details and sections, once, where either is opened. */
function detailedSteps(files: readonly AttachedFile[]): string[][] {
  if (!files.some(({ tables }) => tables.some((name) => JOINED.includes(name)))) return []
  const enums = [
    ...DETAIL_TEXTS.map((column) => enumOf(column, STARTER_DETAIL.name)),
    ...PEDIGREE.map((column) => enumOf(column, 'horse')),
  ]
  return [
    enums.flat(),
    [
      `CREATE OR REPLACE TABLE ${DETAILED_MEMORY} AS ${detailedStarters(true)}`,
      `${DETAILED_VIEW} SELECT * FROM ${DETAILED_MEMORY}`,
    ],
  ]
}

const RACE_ROW_VIEW = `CREATE OR REPLACE VIEW ${RACES.table} AS`
const RANKED_VIEW = `CREATE OR REPLACE VIEW ${MODELS.predictions.detailedTable} AS ${RANKED_PREDICTIONS}`
const DETAILED_RACE_VIEW = `CREATE OR REPLACE VIEW ${RACES.detailedTable} AS ${DETAILED_RACE_ROWS}`

/** The views of starters: made anew where a column of theirs becomes an ENUM, because a view fails whose columns have other types. */
const ofStarters = (): string[] => [
  `${DETAILED_VIEW} ${detailedStarters(false)}`,
  `${RACE_ROW_VIEW} ${raceRows(STARTER.name)}`,
  DETAILED_RACE_VIEW,
  RANKED_VIEW,
]
/** The views that are made anew with a table. */
const viewsOf = (of: Table): string[] =>
  of === STARTER ? ofStarters() : of === PREDICTION ? [RANKED_VIEW] : []

const RACE_ROW_MEMORY = `memory_${RACES.table}`

/** Makes the rows of races file by file, because a race's starters are in the same file. */
function raceRowSteps(files: readonly AttachedFile[]): string[][] {
  const selects = selectsOf(files, STARTER).map((select) => raceRows(`(${select})`))
  if (selects.length === 0) return []
  return [
    ...fillSteps(RACE_ROW_MEMORY, selects),
    [`${RACE_ROW_VIEW} SELECT * FROM ${RACE_ROW_MEMORY}`, DETAILED_RACE_VIEW],
  ]
}

const HEAD = 'race_id VARCHAR, told_at TIMESTAMP, horse_no TINYINT'
/**
 * Updates received after the files were built. Created with the views, so that queries may
 * use them before any arrive.
 */
const LIVE_TABLES: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS live_odds (${HEAD}, odds DOUBLE, PRIMARY KEY (race_id, horse_no, told_at))`,
  `CREATE TABLE IF NOT EXISTS live_result (${HEAD}, place TINYINT, PRIMARY KEY (race_id, horse_no))`,
  `CREATE TABLE IF NOT EXISTS live_tip (${HEAD}, rank TINYINT, probability DOUBLE, PRIMARY KEY (race_id, rank))`,
]

/**
 * Statements that drop everything that was opened, after which the files can be detached.
 *
 * ```ts
 * closeStatements().includes('DROP TABLE IF EXISTS frequent') // => true
 * ```
 */
export function closeStatements(): string[] {
  return [
    'DROP VIEW IF EXISTS jockey_trainer',
    `DROP VIEW IF EXISTS ${MODELS.predictions.detailedTable}`,
    `DROP VIEW IF EXISTS ${RACES.detailedTable}`,
    `DROP VIEW IF EXISTS ${RACES.table}`,
    `DROP TABLE IF EXISTS ${RACE_ROW_MEMORY}`,
    `DROP VIEW IF EXISTS ${DETAILED_STARTER}`,
    `DROP TABLE IF EXISTS ${DETAILED_MEMORY}`,
    `DROP TABLE IF EXISTS ${RACE_TOTALS.table}`,
    `DROP TABLE IF EXISTS ${FREQUENT}`,
    ...TABLES.map(({ name }) => `DROP VIEW IF EXISTS ${name}`),
    ...TABLES.filter(({ name }) => IN_MEMORY.has(name)).map((of) => `DROP TABLE IF EXISTS ${memoryName(of)}`),
  ]
}

/**
 * Statements that present the attached files as one relation per table, after which every query can run.
 *
 * ```ts
 * openStatements([{ alias: 'f1', tables: ['race'] }]).some((sql) => sql.includes('SELECT * FROM f1.race')) // => true
 * ```
 */
export function openStatements(files: readonly AttachedFile[]): string[] {
  return [...LIVE_TABLES, ...TABLES.map((of) => viewOver(of, union(files, of))), PAIRS_VIEW, ...ofStarters()]
}

/** A part of the work that makes queries faster: its statements take tens of milliseconds. */
export interface MaterializeStep {
  statements: readonly string[]
  /** The table of `MADE_TABLES` that queries can use after this step. */
  made?: string
}

/**
 * Steps after which the same queries run two to three times faster: the most used tables are
 * copied to memory, and the rollup by race is built. Each step takes tens of milliseconds;
 * queries can run between them.
 *
 * ```ts
 * materializeSteps([{ alias: 'f1', tables: ['race'] }]).flatMap(({ statements }) => statements).some((sql) => sql.startsWith('CREATE OR REPLACE TABLE memory_race')) // => true
 * ```
 */
export function materializeSteps(files: readonly AttachedFile[]): MaterializeStep[] {
  // In the order of their use: totals answer most clicks, then the picks, then everything else.
  const others = TABLES.filter(({ name }) => IN_MEMORY.has(name) && name !== RACE.name)
  return [
    ...stepsOf([
      ...memorySteps(files, RACE),
      // Races and starters have every value that predictions have.
      TEXT_ENUMS[PREDICTION.name]!.flatMap((column) => enumOf(column, RACE.name)),
    ]),
    ...stepsOf(raceTotalSteps(files), RACE_TOTALS.table),
    ...stepsOf([enumOf('gear', STARTER.name)]),
    ...stepsOf(frequentSteps(files), FREQUENT),
    ...stepsOf(others.flatMap((of) => memorySteps(files, of))),
    ...stepsOf(raceRowSteps(files)),
    ...stepsOf(detailedSteps(files)),
  ]
}

/**
 * The first of these steps: up to the totals of races, with which most questions are answered.
 *
 * ```ts
 * totalsSteps([{ alias: 'f1', tables: ['race'] }]).at(-1)?.made // => 'race_total'
 * ```
 */
export function totalsSteps(files: readonly AttachedFile[]): MaterializeStep[] {
  const steps = materializeSteps(files)
  return steps.slice(0, steps.findIndex(({ made }) => made === RACE_TOTALS.table) + 1)
}

const stepsOf = (parts: readonly string[][], made?: string): MaterializeStep[] =>
  parts.map((statements, index) =>
    made !== undefined && index === parts.length - 1 ? { statements, made } : { statements },
  )

/** Joins file by file, because a race's predictions and starters are in the same file. */
function frequentSteps(files: readonly AttachedFile[]): string[][] {
  const parts = Object.entries<Sum>(MODELS.predictions.sums)
    .flatMap(([name, sum]) => (hasPart(sum) ? [`${sum.value} AS ${partColumn(name)}`] : []))
    .join(', ')
  const join = (predictions: string, starters: string): string =>
    `SELECT p.*, s.horse_no AS starter_no, ${HORSE_COLUMNS.map((column) => `s.${column}`).join(', ')}
     FROM (SELECT *, ${parts} FROM ${predictions}) p LEFT JOIN ${starters} s ON s.race_key = p.race_key AND s.model = p.model
       AND s.horse_no = CASE WHEN p.horse_no_2 IS NULL THEN p.horse_no_1 END`
  const selects = files
    .filter(({ tables }) => tables.includes(PREDICTION.name))
    .map(({ alias }) => {
      const rows = `SELECT * FROM ${alias}.${PREDICTION.name} WHERE ${FREQUENT_ROWS}`
      const starters = `SELECT * FROM ${alias}.${STARTER.name}`
      return join(
        `(${selectOf(PREDICTION, rows, TEXT_ENUMS[PREDICTION.name]!)})`,
        `(${selectOf(STARTER, starters, TEXT_ENUMS[STARTER.name]!)})`,
      )
    })
  const none = `${join(PREDICTION.name, STARTER.name)} WHERE false`
  return fillSteps(FREQUENT, selects.length === 0 ? [none] : selects)
}

/** Aggregates file by file, because a race's predictions by one model are in the same file. */
function raceTotalSteps(files: readonly AttachedFile[]): string[][] {
  const rows = files
    .filter(({ tables }) => tables.includes(PREDICTION.name))
    .map(({ alias }) => selectOf(PREDICTION, `SELECT * FROM ${alias}.${PREDICTION.name}`, []))
  if (rows.length === 0) rows.push(`SELECT * FROM ${PREDICTION.name} WHERE false`)
  return fillSteps(RACE_TOTALS.table, rows.map(raceTotals))
}

/** Tables that `materializeSteps` creates in addition to those of the files; those that `totalsSteps` leaves out. */
export const MADE_TABLES: readonly string[] = [FREQUENT, RACE_TOTALS.table]
export const NOT_TOTALS: readonly string[] = [FREQUENT]

/**
 * Finds the model and origin of the opened predictions in their totals, once these are made; where there is only one,
 * filters on it can be skipped.
 */
export const CONSTANTS_SQL = `SELECT DISTINCT model::VARCHAR AS model, origin::VARCHAR AS origin FROM ${RACE_TOTALS.table} LIMIT 10`

/**
 * Constants from the rows of `CONSTANTS_SQL`.
 *
 * ```ts
 * constantsOf([{ model: 'blended', origin: 'locked' }, { model: 'blended', origin: 'backtest' }]) // => { model: 'blended' }
 * ```
 */
export function constantsOf(
  rows: readonly { model: Scalar | null; origin: Scalar | null }[],
): Readonly<Record<string, Scalar>> {
  return Object.fromEntries(
    (['model', 'origin'] as const).flatMap((dim) => {
      const values = new Set(rows.map((row) => row[dim]))
      const [only] = values
      return values.size === 1 && only !== null && only !== undefined ? [[dim, only]] : []
    }),
  )
}
