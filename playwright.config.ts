import { defineConfig } from '@playwright/test'
import { currentCut } from './tools/lib/cuts.mjs'
import { CHROMIUM, HEADLESS_SHELL, installedBrowser, WHOLE_BROWSER } from './tests/support/chromium.ts'

const { name: cut } = currentCut()

/** The shell takes a sixth less processor time than the whole browser. */
const executablePath = installedBrowser(HEADLESS_SHELL, WHOLE_BROWSER)
/**
 * Most tests have a browser profile of their own, so they compile the engine's module anew. Its optimizing compiler took a
 * third of a run's processor time; code of the baseline compiler gives the same answers, more slowly.
 */
const args = [...CHROMIUM.args, '--js-flags=--liftoff-only']

export default defineConfig({
  testDir: 'tests/browser',
  globalSetup: './tests/browser/start-server.ts',
  // The fast cut is the tests that have this tag; the rest is those that do not.
  ...(cut === 'fast' ? { grep: /@smoke/ } : {}),
  ...(cut === 'rest' ? { grepInvert: /@smoke/ } : {}),
  outputDir: 'test-results',
  // Each wait has its own timeout; the test timeout leaves enough time for a whole journey on a busy machine.
  timeout: 600_000,
  expect: { timeout: 30_000 },
  // Four at once were a tenth quicker, and a fast scroll then showed blank rows for want of processor time.
  workers: 2,
  retries: 0,
  reporter: [['list'], ['json', { outputFile: 'test-results/browser.json' }]],
  // A service worker stores the whole site in each new profile, which takes a third of a first visit’s processor time.
  // Tests of second visits, journeys, sockets and the engine’s worker allow it.
  // An element that is not there fails its test within two minutes, not at the test’s own limit.
  use: {
    actionTimeout: 120_000,
    launchOptions: { ...CHROMIUM, executablePath, args },
    serviceWorkers: 'block',
  },
})
