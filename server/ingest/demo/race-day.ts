import type { FeedBody, FeedKind } from '../../../contract/api/feed.ts'
import type { OddsTickDraft, RaceDraft } from '../../drafts/drafts.ts'
import type { SimulatedRace } from './race-simulator.ts'

/** A feed batch and the time at which it is sent. */
export type DayEvent = {
  [Kind in FeedKind]: { at: Date; kind: Kind; body: FeedBody<Kind> }
}[FeedKind]

export interface DayPace {
  beginsAt: Date
  /** How many seconds of the race day pass per real second. */
  speed: number
  /** How often the odds of each race are sent, in real milliseconds. */
  boardEveryMs: number
}

/** Used as the simulator's current time, so that every race has all its odds up to post time. */
export const END_OF_TIME = new Date(8.64e15)

const MINUTE_MS = 60_000
/** These times are in race-day time, not real time. */
const FIRST_OFF_MS = 20 * MINUTE_MS
const BETWEEN_MS = 30 * MINUTE_MS
const LATE_WITHDRAWAL_MS = 10 * MINUTE_MS
const RESULT_AFTER_MS = 2 * MINUTE_MS
const DIVIDENDS_AFTER_MS = 4 * MINUTE_MS

/**
 * A simulated meeting as a feed would send it, in chronological order: its racecard, each race's odds until
 * post time, late withdrawals, results and dividends. `races` include their results; `pace` determines when
 * they are run.
 */
export function planRaceDay(races: readonly SimulatedRace[], pace: DayPace): DayEvent[] {
  if (races.length === 0) return []
  const real = (dayMs: number): Date => new Date(pace.beginsAt.getTime() + dayMs / pace.speed)
  const offs = races.map((_, index) => FIRST_OFF_MS + index * BETWEEN_MS)
  const events: DayEvent[] = [
    {
      at: real(0),
      kind: 'cards',
      body: { races: races.map(({ race }, index) => cardOf(race, real(offs[index]!))) },
    },
  ]
  const step = pace.boardEveryMs * pace.speed
  for (const [index, simulated] of races.entries()) {
    const { race, ticks } = simulated
    const off = offs[index]!
    const withdrawn = race.runners.filter(({ status }) => status === 'withdrawn')
    const priced = new Set(ticks.map(({ horseNo }) => horseNo))
    const [late, early] = [
      withdrawn.filter(({ horseNo }) => priced.has(horseNo!)),
      withdrawn.filter(({ horseNo }) => !priced.has(horseNo!)),
    ]
    const withdraw = (dayMs: number, runners: RaceDraft['runners']): void => {
      if (runners.length === 0) return
      const horses = runners.map(({ horseNo }) => horseNo!)
      events.push({ at: real(dayMs), kind: 'withdrawals', body: { races: [{ raceId: race.id, horses }] } })
    }
    withdraw(1, early)
    withdraw(off - LATE_WITHDRAWAL_MS, late)
    const out = new Set(late.map(({ horseNo }) => horseNo))
    // Races take turns within each interval, as the boards of a meeting do.
    for (let at = step * ((index + 1) / (races.length + 1)); at < off; at += step) {
      const odds = oddsAt(simulated, off - at).filter(
        ({ horseNo }) => at < off - LATE_WITHDRAWAL_MS || !out.has(horseNo),
      )
      const seenAt = real(at).toISOString()
      events.push({ at: real(at), kind: 'odds', body: { races: [{ raceId: race.id, seenAt, odds }] } })
    }
    events.push({ at: real(off + RESULT_AFTER_MS), kind: 'results', body: { races: [resultOf(race)] } })
    events.push({
      at: real(off + DIVIDENDS_AFTER_MS),
      kind: 'dividends',
      body: { races: [dividendsOf(simulated)] },
    })
  }
  return events.toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

/**
 * The board a given time before post time: each horse's last odds by then, or its first odds if there are
 * none yet.
 */
function oddsAt({ race, ticks }: SimulatedRace, beforeMs: number): { horseNo: number; odds: number }[] {
  const until = Date.parse(race.startsAt!) - beforeMs
  const shown = new Map<number, OddsTickDraft>()
  for (const tick of ticks)
    if (!shown.has(tick.horseNo) || Date.parse(tick.seenAt) <= until) shown.set(tick.horseNo, tick)
  return [...shown.values()].map(({ horseNo, odds }) => ({ horseNo, odds }))
}

/** A simulated race as the feed's racecard, with a post time. */
export function cardOf(race: RaceDraft, startsAt: Date): FeedBody<'cards'>['races'][number] {
  const { id, name, raceClass, track, course, distanceM, going, weather, ratingRange, prizeCents } = race
  return {
    raceId: id,
    startsAt: startsAt.toISOString(),
    name,
    raceClass,
    track,
    course,
    distanceM,
    going: going as FeedBody<'cards'>['races'][number]['going'],
    weather,
    ratingRange,
    prizeCents,
    runners: race.runners.map((runner) => ({
      horseNo: runner.horseNo!,
      brand: runner.brand,
      horse: runner.horse,
      entryNo: runner.entryNo,
      jockey: runner.jockey?.name ?? null,
      trainer: runner.trainer?.name ?? null,
      draw: runner.draw,
      actualWeightLb: runner.actualWeightLb,
      declaredWeightLb: runner.declaredWeightLb,
      rating: runner.rating,
      gear: runner.gear,
      age: runner.age,
      sex: runner.sex,
      owner: runner.owner,
      silks: runner.silks,
      winOdds: null,
    })),
  }
}

/** The lines of every pool of a simulated race, as the feed sends them. */
export const dividendsOf = ({
  race: { id },
  dividends,
}: Pick<SimulatedRace, 'race' | 'dividends'>): FeedBody<'dividends'>['races'][number] => ({
  raceId: id,
  lines: dividends.flatMap(({ gameplayClass, combination, status, dividendCents }) =>
    gameplayClass === null ? [] : [{ gameplayClass, combination, status, dividendCents }],
  ),
})

/** The result of a simulated race that was run, as the feed sends it. */
export const resultOf = ({
  id,
  going,
  winningTimeMs,
  runners,
}: RaceDraft): FeedBody<'results'>['races'][number] => ({
  raceId: id,
  status: 'final',
  going: going as FeedBody<'cards'>['races'][number]['going'],
  winningTimeMs,
  runners: runners
    .filter(({ status }) => status !== 'withdrawn')
    .map(({ horseNo, place, margin, runningPosition, finishTimeMs, winOdds, sections }) => ({
      horseNo: horseNo!,
      place,
      code: null,
      margin,
      runningPosition,
      finishTimeMs,
      sections:
        sections?.map(({ position, margin: behind, timeMs }) => ({ position, margin: behind, timeMs })) ??
        null,
      winOdds,
    })),
})
