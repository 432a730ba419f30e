import type { ScheduledRace } from '../../contract/api/racing.ts'

/** `off`: the race has started, and its result is awaited. */
export type RaceState = 'final' | 'abandoned' | 'off' | 'scheduled'

export function raceState(
  { status, competitionDate }: Pick<ScheduledRace, 'status' | 'competitionDate'>,
  now: Date,
): RaceState {
  if (status !== 'scheduled') return status
  return competitionDate !== null && new Date(competitionDate) <= now ? 'off' : 'scheduled'
}
