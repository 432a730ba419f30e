/** Positions at the calls as the racing clubs print them, `3 2 1`; a dash for one that is not known. */
export const positionsText = (positions: readonly (number | null)[]): string =>
  positions.map((position) => position ?? '–').join(' ')
