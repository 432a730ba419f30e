import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { FURLONG, ROOT } from './server-process.ts'

const run = promisify(execFile)

/** Result of a command: its exit code and output. */
interface Ran {
  code: number
  out: string
  err: string
}

/** Runs `furlong …` in a separate process, as an operator does. */
export async function furlong(environment: NodeJS.ProcessEnv, ...args: string[]): Promise<Ran> {
  try {
    const { stdout, stderr } = await run(process.execPath, [...FURLONG, ...args], {
      cwd: ROOT,
      env: { ...process.env, NODE_ENV: '', ...environment },
    })
    return { code: 0, out: stdout, err: stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, out: stdout, err: stderr }
  }
}
