import { Float64, Table, tableToIPC, vectorFromArray } from 'apache-arrow'
import type { RowsPage } from '../../analytics/engine-api.ts'
import type { LabPlan } from '../../analytics/lab-api.ts'
import { ANY_BET } from '../../domain/bet-table.ts'
import { LEVEL_TEN } from '../../domain/staking.ts'

/** HK$10 on every bet that is loaded. */
export const TEN_ON_EACH: LabPlan = { rules: ANY_BET, plan: LEVEL_TEN, own: null, box: null }

/** Cells of one column; numbers may be unknown. */
export type Column = readonly (number | string | null)[]

/** Rows as the engine sends them to the lab. */
export function pageOf(columns: Readonly<Record<string, Column>>): RowsPage {
  const vectors = Object.entries(columns).map(([name, values]) => [
    name,
    values.every((value) => typeof value === 'string')
      ? vectorFromArray(values)
      : vectorFromArray(values, new Float64()),
  ])
  return { bytes: tableToIPC(new Table(Object.fromEntries(vectors) as never)) as never, columns: [] }
}
