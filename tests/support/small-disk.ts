import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from './databases.ts'

export interface SmallDisk {
  folder: string
  /** Fills the disk to the last byte, or until only `leaveMegabytes` are free. */
  fill(leaveMegabytes?: number): void
  /** Frees what `fill` occupied. */
  free(): void
  /** Makes the disk read-only, or writable again. No file may be open for writing. */
  setReadOnly(readOnly: boolean): void
  remove(): void
}

/** Mounts a disk of a few megabytes; `null` where mounting is not permitted. */
export function smallDisk(megabytes: number): SmallDisk | null {
  const folder = newFolder()
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]).status !== 0)
    return null
  const write = (block: string, count?: number): void =>
    void spawnSync('dd', [
      'if=/dev/zero',
      `of=${join(folder, `fill-${block}`)}`,
      `bs=${block}`,
      ...(count === undefined ? [] : [`count=${count}`]),
    ])
  return {
    folder,
    fill: (leaveMegabytes = 0) => {
      const { bavail, bsize } = statfsSync(folder)
      if (leaveMegabytes > 0)
        return write('4k', Math.floor((bavail * bsize - leaveMegabytes * 2 ** 20) / 4096))
      // Smaller blocks fill it to the last byte.
      for (const block of ['1M', '4k', '1']) write(block)
    },
    free: () => {
      for (const name of readdirSync(folder)) if (name.startsWith('fill-')) rmSync(join(folder, name))
    },
    setReadOnly: (readOnly) => {
      const { status, stderr } = spawnSync('mount', ['-o', `remount,${readOnly ? 'ro' : 'rw'}`, folder])
      if (status !== 0) throw new Error(`remount: ${stderr.toString()}`)
    },
    remove: () => void spawnSync('umount', ['-l', folder]),
  }
}
