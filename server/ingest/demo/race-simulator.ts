import { Finish } from '../../../domain/finish.ts'
import { makeRaceId } from '../../../domain/race-id.ts'
import { normalised, shownOdds } from '../../../domain/odds.ts'
import { placesFor, poolsOf } from '../../../domain/pool-rules.ts'
import { normal, seedOf, seededRandom } from '../../../domain/random.ts'
import {
  UNKNOWN_RACE,
  UNKNOWN_RUNNER,
  type DividendDraft,
  type OddsTickDraft,
  type RaceDraft,
  type RunnerDraft,
} from '../../drafts/drafts.ts'
import { publishDividends } from './dividends.ts'
import { RACE_NAMES } from './names.ts'
import { simulateSections } from './race-sections.ts'
import { shuffled, type DemoRunner, type DemoRegion } from './stable.ts'

export interface SimulatedRace {
  race: RaceDraft
  dividends: DividendDraft[]
  ticks: OddsTickDraft[]
}

/** What a simulated race includes. */
export interface SimulatedDetail {
  /** Its result and dividends. */
  run: boolean
  /** Odds every few minutes instead of five in all. */
  closely: boolean
  /** Withdraws a horse in every third race if nothing was withdrawn after its odds were shown. */
  scratch?: boolean
}

const CLASSES = ['C1', 'C2', 'C3', 'C4', 'C5'] as const
const GOINGS = ['good', 'good', 'good', 'good_to_firm', 'good_to_yielding', 'yielding'] as const
const WEATHERS = ['fine', 'fine', 'cloudy', 'showery'] as const
const WIN_TAKEOUT = 0.175
const MINUTES_BETWEEN_RACES = 30

/**
 * Exponents by which chance matters more for later places (the stage exponents of domain notes section 2).
 */
const STAGE_POWERS = [1, 0.86, 0.74, 0.64]

interface Entry {
  horse: DemoRunner
  jockey: DemoRegion['jockeys'][number]
  horseNo: number
  /** Withdrawn before post time: `early` before any odds were shown, `late` after. */
  withdrawn: 'no' | 'early' | 'late'
  chance: number
  /** The public's estimate of its win probability. */
  publicChance: number
}

/**
 * Simulates one race of the demonstration. The same region, day and number give the same race on every
 * machine; `run` only decides whether its result is included, and `now` up to when its odds are.
 */
export function simulateRace(
  region: DemoRegion,
  date: string,
  raceNo: number,
  stadiumIndex: number,
  card: readonly DemoRunner[],
  { run, closely, scratch = false }: SimulatedDetail,
  now: Date,
): SimulatedRace {
  const stadium = region.stadiums[stadiumIndex]!
  const id = makeRaceId({ stadium: stadium.id, date, raceNo })
  const random = seededRandom(seedOf(id))
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  const startsAt = new Date(
    Date.parse(`${date}T00:00:00Z`) + (stadium.firstRaceUtc + (raceNo - 1) * MINUTES_BETWEEN_RACES) * 60_000,
  )
  const distanceM = pick(stadium.distancesM)
  const entries = drawField(region, card, random)
  if (scratch && raceNo % SCRATCHED_EVERY === 1) scratchOutsider(entries)
  const order = finishingOrder(entries, random)
  const places = placeNumbers(order, random)
  const draws = shuffled(
    entries.map((_, index) => index + 1),
    random,
  )
  const ticks: OddsTickDraft[] = []
  const baseMs = distanceM * 58 + 1500 * normal(random) * 0.3
  const runners = entries.map((entry, index): RunnerDraft => {
    const started = entry.withdrawn === 'no'
    const rank = order.indexOf(entry)
    const history = entry.withdrawn === 'early' ? [] : oddsHistory(id, entry, startsAt, random, closely)
    const seen = history.filter(({ seenAt }) => Date.parse(seenAt) <= now.getTime())
    ticks.push(...seen)
    const place = run && started ? places[rank]! : null
    return {
      ...declared(entry),
      draw: draws[index]!,
      status: !started ? 'withdrawn' : run ? 'finished' : 'declared',
      place,
      placeCode: started ? null : 'WV',
      deadHeat: place !== null && places.filter((other) => other === place).length > 1,
      finishTimeMs: place === null ? null : Math.round((baseMs + (place - 1) * 160) / 10) * 10,
      winOdds: seen.at(-1)?.odds ?? null,
    }
  })
  addSections(id, distanceM, runners)
  const race: RaceDraft = {
    ...UNKNOWN_RACE,
    id,
    stadiumId: stadium.id,
    date,
    raceNo,
    name: pick(RACE_NAMES),
    startsAt: startsAt.toISOString(),
    raceClass: pick(CLASSES),
    track: 'turf',
    course: pick(stadium.courses),
    distanceM,
    going: pick(GOINGS),
    weather: pick(WEATHERS),
    prizeCents: (50 + Math.floor(random() * 200)) * 1_000_000,
    winningTimeMs: run ? Math.round(baseMs / 10) * 10 : null,
    status: run ? 'final' : 'scheduled',
    runners,
  }
  if (!run) return { race, dividends: [], ticks }
  return { race, dividends: dividendsOf(region, race, entries, random), ticks }
}

