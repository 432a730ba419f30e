// @module-tag rest
import { execFileSync, spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { ROOT } from '../support/server-process.ts'

const MINUTE = 60_000

const runs = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args, { timeout: MINUTE }).status === 0
const hasEngine =
  (runs('docker', 'info') && runs('docker', 'compose', 'version')) || runs('podman', 'compose', 'version')

test.skipIf(!hasEngine)(
  'the image is built, serves beside its database, and restores what its own client wrote (skipped where no container engine runs)',
  { timeout: 45 * MINUTE },
  () => {
    const printed = execFileSync('bash', ['tools/try-image.sh'], { cwd: ROOT, encoding: 'utf8' })
    expect(printed).toContain('restores its own backup')
  },
)
