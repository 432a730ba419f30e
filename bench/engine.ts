import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import type { IndexRequest } from '../analytics/panel-index.ts'
import type { Request } from '../analytics/request.ts'
import { chooseFiles, type FileChoice } from '../contract/dataset-files.ts'
import type { DatasetFile } from '../contract/dataset.ts'
import type { ModelId } from '../contract/model-ids.ts'
import { readManifest } from '../server/dataset/dataset-index.ts'
import { launch, openEnginePage, type EngineScope } from './browser.ts'
import { CASES, LINKED_MEASURES, linked, of } from '../tests/support/cases.ts'
import { NativeEngine } from '../tests/support/native.ts'
import { serveData } from './serve-data.ts'

export const median = (values: readonly number[]): number => quantile(values, 0.5)

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const low = sorted[Math.floor(at)]!
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at))
}

/** Rounds before measuring: the browser recompiles the engine's hot code while it runs. */
const WARM_UP = 6
const MODEL: ModelId = 'market-baseline'
const round2 = (value: number): number => Math.round(value * 100) / 100

const ask = (page: Page, request: Request) =>
  page.evaluate((question) => (globalThis as unknown as EngineScope).engine.ask(question), request)

/** Runs each query natively and in the browser alternately, then linked panels, a brush, and memory. */
export async function benchEngine(dataFolder: string, rounds: number) {
  const served = await serveData(dataFolder)
  const browser = await launch()
  try {
    const opened = performance.now()
    const page = await openEnginePage(browser, served, { model: MODEL })
    const openMs = performance.now() - opened
    const native = await NativeEngine.open(dataFolder, '100000', [MODEL])
    for (let round = 0; round < WARM_UP; round += 1) for (const { request } of CASES) await ask(page, request)
    const results = []
    for (const each of CASES) results.push(await compare(page, native, each, rounds))
    const logs = results.map(({ ratio }) => Math.log(ratio))
    return {
      rows: rowsOf(dataFolder),
      brotliBytes: brotliBytesOf(dataFolder),
      rounds,
      openMs: round2(openMs),
      geometricMean: round2(Math.exp(logs.reduce((sum, value) => sum + value, 0) / logs.length)),
      worst: Math.max(...results.map(({ ratio }) => ratio)),
      results,
      linked: await benchLinked(page, rounds),
      brush: await benchBrush(page),
      memory: await memoryOf(browser, page),
    }
  } finally {
    await browser.close()
    await served.close()
  }
}

/** Number of predictions of the model in the measured region. */
const rowsOf = (dataFolder: string): number =>
  readManifest(dataFolder)!
    .files.filter(
      ({ regionId, kind, model }) => regionId === '100000' && kind === 'record' && model === MODEL,
    )
    .reduce((sum, { rows }) => sum + (rows['prediction'] ?? 0), 0)

/**
 * Compressed bytes of all seasons: of one model with the files that every model needs, of the details of starters, and of their
 * sectional times.
 */
export function brotliBytesOf(dataFolder: string): Record<'model' | 'details' | 'sections', number> {
  const { files } = readManifest(dataFolder)!
  const bytesOf = (wanted: readonly DatasetFile[]): number =>
    wanted.reduce(
      (sum, { sha256 }) => sum + statSync(join(dataFolder, 'dataset', `${sha256}.duckdb.br`)).size,
      0,
    )
  const choice = { regionId: '100000', models: [MODEL], entitled: true }
  const model = bytesOf(chooseFiles({ files }, choice))
  const beside = (more: Pick<FileChoice, 'details' | 'sections'>): number =>
    bytesOf(chooseFiles({ files }, { ...choice, ...more })) - model
  return { model, details: beside({ details: true }), sections: beside({ sections: true }) }
}

