import { OWN_TABLE } from '../../analytics/own-api.ts'
import { NAME_COLUMNS } from '../../domain/languages.ts'
import type { GuessedKind, OwnRoles } from '../../domain/own-columns.ts'

const NAMES = NAME_COLUMNS.map((column) => `name_${column}` as const)

/**
 * Statements that find the starter of each row of `own_raw`: the table `own_match` has `row_no`, `race_key`,
 * `horse_no` and `reason`, which is NULL if the row has a starter. Races, racecourses and horses are looked up once
 * for each distinct text of a key: conversions are slow over millions of rows.
 */
export function matchStatements(roles: OwnRoles, kinds: readonly GuessedKind[]): string[] {
  const { number, horse } = roles
  const race = raceKeyOf(roles, kinds)
  const { texts } = race
  const selected = texts.map(([key, at]) => `c${at} AS ${key}`).join(', ')
  const keys = texts.map(([key]) => `k.${key}`).join(', ')
  return [
    ...(race.venue === undefined ? [] : [venueStatement(race.venue)]),
    ...(number === undefined ? horseStatements(horse!) : []),
    `CREATE OR REPLACE TEMP TABLE own_race AS
     SELECT ${keys}, min(r.race_key) AS race_key, count(DISTINCT r.race_key) AS races,
       bool_or(${race.required.map((key) => `k.${key} IS NULL`).join(' OR ')}) AS no_key
     FROM (SELECT *, ${race.converted} FROM (SELECT DISTINCT ${selected} FROM own_raw)) k ${race.joins}
     GROUP BY ${keys}`,
    `CREATE OR REPLACE TEMP TABLE own_found AS
     SELECT k.row_no, o.race_key, o.races, r.horse_no, coalesce(o.no_key, true) OR k.horse IS NULL AS no_key
     FROM (SELECT row_no, ${selected}, ${number === undefined ? `c${horse!}` : wholeNumber(kinds[number]!, `c${number}`)} AS horse FROM own_raw) k
     LEFT JOIN own_race o ON ${texts.map(([key]) => `o.${key} = k.${key}`).join(' AND ')}
     ${
       number === undefined
         ? 'LEFT JOIN own_runner r ON r.race_key = o.race_key AND r.horse = k.horse'
         : 'LEFT JOIN runner r ON r.race_key = o.race_key AND r.horse_no = k.horse'
     }`,
    MATCH_STATEMENT,
    'DROP TABLE own_race',
    'DROP TABLE own_found',
  ]
}

/** A whole number from 1 to 99 from a column of the file that a query has under the name `text`. */
function wholeNumber(kind: GuessedKind, text: string): string {
  const value = kind.kind === 'number' ? typedSql(text, kind) : `try_cast(trim(${text}) AS DOUBLE)`
  return `(SELECT CASE WHEN v BETWEEN 1 AND 99 AND v = floor(v) THEN v::INTEGER END FROM (SELECT ${value} AS v))`
}

/** How the rows of a file name their races. */
interface RaceKey {
  /** Names and columns of the texts that together name a race. */
  texts: [name: string, at: number][]
  /** The texts converted to the types of `race`. */
  converted: string
  /** Joins of the converted texts `k` with `race r`. */
  joins: string
  /** Columns of `k` without which a row has no race. */
  required: string[]
  /** Column of the racecourse, if races are found by it. */
  venue: number | undefined
}

function raceKeyOf({ raceId, date, racecourse, raceNo }: OwnRoles, kinds: readonly GuessedKind[]): RaceKey {
  if (raceId !== undefined)
    return {
      texts: [['race', raceId]],
      converted: 'upper(trim(race)) AS race_id',
      joins: 'LEFT JOIN race r ON r.race_id = k.race_id',
      required: ['race_id'],
      venue: undefined,
    }
  const converted = `${typedSql('day', kinds[date!]!)} AS race_date, ${wholeNumber(kinds[raceNo!]!, 'no')} AS race_no`
  const joins = 'LEFT JOIN race r ON r.race_date = k.race_date AND r.race_no = k.race_no'
  const texts: RaceKey['texts'] = [
    ['day', date!],
    ['no', raceNo!],
  ]
  const required = ['race_date', 'race_no']
  if (racecourse === undefined) return { texts, converted, joins, required, venue: racecourse }
  return {
    texts: [...texts, ['venue', racecourse]],
    converted,
    joins: `LEFT JOIN own_venue v ON v.venue = k.venue ${joins} AND r.stadium_key = v.stadium_key`,
    required: [...required, 'venue'],
    venue: racecourse,
  }
}

