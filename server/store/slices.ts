/**
 * Cuts rows into slices of `size` or a few more: neighbouring rows with the same `together` value, such as the lines of a
 * race, stay in one slice.
 */
export function slicesOf<Row>(
  rows: readonly Row[],
  size: number,
  together: (row: Row) => string | null,
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
