import type { RaceDraft } from '../../drafts/drafts.ts'
import type { Note } from './format.ts'

type Facts = Omit<RaceDraft, 'runners'>

/** Completes a race's facts by those of another row, which is noted for every fact that differs. */
export function joinFacts(race: RaceDraft, { name, ...facts }: Facts, note: Note): void {
  join(race, facts, `${race.id} `, note)
  const own = { ...race.name }
  join(own, name, `${race.id} name_`, note)
  race.name = own
}

function join<Each extends object>(own: Each, other: Partial<Each>, prefix: string, note: Note): void {
  for (const key of Object.keys(other) as (keyof Each & string)[]) {
    const value = other[key]
    // A row's own runner is no fact of the race.
    if (value === undefined || typeof value === 'object' || value === own[key]) continue
    if (own[key] === null) own[key] = value
    else note('race-facts-differ', `${prefix}${key}: ${String(value)}, and ${String(own[key])} before`)
  }
}
