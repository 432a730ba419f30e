import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/{unit,sql,api}/**/*.test.ts'],
    globalSetup: ['tests/support/global-setup.ts'],
    // Databases are large: more than one worker a core only swaps.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: process.env['FURLONG_SOAK'] === '1' ? 7_200_000 : 120_000,
    hookTimeout: 240_000,
  },
})
