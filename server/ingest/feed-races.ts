import type { FEED_REJECTIONS, FeedBody, FeedKind } from '../../contract/api/feed.ts'
import { parseRaceId } from '../../domain/race-id.ts'
import { regionOfStadium } from '../../domain/region.ts'
import type { DividendDraft, PersonDraft, RaceDraft, RunnerDraft } from '../drafts/drafts.ts'
import { NO_NAMES } from '../drafts/drafts.ts'
import { RowError } from './reading/format.ts'
import { combinationOf, poolOf } from './furlong/furlong-format.ts'

/** Pure functions that apply feed batches to whole races. They throw `Rejected`. */
type RaceOf<Kind extends FeedKind> = FeedBody<Kind>['races'][number]

/** Why a race, or one line of it, is left out. */
export class Rejected extends Error {
  readonly reason: (typeof FEED_REJECTIONS)[number]
  readonly horseNo: number | null

  constructor(reason: (typeof FEED_REJECTIONS)[number], detail: string, horseNo: number | null = null) {
    super(detail)
    this.reason = reason
    this.horseNo = horseNo
  }
}

export function runnerOf({ id, runners }: RaceDraft, horseNo: number): RunnerDraft {
  const runner = runners.find((each) => each.horseNo === horseNo)
  if (!runner) throw new Rejected('no-such-runner', `${id} ${horseNo}`, horseNo)
  return runner
}

/** Throws `Rejected` for the first duplicate value, a saddle number or a text. */
export function needOnce(raceId: string, values: readonly (number | string)[]): void {
  const twice = values.find((each, index) => values.indexOf(each) !== index)
  if (twice !== undefined)
    throw new Rejected('runner-twice', `${raceId} ${twice}`, typeof twice === 'number' ? twice : null)
}

/** Result fields of a runner before the result. */
const OUTCOME = {
  place: null,
  placeCode: null,
  deadHeat: false,
  margin: null,
  runningPosition: null,
  finishTimeMs: null,
} as const

const personOf = (name: string | null): PersonDraft | null =>
  name === null ? null : { ...NO_NAMES, name, en: name }

/** Turns a racecard into a race. Withdrawn horses stay withdrawn; horses that it omits are removed. */
export function cardOf(card: RaceOf<'cards'>, before: RaceDraft | undefined): RaceDraft {
  const { raceId, runners, startsAt, ...facts } = card
  const { stadium, date, raceNo } = parseRaceId(raceId)
  if (!regionOfStadium(stadium)) throw new Rejected('unknown-venue', stadium)
  if (before && before.status !== 'scheduled')
    throw new Rejected('race-is-over', `${raceId}: ${before.status}`)
  needOnce(
    raceId,
    runners.map(({ horseNo }) => horseNo),
  )
  needOnce(
    raceId,
    runners.map(({ brand }) => brand),
  )
  return {
    ...facts,
    id: raceId,
    stadiumId: stadium,
    date,
    raceNo,
    startsAt: new Date(startsAt).toISOString(),
    winningTimeMs: null,
    status: 'scheduled',
    runners: runners.map(({ jockey, trainer, winOdds, ...runner }): RunnerDraft => {
      const earlier = before?.runners.find(({ brand }) => brand === runner.brand)
      const isOut = earlier?.status === 'withdrawn'
      return {
        ...runner,
        jockey: personOf(jockey),
        trainer: personOf(trainer),
        status: isOut ? 'withdrawn' : 'declared',
        // A racecard without odds keeps the odds received since.
        winOdds: isOut ? null : (winOdds ?? earlier?.winOdds ?? null),
        ...OUTCOME,
      }
    }),
  }
}

export function withoutHorses(race: RaceDraft, horses: readonly number[]): RaceDraft {
  needOnce(race.id, horses)
  const out = new Set(horses.map((horseNo) => runnerOf(race, horseNo)))
  return {
    ...race,
    runners: race.runners.map((runner) =>
      out.has(runner) ? { ...runner, status: 'withdrawn', winOdds: null } : runner,
    ),
  }
}

export function resultOf(race: RaceDraft, result: RaceOf<'results'>): RaceDraft {
  if (result.status === 'abandoned')
    return {
      ...race,
      status: 'abandoned',
      runners: race.runners.map((runner) => ({
        ...runner,
        ...OUTCOME,
        status: runner.status === 'withdrawn' ? 'withdrawn' : 'declared',
      })),
    }
  needOnce(
    race.id,
    result.runners.map(({ horseNo }) => horseNo),
  )
  const told = new Map(result.runners.map((runner) => [runnerOf(race, runner.horseNo), runner]))
  const sharing = new Map<number, number>()
  for (const { place } of result.runners)
    if (place !== null) sharing.set(place, (sharing.get(place) ?? 0) + 1)
  return {
    ...race,
    status: 'final',
    going: result.going ?? race.going,
    winningTimeMs: result.winningTimeMs ?? race.winningTimeMs,
    runners: race.runners.map((runner): RunnerDraft => {
      const one = told.get(runner)
      if (runner.status === 'withdrawn') {
        if (one) throw new Rejected('withdrawn-runner', `${race.id} ${one.horseNo}`, one.horseNo)
        return runner
      }
      if (!one)
        throw new Rejected('no-result', `${race.id} ${runner.horseNo ?? runner.brand}`, runner.horseNo)
      return {
        ...runner,
        status: one.place === null ? 'unfinished' : 'finished',
        place: one.place,
        placeCode: one.code,
        deadHeat: one.place !== null && sharing.get(one.place)! > 1,
        margin: one.margin,
        runningPosition: one.runningPosition,
        finishTimeMs: one.finishTimeMs,
        winOdds: one.winOdds ?? runner.winOdds,
      }
    }),
  }
}

export function dividendsOf({ raceId, lines }: RaceOf<'dividends'>): DividendDraft[] {
  const dividends = lines.map(({ gameplayClass, combination, status, dividendCents }) => {
    try {
      const isWholePool = status === 'refund' && combination === ''
      return {
        raceId,
        pool: poolOf(gameplayClass),
        gameplayClass,
        combination: isWholePool ? '' : combinationOf(gameplayClass, combination),
        status,
        dividendCents,
      }
    } catch (error) {
      if (!(error instanceof RowError)) throw error
      throw new Rejected('bad-combination', `${raceId} ${gameplayClass}: ${combination}`)
    }
  })
  needOnce(
    raceId,
    dividends.map(({ pool, combination }) => `${pool} ${combination}`),
  )
  return dividends
}
