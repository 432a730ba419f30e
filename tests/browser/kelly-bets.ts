import { groupBy } from '../../domain/group-by.ts'

interface KellyPlan {
  /** Cents. */
  bankroll: number
  fraction: number
}

const UNIT = 1000

/**
 * A fraction of Kelly written out: for the horses of each race together, on the bankroll left by earlier races, in whole units
 * of HK$10. `rows`: `race_key`, `p`, `odds`, `outcome`, `profit` of HK$10 in cents and `month`, race after race.
 */
export function kellyBets(rows: readonly Record<string, unknown>[], { bankroll, fraction }: KellyPlan) {
  let bank = bankroll
  let bets = 0
  const months = new Map<string, number>()
  for (const race of groupBy(rows, (row) => row['race_key']).values()) {
    const before = bank
    const order = race.toSorted(
      (a, b) => Number(b['p']) * Number(b['odds']) - Number(a['p']) * Number(a['odds']),
    )
    let [factor, unbacked, unpriced] = [1, 1, 1]
    const backed: typeof race = []
    for (const horse of order) {
      if (!(Number(horse['p']) * Number(horse['odds']) > factor)) break
      unbacked -= Number(horse['p'])
      unpriced -= 1 / Number(horse['odds'])
      factor = unbacked / unpriced
      backed.push(horse)
    }
    for (const horse of backed) {
      const share = fraction * (Number(horse['p']) - factor / Number(horse['odds']))
      const stake = Math.floor((share * before) / UNIT + 1e-9) * UNIT
      if (horse['outcome'] === 'void' || horse['profit'] === null || stake <= 0) continue
      const won = Math.round((stake * Number(horse['profit'])) / UNIT)
      bank += won
      bets += 1
      months.set(String(horse['month']), (months.get(String(horse['month'])) ?? 0) + won)
    }
  }
  return { bets, profit: bank - bankroll, months }
}
