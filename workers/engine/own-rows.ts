import { tableFromIPC } from 'apache-arrow'
import type { OwnRows } from '../../analytics/engine-api.ts'
import { bandIndex } from '../../analytics/filter.ts'
import { OWN_TABLE } from '../../analytics/own-api.ts'
import { OWN_BANDS, OWN_ROWS, OWN_SLOTS, ownValue, type FilledSlot } from '../../analytics/own-slots.ts'
import type { DuckDb } from './duckdb.ts'
import { runShortSql } from './run-sql.ts'

const FILE = 'own-rows.duckdb'
const ALIAS = 'own_file'
const SHARES = Array.from({ length: OWN_BANDS + 1 }, (_, index) => index / OWN_BANDS)

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

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

/** Lower edges of bands of as many rows each, ascending, then the largest value; `null` where there is no number. */
async function edgesOf(duckdb: DuckDb, sql: string): Promise<number[] | null> {
  const shares = SHARES.map((share, index) => `quantile_disc(value, ${share}) AS e${index}`)
  const found = tableFromIPC(
    await runShortSql(
      duckdb,
      `SELECT ${shares.join(', ')} FROM (SELECT ${sql} AS value FROM ${ALIAS}.${OWN_TABLE}) WHERE value IS NOT NULL`,
    ),
  ).get(0)
  const values = SHARES.map((_, index) => found?.[`e${index}`] as number | null | undefined)
  const [first, ...others] = values
  const last = others.at(-1)
  if (first === null || first === undefined || last === null || last === undefined) return null
  const lower = values.slice(0, -1).filter((value) => typeof value === 'number')
  return [...new Set(lower), last]
}
