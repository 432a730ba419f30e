import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { FurlongError } from '../../domain/errors.ts'

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A process that was killed leaves its file behind; its number may since belong to another program. */
function startedAt(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[21] ?? ''
  } catch {
    return ''
  }
}

/** Claims `folder` for this process and returns the release. Throws `database-locked` while its holder lives. */
export function lockFolder(folder: string): () => void {
  const path = `${folder}.lock`
  const mine = `${process.pid} ${startedAt(process.pid)}`
  for (let attempt = 0; ; attempt += 1) {
    try {
      writeFileSync(path, mine, { flag: 'wx' })
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 2) throw error
    }
    const holder = readFileSync(path, 'utf8')
    const pid = Number(holder.split(' ')[0])
    if (pid > 0 && isAlive(pid) && holder === `${pid} ${startedAt(pid)}`) {
      throw new FurlongError('database-locked', { folder, process: pid })
    }
    rmSync(path, { force: true })
  }
  return () => rmSync(path, { force: true })
}
