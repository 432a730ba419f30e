const KEY = /['"]((?:[a-z][a-zA-Z]*)(?:\.[a-zA-Z0-9_-]+)+)['"]/g
const FAMILY = /`((?:[a-z][a-zA-Z]*\.)(?:[a-zA-Z]+\.)*)\$\{/g

/**
 * Compares the keys used in sources (whole, or by the prefix of a template such as `gameplay.${id}`) with the existing
 * keys. A quoted text counts as a key if its first word is the first word of some key.
 */
export function checkMessages(
  sources: readonly string[],
  messages: Readonly<Record<string, string>>,
  errorCodes: readonly string[],
): { missing: string[]; unused: string[] } {
  const prefixes = new Set(Object.keys(messages).map((key) => key.split('.')[0]))
  const named = new Set(errorCodes.map((code) => `error.${code}`))
  const families = new Set<string>()
  for (const source of sources) {
    for (const [, key] of source.matchAll(KEY)) if (prefixes.has(key!.split('.')[0])) named.add(key!)
    for (const [, family] of source.matchAll(FAMILY)) families.add(family!)
  }
  const inFamily = (key: string): boolean => [...families].some((family) => key.startsWith(family))
  return {
    missing: [...named].filter((key) => !(key in messages)).toSorted(),
    unused: Object.keys(messages)
      .filter((key) => !named.has(key) && !inFamily(key))
      .toSorted(),
  }
}