/** Adds how they ran to the runners that have finished. */
function addSections(raceId: string, distanceM: number, runners: readonly RunnerDraft[]): void {
  const finished = runners.filter(({ finishTimeMs }) => finishTimeMs !== null)
  const runs = simulateSections(
    raceId,
    distanceM,
    finished.map(({ brand, draw, finishTimeMs }) => ({
      brand,
      draw: draw!,
      finishTimeMs: finishTimeMs!,
    })),
  )
  for (const [index, runner] of finished.entries()) Object.assign(runner, runs[index])
}

/** The part of a runner that is known when it is declared. */
const declared = ({ horse, horseNo, jockey }: Entry) => ({
  ...UNKNOWN_RUNNER,
  brand: horse.brand,
  horse: horse.names,
  horseNo,
  jockey: jockey.person,
  trainer: horse.trainer,
  actualWeightLb: 113 + Math.round(((horse.rating - 5) / 105) * 20),
  declaredWeightLb: 1000 + (seedOf(horse.brand) % 200),
  rating: horse.rating,
  silks: horse.silks,
  gear: horse.gear,
  sex: horse.profile.sex,
  owner: horse.profile.owner,
})

/** Dividends of a race that was run. */
function dividendsOf(
  region: DemoRegion,
  { id, date, runners }: RaceDraft,
  entries: readonly Entry[],
  random: () => number,
): DividendDraft[] {
  const starters = entries.filter(({ withdrawn }) => withdrawn === 'no')
  const finish = new Finish(
    runners.map(({ horseNo, place, status }) => ({
      horseNo: horseNo!,
      place,
      started: status !== 'withdrawn',
    })),
  )
  const pools = poolsOf(region.rules)
  const lines = publishDividends({
    raceId: id,
    date,
    finish,
    places: placesFor(region.rules, entries.length),
    horseNos: starters.map(({ horseNo }) => horseNo),
    publicChances: normalised(starters.map(({ publicChance }) => publicChance)),
    random,
  })
  return lines.filter(({ gameplayClass }) => pools.some((pool) => pool === gameplayClass))
}

function drawField(region: DemoRegion, card: readonly DemoRunner[], random: () => number): Entry[] {
  const jockeys = shuffled(region.jockeys, random)
  const entries = card.map((horse, index): Entry => {
    const jockey = jockeys[index]!
    const publicChance = Math.exp(horse.ability + jockey.skill + 0.35 * normal(random))
    const luck = random()
    return {
      horse,
      jockey,
      horseNo: index + 1,
      withdrawn: luck < 0.012 ? 'early' : luck < 0.02 ? 'late' : 'no',
      // The true probability scatters around the odds, not the reverse: prices are right on average.
      chance: publicChance * Math.exp(0.22 * normal(random)),
      publicChance,
    }
  })
  // At least four horses run.
  while (entries.filter(({ withdrawn }) => withdrawn === 'no').length < 4) {
    entries.find(({ withdrawn }) => withdrawn !== 'no')!.withdrawn = 'no'
  }
  const priced = entries.filter(({ withdrawn }) => withdrawn !== 'early')
  const chances = normalised(priced.map(({ publicChance }) => publicChance))
  for (const [index, entry] of priced.entries()) entry.publicChance = chances[index]!
  return entries
}

const SCRATCHED_EVERY = 3
/** A smaller field keeps all its horses. */
const SMALLEST_SCRATCHED_FIELD = 5

