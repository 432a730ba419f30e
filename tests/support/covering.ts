/** The values of each factor. */
type Factors<Row> = { readonly [Name in keyof Row]: readonly Row[Name][] }

/** Every combination of one value of each factor. */
function combinations<Row extends object>(factors: Factors<Row>): Row[] {
  let rows: Partial<Row>[] = [{}]
  for (const name of Object.keys(factors) as (keyof Row)[])
    rows = rows.flatMap((row) => factors[name].map((value) => ({ ...row, [name]: value })))
  return rows as Row[]
}

/** The pairs of values that a row has, as texts. */
export function pairsOf(row: object): string[] {
  const values = Object.entries(row).map(([name, value]) => `${name}=${String(value)}`)
  return values.flatMap((one, at) => values.slice(at + 1).map((other) => `${one} ${other}`))
}

/** Every pair of values that a possible row has. */
export const possiblePairs = <Row extends object>(
  factors: Factors<Row>,
  isPossible: (row: Row) => boolean,
): Set<string> => new Set(combinations(factors).filter(isPossible).flatMap(pairsOf))

/**
 * Rows in which every pair of values that a possible row has occurs at least once: a fault of one value, or of two
 * together, shows in one of them. They begin with the `given` ones; each further one is the row with most new pairs,
 * so that they are few, though not always the fewest.
 */
export function coveringRows<Row extends object>(
  factors: Factors<Row>,
  {
    given = [],
    isPossible = () => true,
  }: { given?: readonly Row[]; isPossible?: (row: Row) => boolean } = {},
): Row[] {
  const candidates = combinations(factors)
    .filter(isPossible)
    .map((row) => ({ row, pairs: pairsOf(row) }))
  const missing = possiblePairs(factors, isPossible)
  const rows = [...given]
  for (const pair of given.flatMap(pairsOf)) missing.delete(pair)
  while (missing.size > 0) {
    const news = candidates.map(({ pairs }) => pairs.filter((pair) => missing.has(pair)).length)
    const { row, pairs } = candidates[news.indexOf(Math.max(...news))]!
    rows.push(row)
    for (const pair of pairs) missing.delete(pair)
  }
  return rows
}
