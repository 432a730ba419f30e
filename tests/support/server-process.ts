import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { PROGRAM } from '../../tools/lib/program.mjs'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The command line `furlong` as arguments of Node: built before benches and tests run. It gets this process's options for
 * WebAssembly, because tests limit the compiler.
 */
export const FURLONG: readonly string[] = [
  ...process.execArgv.filter((option) => option.startsWith('--wasm-')),
  PROGRAM,
]

/** The demonstration's races stay as they are, for tests and measurements of everything else. */
export const STILL = { FURLONG_DEMONSTRATION: 'still' }

/** All simulated users share one address, so the per-address limits are raised. */
export const UNLIMITED = { FURLONG_READS_PER_MINUTE: '1000000', FURLONG_SOCKETS_PER_ADDRESS: '5000' }

/** For tests of the serving process alone: nothing is predicted or built meanwhile. */
export const WITHOUT_WORKER = { FURLONG_WORKER: 'none' }

export interface ServerProcess {
  process: ChildProcess
  /** Everything printed so far. */
  printed(): string
  /** Base address with a trailing slash. */
  base: string
  /** Stops it gracefully; returns its exit code. */
  stop(): Promise<number | null>
  /** Kills it without a shutdown. */
  kill(): Promise<void>
}

/** Starts `furlong serve` with `options` as a separate process and waits until its output matches `until`. */
export function startServerProcess(
  environment: NodeJS.ProcessEnv,
  until = /Furlong is at \S+/,
  options: readonly string[] = [],
): Promise<ServerProcess> {
  const server = spawn(process.execPath, [...FURLONG, 'serve', ...options], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: '', PORT: '0', ...UNLIMITED, ...STILL, ...environment },
  })
  return new Promise((resolve, reject) => {
    let printed = ''
    const ended = new Promise<number | null>((done) => server.once('exit', (code) => done(code)))
    const read = (chunk: Buffer): void => {
      printed += chunk.toString()
      if (!until.test(printed)) return
      resolve({
        process: server,
        printed: () => printed,
        base: /Furlong is at (\S+)/.exec(printed)![1]!,
        stop: () => {
          server.kill('SIGTERM')
          return ended
        },
        kill: async () => {
          server.kill('SIGKILL')
          await ended
        },
      })
    }
    server.stdout.on('data', read)
    server.stderr.on('data', read)
    void ended.then((code) => reject(new Error(`ended with ${code}: ${printed}`)))
  })
}

/**
 * Runs a command of the command line as a process of its own. `onTold` gets what it prints about its progress; rejects
 * if it fails. An aborted `stop` ends it as Ctrl-C does, which counts as success.
 */
export function runCommand(
  environment: NodeJS.ProcessEnv,
  words: readonly string[],
  onPrinted: (text: string) => void = () => {},
  stop?: AbortSignal,
): Promise<void> {
  const child = spawn(process.execPath, [...FURLONG, ...words], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: '', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const end = (): void => void child.kill('SIGINT')
  if (stop?.aborted) end()
  stop?.addEventListener('abort', end, { once: true })
  let text = ''
  child.stderr.on('data', (chunk: Buffer) => {
    text = chunk.toString()
    onPrinted(text)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0 || stop?.aborted) resolve()
      else reject(new Error(`${words[0]} ended with ${code}: ${text}`))
    })
  })
}

/** Resident memory of a process. */
export function residentMegabytes(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

/** Repeats `work` with a pause after each run until it is stopped. */
export async function every(ms: number, stop: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!stop.aborted) {
    await work()
    await pause(ms, undefined, { signal: stop }).catch(() => {})
  }
}