/** Withdraws the horse that the public likes least, unless one is withdrawn late anyway; draws no random number. */
function scratchOutsider(entries: readonly Entry[]): void {
  const running = entries.filter(({ withdrawn }) => withdrawn === 'no')
  if (running.length < SMALLEST_SCRATCHED_FIELD || entries.some(({ withdrawn }) => withdrawn === 'late'))
    return
  running.toSorted((a, b) => a.publicChance - b.publicChance)[0]!.withdrawn = 'late'
}

/** Odds are shown from 1.1 to 99, as on a tote board. */
export const onBoard = (odds: number): number =>
  Math.min(99, Math.max(1.1, shownOdds(Math.round(odds * 1000))))

function finishingOrder(entries: readonly Entry[], random: () => number): Entry[] {
  const rest = entries.filter(({ withdrawn }) => withdrawn === 'no')
  const order: Entry[] = []
  while (rest.length > 0) {
    const power = STAGE_POWERS[Math.min(order.length, 3)]!
    const weights = rest.map(({ chance }) => chance ** power)
    let draw = random() * weights.reduce((sum, weight) => sum + weight, 0)
    let index = 0
    while (index < rest.length - 1 && draw >= weights[index]!) {
      draw -= weights[index]!
      index += 1
    }
    order.push(...rest.splice(index, 1))
  }
  return order
}

/** Places of a finishing order; occasionally two neighbours dead-heat. */
function placeNumbers(order: readonly Entry[], random: () => number): number[] {
  const places = order.map((_, index) => index + 1)
  if (random() < 0.035) {
    const at = Math.floor(random() * Math.min(5, order.length - 1))
    places[at + 1] = places[at]!
  }
  return places
}

const TICKS_BEFORE_OFF_MIN = [720, 240, 60, 0]
/** The board opens when the racecard is published, a week and a day before the race. */
const OPENING_MIN = 8 * 1440

/**
 * Five ticks, the last of which has the final odds; with `closely` one every few minutes, more often near
 * post time.
 */
function oddsHistory(
  raceId: string,
  { horseNo, publicChance }: Entry,
  startsAt: Date,
  random: () => number,
  closely: boolean,
): OddsTickDraft[] {
  const finalOdds = onBoard((1 - WIN_TAKEOUT) / publicChance)
  const tick = (minutes: number, draw: () => number): OddsTickDraft => {
    const drift = minutes === 0 ? 1 : Math.exp(0.12 * Math.sqrt(Math.min(minutes, 720) / 240) * normal(draw))
    return {
      raceId,
      horseNo,
      seenAt: new Date(startsAt.getTime() - minutes * 60_000).toISOString(),
      odds: minutes === 0 ? finalOdds : onBoard(finalOdds * drift),
    }
  }
  const seen = [
    tick(OPENING_MIN, seededRandom(seedOf(`${raceId} opening ${horseNo}`))),
    ...TICKS_BEFORE_OFF_MIN.map((minutes) => tick(minutes, random)),
  ]
  return closely ? withTicksBetween(seen, startsAt, seededRandom(seedOf(`${raceId} board ${horseNo}`))) : seen
}

/** How often the board is read: every `every` minutes, starting `from` minutes before post time. */
const READINGS = [
  { from: 720, every: 20 },
  { from: 240, every: 10 },
  { from: 60, every: 3 },
  { from: 15, every: 1 },
]

/**
 * Fills the gaps between the ticks of a race with a random walk from each to the next (a Brownian bridge of
 * log odds).
 */
function withTicksBetween(
  seen: readonly OddsTickDraft[],
  startsAt: Date,
  random: () => number,
): OddsTickDraft[] {
  const ticks = seen.slice(0, 1)
  let [before] = seen
  for (const next of seen.slice(1)) {
    let at = Date.parse(before!.seenAt)
    let log = Math.log(before!.odds)
    const end = Date.parse(next.seenAt)
    for (;;) {
      const minutes = (startsAt.getTime() - at) / 60_000
      const every = READINGS.findLast(({ from }) => minutes <= from)?.every
      if (every === undefined || at + every * 60_000 >= end) break
      const left = (end - at) / 60_000
      log += ((Math.log(next.odds) - log) * every) / left
      log += WALK * Math.sqrt((every * (left - every)) / left) * normal(random)
      at += every * 60_000
      const odds = onBoard(Math.exp(log))
      if (odds !== ticks.at(-1)!.odds) ticks.push({ ...next, seenAt: new Date(at).toISOString(), odds })
    }
    ticks.push(next)
    before = next
  }
  return ticks
}

/** Standard deviation of the change in log odds per minute. */
const WALK = 0.012
