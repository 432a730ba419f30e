import { choices, combinationText, DOUBLE, GAMEPLAYS } from '../../../domain/gameplay.ts'
import type { Finish } from '../../../domain/finish.ts'
import { combinationProbabilities } from '../../../domain/class-tables.ts'
import { normal } from '../../../domain/random.ts'
import { isHit } from '../../../domain/settlement.ts'
import { hongKongTakeout } from '../../../domain/takeout.ts'
import type { DividendDraft } from '../../drafts/drafts.ts'

/** Stage exponents by which the simulated public bets. */
const PUBLIC_EXPONENTS = { second: 0.86, third: 0.74, fourth: 0.64 }

/** Minimum dividend in cents per HK$10. */
const MINIMUM_CENTS = 1010

/** Dividends are published in steps of 50 cents. */
const published = (cents: number): number => Math.max(MINIMUM_CENTS, Math.floor(cents / 50) * 50)

/**
 * Every winning line of every class with the dividend that its pool would pay: (1 − takeout) divided by the
 * public's share on it, which is its fair probability with some error; in a dead heat the lines share the
 * pool.
 */
export function publishDividends(race: {
  raceId: string
  date: string
  finish: Finish
  places: number
  horseNos: readonly number[]
  publicChances: readonly number[]
  random: () => number
}): DividendDraft[] {
  const tables = combinationProbabilities(race.publicChances, PUBLIC_EXPONENTS, race.places)
  const inFront = race.horseNos.filter((horseNo) => race.finish.allowsAmong([horseNo], 4))
  return GAMEPLAYS.flatMap((gameplay) => {
    const { share: takeout } = hongKongTakeout(gameplay.class, race.date)
    const table = tables[gameplay.class]
    const winners = choices(inFront, gameplay.size, gameplay.rule === 'order')
      .filter((horses) => isHit(gameplay.class, horses, race))
      .map((horses) => ({
        horses,
        probability: table.probabilityOf(horses.map((horseNo) => race.horseNos.indexOf(horseNo))),
      }))
    const usual = gameplay.rule !== 'among' ? 1 : gameplay.depth === 'places' ? race.places : 3
    const sharing = Math.max(1, winners.length / usual)
    return winners.map(({ horses, probability }): DividendDraft => {
      const shareOfPool = probability * Math.exp((gameplay.class === 1 ? 0 : 0.1) * normal(race.random))
      const cents = ((1 - takeout) / shareOfPool / sharing) * 1000
      return {
        raceId: race.raceId,
        pool: gameplay.key,
        gameplayClass: gameplay.class,
        combination: combinationText(gameplay.class, horses),
        status: 'paid',
        dividendCents: published(cents),
      }
    })
  })
}

/**
 * The double of two consecutive races of a meeting. A pair of their winners pays what a win bet on the first,
 * reinvested on the second, would return if the takeout were deducted only once.
 */
export function publishDouble(
  first: readonly DividendDraft[],
  second: readonly DividendDraft[],
  date: string,
): DividendDraft[] {
  const winners = (lines: readonly DividendDraft[]): DividendDraft[] =>
    lines.filter(({ gameplayClass, dividendCents }) => gameplayClass === 1 && dividendCents !== null)
  const { share: takeout } = hongKongTakeout(1, date)
  return winners(first).flatMap((one) =>
    winners(second).map((two): DividendDraft => {
      const cents = (one.dividendCents! * two.dividendCents!) / 1000 / (1 - takeout)
      return {
        raceId: two.raceId,
        pool: DOUBLE.key,
        gameplayClass: DOUBLE.class,
        combination: `${one.combination}/${two.combination}`,
        status: 'paid',
        dividendCents: published(cents),
      }
    }),
  )
}
