// @module-tag rest
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test(
  '“How to add” of ARCHITECTURE.md names exactly the files of each addition',
  { timeout: 1_200_000 },
  () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/try-additions.mjs'], {
      encoding: 'utf8',
    })
    expect(status, `${stdout}${stderr}`).toBe(0)
    expect(stdout).toMatch(/^[1-9]\d* passed, 0 failed in \d+ s$/m)
  },
)
