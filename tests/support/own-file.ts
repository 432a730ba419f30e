import type { OwnSource } from '../../analytics/own-api.ts'
import { NO_OWN_VALUE } from '../../analytics/own-slots.ts'
import { csvLine } from '../../domain/csv.ts'
import type { Database } from '../../server/db/database.ts'
import { REGION } from './reference-chances.ts'

/** Number columns of the generated file, in its order; the seventh finds no slot. */
export const OWN_NUMBERS = ['Speed <b>"1"', 'stars', 'weight off', 'P(win)', 'blinkered', 'few', 'seventh']

/** A whole number from 0 that depends only on the text. */
const drawn = (text: string): string => `(hashtext(${text} || race_id || horse_no) & 2147483647)`

/**
 * The rows of a file with figures of one's own for two thirds of the runners, as a table of PostgreSQL: fractions that
 * hardly repeat, a few whole numbers, mostly 0, percentages that some rows lack, a mark that few have, and a column for seven rows
 * alone, which no five bands of equal size can have.
 */
const CELLS = `create table own_cell as
  select row_no, race_id, horse_no, (${drawn(`'speed'`)} % 2000001 - 1000000)::float8 / 7 as c1,
    case when ${drawn(`'lacks'`)} % 9 > 0 then (${drawn(`'stars'`)} % 10)::float8 end as c2,
    case when ${drawn(`'none'`)} % 5 < 3 then 0 else (${drawn(`'off'`)} % 40)::float8 / 4 end as c3,
    case when ${drawn(`'unsure'`)} % 2 = 0 then (${drawn(`'percent'`)} % 199 + 1)::float8 / 2 / 100 end as c4,
    case when ${drawn(`'gear'`)} % 10 < 9 then 0 else 1 end::float8 as c5,
    case when row_no <= 7 then row_no * 1.5 end::float8 as c6, horse_no::float8 as c7
  from (
    select runner.race_id, horse_no, row_number() over (order by hashtext(runner.race_id || horse_no), horse_id) as row_no
    from runner join race on race.id = runner.race_id
    where race.region_id = '${REGION}' and race.status = 'final' and horse_no is not null
      and (hashtext('in' || runner.race_id || horse_no) & 2147483647) % 3 > 0
  ) as line;`

/**
 * The band of each row: a band begins at each value in whose rows some fifth begins, and after a value in whose rows
 * several do.
 */
const bandOf = (column: string): string => `(
  select row_no, band from own_cell join (
    select value, sum(case when fifths > 0 or before > 1 then 1 else 0 end) over (order by value) - 1 as band from (
      select value, fifths, coalesce(lag(fifths) over (order by value), 0) as before from (
        select value, (select count(*) from generate_series(0, 4) as at
          where at * total / 5 >= below and at * total / 5 < below + equal) as fifths
        from (
          select ${column} as value, count(*) as equal, sum(count(*)) over (order by ${column})::int - count(*) as below,
            sum(count(*)) over ()::int as total
          from own_cell where ${column} is not null group by ${column}
        ) as counted
      ) as begun
    ) as each_value
  ) as banded on banded.value = ${column}
)`

const SLOTS = [1, 2, 3, 4, 5, 6]

/** Creates the cells, and adds to `reference_starter` the six columns with a slot: their bands and their numbers. */
export const OWN_REFERENCE_TABLES = `${CELLS}
  create table own_number as
  select race_id, horse_no, ${SLOTS.map((slot) => `b${slot}.band as own_${slot}, c${slot} as own_${slot}_value`).join(', ')}
  from own_cell ${SLOTS.map((slot) => `left join ${bandOf(`c${slot}`)} as b${slot} using (row_no)`).join('\n')};
  ${SLOTS.map((slot) => `alter table reference_starter add column own_${slot} int default ${NO_OWN_VALUE}, add column own_${slot}_value float8;`).join('\n')}
  update reference_starter s
  set ${SLOTS.map((slot) => `own_${slot} = coalesce(o.own_${slot}, ${NO_OWN_VALUE}), own_${slot}_value = o.own_${slot}_value`).join(', ')}
  from own_number o where o.race_id = s.race_id and o.horse_no = s.horse_no;
  analyze reference_starter; analyze own_number;`

interface Cells extends Record<string, number | string | null> {
  raceId: string
  horseNo: number
}

/**
 * The same rows as the CSV file that a user would choose, with rows that have no starter: of a race and a horse that do
 * not exist, and a second one of a horse.
 */
export async function ownFile(database: Database): Promise<{ file: OwnSource; rows: number }> {
  const cells = await database.rows<Cells>('select * from own_cell order by row_no')
  const percent = (value: number | string | null | undefined): string =>
    typeof value === 'number' ? `${Math.round(value * 200) / 2}%` : 'n/a'
  const lines = cells.map((row) => [
    row.raceId,
    row.horseNo,
    'quietly fancied',
    ...[1, 2, 3, 4, 5, 6, 7].map((at) => (at === 4 ? percent(row['c4']) : (row[`c${at}`] ?? ''))),
  ])
  const other = ['doubted', 1, 1, 1, '50%', 1, 1, 1]
  const first = lines[0]!
  const text = [
    ['Race ID', 'No.', 'remark', ...OWN_NUMBERS],
    ...lines,
    ['HKGST1999010101', 1, ...other],
    [first[0]!, 77, ...other],
    [first[0]!, first[1]!, ...other],
  ]
    .map((line) => csvLine(line))
    .join('')
  return { file: new Blob([text]), rows: cells.length }
}
