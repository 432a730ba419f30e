import type { PREDICTION, STARTER } from '../../analytics/tables.ts'
import type { RowOf } from '../../analytics/table.ts'
import { MARKET_MODEL } from '../../contract/model-ids.ts'
import { CombinationChances } from '../../domain/combination-chance.ts'
import { FurlongError } from '../../domain/errors.ts'
import type { GameplayClass } from '../../domain/gameplay.ts'
import { groupBy } from '../../domain/group-by.ts'
import type { StageExponents } from '../../domain/harville.ts'
import { settle } from '../../domain/settlement.ts'
import { DEFAULT_EXPONENTS } from '../model/models/model-version.ts'
import type { ChanceRow, SettledRace, SettledRow, SettledRows } from '../store/racing/settled-store.ts'
import { RandomChances } from './random-chance.ts'

type RaceFacts = ReturnType<typeof factsOf>
/** A row in two parts: the facts about its race, shared by all its rows, and its own columns. */
export type SettledPrediction = readonly [RaceFacts, Omit<RowOf<typeof PREDICTION>, keyof RaceFacts>]
export type SettledStarter = readonly [RaceFacts, Omit<RowOf<typeof STARTER>, keyof RaceFacts>]

const DAY_MS = 86_400_000

/** The public's view of a race, by horse number. */
interface Market {
  odds: ReadonlyMap<number, number | null>
  /** First odds seen. */
  opening: ReadonlyMap<number, number | null>
  /** Last odds seen two minutes before post time. */
  late: ReadonlyMap<number, number | null>
  /** 1 is the shortest final odds; horses with equal odds share a rank. */
  favouriteRanks: ReadonlyMap<number, number>
  probabilities: ReadonlyMap<number, number>
  ranks: ReadonlyMap<number, number>
  /** `null` without a market model, or if the formulas cannot handle the field. */
  chances: { of(classId: GameplayClass, horses: readonly number[]): number | null } | null
}

/**
 * Settled predictions and starters as rows of the dataset's wide tables: each repeats the facts about its
 * race and includes the market model's probability of the same horse or combination.
 */
export function settledTables(
  regionId: string,
  { races, predictions, chances, exponents }: SettledRows,
): { predictions: SettledPrediction[]; starters: SettledStarter[] } {
  const byRace = groupBy(chances, ({ race_key }) => race_key)
  const markets = new Map<number, Market>()
  const marketOf = (race: SettledRace): Market => {
    const known = markets.get(race.key)
    if (known) return known
    const market = readMarket(
      byRace.get(race.key) ?? [],
      exponents.get(race.season) ?? DEFAULT_EXPONENTS,
      race,
    )
    markets.set(race.key, market)
    return market
  }
  const random = new RandomChances()
  const facts = new Map([...races.values()].map((race) => [race.key, factsOf(regionId, race)]))
  return {
    predictions: predictions.map((row) => {
      const race = races.get(row.race_key)!
      return [facts.get(race.key)!, predictionColumns(row, race, marketOf(race), random)]
    }),
    starters: [...byRace].flatMap(([key, rows]) => {
      const race = races.get(key)!
      return [...groupBy(rows, ({ model }) => model).values()].flatMap((line) =>
        starterColumns(line, race, marketOf(race)).map((own): SettledStarter => [facts.get(key)!, own]),
      )
    }),
  }
}

function readMarket(rows: readonly ChanceRow[], exponents: StageExponents, race: SettledRace): Market {
  const odds = new Map(rows.map((row) => [row.horse_no, row.win_odds]))
  const known = [...odds].flatMap(([horse, price]) => (price === null ? [] : [{ horse, price }]))
  const line = rows.filter(({ model }) => model === MARKET_MODEL)
  return {
    odds,
    opening: new Map(rows.map((row) => [row.horse_no, row.opening_odds])),
    late: new Map(rows.map((row) => [row.horse_no, row.late_odds])),
    favouriteRanks: new Map(
      known.map(({ horse, price }) => [horse, 1 + known.filter((other) => other.price < price).length]),
    ),
    probabilities: new Map(line.map(({ horse_no, probability }) => [horse_no, probability])),
    ranks: ranksOf(line),
    chances: line.length === 0 ? null : lineChances(line, exponents, race.places),
  }
}

/** Ranks by probability; of equal ones, the lower number comes first. */
function ranksOf(line: readonly ChanceRow[]): ReadonlyMap<number, number> {
  const order = line.toSorted((a, b) => b.probability - a.probability || a.horse_no - b.horse_no)
  return new Map(order.map(({ horse_no }, index) => [horse_no, index + 1]))
}

