import { createInterface } from 'node:readline'
import { lockFolder } from '../../server/store/folder-lock.ts'
import { asFurlongError } from '../../domain/errors.ts'

/** Takes the lock of the folder that a line of its input names, says what came of it, and gives it back when told to. */
let release: (() => void) | null = null
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'end') break
  if (line === 'release') {
    release?.()
    release = null
    process.stdout.write('released\n')
    continue
  }
  try {
    release = lockFolder(line)
    process.stdout.write('got\n')
  } catch (error) {
    process.stdout.write(`${asFurlongError(error).code}\n`)
  }
}
