import type { PREDICTION, STARTER, STARTER_DETAIL, STARTER_SECTIONS } from '../../analytics/tables.ts'
import type { RowOf } from '../../analytics/table.ts'
import { MARKET_MODEL, type ModelId } from '../../contract/model-ids.ts'
import { goingChange } from '../../contract/goings.ts'
import { combinationChances } from '../../domain/combination-chance.ts'
import { nullOn } from '../../domain/errors.ts'
import { combinationCount, type GameplayClass } from '../../domain/gameplay.ts'
import { gearItems } from '../../domain/gear.ts'
import { groupBy } from '../../domain/group-by.ts'
import type { OrderRule } from '../../domain/order-rule.ts'
import { remembered } from '../../domain/remembered.ts'
import { usualLengths } from '../../domain/margin.ts'
import { isDecided, settle, winningCombinations, type RaceOutcome } from '../../domain/settlement.ts'
import { DEFAULT_ORDER } from '../model/models/model-version.ts'
import { earlierKey, NO_EARLIER_RUNS, type EarlierRuns } from '../store/racing/settled/earlier-runs.ts'
import {
  predictionsOf,
  type ChanceRow,
  type SettledRace,
  type SettledRow,
  type SettledRows,
} from '../store/racing/settled/settled-store.ts'

type RaceFacts = ReturnType<typeof factsOf>
/** A row in two parts: the facts about its race, shared by all its rows, and its own columns. */
export type SettledPrediction = readonly [RaceFacts, Omit<RowOf<typeof PREDICTION>, keyof RaceFacts>]
/** The facts about its race, what is told of it for the table, and what was read of it. */
type SettledStarter = readonly [RaceFacts, OwnColumns, Pick<ChanceRow, keyof ChanceRow>]
type OwnColumns = Omit<RowOf<typeof STARTER>, keyof RaceFacts | keyof Omit<ChanceRow, 'gear'>>
/** What is told of it for the table, and what was read of its horse's earlier runs. */
type StarterDetail = readonly [DetailColumns, Pick<EarlierRuns, keyof EarlierRuns> | typeof NO_EARLIER_RUNS]
type DetailColumns = Omit<RowOf<typeof STARTER_DETAIL>, keyof Omit<EarlierRuns, 'lastMargin'>>
export type StarterSections = RowOf<typeof STARTER_SECTIONS>

const DAY_MS = 86_400_000
/** The bet type of a place. */
const PLACE: GameplayClass = 2

type Market = ReturnType<typeof readMarket>

/**
 * Settled predictions and starters as rows of the dataset's wide tables: each repeats the facts about its
 * race and includes the market model's probability of the same horse or combination. `isShown`: which predictions become
 * rows. Rows are made as they are taken.
 */
export function settledTables(
  regionId: string,
  { races, predictions, chances, earlier, asRun, orders }: SettledRows,
  isShown: (row: SettledRow, race: SettledRace) => boolean = () => true,
) {
  const byRace = groupBy(chances, ({ raceKey }) => raceKey)
  const marketOf = remembered((race: SettledRace) => readMarket(byRace.get(race.key) ?? [], race))
  const orderOf = ({ season }: SettledRace): OrderRule => orders.get(season) ?? DEFAULT_ORDER
  /** What combinations of a race share takes most of the time of its rows, and is kept for one race at a time. */
  let shared: { key: number; chanceOf: ReturnType<typeof lineChances> } | null = null
  const chancesOf = (race: SettledRace): ReturnType<typeof lineChances> => {
    if (shared?.key !== race.key)
      shared = { key: race.key, chanceOf: lineChances(marketOf(race).line, orderOf(race), race.places) }
    return shared.chanceOf
  }
  /** The market's chance of a place of each starter, by saddle number. */
  const placeChancesOf = remembered(
    (race: SettledRace) =>
      new Map(
        race.places === 0
          ? []
          : marketOf(race).line.map(({ horseNo }) => [horseNo, chancesOf(race)(PLACE, [horseNo])]),
      ),
  )
  const factsOfRace = remembered((race: SettledRace) => factsOf(regionId, race))
  return {
    models: new Set(predictions.map(({ model }) => model)),
    /** Those of all models, race by race. */
    *predictions(): Generator<SettledPrediction> {
      for (const text of predictions) {
        const race = races.get(text.raceKey)!
        const market = marketOf(race)
        const chanceOf = chancesOf(race)
        // Asked for again by the details of starters.
        placeChancesOf(race)
        for (const row of predictionsOf(text))
          if (isShown(row, race)) yield [factsOfRace(race), predictionColumns(row, market, chanceOf)]
      }
    },
    *starters(model?: ModelId): Generator<SettledStarter> {
      for (const [key, rows] of byRace) {
        const race = races.get(key)!
        for (const [own, line] of groupBy(rows, (row) => row.model))
          if (model === undefined || own === model)
            for (const [columns, row] of starterColumns(line, race, marketOf(race), earlier))
              yield [factsOfRace(race), columns, row]
      }
    },
    /** Each runner whose sections are known. */
    sections: asRun.map((run): StarterSections => ({ ...run, raceDate: races.get(run.raceKey)!.date })),
    /** Each starter once, whichever models it has. */
    *details(): Generator<StarterDetail> {
      for (const [key, rows] of byRace) {
        const race = races.get(key)!
        const byHorse = groupBy(rows, ({ horseNo }) => horseNo)
        for (const models of byHorse.values())
          yield detailColumns(models, race, placeChancesOf(race), earlier)
      }
    },
  }
}

