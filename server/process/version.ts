import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './program.ts'

/** Version of this build (semantic versioning), as in `package.json` and the site's footer. */
export const BUILD_VERSION = (
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
).version

/**
 * The update that an installed build needs: a full one if its major or minor version differs from the
 * server's, a silent one if its patch is lower (decisions section 8). Versions are `major.minor.patch`.
 */
export function updateKind(installed: string, current: string): 'none' | 'silent' | 'full' {
  const [major, minor, patch = 0] = installed.split('.').map(Number)
  const [newMajor, newMinor, newPatch = 0] = current.split('.').map(Number)
  if (major !== newMajor || minor !== newMinor) return 'full'
  return patch < newPatch ? 'silent' : 'none'
}
