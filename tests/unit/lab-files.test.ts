import { parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import { fileColumns } from '../../analytics/file-columns.ts'
import type { LabBet } from '../../analytics/lab-api.ts'
import { PREDICTIONS } from '../../analytics/predictions.ts'
import { ParquetRows } from '../../src/workspace/files/parquet-rows.ts'
import { BET_COLUMNS, BOX_COLUMNS, PlacedRows, withStakes } from '../../src/workspace/lab/placed-rows.ts'

/** Files of the lab's bets: of the rows that were read those with a stake. */

const bet = (at: number, over: Partial<LabBet> = {}): LabBet => ({
  at,
  raceId: `HKSHT202601040${at + 1}`,
  day: '2026-01-04',
  raceNo: at + 1,
  betType: 1,
  combination: String(at + 4),
  combinations: 1,
  probability: 0.25,
  odds: 3,
  stake: 20_000,
  outcome: 'miss',
  profit: -18_000,
  ...over,
})
const row = (at: number) => ({
  race_id: `HKSHT202601040${at + 1}`,
  day: '2026-01-04',
  combination: String(at + 4),
  probability: 0.2,
  outcome: 'miss',
  profit_cents: -1000,
})
const COLUMNS = Object.keys(row(0))

const begin = (bets: readonly LabBet[]) =>
  new PlacedRows(
    bets,
    new ParquetRows([...fileColumns('predictions', PREDICTIONS, COLUMNS), ...BET_COLUMNS]),
    false,
  )

test('of the rows, which arrive in pages, those with a bet are written with its stake, profit and probability', async () => {
  const rows = begin([bet(1), bet(3, { outcome: 'hit', profit: null, odds: null })])
  rows.add([row(0), row(1)])
  rows.add([row(2), row(3), row(4)])
  const written = await parquetReadObjects({ file: await rows.file().arrayBuffer() })
  const told = { race_id: 'HKSHT2026010402', day: new Date('2026-01-04'), outcome: 'miss' }
  expect(written).toEqual([
    {
      ...told,
      combination: '5',
      probability: 0.25,
      profit_cents: -18_000n,
      odds_used: 3,
      stake_cents: 20_000n,
    },
    {
      ...told,
      race_id: 'HKSHT2026010404',
      combination: '7',
      probability: 0.25,
      profit_cents: null,
      odds_used: null,
      stake_cents: 20_000n,
    },
  ])
})

test('a box is written beside the columns of its race', async () => {
  const box = { betType: 9, combination: '3 > 1,4,7', combinations: 6, probability: 0.031, odds: null }
  const rows = new PlacedRows(
    [bet(1, box)],
    new ParquetRows([{ name: 'race_id', type: 'VARCHAR' }, ...BOX_COLUMNS]),
    true,
  )
  const race = (at: number) => ({ race_id: row(at).race_id })
  rows.add([race(0), race(1)])
  const [written] = await parquetReadObjects({ file: await rows.file().arrayBuffer() })
  expect(written).toMatchObject({ race_id: 'HKSHT2026010402', bet_type: 9, combination: '3 > 1,4,7' })
  const other = new PlacedRows([bet(1, box)], new ParquetRows([{ name: 'race_id', type: 'VARCHAR' }]), true)
  expect(() => other.add([race(0), race(2)])).toThrow('busy')
})

test('rows that are not those of the bets make no file', () => {
  expect(() => begin([bet(1)]).add([row(1), row(2)])).toThrow('busy')
  const short = begin([bet(1), bet(3)])
  short.add([row(0), row(1)])
  expect(() => short.file()).toThrow('busy')
})

test('the stakes stand before the outcome', () => {
  expect(withStakes(['day', 'outcome', 'profit_cents'])).toEqual([
    'day',
    'odds_used',
    'stake_cents',
    'outcome',
    'profit_cents',
  ])
})
