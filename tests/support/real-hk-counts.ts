import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { groupBy } from '../../domain/group-by.ts'
import type { TestDatabase } from './databases.ts'

/** What files of Hong Kong hold, counted without the importer, and the same counts of what is stored. */

export type Row = Record<string, string>

export const rowsIn = (paths: readonly string[]): Row[] =>
  paths.flatMap((path): Row[] => parse(readFileSync(path, 'utf8'), { columns: true, bom: true }))

/** Rows without their exact repetitions. */
const once = (rows: readonly Row[]): Row[] => [
  ...new Map(rows.map((row) => [JSON.stringify(row), row])).values(),
]

const VENUES: Readonly<Record<string, string>> = { 沙田: 'ST', 跑馬地: 'HV', 從化: 'CH' }

const raceOf = ({ date, venue = '', racecourse = '', race_no: no }: Row): string =>
  `${date} ${VENUES[venue] ?? racecourse} ${no}`

/** Pools of one race whose lines are bets here; the doubles of a meeting are named after their first race. */
const CHINESE_POOLS = new Map(
  ['獨贏', '位置', '連贏', '位置Q', '二重彩', '單T', '三重彩', '四連環', '四重彩'].map((pool, index) => [
    pool,
    index + 1,
  ]),
)
const ENGLISH_POOLS = new Map(
  ['WIN', 'PLACE', 'QUINELLA', 'QUINELLA PLACE', 'FORECAST', 'TRIO', 'TIERCE', 'FIRST 4', 'QUARTET'].map(
    (pool, index) => [pool, index + 1],
  ),
)

interface Line {
  race: string
  pool: number
  /** Saddle numbers, in order where the pool has none. */
  horses: string
  /** `null`: no figure. */
  cents: number | null
}

/** Forecast, tierce and quartet. */
const IN_ORDER = new Set([5, 7, 9])
const horsesOf = (pool: number, written: readonly string[]): string => {
  const horses = written.map(Number)
  return (IN_ORDER.has(pool) ? horses : horses.toSorted((one, other) => one - other)).join('-')
}

/** The lines of the nine pools, each once. */
export const chineseLines = (paths: readonly string[]): Line[] =>
  once(rowsIn(paths)).flatMap((row) => {
    const pool = CHINESE_POOLS.get(row['pool']!)
    if (pool === undefined) return []
    const [amount, unit = '10'] = row['dividend_hkd']!.replaceAll(',', '').split('/$')
    const cents = Math.round((Number(amount) * 1000) / Number(unit))
    const horses = horsesOf(pool, row['combination']!.split(','))
    return { race: raceOf(row), pool, horses, cents: Number.isNaN(cents) ? null : cents }
  })

export const englishLines = (paths: readonly string[]): Line[] =>
  rowsIn(paths).map((row) => {
    const pool = ENGLISH_POOLS.get(row['pool']!)!
    const cents = Math.round(Number(row['dividend_hkd_per_10']) * 100)
    return { race: raceOf(row), pool, horses: horsesOf(pool, row['combination']!.split('-')), cents }
  })

/** Lines of both, of which one that is in both is that of the first. */
export const joinedLines = (first: readonly Line[], second: readonly Line[]): Line[] => [
  ...new Map(
    [...second, ...first].map((line) => [`${line.race} ${line.pool} ${line.horses}`, line]),
  ).values(),
]

/** Lines of each pool: how many, and the cents that they paid. */
export const linesByPool = (lines: readonly Line[]): Record<string, string> =>
  Object.fromEntries(
    [...groupBy(lines, ({ pool }) => pool)]
      .map(([pool, own]): [string, string] => [
        String(pool),
        `${own.length} paid ${own.reduce((sum, { cents }) => sum + (cents ?? 0), 0)}`,
      ])
      .toSorted(([one], [other]) => Number(one) - Number(other)),
  )

const STARTED = new Set(['PU', 'UR', 'FE', 'DNF', 'TNP', 'DISQ'])