function lineChances(
  line: readonly ChanceRow[],
  exponents: StageExponents,
  places: number,
): Market['chances'] {
  const at = new Map(line.map(({ horse_no }, index) => [horse_no, index]))
  try {
    const win = line.map(({ probability }) => probability)
    const chances = new CombinationChances(win, exponents, places)
    return {
      of: (classId, horses) => {
        const indexes = horses.map((horse) => at.get(horse))
        return indexes.some((index) => index === undefined) ? null : chances.of(classId, indexes as number[])
      },
    }
  } catch (error) {
    if (error instanceof FurlongError && error.code === 'bad-field') return null
    throw error
  }
}

const factsOf = (regionId: string, race: SettledRace) => ({
  race_key: race.key,
  region: Number(regionId),
  season: race.season,
  race_date: race.date,
  meeting_key: (Date.parse(race.date) / DAY_MS) * 1000 + race.stadiumKey,
  stadium_key: race.stadiumKey,
  race_no: race.raceNo,
  track: race.track,
  course: race.course,
  going: race.going,
  distance_m: race.distanceM,
  race_class: race.raceClass,
  starters: race.starters,
})

function predictionColumns(
  row: SettledRow,
  race: SettledRace,
  market: Market,
  random: RandomChances,
): SettledPrediction[1] {
  const classId = row.gameplay_class as GameplayClass
  const horses = row.combination.split('-').map(Number)
  const single = horses.length === 1 ? horses[0]! : null
  /** A figure of the bet's only horse; `null` for a combination. */
  const ofHorse = (figures: ReadonlyMap<number, number | null>): number | null =>
    single === null ? null : (figures.get(single) ?? null)
  // A probability of 0 means that the bet cannot be won, because the race pays no place.
  const marketChance = market.chances?.of(classId, horses) ?? null
  return {
    model: row.model,
    origin: row.origin,
    bet_type: classId,
    rank: row.rank,
    horse_no_1: horses[0]!,
    horse_no_2: horses[1] ?? null,
    horse_no_3: horses[2] ?? null,
    horse_no_4: horses[3] ?? null,
    probability: row.probability,
    market_probability: marketChance === 0 ? null : marketChance,
    random_chance: random.of(classId, race),
    win_odds: ofHorse(market.odds),
    opening_odds: ofHorse(market.opening),
    late_odds: ofHorse(market.late),
    favourite_rank: ofHorse(market.favouriteRanks),
    selected: row.selected,
    cautious: row.cautious,
    upset_guard: row.upset_guard,
    outcome: row.outcome,
    profit_cents: row.profit_cents,
    odds: row.odds,
    odds_paid: row.odds_paid,
  }
}

/** One model's rows for the starters of a race. */
function starterColumns(line: readonly ChanceRow[], race: SettledRace, market: Market): SettledStarter[1][] {
  const ranks = ranksOf(line)
  const winners = line.filter(({ place }) => place === 1).length
  return line.map((row) => {
    const settled = race.outcome === null ? null : settle(1, [row.horse_no], race.outcome)
    const gear = gearOf(row.gear)
    return {
      model: row.model,
      origin: row.origin,
      interests: line.length,
      horse_no: row.horse_no,
      horse_key: row.horse_key,
      jockey_key: row.jockey_key,
      trainer_key: row.trainer_key,
      draw: row.draw,
      rating: row.rating,
      weight_lb: row.weight_lb,
      body_weight_lb: row.body_weight_lb,
      gear: gear.worn,
      first_time_gear: gear.firstTime,
      days_since_run: row.days_since_run,
      career_runs: row.career_runs,
      place: row.place,
      win_odds: row.win_odds,
      opening_odds: row.opening_odds,
      late_odds: row.late_odds,
      favourite_rank: market.favouriteRanks.get(row.horse_no) ?? null,
      model_rank: ranks.get(row.horse_no)!,
      market_rank: market.ranks.get(row.horse_no) ?? null,
      probability: row.probability,
      market_probability: market.probabilities.get(row.horse_no) ?? null,
      won: row.place === 1 ? 1 / winners : 0,
      outcome: race.status === 'scheduled' ? null : (settled?.outcome ?? (row.place === 1 ? 'hit' : 'miss')),
      profit_cents: settled?.profitCents ?? null,
    }
  })
}

/**
 * Gear as it was worn: `B1/TT-` is blinkers for the first time and a tongue tie taken off. Marks after an
 * item: 1 first time, 2 worn again after a time without, - taken off.
 */
function gearOf(gear: string | null): { worn: string | null; firstTime: boolean | null } {
  if (gear === null) return { worn: null, firstTime: null }
  const items = gear.split('/').filter((item) => item !== '' && !item.endsWith('-'))
  return {
    worn: items.map((item) => item.replace(/[12]$/, '')).join('/'),
    firstTime: items.some((item) => item.endsWith('1')),
  }
}
