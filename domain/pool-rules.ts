import type { GameplayClass } from './gameplay.ts'
import {
  AUSTRALIA,
  FRANCE,
  GREAT_BRITAIN,
  HONG_KONG,
  IRELAND,
  JAPAN,
  regionOfStadium,
  UNITED_STATES,
} from './region.ts'
import type { RegionRules } from './region.ts'

/** `from`: number of starters. `handicaps`: the row is only for these. */
interface PlaceTerm {
  from: number
  places: number
  handicaps?: true
}

/** What can be bet on in a region, and what a place is. */
interface PoolRules {
  /** Bet types that somebody takes bets on; of others there are no predictions. */
  pools: readonly GameplayClass[]
  /** Places paid by number of declared starters, largest field first; below the last row there is no place pool. */
  places: readonly PlaceTerm[]
}

const ALL: readonly GameplayClass[] = [1, 2, 3, 4, 5, 6, 7, 8, 9]

/**
 * The Tote's pools are win, place, swinger (quinella place), exacta (forecast) and trifecta (tierce); bookmakers take forecasts
 * and tricasts. Nobody takes a quinella, a trio, a first four or a quartet. Places: the Tote's rules, which the bookmakers'
 * each-way terms share (https://britbet.com/pool-betting-rules/, https://www.timeform.com/betting/advanced/tote-exotic-bet-types).
 */
const OF_THE_TOTE: PoolRules = {
  pools: [1, 2, 4, 5, 7],
  places: [
    { from: 16, places: 4, handicaps: true },
    { from: 8, places: 3 },
    { from: 5, places: 2 },
  ],
}

const RULES: Readonly<Record<string, PoolRules>> = {
  // The Hong Kong Jockey Club's rules of pari-mutuel betting.
  [HONG_KONG.id]: {
    pools: ALL,
    places: [
      { from: 7, places: 3 },
      { from: 4, places: 2 },
    ],
  },
  // “Place” pays the first two; the third position belongs to another pool (“show”). The exacta is our forecast, the superfecta our
  // quartet; nobody takes a quinella place, a trio, or four horses in any order. The model rules of the Association of Racing
  // Commissioners International, ARCI-004-105, as states have them (http://azrules.elaws.us/rule/r19-2-523).
  [UNITED_STATES.id]: { pools: [1, 2, 3, 5, 7, 9], places: [{ from: 4, places: 2 }] },
  // Its “first four” is in order, as our quartet; duet and “any two” are our quinella place. Nobody takes a trio, or four horses in
  // any order. https://tatts.com/m/help/racing%20bet%20terms
  [AUSTRALIA.id]: {
    pools: [1, 2, 3, 4, 5, 7, 9],
    places: [
      { from: 8, places: 3 },
      { from: 5, places: 2 },
    ],
  },
  [GREAT_BRITAIN.id]: OF_THE_TOTE,
  [IRELAND.id]: OF_THE_TOTE,
  // 単勝 複勝 馬連 ワイド 馬単 3連複 3連単; the bracket quinella is no bet on horses. Places: http://japanracing.jp/en/go-racing/local-howtobet.html
  [JAPAN.id]: {
    pools: [1, 2, 3, 4, 5, 6, 7],
    places: [
      { from: 8, places: 3 },
      { from: 5, places: 2 },
    ],
  },
  // Simple gagnant and placé, couplé gagnant, placé and ordre, trio, trio ordre and tiercé; a quarté is offered on single races of
  // a day only. https://www.france-galop.com/fr/comprendre-les-courses/parier-sur-lhippodrome
  [FRANCE.id]: {
    pools: [1, 2, 3, 4, 5, 6, 7],
    places: [
      { from: 8, places: 3 },
      { from: 4, places: 2 },
    ],
  },
}

const rulesOf = ({ id }: Pick<RegionRules, 'id'>): PoolRules => RULES[id] ?? RULES[HONG_KONG.id]!

/** Bet types of a region. */
export const poolsOf = (region: Pick<RegionRules, 'id'>): readonly GameplayClass[] => rulesOf(region).pools

/** Bet types at a racecourse; Hong Kong's where no region has it. */
export const poolsAt = (stadiumId: string): readonly GameplayClass[] =>
  poolsOf(regionOfStadium(stadiumId) ?? HONG_KONG)

/** Whether a race's English name says that it is a handicap; names that do not say it count as none. */
export const isHandicap = (name: string | null): boolean => /\bh(?:andi|['’])?cap\b/i.test(name ?? '')

/** Places paid for a number of declared starters; 0 means that there is no place pool. `name`: of the race, in English. */
export const placesFor = (
  region: Pick<RegionRules, 'id'>,
  declaredStarters: number,
  name: string | null = null,
): number =>
  rulesOf(region).places.find(
    ({ from, handicaps }) => declaredStarters >= from && (handicaps === undefined || isHandicap(name)),
  )?.places ?? 0
