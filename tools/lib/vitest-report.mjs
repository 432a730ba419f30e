import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { currentCut } from './cuts.mjs'

const text = (errors) => errors.map(({ stack, message }) => stack ?? message ?? '').join('\n')

/**
 * Writes what a run of levels counts and prints at its end: `{ passed, failed, skipped, failures, times }`: the
 * names of the skipped tests, each failure as `{ name, text }` and each time as `{ name, seconds }`. Errors outside of tests, which Vitest's own JSON
 * report omits, are failures too; tests that the tags leave out are not counted.
 */
export default class Report {
  onTestRunEnd(modules, unhandled) {
    const report = { passed: 0, failed: 0, skipped: [], failures: [], times: [] }
    const { takes } = currentCut()
    const fail = (name, errors) => {
      report.failed += 1
      report.failures.push({ name, text: text(errors) })
    }
    for (const module of modules) {
      for (const suite of [module, ...module.children.allSuites()])
        if (suite.errors().length > 0) fail(`${module.relativeModuleId} › outside its tests`, suite.errors())
      for (const test of module.children.allTests()) {
        if (!takes(test.tags)) continue
        const name = `${module.relativeModuleId} › ${test.fullName}`
        report.times.push({ name, seconds: (test.diagnostic()?.duration ?? 0) / 1000 })
        const { state, errors } = test.result()
        if (state === 'failed') fail(name, errors)
        else if (state === 'passed') report.passed += 1
        else report.skipped.push(name)
      }
    }
    for (const error of unhandled) fail('outside every test', [error])
    const file = process.env.FURLONG_TEST_REPORT
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(report))
  }
}
