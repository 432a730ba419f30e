/** The screen that a race was opened from: the specification's markers. */
export type RaceSource = 'home' | 'schedule' | 'racehome' | 'pr' | 'subscribe'

/** Path of a race's screen. */
export const racePath = (raceId: string, source: RaceSource): string =>
  `/pages/race/HorseRace?${new URLSearchParams({ id: raceId, source })}`
