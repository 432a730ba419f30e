import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Ending of the empty file that says that a template is finished. */
export const READY = '.ready'

/** Environment variable with the folder of the run's templates. */
export const TEMPLATE_FOLDER = 'FURLONG_TEST_TEMPLATES'

/**
 * The folder of a run's templates: the one that `npm test` made for Vitest and Playwright together, or a new one. Only
 * finished templates of the run before stay in it. `remove` removes only a new one.
 */
export function openTemplateFolder(): { folder: string; remove: () => void } {
  const shared = process.env[TEMPLATE_FOLDER]
  const folder = shared ?? mkdtempSync(join(tmpdir(), 'furlong-templates-'))
  // Servers that tests start as other users have their folders in it.
  chmodSync(folder, 0o711)
  for (const name of readdirSync(folder)) {
    const isReady = name.endsWith(READY) || existsSync(join(folder, `${name}${READY}`))
    if (!isReady) rmSync(join(folder, name), { recursive: true, force: true })
  }
  return {
    folder,
    remove: () => {
      if (shared === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}
