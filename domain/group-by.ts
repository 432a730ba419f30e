/** Groups `rows` by key, in order of first appearance (`Map.groupBy` needs Node 21). */
export function groupBy<Row, Key>(rows: Iterable<Row>, groupOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>()
  for (const row of rows) {
    const key = groupOf(row)
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}
