/** A function that calls `of` once for each key, and remembers what it returned. */
export function remembered<Key, Value>(of: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    if (!known.has(key)) known.set(key, of(key))
    return known.get(key) as Value
  }
}
