import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { tryLock } from 'fs-native-extensions'
import { FurlongError } from '../../domain/errors.ts'

/**
 * Claims `folder` for this process and returns the release. The claim is a lock of the kernel on a file beside the folder:
 * of starters at one moment one gets it, containers on one folder see each other's, and it ends with its process, however
 * that ends. The file itself stays; its text, the holder's process number, is only for who reads it. Throws
 * `database-locked` while somebody has it.
 */
export function lockFolder(folder: string): () => void {
  const path = `${folder}.lock`
  const file = openSync(path, 'a+', 0o600)
  const isFree = tryLock(file)
  const holder = readFileSync(path, 'utf8').trim()
  if (!isFree || isFirstEdition(holder)) {
    closeSync(file)
    throw new FurlongError('database-locked', { folder, process: holder.split(' ')[0] || '?' })
  }
  truncateSync(path)
  writeSync(file, `${process.pid}\n`)
  // Closing the file gives the lock back.
  return () => closeSync(file)
}

/** Whether the text names a running process of the first edition, which wrote its number and start and locked nothing. */
function isFirstEdition(holder: string): boolean {
  const [, pid, start] = /^(\d+) (\d+)$/.exec(holder) ?? []
  try {
    return pid !== undefined && readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[21] === start
  } catch {
    return false
  }
}

/** Makes a folder that only its owner may read, or makes it so. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    chmodSync(folder, 0o700)
  } catch (error) {
    // A volume that belongs to somebody else, with rights for this process: who mounted it decides.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}

/** Takes every right of others from what is in a folder: some programs give files rights of their own choice. */
export function makeContentPrivate(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600)
  }
}
