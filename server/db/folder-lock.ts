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
import { diskError } from './disk-error.ts'

/**
 * Locks `folder` for this process and returns a function that releases it. The lock is a kernel lock on a
 * file beside the folder: only one of several concurrent processes gets it, it works between containers that
 * share the folder, and it ends with its process, even after a crash. The file itself stays; its text, the
 * holder's process id, is only informative. Throws `database-locked` if another process holds it.
 */
export function lockFolder(folder: string): () => void {
  const path = `${folder}.lock`
  const file = openLock(path, folder)
  const isFree = tryLock(file)
  const holder = readFileSync(path, 'utf8').trim()
  if (!isFree || isFirstEdition(holder)) {
    closeSync(file)
    throw new FurlongError('database-locked', { folder, process: holder.split(' ')[0] || '?' })
  }
  try {
    truncateSync(path)
    writeSync(file, `${process.pid}\n`)
  } catch {
    // The text is only informative, and a full disk must not leave the folder locked by an open file.
  }
  // Closing the file releases the lock.
  return () => closeSync(file)
}

/** Opens the lock file. Throws `disk-full`, `folder-read-only`. */
function openLock(path: string, folder: string): number {
  try {
    return openSync(path, 'a+', 0o600)
  } catch (error) {
    throw diskError(error, folder)
  }
}

/**
 * Whether the text names a running process of the first edition, which wrote its process id and start time
 * but took no kernel lock.
 */
function isFirstEdition(holder: string): boolean {
  const [, pid, start] = /^(\d+) (\d+)$/.exec(holder) ?? []
  try {
    return pid !== undefined && readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[21] === start
  } catch {
    return false
  }
}

/**
 * Creates a folder that only its owner may read, or restricts an existing one. Throws `disk-full`,
 * `folder-read-only`.
 */
export function makePrivateFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch {
    try {
      // With `recursive`, Node reports a read-only disk as ENOENT; without it, the actual reason.
      mkdirSync(folder, { mode: 0o700 })
    } catch (error) {
      throw diskError(error, folder)
    }
  }
  try {
    chmodSync(folder, 0o700)
  } catch (error) {
    // The volume belongs to another user but is accessible to this process, or is read-only: its permissions
    // are the mounter's choice.
    if (!['EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/** Removes other users' permissions from a folder's content: some programs set file modes of their own. */
export function makeContentPrivate(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600)
  }
}
