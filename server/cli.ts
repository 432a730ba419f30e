import { asFurlongError } from '../domain/errors.ts'
import { newProgram } from './commands/program.ts'
import { errorMessage } from './messages.ts'

// What is written is its owner's alone: database, secrets, backups, dataset files.
process.umask(0o077)

try {
  await newProgram().parseAsync()
} catch (error) {
  const told = asFurlongError(error)
  process.stderr.write(`furlong: ${errorMessage('en', told)}\n`)
  if (told.code === 'internal' && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  process.exitCode = 1
}
// A part that failed may never end by itself: the embedded database on a full disk keeps its process alive. What was
// printed has to reach a slow reader of the pipe first.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write('', resolve))),
)
process.exit()
