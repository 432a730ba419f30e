import { LIVE_TABLES } from './live.ts'

/** A file as it is attached: its name in SQL and the tables that it has. */
export interface AttachedFile {
  alias: string
  tables: readonly string[]
}

/** Kept in memory because nearly every question reads them and they are small; the rest stays in the files. */
const MATERIALISED = [
  'race',
  'accuracy_cube',
  'accuracy_day',
  'stadium',
  'model',
  'jockey',
  'trainer',
] as const
const VIEWED = [
  'prediction',
  'win_chance',
  'reason',
  'prediction_lock',
  'runner',
  'dividend',
  'odds_tick',
  'horse',
] as const

/** Whole numbers far below 2^53 add up exactly as doubles, and several times faster than as 128-bit integers. */
const MEASURES = ['predictions', 'hits', 'voids', 'unknown', 'unknown_hits', 'stake_cents', 'profit_cents']
const AS_DOUBLES = `* REPLACE (${MEASURES.map((name) => `${name}::DOUBLE AS ${name}`).join(', ')})`
const COLUMNS: Readonly<Record<string, string>> = { accuracy_cube: AS_DOUBLES, accuracy_day: AS_DOUBLES }

const ORDER: Readonly<Record<string, string>> = {
  race: 'ORDER BY race_key',
  accuracy_cube: 'ORDER BY race_date, stadium_key, gameplay_class, prediction_type, model_key',
  accuracy_day: 'ORDER BY race_date, gameplay_class, prediction_type, model_key',
}

/** Statements that show the attached files as one table each; a table that no file has is left out. */
export function viewStatements(files: readonly AttachedFile[]): string[] {
  const union = (table: string): string | null => {
    const parts = files
      .filter(({ tables }) => tables.includes(table))
      .map(({ alias }) => `SELECT * FROM ${alias}.${table}`)
    return parts.length === 0 ? null : parts.join(' UNION ALL ')
  }
  const made = MATERIALISED.flatMap((table) => {
    const rows = union(table)
    const drop = `DROP TABLE IF EXISTS ${table}`
    return rows === null
      ? [drop]
      : [
          drop,
          `CREATE TABLE ${table} AS SELECT ${COLUMNS[table] ?? '*'} FROM (${rows}) ${ORDER[table] ?? ''}`,
        ]
  })
  const shown = VIEWED.flatMap((table) => {
    const rows = union(table)
    const drop = `DROP VIEW IF EXISTS ${table}`
    return rows === null ? [drop] : [drop, `CREATE VIEW ${table} AS ${rows}`]
  })
  return [...LIVE_TABLES, ...made, ...shown]
}
