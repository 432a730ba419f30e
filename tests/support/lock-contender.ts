import { createInterface } from 'node:readline'
import { lockFolder } from '../../server/db/folder-lock.ts'
import { asFurlongError } from '../../domain/errors.ts'

/** Locks the folder named by an input line, prints the outcome, and releases the lock on request. */
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
