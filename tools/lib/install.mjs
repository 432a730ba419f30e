import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isInRange, SUPPORTED_NODE } from './node-range.mjs'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Prints one line that says what is missing, and exits. */
export function fail(line) {
  process.stderr.write(`furlong: ${line}\n`)
  process.exit(1)
}

export function requireNode() {
  const { node } = process.versions
  if (!isInRange(node, SUPPORTED_NODE)) fail(`this needs Node.js ${SUPPORTED_NODE}, and this is ${node}`)
}

/** Runs a program with the terminal's streams; returns its exit code. */
export function run(program, args, options = {}) {
  const { status, error } = spawnSync(program, args, { cwd: ROOT, stdio: 'inherit', ...options })
  if (error) fail(`${program} could not be started: ${error.message}`)
  return status ?? 1
}

const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Runs `work` while no other process holds the lock file; takes over the lock of a process that has ended. */
export function holding(lockFile, work) {
  // A link appears together with its content, so nobody reads an empty lock.
  const own = `${lockFile}.${process.pid}`
  const attempt = () => {
    writeFileSync(own, String(process.pid))
    try {
      linkSync(own, lockFile)
      return true
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      return false
    } finally {
      rmSync(own)
    }
  }
  let told = false
  while (!attempt()) {
    let holder = NaN
    try {
      holder = Number(readFileSync(lockFile, 'utf8'))
    } catch (error) {
      if (error.code !== 'ENOENT') throw error
      continue
    }
    if (!isAlive(holder)) {
      rmSync(lockFile, { force: true })
      continue
    }
    if (!told) process.stderr.write('waiting for another command that installs or builds…\n')
    told = true
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  }
  try {
    work()
  } finally {
    rmSync(lockFile, { force: true })
  }
}

/**
 * Installs the packages of a folder's lock file, unless that was already done for this exact lock file. Two commands
 * that are started together install one after the other: two npm processes in one folder corrupt each other's work.
 */
export function install(folder) {
  const lock = readFileSync(`${folder}/package-lock.json`)
  const wanted = createHash('sha256').update(lock).update(process.versions.node).digest('hex')
  const marker = `${folder}/node_modules/.furlong-installed`
  const isDone = () => existsSync(marker) && readFileSync(marker, 'utf8') === wanted
  if (isDone()) return
  holding(`${folder}/.furlong-installing`, () => {
    if (isDone()) return
    runNpm(folder)
    writeFileSync(marker, wanted)
  })
}

/** Does the same in a process of its own, so that this one goes on; exits if that fails. */
export async function installBeside(folder) {
  const program = `import { install } from '${import.meta.url}'; install(${JSON.stringify(folder)})`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' })
  const [status] = await once(child, 'exit')
  if (status !== 0) process.exit(1)
}

function runNpm(folder) {
  process.stderr.write('installing packages…\n')
  // npm sets variables for its scripts that would make the inner npm install elsewhere or differently, and in
  // production mode it omits what the tests need.
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        name !== 'NODE_ENV' && !/^npm_(config_(global|prefix|local_prefix)|lifecycle|package)/.test(name),
    ),
  )
  const status = run('npm', ['ci', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) {
    rmSync(`${folder}/.furlong-installing`, { force: true })
    fail('npm could not install the packages (is the npm registry reachable?)')
  }
}
