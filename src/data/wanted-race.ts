import { inTab } from '../storage/stored-text.ts'

const KEY = 'furlong-wanted-race'

/** A reader goes to the plans for the sake of this race: paying leads back to it, through the page of the gateway. */
export const rememberWantedRace = (raceId: string): void => void inTab.write(KEY, raceId)

/** The race that the reader paid for; `null` if there is none. */
export function wantedRace(): string | null {
  const raceId = inTab.read(KEY)
  return raceId !== null && /^[A-Z]{5}\d{10}$/.test(raceId) ? raceId : null
}

export const forgetWantedRace = (): void => inTab.remove(KEY)