/** The public's view of a race, by horse number. */
function readMarket(rows: readonly ChanceRow[], race: SettledRace) {
  const odds = new Map(rows.map((row) => [row.horseNo, row.winOdds]))
  const known = [...odds].flatMap(([horse, price]) => (price === null ? [] : [{ horse, price }]))
  const line = rows.filter(({ model }) => model === MARKET_MODEL)
  return {
    odds,
    /** First odds seen. */
    opening: new Map(rows.map((row) => [row.horseNo, row.openingOdds])),
    /** Last odds seen two minutes before post time. */
    late: new Map(rows.map((row) => [row.horseNo, row.lateOdds])),
    /** 1 is the shortest final odds; horses with equal odds share a rank. */
    favouriteRanks: new Map(
      known.map(({ horse, price }) => [horse, 1 + known.filter((other) => other.price < price).length]),
    ),
    probabilities: new Map(line.map(({ horseNo, probability }) => [horseNo, probability])),
    ranks: ranksOf(line),
    line,
    /** Probability of a random draw; `null` for a race whose places contradict each other. */
    randomChance: remembered((classId: GameplayClass) => race.outcome && randomChance(classId, race.outcome)),
  }
}

/** Ranks by probability; of equal ones, the lower number comes first. */
function ranksOf(line: readonly ChanceRow[]): ReadonlyMap<number, number> {
  const order = line.toSorted((a, b) => b.probability - a.probability || a.horseNo - b.horseNo)
  return new Map(order.map(({ horseNo }, index) => [horseNo, index + 1]))
}

/**
 * Probability of a combination, by the market's chances of a race; `null` without a market model, or if the formulas
 * cannot handle the field. It keeps what combinations share, which for a whole season is too much.
 */
function lineChances(line: readonly ChanceRow[], order: OrderRule, places: number) {
  const at = new Map(line.map(({ horseNo }, index) => [horseNo, index]))
  const win = line.map(({ probability }) => probability)
  const chances = nullOn('bad-field', () => combinationChances(win, order, places))
  const known = new Map<string, number | null>()
  return (classId: GameplayClass, horses: readonly number[]): number | null => {
    const key = `${classId} ${horses.join('-')}`
    const before = known.get(key)
    if (before !== undefined) return before
    const indexes = horses.flatMap((horse) => at.get(horse) ?? [])
    const chance = chances && indexes.length === horses.length ? chances.of(classId, indexes) : null
    known.set(key, chance)
    return chance
  }
}

const factsOf = (regionId: string, race: SettledRace) => ({
  raceKey: race.key,
  region: Number(regionId),
  season: race.season,
  raceDate: race.date,
  meetingKey: (Date.parse(race.date) / DAY_MS) * 1000 + race.stadiumKey,
  stadiumKey: race.stadiumKey,
  raceNo: race.raceNo,
  track: race.track,
  course: race.course,
  going: race.going,
  distanceM: race.distanceM,
  raceClass: race.raceClass,
  starters: race.starters,
})

function predictionColumns(
  row: SettledRow,
  market: Market,
  chanceOf: ReturnType<typeof lineChances>,
): SettledPrediction[1] {
  const classId = row.gameplayClass as GameplayClass
  const horses = row.combination.split('-').map(Number)
  const single = horses.length === 1 ? horses[0]! : null
  /** A figure of the bet's only horse; `null` for a combination. */
  const ofHorse = (figures: ReadonlyMap<number, number | null>): number | null =>
    single === null ? null : (figures.get(single) ?? null)
  // A probability of 0 means that the bet cannot be won, because the race pays no place.
  const marketChance = chanceOf(classId, horses)
  return {
    // Named one by one: copying the rest of a row took a third of the time of writing a season.
    model: row.model,
    origin: row.origin,
    rank: row.rank,
    probability: row.probability,
    selected: row.selected,
    cautious: row.cautious,
    upsetGuard: row.upsetGuard,
    outcome: row.outcome,
    profitCents: row.profitCents,
    odds: row.odds,
    oddsPaid: row.oddsPaid,
    betType: classId,
    horseNo1: horses[0]!,
    horseNo2: horses[1] ?? null,
    horseNo3: horses[2] ?? null,
    horseNo4: horses[3] ?? null,
    marketProbability: marketChance === 0 ? null : marketChance,
    randomChance: market.randomChance(classId),
    winOdds: ofHorse(market.odds),
    openingOdds: ofHorse(market.opening),
    lateOdds: ofHorse(market.late),
    favouriteRank: ofHorse(market.favouriteRanks),
  }
}

