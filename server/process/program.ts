import { fork, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const rootAbove = (folder: string): string =>
  existsSync(join(folder, 'package.json')) ? folder : rootAbove(dirname(folder))

/** The folder of `package.json`, above the sources and the built programs. */
export const ROOT = rootAbove(dirname(fileURLToPath(import.meta.url)))

/** Whether this code was built; otherwise it is the source, loaded by tsx. */
const IS_BUILT = import.meta.url.endsWith('.js')

/** The programs of the server, each with its source below `server`. */
export const PROGRAMS = {
  cli: 'cli.ts',
  'job-thread': 'jobs/job-thread.ts',
  'training-thread': 'scoring/training-thread.ts',
  'forecast-thread': 'scoring/forecast-thread.ts',
  'analytics-process': 'analytics/analytics-process.ts',
  'picture-process': 'services/picture-process.ts',
} as const

type ProgramName = keyof typeof PROGRAMS

/** The file of a program, and the arguments that Node needs before it: built as this code is, or its source. */
export function programOf(name: ProgramName): { file: string; execArgv: string[] } {
  return IS_BUILT
    ? { file: join(ROOT, 'dist/program', `${name}.js`), execArgv: [] }
    : { file: join(ROOT, 'server', PROGRAMS[name]), execArgv: ['--import', import.meta.resolve('tsx')] }
}

/** Starts a program that answers messages. It may handle untrusted data, so it has none of the server's secrets. */
export function forkHelper(name: ProgramName, args: readonly string[] = []): ChildProcess {
  const { file, execArgv } = programOf(name)
  const env = { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'] }
  return fork(file, args, { execArgv, serialization: 'advanced', stdio: 'ignore', env })
}

/**
 * JavaScript that loads a program in a thread: Node does not start threads from TypeScript, so the code first registers
 * its loader.
 */
export function threadCode(name: ProgramName): string {
  const load = `import(${JSON.stringify(pathToFileURL(programOf(name).file).href)})`
  if (IS_BUILT) return load
  const tsx = JSON.stringify(import.meta.resolve('tsx/esm/api'))
  return `import(${tsx}).then(({ register }) => {
  register()
  return ${load}
})`
}
