import { OWN_TABLE } from '../../analytics/own-api.ts'
import { quoted } from '../../analytics/sql.ts'
import { NAME_COLUMNS } from '../../domain/languages.ts'
import type { OwnRole, OwnRoles } from '../../domain/reading/own-columns.ts'
import { cleanText, isMissing } from '../../domain/reading/clean-text.ts'
import type { GuessedKind } from '../../domain/reading/guess-kind.ts'
import { readDay } from '../../domain/reading/read-day.ts'
import { readNumbered } from '../../domain/reading/read-whole.ts'
import type { OwnEngine } from './own-engine.ts'
import { textJoins, typedSql, type TypedColumn } from './typed-sql.ts'

const NAMES = NAME_COLUMNS.map((column) => `name_${column}` as const)

/** Column names that `own_data` reserves. */
export const OWN_KEYS = ['race_key', 'race_id', 'race_date', 'horse_no'] as const

/** The roles that name a starter. */
const KEY_ROLES = ['raceId', 'date', 'raceNo', 'racecourse', 'number', 'horse'] as const
type KeyRole = Extract<OwnRole, (typeof KEY_ROLES)[number]>

/** Tables of the distinct texts of each key: what the readers make of them, and whether they say that there is none. */
const keyTable = (role: KeyRole): string => `own_key_${role.toLowerCase()}`

const distinct = async (engine: OwnEngine, at: number): Promise<string[]> =>
  (await engine.rows(`SELECT DISTINCT c${at} AS text FROM own_raw WHERE c${at} IS NOT NULL`)).map(
    ({ text }) => String(text),
  )

/**
 * Reads every distinct text of the keys but the days, by the readers of `domain/reading`: numbers of races and saddle
 * cloths with words around them, ids and names without invisible characters.
 */
export async function readKeys(engine: OwnEngine, roles: OwnRoles): Promise<void> {
  for (const role of ['raceNo', 'number'] as const) {
    const at = roles[role]
    const texts = at === undefined ? [] : await distinct(engine, at)
    const kind = role === 'raceNo' ? 'race' : 'saddle'
    await engine.write(
      keyTable(role),
      { value: 'INTEGER', missing: 'BOOLEAN' },
      texts.map((text) => {
        const reading = readNumbered(text, kind)
        return [text, reading.kind === 'value' ? reading.value : null, reading.kind === 'missing']
      }),
    )
  }
  for (const role of ['raceId', 'racecourse', 'horse'] as const) {
    const at = roles[role]
    const texts = at === undefined ? [] : await distinct(engine, at)
    await engine.write(
      keyTable(role),
      { value: 'VARCHAR', missing: 'BOOLEAN' },
      texts.map((text) => [text, cleanText(text), isMissing(text)]),
    )
  }
}

/** Reads every distinct text of the days. */
export async function readDays(
  engine: OwnEngine,
  at: number | undefined,
  kind: Extract<GuessedKind, { kind: 'date' }> | null,
): Promise<void> {
  const texts = at === undefined || kind === null ? [] : await distinct(engine, at)
  await engine.write(
    keyTable('date'),
    { value: 'DATE', missing: 'BOOLEAN' },
    texts.map((text) => {
      const reading = readDay(text, kind!)
      return [text, reading.kind === 'value' ? reading.value : null, reading.kind === 'missing']
    }),
  )
}

/**
 * Statements that look up the racecourses and horses that the file names, by what `readKeys` read: once, because it takes
 * long over all names of all horses, and the order of the days changes nothing about it.
 */
export const nameStatements = (roles: OwnRoles): string[] => [
  VENUE_STATEMENT,
  ...(roles.horse === undefined ? NO_HORSE_STATEMENTS : HORSE_STATEMENTS),
]

