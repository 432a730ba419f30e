import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FurlongError } from '../../domain/errors.ts'
import type { Settings } from '../process/env.ts'
import { makeKeys, type Keys } from './keys.ts'

/** Files in the data folder for secrets that are not set in the environment. */
export const SECRET_FILES = ['secret', 'card-key'] as const

/**
 * Keys from the operator's secrets, or from secrets generated once and stored in the data folder, readable
 * only by its owner. Throws `secrets-missing` in production: with generated secrets, losing the folder would
 * make the stored card numbers unreadable.
 */
export function readKeys(settings: Pick<Settings, 'secret' | 'cardKey' | 'dataFolder' | 'mode'>): Keys {
  const { secret, cardKey, dataFolder } = settings
  const names = missingSecrets(settings)
  if (names.length > 0) throw new FurlongError('secrets-missing', { names: names.join(', ') })
  const [secretFile, cardKeyFile] = SECRET_FILES
  return makeKeys(secret ?? madeOnce(dataFolder, secretFile), cardKey ?? madeOnce(dataFolder, cardKeyFile))
}

/** Names of the secrets that production needs and that are not set; elsewhere none are needed. */
export function missingSecrets({
  secret,
  cardKey,
  mode,
}: Pick<Settings, 'secret' | 'cardKey' | 'mode'>): string[] {
  if (mode !== 'production') return []
  return [
    ...(secret === undefined ? ['FURLONG_SECRET'] : []),
    ...(cardKey === undefined ? ['FURLONG_CARD_KEY'] : []),
  ]
}

function madeOnce(dataFolder: string, name: string): string {
  const path = join(dataFolder, name)
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(path, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(path, 'utf8').trim()
}
