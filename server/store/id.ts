import { v7 } from 'uuid'

/** A new key: UUIDv7, so that rows made later sort later, whichever process made them. */
export const newId = (): string => v7()

/** The smallest key of an instant: keys made since then are not below it. */
export function firstIdOf(instant: Date): string {
  return v7({ msecs: instant.getTime(), seq: 0, random: new Uint8Array(16) })
}

/** When a key was made, to the millisecond. */
export function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))
}
