import { defineConfig } from '@playwright/test'
import { CHROMIUM } from './bench/browser.ts'

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/start-server.ts',
  outputDir: 'test-results',
  // Each wait is for a state and has its own end; the whole of a journey may take what a busy machine needs.
  timeout: 600_000,
  expect: { timeout: 30_000 },
  workers: 2,
  retries: 0,
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: { launchOptions: CHROMIUM, serviceWorkers: 'allow' },
})
