import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './install.mjs'
import { buildProgram } from './program.mjs'
import { ensureSystem } from './system.mjs'

const tool = (name) => join(ROOT, 'tools/node_modules/.bin', name)
const own = (path) => join(ROOT, 'node_modules', path)
// The linter finds its type-aware part through PATH; tests set NODE_ENV themselves.
const { NODE_ENV: _mode, ...inherited } = process.env
const environment = { ...inherited, PATH: `${join(ROOT, 'tools/node_modules/.bin')}:${process.env.PATH}` }

/** What `npm run check` runs, and `npm test` before its tests; each check counts as one. */
const CHECKS = {
  format: [tool('oxfmt'), ['--check', '.']],
  lint: [tool('oxlint'), ['--type-aware', '--deny-warnings', '.']],
  types: [process.execPath, [own('typescript/bin/tsc'), '-b']],
  imports: [process.execPath, [join(ROOT, 'tools/check-imports.mjs')]],
  styles: [tool('stylelint'), ['src/**/*.css']],
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

/** Runs all checks at once: each uses one core for most of its time. Returns the names of those that failed. */
async function failedChecks() {
  const names = Object.keys(CHECKS)
  const passed = await Promise.all(names.map(runCheck))
  return names.filter((_, at) => !passed[at])
}

export const check = async () => (await failedChecks()).length === 0

export function format() {
  return spawnSync(tool('oxfmt'), ['.'], { cwd: ROOT, stdio: 'inherit' }).status === 0
}

const RESULTS = join(ROOT, 'test-results')

/** Exit status of a program that Ctrl-C ended. */
const INTERRUPTED = 130

/**
 * Runs a test runner and reads the passed and failed tests from its report. A run without a report, or one that failed
 * without naming a failure, counts as one failure itself.
 */
function runTests(args, report, read = (counted) => counted) {
  rmSync(report, { force: true })
  const { status, signal } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...environment, FURLONG_TEST_REPORT: report },
  })
  if (signal === 'SIGINT' || status === INTERRUPTED) throw new Error('interrupted')
  const counted = existsSync(report)
    ? read(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failed: 0, skipped: 0, failures: [] }
  if ((status !== 0 && counted.failed === 0) || counted.passed === 0) {
    counted.failed += 1
    counted.failures.push({ name: args[0], text: `it ended with ${status ?? signal}` })
  }
  return counted
}

const units = () =>
  runTests(
    [
      own('vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      `--reporter=${join(ROOT, 'tools/lib/vitest-report.mjs')}`,
    ],
    join(RESULTS, 'vitest.json'),
  )

/** Every failed test of a suite in Playwright's JSON report, with the errors of its attempts. */
const failedSpecs = ({ specs, suites = [] }) => [
  ...specs
    .filter(({ tests }) => tests.some(({ status }) => status === 'unexpected' || status === 'flaky'))
    .map(({ file, line, title, tests }) => ({
      name: `${file}:${line} › ${title}`,
      text: tests
        .flatMap(({ results }) => results)
        .flatMap(({ errors }) => errors)
        .map(({ message }) => message)
        .join('\n'),
    })),
  ...suites.flatMap(failedSpecs),
]

const browser = () =>
  runTests([own('@playwright/test/cli.js'), 'test'], join(RESULTS, 'browser.json'), (report) => ({
    passed: report.stats.expected,
    failed: report.stats.unexpected + report.stats.flaky,
    skipped: report.stats.skipped,
    failures: [
      ...report.suites.flatMap(failedSpecs),
      ...report.errors.map(({ message }) => ({ name: 'outside every journey', text: message })),
    ],
  }))

/** Repeats the failures at the end of a long output, each cut to the length of a screen. */
function tellFailures(failures) {
  for (const { name, text } of failures)
    process.stdout.write(`FAIL ${name}\n${text.split('\n').slice(0, 40).join('\n')}\n`)
}

/** Tests of faults that occur only occasionally, or only in a large installation, and those on the second database. */
export const SOAKED = [
  'tests/service/analytics.test.ts',
  'tests/service/attack-feed.test.ts',
  'tests/service/attack.test.ts',
  'tests/service/commands-beside-server.test.ts',
  'tests/service/conflicts.test.ts',
  'tests/service/demonstration.test.ts',
  'tests/service/durability.test.ts',
  'tests/service/faults.test.ts',
  'tests/service/faults-clock.test.ts',
  'tests/service/feed.test.ts',
  'tests/service/frozen.test.ts',
  'tests/service/gating.test.ts',
  'tests/service/import-kill.test.ts',
  'tests/service/jobs.test.ts',
  'tests/service/locks.test.ts',
  'tests/service/pictures.test.ts',
  'tests/service/vouchers.test.ts',
  'tests/service/work.test.ts',
  'tests/soak',
]

export async function soak() {
  if (!(await ensureSystem())) return false
  buildProgram()
  const { status } = spawnSync(process.execPath, [own('vitest/vitest.mjs'), 'run', ...SOAKED], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...environment, FURLONG_SOAK: '1' },
  })
  return status === 0
}

/** Builds the site in a process of its own, so that this one goes on; returns whether it could. */
async function buildSiteBeside() {
  const program = `import { buildSite } from '${new URL('site.mjs', import.meta.url)}'; buildSite()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' })
  const [status] = await once(child, 'exit')
  return status === 0
}

/** Runs everything: checks, tests and browser tests. The last line of output is the count. */
export async function test() {
  mkdirSync(RESULTS, { recursive: true })
  // Checks and the build use one core each for most of their time, and installing waits for the network.
  const [isInstalled, failed, isBuilt] = await Promise.all([
    ensureSystem(),
    failedChecks(),
    buildSiteBeside(),
  ])
  if (!isInstalled || !isBuilt) return false
  buildProgram()
  const sums = {
    passed: Object.keys(CHECKS).length - failed.length,
    failed: failed.length,
    skipped: 0,
    failures: failed.map((name) => ({ name, text: 'see above' })),
  }
  // Both runs copy the databases that the first test to need one made.
  const templates = mkdtempSync(join(tmpdir(), 'furlong-templates-'))
  environment.FURLONG_TEST_TEMPLATES = templates
  // Ctrl-C ends the runner, and this process once it has removed the folder.
  process.on('SIGINT', () => {})
  try {
    for (const part of [units(), browser()]) {
      for (const key of ['passed', 'failed', 'skipped']) sums[key] += part[key]
      sums.failures.push(...part.failures)
    }
  } finally {
    rmSync(templates, { recursive: true, force: true })
  }
  tellFailures(sums.failures)
  if (sums.skipped > 0)
    process.stdout.write(
      `${sums.skipped} skipped: they name what is missing here (the private races in ../shared/data, Ceph, or rights)\n`,
    )
  process.stdout.write(`${sums.passed} passed, ${sums.failed} failed\n`)
  return sums.failed === 0
}
