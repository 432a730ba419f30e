import { asFurlongError } from '../domain/errors.ts'
import { newProgram } from './commands/program.ts'
import { errorMessage } from './process/messages.ts'

// Files written are accessible only to their owner: database, secrets, backups, dataset files.
process.umask(0o077)

try {
  await newProgram().parseAsync()
} catch (error) {
  const known = asFurlongError(error)
  process.stderr.write(`furlong: ${errorMessage('en', known)}\n`)
  if (known.code === 'internal' && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  process.exitCode = 1
}
// Exits explicitly, because a failed part may keep the process alive, such as the embedded database on a full
// disk. Output must first reach a slow reader of the pipe.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write('', resolve))),
)
process.exit()
