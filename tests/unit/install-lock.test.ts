import { execFile } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const MODULE = new URL('../../tools/lib/install.mjs', import.meta.url).href

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'furlong-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A process that holds the lock briefly and logs when it began and ended. */
function holder(name: string): Promise<unknown> {
  const program = `
    import { appendFileSync } from 'node:fs'
    import { holding } from ${JSON.stringify(MODULE)}
    holding(${JSON.stringify(join(folder, 'lock'))}, () => {
      appendFileSync(${JSON.stringify(join(folder, 'log'))}, 'begin ${name}\\n')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150)
      appendFileSync(${JSON.stringify(join(folder, 'log'))}, 'end ${name}\\n')
    })`
  return promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
}

describe('the lock of an installation', () => {
  test('lets processes that start together work one after the other', async () => {
    appendFileSync(join(folder, 'log'), '')
    await Promise.all(['a', 'b', 'c'].map(holder))
    const lines = readFileSync(join(folder, 'log'), 'utf8').trim().split('\n')
    expect(lines).toHaveLength(6)
    for (let at = 0; at < lines.length; at += 2)
      expect(lines[at + 1]).toBe(lines[at]!.replace('begin', 'end'))
    expect(existsSync(join(folder, 'lock'))).toBe(false)
  })

  test('is taken over from a process that was killed', async () => {
    const gone = execFile(process.execPath, ['-e', ''])
    await new Promise((resolve) => gone.on('exit', resolve))
    writeFileSync(join(folder, 'lock'), String(gone.pid))
    await holder('a')
    expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('begin a\nend a\n')
  })
})
