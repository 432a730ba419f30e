import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CHROMIUM } from '../tests/support/chromium.ts'
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
}

function measure(url: string): Report {
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
export function benchLighthouse(url: string, rounds: number) {
  const reports = Array.from({ length: rounds }, () => measure(url))
  const score = (category: string): number =>
    median(reports.map(({ categories }) => Math.round((categories[category]?.score ?? 0) * 100)))
  return {
    url,
    rounds,
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
    return Object.entries(PAGES).map(([name, route]) => ({
      name,
      ...benchLighthouse(`${served.baseUrl}#${addressWith(route, places)}`, rounds),
    }))
  } finally {
    await served.close()
  }
}
