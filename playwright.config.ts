import { defineConfig } from '@playwright/test'
import { CHROMIUM } from './bench/browser.ts'

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/start-server.ts',
  outputDir: 'test-results',
  // Each wait has its own timeout; the test timeout leaves enough time for a whole journey on a busy machine.
  timeout: 600_000,
  expect: { timeout: 30_000 },
  // Four at once were a tenth quicker, and a fast scroll then showed blank rows for want of processor time.
  workers: 2,
  retries: 0,
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: { launchOptions: CHROMIUM, serviceWorkers: 'allow' },
})
