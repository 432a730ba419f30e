import { groupBy } from '../../domain/group-by.ts'
import type { DividendLine, Settled } from '../../domain/settlement.ts'
import type { GameplayClass } from '../../domain/gameplay.ts'
import type { PredictionLine } from '../scoring/market-baseline.ts'
import { bulkInsert, type Column } from './bulk-upsert.ts'
import type { Queries } from './database.ts'
import { bumpRevisions } from './racing-writer.ts'

export interface RaceToScore {
  id: string
  status: 'scheduled' | 'final' | 'abandoned'
  places: number
  runners: { horseNo: number; started: boolean; place: number | null; winOdds: number | null }[]
  dividends: DividendLine[]
}

/** A prediction with its settlement, `null` before the result. */
export interface ScoredLine extends PredictionLine {
  raceId: string
  settled: Settled | null
}

export async function countStale({ rows }: Queries): Promise<number> {
  const [row] = await rows<{ count: number }>(`select count(*) as count from race where scoring = 'stale'`)
  return row?.count ?? 0
}

/**
 * Up to `limit` races whose predictions are missing or were made from other rows, in a fixed order, held until the
 * transaction ends: an import that changes them waits, and marks them again.
 */
export async function staleRaces({ rows }: Queries, limit: number): Promise<RaceToScore[]> {
  const races = await rows<Omit<RaceToScore, 'runners' | 'dividends'>>(
    `select id, status, places from race where scoring = 'stale' order by region_id, season, id limit $1 for update skip locked`,
    [limit],
  )
  const ids = races.map(({ id }) => id)
  const runners = await rows<{
    race_id: string
    horse_no: number
    status: string
    place: number | null
    win_odds: number | null
  }>(
    `select race_id, horse_no, status, place, win_odds from runner
     where race_id = any($1::text[]) and horse_no is not null order by race_id, horse_no`,
    [ids],
  )
  const dividends = await rows<{
    race_id: string
    gameplay_class: number
    combination: string
    status: DividendLine['status']
    dividend_cents: number | null
  }>(
    `select race_id, gameplay_class, combination, status, dividend_cents from dividend
     where race_id = any($1::text[]) and gameplay_class is not null`,
    [ids],
  )
  const runnersOf = groupBy(runners, (row) => row.race_id)
  const dividendsOf = groupBy(dividends, (row) => row.race_id)
  return races.map((race) => ({
    ...race,
    runners: (runnersOf.get(race.id) ?? []).map((row) => ({
      horseNo: row.horse_no,
      started: row.status !== 'withdrawn',
      place: row.place,
      winOdds: row.win_odds,
    })),
    dividends: (dividendsOf.get(race.id) ?? []).map((row) => ({
      gameplayClass: row.gameplay_class as GameplayClass,
      combination: row.combination === '-' ? '' : row.combination,
      status: row.status,
      dividendCents: row.dividend_cents,
    })),
  }))
}

const column = (
  name: string,
  type: string,
  value: (row: ScoredLine) => string | number | boolean | null,
): Column<ScoredLine> => ({ name, type, value })

const keyOf = (model: string): Column<ScoredLine>[] => [
  column('race_id', 'text', (row) => row.raceId),
  column('model_id', 'text', () => model),
  column('gameplay_class', 'smallint', (row) => row.gameplayClass),
  column('rank', 'smallint', (row) => row.rank),
]

/** Replaces one model's predictions and settlements of these races and marks the races as scored. */
export async function replaceScores(
  database: Queries,
  model: string,
  raceIds: readonly string[],
  lines: readonly ScoredLine[],
): Promise<void> {
  await database.rows('delete from settlement where race_id = any($1::text[]) and model_id = $2', [
    raceIds,
    model,
  ])
  await database.rows('delete from prediction where race_id = any($1::text[]) and model_id = $2', [
    raceIds,
    model,
  ])
  await bulkInsert(
    database,
    {
      name: 'prediction',
      columns: [
        ...keyOf(model),
        column('combination', 'text', (row) => row.combination),
        column('probability', 'double precision', (row) => row.probability),
        column('selected', 'boolean', (row) => row.types.includes(1)),
        column('cautious', 'boolean', (row) => row.types.includes(2)),
        column('upset_guard', 'boolean', (row) => row.types.includes(3)),
        column('odds_seen', 'double precision', (row) => row.oddsSeen),
      ],
    },
    lines,
  )
  await bulkInsert(
    database,
    {
      name: 'settlement',
      columns: [
        ...keyOf(model),
        column('outcome', 'text', (row) => row.settled!.outcome),
        column('profit_cents', 'bigint', (row) => row.settled!.profitCents),
        column('paid_odds', 'double precision', (row) => row.settled!.paidOdds),
      ],
    },
    lines.filter(({ settled }) => settled !== null),
  )
  await database.rows(`update race set scoring = 'done' where id = any($1::text[])`, [raceIds])
  await bumpRevisions(database, raceIds)
}