/**
 * Statements that find the starter of each row of `own_raw` by the keys that `readKeys` and `readDays` read, after
 * `nameStatements`: the table `own_match` has `row_no`, `race_key`, `horse_no` and `reason`, which is NULL if the row has a
 * starter. Races are looked up once for each distinct combination of texts: conversions are slow over millions of rows.
 */
export function matchStatements(roles: OwnRoles): string[] {
  const texts = KEY_ROLES.slice(0, 4).map((role) => {
    const at = roles[role]
    return { role, name: `k_${role.toLowerCase()}`, cell: at === undefined ? 'NULL::VARCHAR' : `c${at}` }
  })
  const selected = texts.map(({ name, cell }) => `${cell} AS ${name}`).join(', ')
  const keyJoins = texts
    .map(
      ({ role, name }) =>
        `LEFT JOIN ${keyTable(role)} x_${role.toLowerCase()} ON x_${role.toLowerCase()}.text = k.${name}`,
    )
    .join('\n')
  // An id of another source is no race of ours; without other keys, the row names none.
  const unnamed = roles.date === undefined ? 'no-race' : 'no-key'
  const hasNumber = roles.number !== undefined
  const hasHorse = roles.horse !== undefined
  return [
    // Each combination of texts with its number, the race of its id, and what the other keys say.
    `CREATE OR REPLACE TEMP TABLE own_combination AS
     SELECT row_number() OVER ()::INTEGER AS combination, k.*, r.race_key AS id_race,
       r.race_key IS NULL AND coalesce(regexp_full_match(upper(x_raceid.value), '[A-Z]{5}[0-9]{10}'), false) AS id_of_none,
       NOT coalesce(x_raceid.missing, true) AS has_id, x_date.value AS day, x_raceno.value AS no,
       coalesce(x_racecourse.missing, true) AS no_venue,
       k.k_racecourse IN (SELECT venue FROM own_venue) AS known_venue
     FROM (SELECT DISTINCT ${selected} FROM own_raw) k
     ${keyJoins}
     LEFT JOIN race r ON r.race_id = upper(x_raceid.value)`,
    // The races that the other keys name: without a number of the race or a racecourse that is known, all of the day.
    `CREATE OR REPLACE TEMP TABLE own_candidate AS
     SELECT DISTINCT k.combination, r.race_key, k.no IS NOT NULL AND (k.no_venue OR v.stadium_key IS NOT NULL) AS named
     FROM own_combination k JOIN race r ON r.race_date = k.day AND (r.race_no = k.no OR k.no IS NULL)
     LEFT JOIN own_venue v ON v.venue = k.k_racecourse AND v.stadium_key = r.stadium_key
     WHERE k.no_venue OR NOT k.known_venue OR v.stadium_key IS NOT NULL`,
    `CREATE OR REPLACE TEMP TABLE own_race AS
     SELECT k.*, coalesce(c.races, 0) AS races, c.race_key AS only_race,
       CASE WHEN k.id_race IS NOT NULL THEN
           CASE WHEN c.races > 0 AND NOT list_contains(c.keys, k.id_race) THEN 'race-disagrees' ELSE 'found' END
         WHEN k.id_of_none THEN CASE WHEN c.races > 0 THEN 'race-disagrees' ELSE 'no-race' END
         WHEN c.races = 1 THEN 'found'
         WHEN a.combination IS NOT NULL THEN 'several'
         WHEN k.day IS NULL THEN CASE WHEN k.has_id THEN '${unnamed}' ELSE 'no-key' END
         ELSE 'no-race' END AS state
     FROM own_combination k
     LEFT JOIN (SELECT combination, count(*) AS races, min(race_key) AS race_key, list(race_key) AS keys
       FROM own_candidate WHERE named GROUP BY combination) c ON c.combination = k.combination
     LEFT JOIN (SELECT DISTINCT combination FROM own_candidate) a ON a.combination = k.combination`,
    `CREATE OR REPLACE TEMP TABLE own_row AS
     SELECT w.row_no, w.horse, s.value AS number, w.number IS NOT NULL AND NOT coalesce(s.missing, false) AS has_number,
       w.horse IS NOT NULL AND NOT coalesce(h.missing, false) AS has_horse, o.combination, o.state, o.races, o.no,
       CASE WHEN o.state = 'found' THEN coalesce(o.id_race, o.only_race) END AS race_key
     FROM (SELECT row_no, ${selected}, ${hasNumber ? `c${roles.number!}` : 'NULL::VARCHAR'} AS number,
         ${hasHorse ? `c${roles.horse!}` : 'NULL::VARCHAR'} AS horse FROM own_raw) w
     LEFT JOIN own_race o ON ${texts
       .filter(({ role }) => roles[role] !== undefined)
       .map(({ name }) => `o.${name} IS NOT DISTINCT FROM w.${name}`)
       .join(' AND ')}
     LEFT JOIN ${keyTable('number')} s ON s.text = w.number
     LEFT JOIN ${keyTable('horse')} h ON h.text = w.horse`,
    // Where several races fit, the one in which the horse runs.
    `CREATE OR REPLACE TEMP TABLE own_by_horse AS
     SELECT w.row_no, min(r.race_key) AS race_key
     FROM own_row w JOIN own_candidate c ON c.combination = w.combination
     JOIN own_runner r ON r.race_key = c.race_key AND r.horse = w.horse
     WHERE w.state = 'several' AND (w.races = 0 OR c.named)
     GROUP BY w.row_no HAVING count(DISTINCT r.race_key) = 1`,
    FOUND_STATEMENT,
    MATCH_STATEMENT,
    ...['combination', 'candidate', 'race', 'row', 'by_horse', 'found'].map(
      (table) => `DROP TABLE own_${table}`,
    ),
  ]
}

