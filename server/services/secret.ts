import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../env.ts'

/** The key that rights are signed with: the operator's, or one made once and kept readable to its owner only. */
export function readSecret({ secret, dataFolder }: Pick<Settings, 'secret' | 'dataFolder'>): string {
  if (secret !== undefined) return secret
  const path = join(dataFolder, 'secret')
  mkdirSync(dataFolder, { recursive: true })
  try {
    writeFileSync(path, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(path, 'utf8').trim()
}
