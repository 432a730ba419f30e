export interface SliceOptions<Row> {
  size: number
  /** Neighbouring rows with the same value, such as the lines of a race, stay in one slice. */
  together?: (row: Row) => string | null
}

/** Cuts rows into slices of `size`, or of a few more where rows stay together. */
export function slicesOf<Row>(
  rows: readonly Row[],
  { size, together = () => null }: SliceOptions<Row>,
): Row[][] {
  const slices: Row[][] = []
  let last: string | null = null
  for (const row of rows) {
    const slice = slices.at(-1)
    const key = together(row)
    if (slice === undefined || (slice.length >= size && (key === null || key !== last))) slices.push([row])
    else slice.push(row)
    last = key
  }
  return slices
}