/** The racecourses that the file names: by id, name in any language, or initials. */
const VENUE_STATEMENT = `CREATE OR REPLACE TEMP TABLE own_venue AS
   SELECT DISTINCT n.text AS venue, s.stadium_key
   FROM (SELECT text, ${plainName('value')} AS plain FROM ${keyTable('racecourse')}) n
   JOIN (SELECT stadium_key, unnest([lower(stadium_id), ${NAMES.map((name) => plainName(name)).join(', ')},
       ${initials('name_en')}]) AS plain FROM stadium) s ON s.plain = n.plain AND n.plain <> ''`

/** The horses that the file names, and their runs. */
const HORSE_STATEMENTS = [
  `CREATE OR REPLACE TEMP TABLE own_horse AS
   SELECT DISTINCT n.text AS horse, s.horse_key
   FROM (SELECT text, ${plainName('value')} AS plain FROM ${keyTable('horse')}) n
   JOIN (SELECT horse_key, unnest([${[...NAMES, 'brand', 'horse_id'].map((name) => plainName(name)).join(', ')}]) AS plain
     FROM horse) s ON s.plain = n.plain AND n.plain <> ''`,
  // If two horses of a race have had the same name, the one with the lower number is used, or that of the row's number.
  `CREATE OR REPLACE TEMP TABLE own_runner AS
   SELECT r.race_key, h.horse, min(r.horse_no) AS horse_no, list(r.horse_no) AS horse_nos
   FROM runner r JOIN own_horse h ON h.horse_key = r.horse_key GROUP BY r.race_key, h.horse`,
  `CREATE OR REPLACE TEMP TABLE own_known AS SELECT DISTINCT horse FROM own_horse`,
]
const NO_HORSE_STATEMENTS = [
  `CREATE OR REPLACE TEMP TABLE own_runner AS
   SELECT race_key, NULL::VARCHAR AS horse, horse_no, [horse_no] AS horse_nos FROM runner LIMIT 0`,
  'CREATE OR REPLACE TEMP TABLE own_known (horse VARCHAR)',
]