/** The racecourses that a column names. */
const venueStatement = (at: number): string =>
  `CREATE OR REPLACE TEMP TABLE own_venue AS
   SELECT DISTINCT n.venue, s.stadium_key
   FROM (SELECT venue, ${plainName('venue')} AS plain FROM (SELECT DISTINCT c${at} AS venue FROM own_raw)) n
   JOIN (SELECT stadium_key, unnest([lower(stadium_id), ${NAMES.map(plainName).join(', ')},
       ${initials('name_en')}]) AS plain FROM stadium) s ON s.plain = n.plain AND n.plain <> ''`

/** The horses that a column names, and their runs. */
const horseStatements = (at: number): string[] => [
  `CREATE OR REPLACE TEMP TABLE own_horse AS
   SELECT DISTINCT n.horse, s.horse_key
   FROM (SELECT horse, ${plainName('horse')} AS plain FROM (SELECT DISTINCT c${at} AS horse FROM own_raw)) n
   JOIN (SELECT horse_key, unnest([${[...NAMES, 'brand', 'horse_id'].map(plainName).join(', ')}]) AS plain
     FROM horse) s ON s.plain = n.plain AND n.plain <> ''`,
  // If two horses of a race have had the same name, the one with the lower number is used.
  `CREATE OR REPLACE TEMP TABLE own_runner AS
   SELECT r.race_key, h.horse, min(r.horse_no) AS horse_no
   FROM runner r JOIN own_horse h ON h.horse_key = r.horse_key GROUP BY r.race_key, h.horse`,
]

const MATCH_STATEMENT = `CREATE OR REPLACE TABLE own_match AS
   SELECT f.row_no, f.race_key, f.horse_no,
     CASE WHEN no_key THEN 'no-key' WHEN races = 0 THEN 'no-race' WHEN races > 1 THEN 'two-races'
       WHEN f.horse_no IS NULL THEN 'no-horse' WHEN f.row_no > first.row_no THEN 'twice' END AS reason
   FROM own_found f LEFT JOIN (
     SELECT race_key, horse_no, min(row_no) AS row_no FROM own_found
     WHERE NOT no_key AND races = 1 AND horse_no IS NOT NULL GROUP BY race_key, horse_no
   ) first ON first.race_key = f.race_key AND first.horse_no = f.horse_no`

/** The initials of a name: `Sha Tin` is also written ST. */
const initials = (sql: string): string => String.raw`lower(regexp_replace(${sql}, '(\w)\w*\W*', '\1', 'g'))`

/** The matched rows with every column of the file, converted to its type. */
export const ownDataSql = (columns: readonly string[], kinds: readonly GuessedKind[]): string =>
  `CREATE OR REPLACE TABLE ${OWN_TABLE} AS
   SELECT m.race_key, race.race_id, race.race_date, m.horse_no::TINYINT AS horse_no,
     ${columns.map((column, at) => `${typedSql(`own_raw.c${at}`, kinds[at]!)} AS ${quoted(column)}`).join(', ')}
   FROM own_match m JOIN own_raw ON own_raw.row_no = m.row_no JOIN race ON race.race_key = m.race_key
   WHERE m.reason IS NULL ORDER BY race.race_date, m.race_key, m.horse_no`

/** Column names that `own_data` reserves. */
export const OWN_KEYS = ['race_key', 'race_id', 'race_date', 'horse_no'] as const

/** Cells that represent a missing value, in lower case. */
const NOTHING = `('', '-', '–', '—', 'na', 'n/a', 'nan', 'null', 'none')`

/** Quotes a name for SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A cell of the text columns `c0`, `c1`, … converted to its type; NULL if it is not valid. */
export function typedSql(column: string, { kind, form, comma, percent }: GuessedKind): string {
  if (kind === 'text') return `nullif(trim(${column}), '')`
  if (kind === 'date') return `try_strptime(trim(${column}), '${form}')::DATE`
  const bare = percent ? `rtrim(trim(${column}), '%')` : column
  const value = `try_cast(${comma ? `replace(${bare}, ',', '.')` : bare} AS DOUBLE)`
  const scaled = percent
    ? `CASE WHEN ends_with(trim(${column}), '%') THEN ${value} / 100 ELSE ${value} END`
    : value
  return `CASE WHEN isfinite(${value}) THEN ${scaled} END`
}

/** Whether a cell represents a missing value. */
export const nothingSql = (column: string): string => `(lower(trim(${column})) IN ${NOTHING})`

/** Whether a cell has a value that is not valid for its type. */
export const oddSql = (column: string, kind: GuessedKind): string =>
  kind.kind === 'text'
    ? 'false'
    : `(${column} IS NOT NULL AND ${typedSql(column, kind)} IS NULL AND NOT ${nothingSql(column)})`

/** A name without case, accents, punctuation, spaces and text in brackets. */
const plainName = (sql: string): string =>
  String.raw`regexp_replace(lower(strip_accents(regexp_replace(${sql}, '\([^)]*\)', '', 'g'))), '[^\p{L}\p{N}]', '', 'g')`
