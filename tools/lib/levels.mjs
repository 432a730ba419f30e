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
 * Runs a test runner for some levels and reads the passed and failed tests of each from its report. A run without a
 * report or without a passed test, or one that failed without naming a failure, counts as one failure itself.
 * `variables` are those of its environment; with `mayBeEmpty` a run may find no test.
 */
function runTests(levels, args, { variables, mayBeEmpty = false }, read = (report) => report) {
  const name = levels.join('-')
  const report = join(RESULTS, `${name}.json`)
  mkdirSync(RESULTS, { recursive: true })
  rmSync(report, { force: true })
  // Tests set NODE_ENV themselves.
  const { NODE_ENV: _mode, ...inherited } = process.env
  const { status, signal } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...inherited, ...variables, FURLONG_TEST_REPORT: report },
  })
  if (signal === 'SIGINT' || status === INTERRUPTED) throw new Error('interrupted')
  const counted = existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8'))) : {}
  const results = Object.fromEntries(levels.map((level) => [level, counted[level] ?? nothing()]))
  const fail = (level, text) => {
    results[level].failed += 1
    results[level].failures.push({ name: `the level ${level}`, text })
  }
  const hasFailed = () => Object.values(results).some(({ failed }) => failed > 0)
  for (const level of levels)
    if (results[level].passed === 0 && results[level].failed === 0 && !mayBeEmpty)
      fail(level, `nothing ran, and it ended with ${status ?? signal}`)
  if (status !== 0 && !hasFailed()) fail(levels[0], `it ended with ${status ?? signal}`)
  return results
}

/** Runs levels that are projects of Vitest, in one process, so that no core waits between two of them. */
const runProjects = (levels, { words = ['run'], ...options }) =>
  runTests(
    levels,
    [
      own('vitest/vitest.mjs'),
      ...words,
      ...levels.flatMap((level) => ['--project', level]),
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

/** Runs the level of the browser. */
function runBrowser({ words = [], ...options }) {
  const start = performance.now()
  const args = [own('@playwright/test/cli.js'), 'test', ...words]
  const { browser } = runTests(['browser'], args, options, (report) => ({
    browser: readBrowserReport(report),
  }))
  return { browser: { ...browser, seconds: (performance.now() - start) / 1000 } }
}

/**
 * Runs levels of a cut (`cuts.mjs`): either projects of Vitest, or the browser alone. Prints the time and the slowest
 * tests of each, and returns what it counted of each. `words` are the arguments of the runner, by default those that run
 * all, and `variables` its environment; with `mayBeEmpty` it may find no test.
 */
export function runLevels(levels, cut, { variables, ...options } = {}) {
  const ofCut = { ...options, variables: { ...variables, [CUT_VARIABLE]: cut } }
  const results = levels[0] === 'browser' ? runBrowser(ofCut) : runProjects(levels, ofCut)
  for (const [level, { passed, failed, seconds, times }] of Object.entries(results)) {
    const slowest = times.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST)
    process.stdout.write(
      [
        `\n${level}: ${passed} passed, ${failed} failed in ${Math.round(seconds)} s; the slowest tests:`,
        ...slowest.map((test) => `${test.seconds.toFixed(1).padStart(7)} s  ${test.name}`),
        '',
        '',
      ].join('\n'),
    )
  }
  return results
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
