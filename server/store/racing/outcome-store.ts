import { FurlongError } from '../../../domain/errors.ts'
import type { Finisher } from '../../../domain/finish.ts'
import { DOUBLE, type GameplayClass } from '../../../domain/gameplay.ts'
import { groupBy } from '../../../domain/group-by.ts'
import { raceOutcome, type DividendLine, type RaceOutcome } from '../../../domain/settlement.ts'
import type { Queries } from '../../db/database.ts'

/** Runners with a saddle number, as settlement needs them, by race id. */
export async function readFinishers(
  { rows }: Queries,
  raceIds: readonly string[],
): Promise<Map<string, (Required<Finisher> & { winOdds: number | null })[]>> {
  const found = await rows<Required<Finisher> & { raceId: string; winOdds: number | null }>(
    `select race_id, horse_no, status <> 'withdrawn' as started, place,
       win_odds, entry_no, status = 'finished' and place is null as is_behind
     from runner where race_id in (select jsonb_array_elements_text($1::jsonb)) and horse_no is not null
     order by race_id, horse_no`,
    [JSON.stringify(raceIds)],
  )
  return new Map(
    [...groupBy(found, ({ raceId }) => raceId)].map(([id, runners]) => [
      id,
      // Named one by one: to copy the rest of a row takes several times as long.
      runners.map(({ horseNo, started, place, winOdds, entryNo, isBehind }) => ({
        horseNo,
        started,
        place,
        winOdds,
        entryNo,
        isBehind,
      })),
    ]),
  )
}

/** Published dividend lines of the supported bet types, by race id. */
export async function readDividendLines(
  { rows }: Queries,
  raceIds: readonly string[],
): Promise<Map<string, DividendLine[]>> {
  const found = await rows<{
    raceId: string
    gameplayClass: GameplayClass
    combination: string
    status: DividendLine['status']
    dividendCents: number | null
  }>(
    `select race_id, gameplay_class, combination, status,
       dividend_cents
     from dividend where race_id in (select jsonb_array_elements_text($1::jsonb)) and gameplay_class < ${DOUBLE.class}
     order by race_id, gameplay_class, combination`,
    [JSON.stringify(raceIds)],
  )
  return new Map(
    [...groupBy(found, ({ raceId }) => raceId)].map(([id, lines]) => [
      id,
      lines.map(({ raceId: _race, combination, ...line }) => ({
        ...line,
        combination: combination === '-' ? '' : combination,
      })),
    ]),
  )
}

/** Race outcomes for settlement, by race id; races whose places contradict each other are omitted. */
export async function readOutcomes(
  database: Queries,
  races: readonly { id: string; places: number }[],
): Promise<Map<string, RaceOutcome>> {
  const ids = races.map(({ id }) => id)
  const finishers = await readFinishers(database, ids)
  const dividends = await readDividendLines(database, ids)
  const outcomes = new Map<string, RaceOutcome>()
  for (const { id, places } of races) {
    const outcome = outcomeOf({
      runners: finishers.get(id) ?? [],
      places,
      dividends: dividends.get(id) ?? [],
    })
    if (outcome !== null) outcomes.set(id, outcome)
  }
  return outcomes
}

/** A race's outcome for settlement; `null` if its places contradict each other. */
export function outcomeOf(race: {
  runners: readonly Finisher[]
  places: number
  dividends: readonly DividendLine[]
}): RaceOutcome | null {
  try {
    return raceOutcome(race.runners, race.places, race.dividends)
  } catch (error) {
    if (error instanceof FurlongError && error.code === 'bad-finish') return null
    throw error
  }
}

/** Deletes a race's dividends and its winning time, which no later result may inherit. */
export async function deleteOutcome({ rows }: Queries, raceId: string): Promise<void> {
  await rows('delete from dividend where race_id = $1', [raceId])
  await rows('update race set winning_time_ms = null where id = $1', [raceId])
}
