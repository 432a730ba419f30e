import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './install.mjs'

const tool = (name) => join(ROOT, 'tools/node_modules/.bin', name)
const own = (path) => join(ROOT, 'node_modules', path)
// The linter finds its type-aware part through PATH; tests set NODE_ENV themselves.
const { NODE_ENV: _mode, ...inherited } = process.env
const environment = { ...inherited, PATH: `${join(ROOT, 'tools/node_modules/.bin')}:${process.env.PATH}` }

/** Each check counts as one; `npm run check` runs all. */
const CHECKS = {
  format: [tool('oxfmt'), ['--check', '.']],
  lint: [tool('oxlint'), ['--deny-warnings', '.']],
  // All that `lint` finds, and what needs the types, which takes ten times as long.
  'lint-with-types': [tool('oxlint'), ['--type-aware', '--deny-warnings', '.']],
  types: [process.execPath, [own('typescript/bin/tsc'), '-b']],
  imports: [process.execPath, [join(ROOT, 'tools/check-imports.mjs')]],
  unused: [tool('knip'), ['--no-progress']],
  styles: [tool('stylelint'), ['src/**/*.css']],
  workflow: [tool('action-validator'), ['.github/workflows/ci.yml']],
  engines: [process.execPath, [join(ROOT, 'tools/check-engines.mjs')]],
  lockfile: [process.execPath, [join(ROOT, 'tools/check-lockfiles.mjs')]],
}

/** Runs one check; prints its output if it failed. Returns whether it passed. */
function runCheck(name) {
  const [program, args] = CHECKS[name]
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      { cwd: ROOT, env: environment, maxBuffer: 1_000_000_000 },
      (error, stdout, stderr) => {
        process.stdout.write(`${error ? 'FAIL' : 'ok  '} ${name}\n`)
        if (error) process.stdout.write(`${stdout}${stderr}${error.message}\n`)
        resolve(!error)
      },
    )
  })
}

const TYPED = 'lint-with-types'
/** The checks of each cut of the tests: `npm test` leaves the longest one to the rest. */
export const CHECKS_OF = {
  fast: Object.keys(CHECKS).filter((name) => name !== TYPED),
  rest: [TYPED],
  all: Object.keys(CHECKS).filter((name) => name !== 'lint'),
}

/** Runs checks at once: each uses one core for most of its time. Returns the names of those that failed. */
export async function failedChecks(names) {
  const passed = await Promise.all(names.map(runCheck))
  return names.filter((_, at) => !passed[at])
}

export const check = async () => (await failedChecks(CHECKS_OF.all)).length === 0

export function format() {
  return spawnSync(tool('oxfmt'), ['.'], { cwd: ROOT, stdio: 'inherit' }).status === 0
}
