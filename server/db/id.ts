import { v7 } from 'uuid'

/** A new key: UUIDv7, so that later rows sort later, whichever process created them. */
export const newId = (): string => v7()

/** The smallest key of an instant: keys created from then on are not smaller. */
export function firstIdOf(instant: Date): string {
  return v7({ msecs: instant.getTime(), seq: 0, random: new Uint8Array(16) })
}

/** The creation time of a key, to the millisecond. */
export function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))
}
