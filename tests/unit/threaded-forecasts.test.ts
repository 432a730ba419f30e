import { expect, test } from 'vitest'
import { USUAL_SHAPE } from '../../domain/order-rule.ts'
import { forecastRace, type ForecastTask } from '../../server/scoring/race-forecast.ts'
import { ThreadedForecasts } from '../../server/scoring/threaded-forecasts.ts'

const taskOf = (odds: readonly number[], version: ForecastTask['version']): ForecastTask => ({
  version,
  race: {
    id: 'race',
    date: '2026-11-25',
    season: 2026,
    stadiumId: 'course',
    track: '',
    course: '',
    distanceM: 1200,
    raceClass: '',
    going: '',
    places: 3,
    status: 'scheduled',
    whole: true,
    odds: new Map(odds.map((value, index) => [index + 1, value])),
    starters: odds.map((_, index) => ({
      horseId: `horse ${index}`,
      horseNo: index + 1,
      entryNo: null,
      jockeyId: null,
      trainerId: null,
      draw: index + 1,
      weightLb: null,
      bodyLb: null,
      rating: null,
      gear: null,
      place: null,
      timeMs: null,
      calls: null,
    })),
  },
  priced: odds.map((winOdds, index) => ({ horseNo: index + 1, winOdds, entryNo: null })),
  inputs: null,
})
const market = (power: number): ForecastTask['version'] => ({
  market: { power, shape: USUAL_SHAPE },
  fundamental: null,
  network: null,
  blend: null,
})

test('a thread forecasts each race by its own version, as this one does', async () => {
  const [plain, powered] = [market(1), market(1.2)]
  const tasks = [
    taskOf([2, 3.5, 6, 11], plain),
    taskOf([2, 3.5, 6, 11], powered),
    taskOf([4, 4, 4, 4], plain),
    taskOf([2], plain),
  ]
  const thread = new ThreadedForecasts()
  const made = await Promise.all(tasks.map((task) => thread.forecast(task)))
  await thread.end()
  expect(made).toEqual(tasks.map(forecastRace))
  expect(made[0]).not.toEqual(made[1])
  expect(made[3]).toEqual([])
})

test('what a thread has not answered fails when it ends, and when it fails', async () => {
  const thread = new ThreadedForecasts()
  const task = taskOf([2, 3.5, 6, 11], market(1))
  const refused = expect(thread.forecast(task)).rejects.toThrow('the thread ended')
  await thread.end()
  await refused
  await expect(thread.forecast(task)).rejects.toThrow('the thread ended')
  const failing = new ThreadedForecasts()
  const broken = { ...taskOf([2, 3.5], market(1)), race: null as unknown as ForecastTask['race'] }
  await expect(failing.forecast(broken)).rejects.toThrow('null')
  await failing.end()
})
