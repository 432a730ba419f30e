import { SHAPE_RANGE } from '../../../domain/gamma-field.ts'
import { USUAL_SHAPE } from '../../../domain/order-rule.ts'
import { LEAST_CHANCE, MAX_CHANCE } from '../../../domain/own-chances.ts'
import { onDevice } from '../../storage/stored-text.ts'
import { CHANCES_KEY } from '../../data/client/device-work.ts'

/** The user's settings for a race; stored on this device only. `byHand` is by saddle number. */
export interface StoredChances {
  share: number
  /** Shape of the finishing times. */
  shape: number
  byHand: Record<string, number>
}

/** The win probabilities of a race when they were stored, by saddle number. */
export interface StoredWin {
  win: Record<string, number>
  /** Whether the race had not been run yet. */
  before: boolean
}

/** Beyond this number of races, the oldest are deleted. */
const MAX_RACES = 200

export const NOTHING_SET: StoredChances = { share: 0, shape: USUAL_SHAPE, byHand: {} }

function readAll(): Record<string, unknown> {
  const stored = onDevice.readJson(CHANCES_KEY)
  return typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {}
}

const numberIn = (value: unknown, min: number, max: number, fallback: number): number =>
  typeof value === 'number' && value >= min && value <= max ? value : fallback

/** The stored settings of a race; `null` if there are none. */
export function readChances(raceId: string): StoredChances | null {
  const found = readAll()[raceId] as Partial<StoredChances> | undefined
  if (typeof found !== 'object' || found === null) return null
  const byHand = Object.entries(found.byHand ?? {}).filter(
    ([, chance]) => typeof chance === 'number' && chance >= LEAST_CHANCE && chance <= MAX_CHANCE,
  )
  return {
    share: numberIn(found.share, 0, 1, 0),
    shape: Math.round(numberIn(found.shape, SHAPE_RANGE.least, SHAPE_RANGE.most, USUAL_SHAPE)),
    byHand: Object.fromEntries(byHand),
  }
}

/** Stores the settings and their result; `null` deletes them. Returns `false` if the device refused. */
export function storeChances(raceId: string, chances: (StoredChances & StoredWin) | null): boolean {
  const { [raceId]: _before, ...others } = readAll()
  const entries = Object.entries(others).slice(-MAX_RACES + 1)
  if (chances !== null) entries.push([raceId, chances])
  return onDevice.writeJson(CHANCES_KEY, Object.fromEntries(entries))
}

/** All stored win probabilities, by race and saddle number. */
export function storedWins(): { raceId: string; number: number; chance: number; before: boolean }[] {
  return Object.entries(readAll()).flatMap(([raceId, stored]) => {
    const { win, before } = stored as Partial<StoredWin>
    return Object.entries(win ?? {}).flatMap(([number, chance]) =>
      typeof chance === 'number' && chance > 0 && chance < 1
        ? [{ raceId, number: Number(number), chance, before: before === true }]
        : [],
    )
  })
}
