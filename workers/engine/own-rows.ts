import { tableFromIPC } from 'apache-arrow'
import type { OwnRows } from '../../analytics/engine-api.ts'
import { bandIndex } from '../../analytics/filter.ts'
import { OWN_TABLE } from '../../analytics/own-api.ts'
import { OWN_BANDS, OWN_ROWS, OWN_SLOTS, ownValue, type FilledSlot } from '../../analytics/own-slots.ts'
import { number, quoted } from '../../analytics/sql.ts'
import type { DuckDb } from './duckdb.ts'
import { runShortSql } from './run-sql.ts'

const FILE = 'own-rows.duckdb'
const ALIAS = 'own_file'

/**
 * Makes the table `OWN_ROWS` of the user's matched rows: the keys of the starter, and for each slot the number of its
 * band and the number itself. Returns the slots that are filled; a column without numbers fills none.
 */
export async function loadOwnRows(duckdb: DuckDb, { bytes, columns }: OwnRows): Promise<FilledSlot[]> {
  await duckdb.database.registerFileBuffer(FILE, bytes)
  try {
    await runShortSql(duckdb, `ATTACH '${FILE}' AS ${ALIAS} (READ_ONLY)`)
    const filled: (FilledSlot & { sql: string })[] = []
    for (const { column, name } of columns) {
      const slot = OWN_SLOTS[filled.length]
      if (slot === undefined) break
      const sql = `${quoted(column)}::DOUBLE`
      const edges = await edgesOf(duckdb, sql)
      if (edges !== null) filled.push({ slot, name, edges, sql })
    }
    const selected = OWN_SLOTS.flatMap((slot) => {
      const found = filled.find((each) => each.slot === slot)
      return found
        ? [
            `${bandIndex(found.sql, found.edges.slice(0, -1))} AS ${slot}`,
            `${found.sql} AS ${ownValue(slot)}`,
          ]
        : [`NULL::TINYINT AS ${slot}`, `NULL::DOUBLE AS ${ownValue(slot)}`]
    })
    await runShortSql(
      duckdb,
      `CREATE OR REPLACE TABLE ${OWN_ROWS} AS
       SELECT race_key, horse_no, ${selected.join(', ')} FROM ${ALIAS}.${OWN_TABLE};
       DETACH ${ALIAS}`,
    )
    return filled.map(({ sql: _sql, ...slot }) => slot)
  } finally {
    await duckdb.database.dropFile(FILE)
  }
}

/**
 * Lower edges of bands of as many rows each, ascending, then the largest value; `null` where there is no number. Equal
 * values are in one band; a value in which several fifths begin has one of its own.
 */
async function edgesOf(duckdb: DuckDb, sql: string): Promise<number[] | null> {
  const ask = async (selected: string, above: string): Promise<Record<string, unknown>> => {
    const values = `(SELECT ${sql} AS value FROM ${ALIAS}.${OWN_TABLE})`
    const rows = await runShortSql(duckdb, `SELECT ${selected} FROM ${values} WHERE value ${above}`)
    return tableFromIPC(rows).get(0)!.toJSON()
  }
  const size = Number((await ask('count(*)::DOUBLE AS size', 'IS NOT NULL'))['size'])
  if (size === 0) return null
  // A share in the middle of a row is safe from rounding.
  const shareOf = (row: number): string => `${number((row - 0.5) / size)}::DOUBLE`
  const starts = OWN_BANDS.map((band) => Math.floor((band * size) / OWN_BANDS.length) + 1)
  const selected = [...starts, size].map((row, index) => `quantile_disc(value, ${shareOf(row)}) AS e${index}`)
  const found = Object.values(await ask(selected.join(', '), 'IS NOT NULL')).map(Number)
  const [lower, last] = [found.slice(0, -1), found.at(-1)!]
  const edges = new Set(lower)
  for (const frequent of new Set(lower.filter((value, at) => lower.indexOf(value) < at))) {
    const { next } = await ask('min(value) AS next', `> ${number(frequent)}`)
    if (typeof next === 'number') edges.add(next)
  }
  return [...[...edges].toSorted((a, b) => a - b), last]
}
