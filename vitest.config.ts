import { defineConfig } from 'vitest/config'

const SOAK = process.env['FURLONG_SOAK'] === '1'

export default defineConfig({
  test: {
    include: [`tests/{unit,sql,service${SOAK ? ',soak' : ''}}/**/*.test.ts`],
    globalSetup: ['tests/support/global-setup.ts'],
    // Databases are large: more than one worker a core only swaps.
    pool: 'forks',
    // Loading the server anew for each of 120 files took 90 s; no test replaces a module.
    isolate: false,
    maxWorkers: 2,
    // V8 compiled functions of the embedded database again, with its optimizing compiler, after a fraction of a second: a third
    // of the time of a command. This is two hundred times its usual limit.
    execArgv: ['--wasm-tiering-budget=400000000'],
    testTimeout: SOAK ? 7_200_000 : 300_000,
    hookTimeout: SOAK ? 1_200_000 : 240_000,
  },
})
