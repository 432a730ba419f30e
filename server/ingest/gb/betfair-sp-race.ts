import type { GameplayClass } from '../../../domain/gameplay.ts'
import type { DividendDraft, RaceDraft } from '../../drafts/drafts.ts'
import { exchangeLine } from '../reading/exchange-prices.ts'
import type { NoteOfRow } from '../reading/format.ts'
import type { Result } from './betfair-sp-cells.ts'

/** What is told of a horse. */
export interface Run {
  horseNo: number
  win: Result
  winPrice: number | null
  /** `null`: nobody tells. */
  place: Result | null
  placePrice: number | null
}

/** Of bets that share what is paid, two are on one last place; which part of a place each of more has is not known. */
const SHARING_ONE_PLACE = 2

/** Lines of the horses that bets of a class were paid on. `shareOf`: the share of a stake of `shared` horses in a dead heat. */
function linesOf(
  raceId: string,
  gameplayClass: GameplayClass,
  paid: readonly { horseNo: number; result: Result | null; price: number | null }[],
  shareOf: (shared: number) => number | null,
): DividendDraft[] {
  const share = shareOf(paid.filter(({ result }) => result === 'shared').length)
  return paid.flatMap(({ horseNo, result, price }) => {
    if (result === 'won') return exchangeLine(raceId, gameplayClass, horseNo, { price })
    return result === 'shared' ? exchangeLine(raceId, gameplayClass, horseNo, { price, share }) : []
  })
}

/**
 * The lines of a race from what both markets tell of its horses, and who shared the first place. Of a place market that is told in
 * part there are none, and its bets are not judged.
 */
export function completeRace(
  race: RaceDraft,
  told: readonly Run[],
  note: NoteOfRow,
): { race: RaceDraft; dividends: DividendDraft[] } {
  const runs = told.filter(({ win }) => win !== 'removed')
  const winners = runs.filter(({ win }) => win !== 'lost')
  const isDeadHeat = winners.length > 1
  // Winners that are not all marked as sharing, or one that is marked so alone: what they were paid is unknown.
  const isMarked = winners.every(({ win }) => (win === 'shared') === isDeadHeat)
  if (!isMarked) note(0, 'dead-heat-contradicts-itself', `${race.id}: ${winners.length} winners`)
  const isPartlyTold = runs.some(({ place }) => place === null) && runs.some(({ place }) => place !== null)
  if (isPartlyTold) note(0, 'place-results-missing', `${race.id}: the place market has not all of its horses`)
  const wins = winners.map(({ horseNo, win, winPrice }) => ({
    horseNo,
    result: win,
    price: isMarked ? winPrice : null,
  }))
  const places = isPartlyTold
    ? []
    : runs.map(({ horseNo, place, placePrice }) => ({ horseNo, result: place, price: placePrice }))
  return {
    race: {
      ...race,
      runners: race.runners.map((runner) => ({ ...runner, deadHeat: isDeadHeat && runner.place === 1 })),
    },
    dividends: [
      ...linesOf(race.id, 1, wins, (shared) => 1 / shared),
      ...linesOf(race.id, 2, places, (shared) => (shared === SHARING_ONE_PLACE ? 1 / shared : null)),
    ],
  }
}
