import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const text = (errors) => errors.map(({ stack, message }) => stack ?? message ?? '').join('\n')

/**
 * Writes what `npm test` counts and prints at its end: `{ passed, failed, skipped, failures }`, each failure as `{
 * name, text }`. Errors outside of tests, which Vitest's own JSON report omits, are failures too.
 */
export default class Report {
  onTestRunEnd(modules, unhandled) {
    const report = { passed: 0, failed: 0, skipped: 0, failures: [] }
    const fail = (name, errors) => {
      report.failed += 1
      report.failures.push({ name, text: text(errors) })
    }
    for (const module of modules) {
      for (const suite of [module, ...module.children.allSuites()])
        if (suite.errors().length > 0) fail(`${module.relativeModuleId} › outside its tests`, suite.errors())
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result()
        if (state === 'failed') fail(`${module.relativeModuleId} › ${test.fullName}`, errors)
        else report[state === 'passed' ? 'passed' : 'skipped'] += 1
      }
    }
    for (const error of unhandled) fail('outside every test', [error])
    const file = process.env.FURLONG_TEST_REPORT
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(report))
  }
}
