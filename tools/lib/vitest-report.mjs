import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { currentCut } from './cuts.mjs'
import { nothing } from './levels.mjs'

const text = (errors) => errors.map(({ stack, message }) => stack ?? message ?? '').join('\n')

/**
 * Writes what a run counts of each level and prints at its end, by the level's name: `{ passed, failed, skipped,
 * failures, times, seconds }`: the names of the skipped tests, each failure as `{ name, text }`, each time as `{ name,
 * seconds }`, and the time from the level's first file to its last. Errors outside of tests, which Vitest's own JSON
 * report omits, are failures of the first level; tests that the tags leave out are not counted.
 */
export default class Report {
  #starts = new Map()
  #ends = new Map()

  onTestModuleQueued({ project }) {
    if (!this.#starts.has(project.name)) this.#starts.set(project.name, performance.now())
  }

  onTestModuleEnd({ project }) {
    this.#ends.set(project.name, performance.now())
  }

  onTestRunEnd(modules, unhandled) {
    const reports = {}
    for (const module of modules) {
      const level = module.project.name
      count(module, (reports[level] ??= nothing()))
      reports[level].seconds = (this.#ends.get(level) - this.#starts.get(level)) / 1000
    }
    // Without any file, the runner says so by how it ends.
    const [first = nothing()] = Object.values(reports)
    for (const error of unhandled) fail(first, 'outside every test', [error])
    const file = process.env.FURLONG_TEST_REPORT
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(reports))
  }
}

function fail(report, name, errors) {
  report.failed += 1
  report.failures.push({ name, text: text(errors) })
}

/** Adds the tests of a file to the report of its level. */
function count(module, report) {
  const { takes } = currentCut()
  for (const suite of [module, ...module.children.allSuites()])
    if (suite.errors().length > 0)
      fail(report, `${module.relativeModuleId} › outside its tests`, suite.errors())
  for (const test of module.children.allTests()) {
    if (!takes(test.tags)) continue
    const name = `${module.relativeModuleId} › ${test.fullName}`
    report.times.push({ name, seconds: (test.diagnostic()?.duration ?? 0) / 1000 })
    const { state, errors } = test.result()
    if (state === 'failed') fail(report, name, errors)
    else if (state === 'passed') report.passed += 1
    else report.skipped.push(name)
  }
}
