/** Dimensions that number columns of the reader's own file take, in the order of the columns. */
export const OWN_SLOTS = ['own_1', 'own_2', 'own_3', 'own_4', 'own_5', 'own_6'] as const
export type OwnSlot = (typeof OWN_SLOTS)[number]

export const isOwnSlot = (name: string): name is OwnSlot => OWN_SLOTS.some((slot) => slot === name)

/** Bands of a column; fewer where many rows have the same value. */
export const OWN_BANDS = 5

/** Column of the engine's own rows that has a slot's number itself. */
export const ownValue = (slot: OwnSlot): string => `${slot}_value`
/** Measure: the mean of a slot's column over predictions of one horse. */
export const ownMean = (slot: OwnSlot): `${OwnSlot}_mean` => `${slot}_mean`

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
