import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { CHROMIUM } from '../tests/support/chromium.ts'
import { launch } from './browser.ts'
import { addressWith, placesOf, startSite } from './site.ts'

const FOLDER = fileURLToPath(new URL('lighthouse/', import.meta.url))
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const METRICS = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
  'speed-index',
]

interface Report {
  categories: Record<string, { score: number | null }>
  audits: Record<string, { numericValue?: number; score: number | null; title: string }>
  environment: { benchmarkIndex: number }
}

/** Lighthouse's slowdown of the processor, for a fast desk machine. */
const DEFAULT_SLOWDOWN = 4

/**
 * How many times slower Lighthouse makes the processor so that a machine of this benchmark index stands for the same
 * phone: the rule of the calculator that Lighthouse's documentation links to, but never more than the default.
 * https://github.com/GoogleChrome/lighthouse, its page on throttling, “Calibrating the CPU slowdown”
 * https://github.com/patrickhulce/lighthouse-cpu-throttling-calculator/blob/master/pages/index.js
 */
function slowdownOf(benchmarkIndex: number): number {
  const calculated =
    benchmarkIndex >= 1300
      ? 3 + (benchmarkIndex - 1300) / 233
      : benchmarkIndex >= 800
        ? 2 + (benchmarkIndex - 800) / 500
        : 1 + (benchmarkIndex - 150) / 650
  return Math.round(10 * Math.min(DEFAULT_SLOWDOWN, Math.max(1, calculated))) / 10
}

/** The benchmark index that Lighthouse states in a report, by its own function in the same browser. */
async function benchmarkIndexNow(): Promise<number> {
  const { pageFunctions } = (await import(
    pathToFileURL(join(FOLDER, 'node_modules/lighthouse/core/lib/page-functions.js')).href
  )) as { pageFunctions: { computeBenchmarkIndex(): number } }
  const browser = await launch()
  try {
    const page = await browser.newPage()
    return await page.evaluate(`(${pageFunctions.computeBenchmarkIndex.toString()})()`)
  } finally {
    await browser.close()
  }
}

async function measure(url: string) {
  const before = await benchmarkIndexNow()
  const slowdown = slowdownOf(before)
  const report = lighthouse(url, slowdown)
  return { report, slowdown, indexes: { before, inRun: report.environment.benchmarkIndex } }
}

function lighthouse(url: string, slowdown: number): Report {
  const place = mkdtempSync(join(tmpdir(), 'furlong-lighthouse-'))
  try {
    const output = join(place, 'report.json')
    // The mobile preset is Lighthouse's own default: a slow phone on slow 4G, simulated.
    const run = spawnSync(
      process.execPath,
      [
        join(FOLDER, 'node_modules/lighthouse/cli/index.js'),
        url,
        '--quiet',
        '--output=json',
        `--output-path=${output}`,
        `--only-categories=${CATEGORIES.join(',')}`,
        `--throttling.cpuSlowdownMultiplier=${slowdown}`,
        `--chrome-flags=--headless=new ${CHROMIUM.args.join(' ')}`,
      ],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, CHROME_PATH: CHROMIUM.executablePath },
      },
    )
    if (run.status !== 0) throw new Error(`Lighthouse ended with ${run.status}`)
    return JSON.parse(readFileSync(output, 'utf8')) as Report
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Medians over several runs against a page that is already being served: scores out of 100, times in milliseconds. */
export async function benchLighthouse(url: string, rounds: number) {
  const runs = []
  for (let round = 0; round < rounds; round += 1) runs.push(await measure(url))
  const reports = runs.map(({ report }) => report)
  const score = (category: string): number =>
    median(reports.map(({ categories }) => Math.round((categories[category]?.score ?? 0) * 100)))
  return {
    url,
    rounds,
    runs: runs.map(({ report: { categories }, slowdown, indexes }) => ({
      benchmarkIndex: indexes,
      cpuSlowdownMultiplier: slowdown,
      performance: Math.round((categories['performance']?.score ?? 0) * 100),
    })),
    scores: Object.fromEntries(CATEGORIES.map((category) => [category, score(category)])),
    metrics: Object.fromEntries(
      METRICS.map((audit) => [
        audit,
        Math.round(median(reports.map(({ audits }) => audits[audit]?.numericValue ?? 0)) * 1000) / 1000,
      ]),
    ),
    notPassed: Object.entries(reports[0]!.audits)
      .filter(([, { score: each }]) => each !== null && each < 0.9)
      .map(([id]) => id),
  }
}

/** The pages that are measured of a data folder; `{race}` is its last finished race. */
const PAGES = {
  home: '/',
  tips: '/pages/race/racehome',
  race: '/pages/race/HorseRace?id={race}&source=pr',
  results: '/pages/race/PredictionResults',
  record: '/pages/race/WinLossRecord',
}

/** The same for the five pages that a visitor opens most, on the demonstration or on the seasons in the folder `data`. */
export async function benchLighthouseOfData(data: string | null, rounds: number) {
  const served = await startSite(data)
  try {
    const places = await placesOf(served.baseUrl)
    const pages = []
    for (const [name, route] of Object.entries(PAGES)) {
      const url = `${served.baseUrl}#${addressWith(route, places)}`
      const page = { name, ...(await benchLighthouse(url, rounds)) }
      process.stderr.write(`${name}: ${JSON.stringify(page.runs)}\n`)
      pages.push(page)
    }
    return pages
  } finally {
    await served.close()
  }
}
