/**
 * Reads "How to add" of ARCHITECTURE.md. In a row's second column each path in backticks is an entry: `*` is every file
 * that there is, `<id>` the name of what is added, and `…` one name of one's choice.
 */
const ROW = /^\| (?<name>[^|]*?) \((?<count>\d+)\) +\| (?<files>[^|]*?) +\|/gm

/** The rows of the table by name: `{ count, entries }`. */
export function readRows(text) {
  const rows = new Map()
  const [, table = ''] = text.split('## How to add\n')
  for (const { groups } of table.matchAll(ROW)) {
    const entries = [...groups.files.matchAll(/`([^`]+)`/g)].map(([, entry]) => entry)
    rows.set(groups.name, { count: Number(groups.count), entries })
  }
  return rows
}

const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
const matcher = (entry) => new RegExp(`^${entry.split(/\*|…/).map(escaped).join('([^/]+)')}$`)

/**
 * The files that an entry means, of `files` before the addition and `touched` by it. `id` is the name of what is added,
 * and `like` that of an existing one, which has the files that the new one needs.
 */
export function filesOf(entry, { files, touched, id, like }) {
  const named = entry.replaceAll('<id>', id)
  if (entry.includes('…')) return touched.filter((path) => matcher(named).test(path))
  if (!entry.includes('*')) return [named]
  const pattern = matcher(entry.replaceAll('<id>', like))
  return files.flatMap((path) => {
    const found = pattern.exec(path)
    if (!found) return []
    const parts = found.slice(1)
    return [named.replaceAll('*', () => parts.shift())]
  })
}

/** What is wrong with a row for an addition that touched these files; nothing if it names exactly them. */
export function faultsOf({ count, entries }, named, touched) {
  const faults = []
  const all = entries.flatMap((entry) => named.get(entry))
  for (const entry of entries) {
    const files = named.get(entry)
    if (files.length === 0 || (entry.includes('…') && files.length !== 1))
      faults.push(`\`${entry}\` is ${files.length} files`)
  }
  for (const path of all) if (!touched.includes(path)) faults.push(`${path} is named and was not touched`)
  for (const path of touched) if (!all.includes(path)) faults.push(`${path} was touched and is not named`)
  if (new Set(all).size !== all.length) faults.push('a file is named twice')
  if (all.length !== count) faults.push(`it says ${count} files and names ${all.length}`)
  return faults
}
