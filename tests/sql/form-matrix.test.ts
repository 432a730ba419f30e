import { afterAll, beforeAll, expect, test } from 'vitest'
import { MODEL_IDS } from '../../contract/model-ids.ts'
import { planRequest } from '../../analytics/plan-request.ts'
import { drawThird } from '../../domain/draw-third.ts'
import { raceInfo, runner } from '../component/race-samples.ts'
import {
  cellOf,
  columnsOfPanels,
  conditionsOf,
  filterFor,
  FORM_KINDS,
  formRequest,
  rowsByColumn,
  valueOf,
  type Condition,
  type FormKind,
  type FormOf,
  type FormRunner,
} from '../../src/screens/horse-race/form-request.ts'
import { NativeEngine } from '../support/native.ts'
import type { TestDatabase } from '../support/databases.ts'
import { comparableRow } from '../support/questions.ts'
import { REGION } from '../support/reference-chances.ts'
import { newVariedDemonstration } from '../support/varied-demonstration.ts'

/** Every figure of a form matrix, counted from PostgreSQL's rows run by run, without the semantic model. */

interface Run {
  raceId: string
  day: string
  horse: number
  jockey: number | null
  trainer: number | null
  sire: string | null
  racecourse: number
  distance: number
  going: string | null
  course: string | null
  class: string | null
  draw: number | null
  starters: number
  won: boolean
  winners: number
  /** Whether the model has a chance for it, as for a horse that was withdrawn late: others are in no row of runners. */

  counted: boolean
  withdrawn: boolean
}

const MODEL = 'market-baseline'

let place: TestDatabase
let native: NativeEngine
let runs: Run[]

beforeAll(async () => {
  place = await newVariedDemonstration('postgresql')
  native = await NativeEngine.open(place.dataFolder, REGION, MODEL_IDS)
  runs = await place.database.rows<Run>(
    `select race.id as race_id, race.race_date as day, horse.key as horse, jockey.key as jockey, trainer.key as trainer,
       horse.sire, stadium.key as racecourse, distance_m as distance, going, course, race_class as class, draw,
       (select count(*)::int from runner o where o.race_id = race.id and o.horse_no is not null and o.status <> 'withdrawn')
         as starters,
       exists (select 1 from runner o where o.race_id = race.id and o.place = 1
         and coalesce(o.entry_no, o.horse_no) = coalesce(runner.entry_no, runner.horse_no)) as won,
       (select count(distinct coalesce(o.entry_no, o.horse_no))::int from runner o where o.race_id = race.id and o.place = 1)
         as winners,
       exists (select 1 from win_chance c where c.race_id = race.id and c.model_id = '${MODEL}' and c.horse_no = runner.horse_no)
         as counted, runner.status = 'withdrawn' as withdrawn
     from runner join race on race.id = runner.race_id join horse on horse.id = runner.horse_id
     join stadium on stadium.id = race.stadium_id
     left join jockey on jockey.id = runner.jockey_id left join trainer on trainer.id = runner.trainer_id
     where race.region_id = '${REGION}' and race.status = 'final' and horse_no is not null
     order by race_date, race.id, horse_no`,
  )
})
afterAll(() => place.close())

/** Days from the run of a horse before this one; `null` for its first. */
function restBefore(run: Run): number | null {
  const earlier = runs
    .filter(({ horse, day, withdrawn }) => horse === run.horse && day < run.day && !withdrawn)
    .map(({ day }) => day)
  if (earlier.length === 0) return null
  return (Date.parse(run.day) - Date.parse(earlier.toSorted().at(-1)!)) / 86_400_000
}

/** Whether a run was under a condition of today's race. */
function isUnder(condition: Condition | null, run: Run, today: Run): boolean {
  switch (condition) {
    case null:
      return true
    case 'field_size':
      return Math.abs(run.starters - today.starters) <= 1
    case 'first_up':
      return (restBefore(run) ?? 0) >= 61
    case 'course':
      return run.course === today.course && run.racecourse === today.racecourse
    case 'draw_third':
      return run.draw !== null && drawThird(run.draw, run.starters) === drawThird(today.draw!, today.starters)
    default:
      return run[condition] === today[condition]
  }
}

/** The latest race on turf, whose runners have raced before. */
function latestRace(): Run[] {
  const { raceId } = runs.findLast(({ course, horse, day }) => {
    return course !== null && runs.filter((each) => each.horse === horse && each.day < day).length > 3
  })!
  return runs.filter((run) => run.raceId === raceId)
}

test.each(FORM_KINDS)('runs and wins of each %s under each condition', async (kind: FormKind) => {
  const field = latestRace()
  const [first] = field
  const race = {
    ...raceInfo(),
    date: first!.day,
    distance: first!.distance,
    trackCondition: first!.going,
    course: first!.course,
    raceClass: first!.class,
  }
  const of: FormOf = {
    race,
    racecourse: first!.racecourse,
    starters: first!.starters,
    model: 'market-baseline',
  }
  const runners = field.map(({ draw, horse, jockey, trainer, sire }, index): FormRunner => ({
    runner: runner(index + 1, { draw }),
    horse,
    jockey,
    trainer,
    sire,
  }))
  const conditions = conditionsOf(kind, of, runners)
  const request = formRequest(kind, conditions, of, runners)!
  const columns = columnsOfPanels(conditions, of)
  expect(columns).toHaveLength(request.linked.panels.length)
  const answer = (await native.rows(planRequest(request, { scope: 'all' }).sql)).map(comparableRow)
  const rows = rowsByColumn(answer, columns)
  let counted = 0
  for (const [index, today] of field.entries()) {
    const key = today[kind]
    if (key === null) continue
    for (const [column, condition] of [null, ...conditions].entries()) {
      const isFilter = filterFor(condition, of) !== null
      const value = condition === null || isFilter ? null : valueOf(condition, runners[index]!, of)
      if (condition !== null && !isFilter && value === null) continue
      const own = runs.filter(
        (run) => run.counted && run[kind] === key && run.day < today.day && isUnder(condition, run, today),
      )
      const cell = cellOf(rows, { column, key, value })
      const wins = own.reduce((sum, { won, winners }) => sum + (won ? 1 / winners : 0), 0)
      expect([condition, cell?.runs ?? 0], `${kind} ${key}`).toEqual([condition, own.length])
      expect(cell?.wins ?? 0, `${kind} ${key} ${condition}`).toBeCloseTo(wins, 5)
      counted += own.length
    }
  }
  expect(counted).toBeGreaterThan(50)
})