/** Of result files in Chinese. */
export function chineseResults(paths: readonly string[]) {
  const all = rowsIn(paths)
  const rows = once(all)
  const placed = rows.filter(({ place }) => /^\d/.test(place!))
  return {
    repeated: all.length - rows.length,
    races: new Set(rows.map(raceOf)),
    counts: {
      races: new Set(rows.map(raceOf)).size,
      runners: rows.length,
      winners: placed.filter(({ place }) => Number.parseInt(place!, 10) === 1).length,
      tied: placed.filter(({ place }) => place!.endsWith('平頭馬')).length,
      unfinished: rows.filter(({ place }) => STARTED.has(place!)).length,
      withdrawn: rows.filter(({ place }) => place!.startsWith('W')).length,
      priced: rows.filter(({ win_odds: odds }) => /^\d/.test(odds!)).length,
    },
  }
}

/** Of result files in English, which have only those that finished; of races that are not among `others`. */
export function englishResults(paths: readonly string[], others: ReadonlySet<string> = new Set()) {
  const rows = rowsIn(paths).filter((row) => !others.has(raceOf(row)))
  const places = groupBy(rows, (row) => `${raceOf(row)} ${row['placing']}`)
  return {
    races: new Set(rows.map(raceOf)),
    counts: {
      races: new Set(rows.map(raceOf)).size,
      runners: rows.length,
      winners: rows.filter(({ placing }) => placing === '1').length,
      tied: [...places.values()].filter(({ length }) => length > 1).flat().length,
      unfinished: 0,
      withdrawn: 0,
      priced: rows.filter(({ win_odds: odds }) => odds !== '').length,
    },
  }
}

/** Of the races with a result. */
export async function storedResults({ database }: Pick<TestDatabase, 'database'>): Promise<unknown> {
  const [counts] = await database.rows(
    `select count(distinct race_id)::int as races, count(*)::int as runners,
       count(*) filter (where place = 1)::int as winners, count(*) filter (where dead_heat)::int as tied,
       count(*) filter (where runner.status = 'unfinished')::int as unfinished,
       count(*) filter (where runner.status = 'withdrawn')::int as withdrawn, count(win_odds)::int as priced
     from runner`,
  )
  return counts
}

/** Of the races with a result. */
export async function storedLines({
  database,
}: Pick<TestDatabase, 'database'>): Promise<Record<string, string>> {
  const rows = await database.rows<{ pool: number; lines: number; cents: string }>(
    `select gameplay_class as pool, count(*)::int as lines, coalesce(sum(dividend_cents), 0)::text as cents
     from dividend join race on race.id = race_id
     where gameplay_class between 1 and 9 and race.status = 'final' group by 1 order by 1`,
  )
  return Object.fromEntries(rows.map(({ pool, lines, cents }) => [String(pool), `${lines} paid ${cents}`]))
}

/** What section files say of races: their runners, but for those left out, and the times of all their sections. */
export function sectionsOf(
  paths: readonly string[],
  races: ReadonlySet<string>,
  leftOut: ReadonlySet<string> = new Set(),
) {
  const all = once(rowsIn(paths)).filter((row) => !leftOut.has(`${raceOf(row)} ${row['horse_no']}`))
  const rows = all.filter((row) => races.has(raceOf(row)))
  const times = rows.flatMap((row) =>
    [1, 2, 3, 4, 5, 6].flatMap((no) => {
      const seconds = row[`sec${no}_time`]!
      return seconds === '' ? [] : Math.round(Number(seconds) * 1000)
    }),
  )
  return {
    ofOtherRaces: all.length - rows.length,
    counts: { runners: rows.length, timed: times.length, ms: times.reduce((sum, ms) => sum + ms, 0) },
  }
}

export async function storedSections({ database }: Pick<TestDatabase, 'database'>): Promise<unknown> {
  const [counts] = await database.rows(
    `select count(distinct (race_id, horse_no))::int as runners, count(time_ms)::int as timed,
       sum(time_ms)::float8 as ms from section`,
  )
  return counts
}