async function compare(page: Page, native: NativeEngine, each: (typeof CASES)[number], rounds: number) {
  const times: { native: number; wasm: number; engine: number; source: string }[] = []
  for (let round = -2; round < rounds; round += 1) {
    const nativeFirst = round % 2 === 0
    const early = nativeFirst ? await native.ask(each.request) : null
    const wasm = await ask(page, each.request)
    const alone = early ?? (await native.ask(each.request))
    if (alone.rows !== wasm.rows)
      throw new Error(`${each.label}: ${alone.rows} rows natively, ${wasm.rows} in the browser`)
    if (round < 0) continue
    const { milliseconds, engineMilliseconds: engine, source } = wasm
    times.push({ native: alone.milliseconds, wasm: milliseconds, engine, source })
  }
  return {
    query: each.label,
    source: times[0]!.source,
    nativeMs: round2(median(times.map((time) => time.native))),
    wasmMs: round2(median(times.map((time) => time.wasm))),
    engineMs: round2(median(times.map((time) => time.engine))),
    ratio: round2(median(times.map((time) => time.wasm / time.native))),
  }
}

/** Filters on the race, on the prediction, and on both: twelve panels in one statement. */
const LINKED_FILTERS = {
  none: of(),
  going: of({ dim: 'going', in: ['good'] }),
  racecourse: of({ dim: 'racecourse', in: [2] }),
  season: of({ dim: 'season', in: [2024] }),
  rank: of({ dim: 'rank', in: [1] }),
  'main picks': of({ dim: 'prediction_type', in: [1] }),
  misses: of({ dim: 'outcome', in: ['miss'] }),
  'win bets': of({ dim: 'bet_type', in: [1] }),
} as const

async function benchLinked(page: Page, rounds: number) {
  const results = []
  for (const [filter, where] of Object.entries(LINKED_FILTERS)) {
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1)
      times.push((await ask(page, linked(filter, where).request)).engineMilliseconds)
    results.push({ filter, engineMs: round2(median(times)) })
  }
  return { medianEngineMs: round2(median(results.map(({ engineMs }) => engineMs))), results }
}

/** Dimensions of a race and of a bet, by which few values are shown. */
export const PASSIVE = [
  'season',
  'weekday',
  'racecourse',
  'track',
  'going',
  'distance',
  'class',
  'field_size',
  'bet_type',
  'race_no',
] as const

/** A brush over months that ten panels follow: the index is built once, then one position per frame. */
async function benchBrush(page: Page) {
  const request: IndexRequest = {
    model: 'predictions',
    active: ['month'],
    panels: PASSIVE.map((dim) => ({ by: [dim], where: of() })),
    measures: LINKED_MEASURES,
  }
  const indexMs = await page.evaluate(
    (question) => (globalThis as unknown as EngineScope).engine.index(question),
    request,
  )
  const months = (
    await page.evaluate((question) => (globalThis as unknown as EngineScope).engine.read(question), {
      aggregate: { model: 'predictions' as const, by: ['month'], measures: ['predictions'], where: of() },
    })
  )
    .map((row) => String(row['month']))
    .toSorted()
  const steps: { engine: number; painted: number }[] = []
  for (let at = 0; at + 12 < months.length; at += 1) {
    steps.push(
      await page.evaluate(
        ([from, to]) => (globalThis as unknown as EngineScope).engine.step(from!, to!),
        [months[at], months[at + 12]],
      ),
    )
  }
  return {
    panels: PASSIVE.length,
    indexMs: round2(indexMs),
    steps: steps.length,
    medianEngineMs: round2(median(steps.map(({ engine }) => engine))),
    p95EngineMs: round2(
      quantile(
        steps.map(({ engine }) => engine),
        0.95,
      ),
    ),
    p95PaintedMs: round2(
      quantile(
        steps.map(({ painted }) => painted),
        0.95,
      ),
    ),
  }
}

/** Memory by the engine's own count, of the page's JavaScript, and of the tab's process. */
async function memoryOf(browser: Browser, page: Page) {
  const usedBytes = await page.evaluate(async () => {
    const memory = await (globalThis as unknown as EngineScope).engine.memory()
    return memory.ok ? memory.usedBytes : null
  })
  return {
    engineMb: usedBytes === null ? null : Math.round(usedBytes / 1e6),
    tabMb: await tabMb(browser),
  }
}

/** Memory of the browser's largest tab in MB, without the program's own file, which all tabs share. */
export async function tabMb(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => ownMb(id))
  return Math.max(...renderers)
}

function ownMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const kilobytesOf = (field: string): number =>
      Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0)
    return Math.round((kilobytesOf('RssAnon') + kilobytesOf('RssShmem')) / 1000)
  } catch {
    return 0
  }
}
