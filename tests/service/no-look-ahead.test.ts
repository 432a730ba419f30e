import { expect, test } from 'vitest'
import { readEarlierRuns } from '../../server/store/racing/settled/earlier-runs.ts'
import { REGION } from '../support/reference-chances.ts'
import { newVariedDemonstration } from '../support/varied-demonstration.ts'

/** The results of a day go to other horses of their races; what is known before the day stays. */
const permute = (
  days: string,
): string => `update runner set place = other.place, running_position = other.running_position,
    finish_time_ms = other.finish_time_ms
  from runner other join race on race.id = other.race_id
  where other.race_id = runner.race_id and race.race_date ${days} $1::date and race.region_id = '${REGION}'
    and runner.horse_no is not null and other.horse_no is not null
    and runner.horse_no + other.horse_no = 1 + (
      select max(horse_no) from runner field where field.race_id = runner.race_id)`

test('what happens on a day changes nothing that is known of its own starters', async () => {
  const { database, close } = await newVariedDemonstration('postgresql')
  try {
    const [{ day } = { day: '' }] = await database.rows<{ day: string }>(
      `select max(race_date) as day from race where region_id = '${REGION}' and status = 'final'`,
    )
    const known = (from: string) =>
      readEarlierRuns(database, REGION, `race.race_date = $2::date and race.status = 'final'`, from)
    const before = await known(day)
    expect(before.size).toBeGreaterThan(50)
    // Facts that are all unknown would not change either.
    const facts = [...before.values()]
    for (const name of ['lastPlace', 'careerWins', 'earlyPosition', 'leaders'] as const)
      expect(
        facts.some((runs) => Number(runs[name]) > 0),
        name,
      ).toBe(true)
    await database.rows(permute('='), [day])
    expect(await known(day)).toEqual(before)
    // Earlier days do change it.
    await database.rows(permute('<'), [day])
    expect(await known(day)).not.toEqual(before)
  } finally {
    await close()
  }
})
