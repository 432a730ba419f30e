import { REVEALED_SEASONS_KEY } from '../../data/client/device-work.ts'
import { storedRecord } from './stored-record.ts'

/**
 * The days on which held-back seasons were revealed, stored on this device: a step back in the browser's history
 * must not make a second reveal look like the first.
 */
const revealed = storedRecord<string>(REVEALED_SEASONS_KEY)

/** A season of a region, as seen by one customer of this device. */
export interface RevealedSeason {
  regionId: string
  /** `null` for a visitor. */
  customerId: string | null
  season: number
}

const seasonKey = ({ regionId, customerId, season }: RevealedSeason): string =>
  `${customerId ?? ''} ${regionId} ${season}`

/** The day on which a season was first revealed (yyyy-mm-dd); `null` if it was not, or if there is none. */
export const useRevealedOn = (of: RevealedSeason | null): string | null => {
  const days = revealed.use()
  return of === null ? null : (days[seasonKey(of)] ?? null)
}

/** Stores that a season was revealed on a day, unless it was revealed before. */
export function markRevealed(of: RevealedSeason, day: string): void {
  if (!(seasonKey(of) in revealed.now())) revealed.set(seasonKey(of), day)
}
