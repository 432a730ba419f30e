/** Dimensions that number columns of the reader's own file take, in the order of the columns. */
export const OWN_SLOTS = ['own_1', 'own_2', 'own_3', 'own_4', 'own_5', 'own_6'] as const
export type OwnSlot = (typeof OWN_SLOTS)[number]

/** A value for each slot. */
export const bySlot = <Value>(make: (slot: OwnSlot) => Value): Record<OwnSlot, Value> =>
  Object.fromEntries(OWN_SLOTS.map((slot) => [slot, make(slot)])) as Record<OwnSlot, Value>

/** The numbers of a column's bands; fewer where many rows have the same value. */
export const OWN_BANDS = [0, 1, 2, 3, 4] as const

/** The value of a slot for horses without a number, after those of the bands: it can be selected like a band. */
export const NO_OWN_VALUE = OWN_BANDS.length

/**
 * Column of the engine's own rows that has a slot's number itself.
 *
 * ```ts
 * ownValue('own_1') // => 'own_1_value'
 * ```
 */
export const ownValue = (slot: OwnSlot): string => `${slot}_value`
/**
 * Measure: the mean of a slot's column over predictions of one horse.
 *
 * ```ts
 * ownMean('own_1') // => 'own_1_mean'
 * ```
 */
export const ownMean = (slot: OwnSlot): `${OwnSlot}_mean` => `${slot}_mean`

/**
 * Whether a name of a dimension, measure or field is of a slot.
 *
 * ```ts
 * isOwnName('own_2_mean') // => true
 * isOwnName('own_7') // => false
 * ```
 */
export const isOwnName = (name: string): boolean =>
  // Most names are not: the first test keeps a click from comparing each with every slot.
  name.startsWith('own_') && OWN_SLOTS.some((slot) => name === slot || name.startsWith(`${slot}_`))

/** Table of the engine with the matched rows: keys, bands and numbers. */
export const OWN_ROWS = 'own_rows'

/** A slot as it was filled from a file. */
export interface FilledSlot {
  slot: OwnSlot
  /** The column as the file names it. */
  name: string
  /** Lower edges of the bands, ascending, then the largest value. */
  edges: number[]
}