/**
 * Probability that a combination drawn at random from the starters wins: winning combinations divided by all
 * combinations. A dead heat makes several combinations win, and the horses of a coupled entry count as one
 * starter. Where the finish does not decide a pool, its published lines are those of its winners.
 */
export function randomChance(classId: GameplayClass, race: Omit<RaceOutcome, 'amended'>): number {
  const all = combinationCount(classId, race.finish.starters)
  if (all === 0) return 0
  const winning = isDecided(classId, race.finish)
    ? winningCombinations(classId, race)
    : race.dividends.filter(
        ({ gameplayClass, status, combination }) =>
          gameplayClass === classId && status !== 'refund' && combination !== '',
      )
  return winning.length / all
}

const earlierRunsOf = (
  { horseKey }: Pick<ChanceRow, 'horseKey'>,
  { key }: SettledRace,
  earlier: SettledRows['earlier'],
): EarlierRuns | typeof NO_EARLIER_RUNS => earlier.get(earlierKey(key, horseKey)) ?? NO_EARLIER_RUNS

/** One model's rows for the starters of a race. */
function starterColumns(
  line: readonly ChanceRow[],
  race: SettledRace,
  market: Market,
  earlier: SettledRows['earlier'],
): [OwnColumns, ChanceRow][] {
  const ranks = ranksOf(line)
  const winners = line.filter(({ place }) => place === 1).length
  return line.map((row) => {
    const settled = race.outcome === null ? null : settle(1, [row.horseNo], race.outcome)
    const gear = gearOf(row.gear)
    const { daysSinceRun, careerRuns } = earlierRunsOf(row, race, earlier)
    const columns = {
      daysSinceRun,
      careerRuns,
      interests: line.length,
      gear: gear.worn,
      firstTimeGear: gear.first === null ? null : gear.first !== '',
      favouriteRank: market.favouriteRanks.get(row.horseNo) ?? null,
      modelRank: ranks.get(row.horseNo)!,
      marketRank: market.ranks.get(row.horseNo) ?? null,
      marketProbability: market.probabilities.get(row.horseNo) ?? null,
      won: row.place === 1 ? 1 / winners : 0,
      outcome: race.status === 'scheduled' ? null : (settled?.outcome ?? (row.place === 1 ? 'hit' : 'miss')),
      profitCents: settled?.profitCents ?? null,
    }
    return [columns, row]
  })
}

/** Gear as it was worn: of `B1/TT-` the blinkers. */
function gearOf(gear: string | null): { worn: string | null; first: string | null } {
  if (gear === null) return { worn: null, first: null }
  const items = gearItems(gear).filter(({ mark }) => mark !== 'off')
  const codes = (of: typeof items): string => of.map(({ code }) => code).join('/')
  return { worn: codes(items), first: codes(items.filter(({ mark }) => mark === 'first')) }
}

/** The chance of winning by one of a starter's models, in ten-thousandths; `null` without that model. */
function chanceBy(models: readonly ChanceRow[], model: ModelId): number | null {
  const row = models.find((each) => each.model === model)
  return row === undefined ? null : Math.round(row.probability * 10_000)
}

/** `models`: a starter by each of its models, which have its facts in common. */
function detailColumns(
  models: readonly ChanceRow[],
  race: SettledRace,
  placeChances: ReadonlyMap<number, number | null>,
  earlier: SettledRows['earlier'],
): StarterDetail {
  const row = models.at(-1)!
  const hasPlaces = race.places > 0
  const runs = earlierRunsOf(row, race, earlier)
  const settled = race.outcome === null || !hasPlaces ? null : settle(PLACE, [row.horseNo], race.outcome)
  const columns = {
    lastMargin: runs.lastPlace === 1 ? 0 : usualLengths(runs.lastMargin),
    goingChange: goingChange(race.firstGoing, race.going),
    chanceBlended: chanceBy(models, 'blended'),
    chanceFundamental: chanceBy(models, 'fundamental'),
    chanceNetwork: chanceBy(models, 'network'),
    raceKey: race.key,
    raceDate: race.date,
    horseNo: row.horseNo,
    newGear: gearOf(row.gear).first,
    age: row.age,
    sex: row.sex,
    owner: row.owner,
    placeOutcome: settled?.outcome ?? null,
    placeProfitCents: settled?.profitCents ?? null,
    placeChance: placeChances.get(row.horseNo) ?? null,
  }
  return [columns, runs]
}
