import { expect, test } from 'vitest'
import { gearItems } from '../../domain/gear.ts'
import { addDays } from '../../domain/region.ts'
import { gearOn } from '../../server/ingest/demo/gear.ts'

test('a horse of the demonstration has a piece of gear for the first time once, in its first run with it', () => {
  // Every horse runs every ninth day.
  const every = 9
  for (let horse = 0; horse < 60; horse += 1) {
    const days = Array.from({ length: 30 }, (_, run) => addDays('2026-01-01', (horse % every) + run * every))
    const ranBetween = (from: string, before: string): boolean =>
      days.some((day) => day >= from && day < before)
    const known = new Set<string>()
    for (const [run, day] of days.entries()) {
      for (const { code, mark } of gearItems(gearOn(`A${horse}`, day, ranBetween))) {
        if (run > 0 && mark === 'first') expect(known, `A${horse} ${day}`).not.toContain(code)
        if (run > 0 && mark === null) expect(known, `A${horse} ${day}`).toContain(code)
        if (mark === 'off') expect(known, `A${horse} ${day}`).toContain(code)
        known.add(code)
      }
    }
  }
})
