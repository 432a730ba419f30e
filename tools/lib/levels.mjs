import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CUT_VARIABLE } from './cuts.mjs'
import { ROOT } from './install.mjs'

const own = (path) => join(ROOT, 'node_modules', path)
const RESULTS = join(ROOT, 'test-results')

/** Exit status of a program that Ctrl-C ended. */
const INTERRUPTED = 130
/** Number of the slowest tests that are printed of each level. */
const SLOWEST = 10
/** Number of lines of each failure that are printed again at the end. */
const SCREEN_LINES = 40

/** The result of a level in which nothing ran. */
export const nothing = () => ({ passed: 0, failed: 0, skipped: [], failures: [], times: [], seconds: 0 })

/**
 * Runs a test runner and reads the passed and failed tests from its report. A run without a report or without a passed
 * test, or one that failed without naming a failure, counts as one failure itself. `variables` are those
 * of its environment; with `mayBeEmpty` a run may find no test.
 */
function runTests(name, args, { variables, mayBeEmpty = false }, read = (counted) => counted) {
  const report = join(RESULTS, `${name}.json`)
  mkdirSync(RESULTS, { recursive: true })
  rmSync(report, { force: true })
  // Tests set NODE_ENV themselves.
  const { NODE_ENV: _mode, ...inherited } = process.env
  const start = performance.now()
  const { status, signal } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...inherited, ...variables, FURLONG_TEST_REPORT: report },
  })
  if (signal === 'SIGINT' || status === INTERRUPTED) throw new Error('interrupted')
  const counted = existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8'))) : nothing()
  const isEmpty = counted.passed === 0 && !mayBeEmpty
  if ((status !== 0 || isEmpty) && counted.failed === 0) {
    counted.failed += 1
    counted.failures.push({ name: `the level ${name}`, text: `it ended with ${status ?? signal}` })
  }
  return { ...counted, seconds: (performance.now() - start) / 1000 }
}

/** Runs a level that is a project of Vitest. */
const runProject =
  (level) =>
  ({ words = ['run'], ...options }) =>
    runTests(
      level,
      [
        own('vitest/vitest.mjs'),
        ...words,
        '--project',
        level,
        '--reporter=default',
        `--reporter=${join(ROOT, 'tools/lib/vitest-report.mjs')}`,
      ],
      options,
    )

/** Every test of a suite in Playwright's JSON report, with its name, results and status. */
const specsOf = ({ specs, suites = [] }) => [
  ...specs.flatMap(({ file, line, title, tests }) =>
    tests.map(({ status, results }) => ({ name: `${file}:${line} › ${title}`, status, results })),
  ),
  ...suites.flatMap(specsOf),
]

/** What Playwright's JSON report says, in the form of `vitest-report.mjs`. */
function readBrowserReport({ stats, suites, errors }) {
  const specs = suites.flatMap(specsOf)
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: specs.filter(({ status }) => status === 'skipped').map(({ name }) => name),
    times: specs.map(({ name, results }) => ({
      name,
      seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
    })),
    failures: [
      ...specs
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ name, results }) => ({
          name,
          text: results
            .flatMap((each) => each.errors)
            .map(({ message }) => message)
            .join('\n'),
        })),
      ...errors.map(({ message }) => ({ name: 'outside every journey', text: message })),
    ],
  }
}

const runBrowser = ({ words = [], ...options }) =>
  runTests('browser', [own('@playwright/test/cli.js'), 'test', ...words], options, readBrowserReport)

const LEVELS = {
  unit: runProject('unit'),
  component: runProject('component'),
  service: runProject('service'),
  browser: runBrowser,
}

/**
 * Runs a level of a cut (`cuts.mjs`), prints its time and its slowest tests, and returns what it counted. `words` are the
 * arguments of its runner, by default those that run all, and `variables` its environment; with `mayBeEmpty` it may find
 * no test.
 */
export function runLevel(level, cut, { variables, ...options } = {}) {
  const result = LEVELS[level]({ ...options, variables: { ...variables, [CUT_VARIABLE]: cut } })
  const slowest = result.times.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST)
  process.stdout.write(
    [
      `\n${level}: ${result.passed} passed, ${result.failed} failed in ${Math.round(result.seconds)} s; the slowest tests:`,
      ...slowest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`),
      '',
      '',
    ].join('\n'),
  )
  return result
}

/** Prints the failures again, each cut to the length of a screen, the skipped tests, the times, and the count. */
export function printEnd(results) {
  const all = Object.values(results)
  for (const { name, text } of all.flatMap(({ failures }) => failures))
    process.stdout.write(`FAIL ${name}\n${text.split('\n').slice(0, SCREEN_LINES).join('\n')}\n`)
  for (const name of all.flatMap(({ skipped }) => skipped)) process.stdout.write(`skipped: ${name}\n`)
  const times = Object.entries(results).map(([level, { seconds }]) => `${level} ${Math.round(seconds)} s`)
  process.stdout.write(`${times.join(', ')}\n`)
  const sum = (key) => all.reduce((total, each) => total + each[key], 0)
  process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`)
  return sum('failed') === 0
}
