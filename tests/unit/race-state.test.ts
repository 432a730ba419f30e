import { expect, test } from 'vitest'
import { computeInputs } from '../../server/model/features/catalogue.ts'
import { toDays } from '../../server/model/features/history.ts'
import { learnDay } from '../../server/model/features/learn.ts'
import { packState, unpackState } from '../../server/model/features/pack.ts'
import { cardOf, jockeysToTry, stateOf } from '../../server/model/features/race-state.ts'
import { emptyState } from '../../server/model/features/state.ts'
import { sameNumbers } from '../support/same-numbers.ts'
import { simulatedHistory } from '../support/simulated-history.ts'

test('features from the part of the state that is kept are those from all of it, with another card too', () => {
  const days = toDays(simulatedHistory('2026-11-21', 300))
  const state = emptyState()
  let compared = 0
  for (const [index, day] of days.entries()) {
    // Every race of the later days, which have something to look back on.
    if (index > days.length / 2)
      for (const race of day.races) {
        const card = cardOf(race)
        const text = packState(stateOf(state, card))
        const kept = unpackState(text)!
        expect(text).not.toContain('"timeMs"')
        const jockeys = jockeysToTry(state, card)
        expect(jockeysToTry(kept, card)).toEqual(jockeys)
        const turned = {
          ...card,
          going: 'heavy',
          starters: card.starters.slice(1).map((starter, row) => ({
            ...starter,
            draw: card.starters.at(-1 - row)!.draw,
            jockeyId: jockeys[row % jockeys.length]!,
          })),
        }
        for (const each of [race, turned]) {
          const whole = computeInputs(state, each)
          const part = computeInputs(kept, each)
          expect(sameNumbers(part.features, whole.features), race.id).toBe(true)
          expect(sameNumbers(part.context, whole.context), race.id).toBe(true)
          compared += 1
        }
      }
    learnDay(state, day)
  }
  expect(compared).toBeGreaterThan(200)
})

test('a card has nothing of how its race was run', () => {
  const [race] = simulatedHistory('2026-11-21', 30)
  const card = cardOf(race!)
  expect(Object.keys(card)).not.toContain('whole')
  for (const starter of card.starters)
    for (const key of ['place', 'timeMs', 'calls']) expect(Object.keys(starter)).not.toContain(key)
})