/**
 * The runner of each row in its race. A number and a horse that name different runners are no match: a known horse that
 * does not run in the race is another one. A horse that the data do not know says nothing.
 */
const FOUND_STATEMENT = `CREATE OR REPLACE TEMP TABLE own_found AS
   SELECT w.row_no, w.race_key,
     CASE WHEN w.race_key IS NULL OR w.disagrees THEN NULL WHEN w.has_number AND w.number IS NOT NULL THEN n.horse_no
       ELSE w.named_no END AS horse_no,
     CASE WHEN w.state IN ('race-disagrees', 'no-race') THEN w.state
       WHEN w.state IS NULL OR w.state = 'no-key' THEN 'no-key'
       WHEN NOT w.has_number AND NOT w.has_horse THEN 'no-key'
       WHEN w.race_key IS NULL THEN
         CASE WHEN w.races > 1 THEN 'two-races' WHEN w.no IS NOT NULL THEN 'no-race'
           WHEN w.has_horse THEN 'no-horse' ELSE 'no-key' END
       WHEN w.disagrees THEN 'horse-disagrees'
       WHEN w.has_number AND w.number IS NULL AND w.named_no IS NULL THEN 'unread-number'
       WHEN w.has_number AND w.number IS NOT NULL AND n.horse_no IS NULL THEN 'no-horse'
       WHEN (NOT w.has_number OR w.number IS NULL) AND w.named_no IS NULL THEN 'no-horse' END AS reason
   FROM (
     SELECT v.*, h.horse_no AS named_no,
       v.number IS NOT NULL AND v.has_horse AND k.horse IS NOT NULL AND NOT coalesce(list_contains(h.horse_nos, v.number), false) AS disagrees
     FROM (SELECT o.* EXCLUDE (race_key), coalesce(o.race_key, b.race_key) AS race_key
       FROM own_row o LEFT JOIN own_by_horse b ON b.row_no = o.row_no) v
     LEFT JOIN own_runner h ON h.race_key = v.race_key AND h.horse = v.horse
     LEFT JOIN own_known k ON k.horse = v.horse
   ) w LEFT JOIN runner n ON n.race_key = w.race_key AND n.horse_no = w.number`

const MATCH_STATEMENT = `CREATE OR REPLACE TABLE own_match AS
   SELECT f.row_no, f.race_key, f.horse_no,
     coalesce(f.reason, CASE WHEN f.row_no > first.row_no THEN 'twice' END) AS reason
   FROM own_found f LEFT JOIN (
     SELECT race_key, horse_no, min(row_no) AS row_no FROM own_found
     WHERE reason IS NULL GROUP BY race_key, horse_no
   ) first ON first.race_key = f.race_key AND first.horse_no = f.horse_no`

/** The initials of a name: `Sha Tin` is also written ST. */
function initials(sql: string): string {
  return String.raw`lower(regexp_replace(${sql}, '(\w)\w*\W*', '\1', 'g'))`
}

/** The matched rows with every column of the file, converted to its type. */
export const ownDataSql = (columns: readonly string[], typed: readonly TypedColumn[]): string =>
  `CREATE OR REPLACE TABLE ${OWN_TABLE} AS
   SELECT m.race_key, race.race_id, race.race_date, m.horse_no::TINYINT AS horse_no,
     ${columns.map((column, at) => `${typedSql(typed[at]!)} AS ${quoted(column)}`).join(', ')}
   FROM own_match m JOIN own_raw ON own_raw.row_no = m.row_no JOIN race ON race.race_key = m.race_key
   ${textJoins(typed)}
   WHERE m.reason IS NULL ORDER BY race.race_date, m.race_key, m.horse_no`

/** A name without case, accents, punctuation, spaces and text in brackets. */
function plainName(sql: string): string {
  return String.raw`regexp_replace(lower(strip_accents(regexp_replace(${sql}, '\([^)]*\)', '', 'g'))), '[^\p{L}\p{N}]', '', 'g')`
}
