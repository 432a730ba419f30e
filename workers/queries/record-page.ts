import type { GridFilter, RecordFilter, RecordSort } from '../../contract/queries.ts'
import { where } from '../sql/literal.ts'
import { gridConditions, predictionSource, sumsOf } from '../sql/record-source.ts'
import type { QueryBuilder } from './query.ts'

/** The combination as it is written, of the four number columns. */
export const COMBINATION = `concat_ws('-', p.horse_no_1, p.horse_no_2, p.horse_no_3, p.horse_no_4)`

const SORT_COLUMNS: Readonly<Record<RecordSort['column'], string>> = {
  race_date: 'p.race_date',
  stadium_key: 'p.stadium_key',
  race_no: 'p.race_no',
  gameplay_class: 'p.gameplay_class',
  rank: 'p.rank',
  combination: 'p.horse_no_1',
  probability: 'p.probability',
  odds: 'p.odds',
  outcome: 'p.outcome',
  profit_cents: 'p.profit_cents',
}

/** A total order: without the tie-break at its end two pages could share rows or lose some. */
export function orderBy(sort: readonly RecordSort[]): string {
  const chosen = sort.map(
    ({ column, descending }) => `${SORT_COLUMNS[column]} ${descending ? 'DESC' : 'ASC'} NULLS LAST`,
  )
  const newestFirst = [
    'p.race_date DESC',
    'p.stadium_key',
    'p.race_no',
    'p.gameplay_class',
    'p.rank',
    'p.race_key',
  ]
  return `ORDER BY ${[...chosen, ...newestFirst].join(', ')}`
}

/** The chosen predictions, one row each, before names. */
export function chosenRows(
  filter: RecordFilter,
  grid: readonly GridFilter[],
): { from: string; where: string } {
  const source = predictionSource(filter)
  return { from: source.from, where: where([...source.conditions, ...gridConditions(grid)]) }
}

const horseNames = (column: string): string =>
  `CASE WHEN count(horse.${column}) = max(size) THEN string_agg(horse.${column}, ' · ' ORDER BY position) END`

/** One page of the record, names looked up for its rows only. */
export const recordPage: QueryBuilder<'record_page'> = ({ filter, grid, sort, offset, limit }) => {
  const chosen = chosenRows(filter, grid)
  return {
    source: 'rows',
    sql: `WITH page AS (
        SELECT p.*, row_number() OVER (${orderBy(sort)}) AS line
        FROM (SELECT p.* FROM ${chosen.from} ${chosen.where} ${orderBy(sort)} LIMIT ${limit} OFFSET ${offset}) p
      ), horses AS (
        SELECT line, ${horseNames('name_en')} AS horses_en, ${horseNames('name_hant')} AS horses_hant,
          ${horseNames('name_hans')} AS horses_hans
        FROM (
          SELECT line, race_key, size, unnest(numbers) AS horse_no, generate_subscripts(numbers, 1) AS position
          FROM (
            SELECT line, race_key, list_filter([horse_no_1, horse_no_2, horse_no_3, horse_no_4], lambda n: n IS NOT NULL) AS numbers,
              len(numbers) AS size
            FROM page
          )
        ) chosen
        JOIN runner ON runner.race_key = chosen.race_key AND runner.horse_no = chosen.horse_no
        JOIN horse ON horse.horse_key = runner.horse_key
        GROUP BY line
      )
      SELECT race.race_id, strftime(p.race_date, '%Y-%m-%d') AS race_date, p.stadium_key::INTEGER AS stadium_key,
        p.race_no::INTEGER AS race_no, race.name_en AS race_name_en, race.name_hant AS race_name_hant,
        race.name_hans AS race_name_hans, p.gameplay_class::INTEGER AS gameplay_class, p.rank::INTEGER AS rank,
        ${COMBINATION} AS combination, horses.horses_en, horses.horses_hant, horses.horses_hans,
        p.probability::DOUBLE AS probability, p.selected, p.cautious, p.upset_guard, p.odds, p.odds_paid,
        p.outcome::VARCHAR AS outcome, p.profit_cents::DOUBLE AS profit_cents, p.origin::VARCHAR AS origin
      FROM page p JOIN race USING (race_key) LEFT JOIN horses USING (line)
      ORDER BY line`,
  }
}

/** How many predictions the grid has, and their sums. */
export const recordCount: QueryBuilder<'record_count'> = ({ filter, grid }) => {
  const source = predictionSource(filter)
  return {
    source: 'rows',
    sql: `SELECT ${sumsOf(source)}, min(p.race_date)::VARCHAR AS first_day, max(p.race_date)::VARCHAR AS last_day
      FROM ${source.from} ${where([...source.conditions, ...gridConditions(grid)])}`,
  }
}
