import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './program.ts'

/** Version of this build (semantic versioning), as in `package.json` and the site's footer. */
export const BUILD_VERSION = (
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
).version
