/** What divides the cells of a header: the most frequent of the delimiters outside quotes, the first if it has none. */
export function delimiterOf<Delimiter extends string>(
  header: string,
  delimiters: readonly Delimiter[],
): Delimiter {
  const bare = header.replaceAll(/"[^"]*"/g, '')
  const count = (delimiter: string): number => bare.split(delimiter).length
  return delimiters.toSorted((a, b) => count(b) - count(a))[0]!
}
