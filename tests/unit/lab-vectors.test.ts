import { expect, test } from 'vitest'
import { ANY_BET } from '../../domain/bet-table.ts'
import { Lab } from '../../workers/lab/lab.ts'
import { pageOf, TEN_ON_EACH } from '../support/lab-page.ts'

/** The probabilities of every starter, from which the lab derives the user's own. */

const RACE = 'HKSHT2026010401'

const vectors = () =>
  pageOf({
    race_id: [RACE, RACE, RACE],
    horse_no: [1, 2, 3],
    probability: [0.5, 0.3, 0.2],
    market_probability: [0.4, 0.4, 0.2],
    places_paid: [0, 0, 0],
  })

test('probabilities that are read again, as after a rebuild, replace those that were read before', async () => {
  const lab = new Lab()
  await lab.begin('starters')
  await lab.add(
    pageOf({
      horse_no: [1],
      model_rank: [1],
      race_id: [RACE],
      day: ['2026-01-04'],
      meeting: ['2026-01-04/1'],
      race_no: [1],
      outcome: ['hit'],
      probability: [0.5],
      market_probability: [0.4],
      win_odds: [2.5],
      opening_odds: [null],
      late_odds: [2.5],
      profit_cents: [1500],
    }),
  )
  await lab.ready()
  const rules = { ...ANY_BET, minProbability: 0.9 }
  const own = {
    share: 0,
    order: { shape: 1 },
    saved: [{ raceId: RACE, number: 1, chance: 0.95, before: true }],
  }
  await lab.beginVectors()
  await lab.addVectors(vectors())
  await lab.beginVectors()
  await lab.addVectors(vectors())
  const { bets, ownRaces } = await lab.run({ ...TEN_ON_EACH, rules, own })
  expect({ bets, ownRaces }).toEqual({ bets: 1, ownRaces: { own: 1, all: 1 } })
})
