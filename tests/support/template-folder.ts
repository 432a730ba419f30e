import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Environment variable with the folder of the run's templates. */
export const TEMPLATE_FOLDER = 'FURLONG_TEST_TEMPLATES'

/**
 * The folder of a run's templates: the one that `npm test` made for Vitest and Playwright together, or a new one. `remove`
 * removes only a new one.
 */
export function openTemplateFolder(): { folder: string; remove: () => void } {
  const shared = process.env[TEMPLATE_FOLDER]
  const folder = shared ?? mkdtempSync(join(tmpdir(), 'furlong-templates-'))
  // Servers that tests start as other users have their folders in it.
  chmodSync(folder, 0o711)
  return {
    folder,
    remove: () => {
      if (shared === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}
