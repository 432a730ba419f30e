import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './install.mjs'

export function filesBelow(path) {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => filesBelow(join(path, name)))
}

/** Adds names and contents of files, and of those in folders, to a hash; returns it as hexadecimal text. */
export function hashSources(hash, sources) {
  for (const path of sources.flatMap((source) => filesBelow(join(ROOT, source))))
    hash.update(path.slice(ROOT.length)).update(readFileSync(path))
  return hash.digest('hex')
}
