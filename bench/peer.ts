import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from '@playwright/test'
import { build } from 'vite'
import { groupKey, shownKey } from '../analytics/filter.ts'
import type { Dimension, Scalar, Sum } from '../analytics/model.ts'
import type { IndexRequest } from '../analytics/panel-index.ts'
import { PREDICTIONS } from '../analytics/predictions.ts'
import { EVERYTHING, of } from '../tests/support/cases.ts'
import { NativeEngine } from '../tests/support/native.ts'
import { launch, machineSpeed, openEnginePage, type EngineScope } from './browser.ts'
import { median, PASSIVE, quantile } from './engine.ts'
import { serveData, type ServedData } from './serve-data.ts'

const FOLDER = fileURLToPath(new URL('peer/', import.meta.url))
const DUCKDB = join(FOLDER, 'node_modules/@duckdb/duckdb-wasm/dist')
const REGION = '100000'
const MODEL = 'market-baseline'
const DIMS = [...PASSIVE, 'rank', 'outcome'] as const
/** Sums that both add up; the peer's table has them ready-made. */
const SUMS = ['predictions', 'hits', 'staked', 'profit'] as const
/** Months of a position of the brush. */
const WINDOW = 12

interface Times {
  answeredMs: number
  paintedMs: number
}

/** What `bench/peer/page.mjs` offers in the page. */
interface Peer {
  click(dim: string, value: Scalar | [number, number]): Promise<Times & { totals: number[] }>
  hover(dim: string, value: Scalar | [number, number]): Promise<number>
  clear(dim: string): Promise<void>
  plain(dim: string, condition: string): Promise<Times>
}
interface PeerScope {
  peer: Peer
  openPeer(options: {
    base: string
    dims: readonly string[]
    sums: readonly string[]
    extent: readonly [number, number]
  }): Promise<Peer>
}

/** Furlong beside Mosaic and beside plain queries, on the same rows in the same browser, in turn. */
export async function benchPeer(dataFolder: string, rounds: number) {
  const place = mkdtempSync(join(tmpdir(), 'furlong-peer-'))
  const served = await serveData(dataFolder)
  const browser = await launch()
  try {
    const file = join(place, 'prediction.duckdb')
    const { rows, views, months } = await writeTable(dataFolder, file)
    const script = await peerScript()
    const measured = []
    const references = []
    for (let round = 0; round < rounds; round += 1) {
      references.push(await machineSpeed(browser))
      const furlong = await measure(await openFurlong(browser, served), { views, months })
      const peer = await measure(await openMosaic(browser, served, { file, script, months }), {
        views,
        months,
      })
      if (furlong.totals.join() !== peer.totals.join())
        throw new Error(`other sums: ${furlong.totals.join()} here, ${peer.totals.join()} there`)
      measured.push({ furlong: furlong.times, peer: peer.times })
    }
    return { rows, rounds, machine: references, table: tableOf(measured) }
  } finally {
    await browser.close()
    await served.close()
    rmSync(place, { recursive: true, force: true })
  }
}

/** A row for each figure: medians over the rounds, and how many times as long the peer takes. */
function tableOf(rounds: readonly { furlong: Record<string, number>; peer: Record<string, number> }[]) {
  const furlong = summary(rounds.map((each) => each.furlong))
  const peer = summary(rounds.map((each) => each.peer))
  return Object.keys(peer).map((metric) => {
    const [own, other] = [furlong[metric], peer[metric]!]
    return {
      metric,
      furlongMs: own === undefined ? null : round1(own),
      peerMs: round1(other),
      peerByFurlong: own === undefined ? null : round1(other / own),
    }
  })
}

const round1 = (value: number): number => Math.round(value * 10) / 10

/** Medians over rounds. */
const summary = (rounds: readonly Record<string, number>[]): Record<string, number> =>
  Object.fromEntries(
    Object.keys(rounds[0]!).map((name) => [name, median(rounds.map((times) => times[name]!))]),
  )

/** The values of each view that are clicked, the most frequent ones, and the months that are brushed. */
interface Gestures {
  views: readonly { dim: string; values: readonly Scalar[] }[]
  months: readonly number[]
}

/** Writes the peer's table: a column for each dimension, with the values that readers see, and one for each sum. */
async function writeTable(dataFolder: string, path: string): Promise<Gestures & { rows: number }> {
  const native = await NativeEngine.open(dataFolder, REGION, [MODEL])
  const keyOf = (dim: (typeof DIMS)[number]): string => {
    const dimension: Dimension = PREDICTIONS.dimensions[dim]
    return `${shownKey(dimension, groupKey(dimension))} AS ${dim}`
  }
  const sumOf = (name: (typeof SUMS)[number]): string => {
    const { value }: Sum = PREDICTIONS.sums[name]
    return `${value ?? '1::DOUBLE'} AS ${name}`
  }
  const month: Dimension = PREDICTIONS.dimensions.month
  const columns = [...DIMS.map(keyOf), `${groupKey(month)}::INTEGER AS month`, ...SUMS.map(sumOf)]
  await native.run(`ATTACH '${path}' AS peer`)
  await native.run(
    `CREATE TABLE peer.prediction AS SELECT ${columns.join(', ')} FROM prediction WHERE origin = 'backtest'`,
  )
  const valuesOf = async (dim: string, order: string): Promise<Scalar[]> =>
    (
      await native.rows(
        `SELECT ${dim} AS value FROM peer.prediction WHERE ${dim} IS NOT NULL GROUP BY 1 ORDER BY ${order}`,
      )
    ).map(({ value }) => value!)
  const views = []
  for (const dim of DIMS) views.push({ dim, values: (await valuesOf(dim, 'count(*) DESC')).slice(0, 2) })
  const months = (await valuesOf('month', '1')).map(Number)
  const [counted] = await native.rows('SELECT count(*)::DOUBLE AS n FROM peer.prediction')
  await native.run('DETACH peer')
  return { rows: Number(counted!['n']), views, months }
}

async function peerScript(): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: { entry: join(FOLDER, 'page.mjs'), formats: ['iife'], name: 'peerPage' },
    },
  })
  const [first] = [output].flat()
  if (!first || !('output' in first)) throw new Error('nothing was bundled')
  return first.output[0].code
}

const timesOf = (label: string, clicks: readonly Times[]): Record<string, number> => ({
  [`${label}: answered`]: median(clicks.map(({ answeredMs }) => answeredMs)),
  [`${label}: painted`]: median(clicks.map(({ paintedMs }) => paintedMs)),
  [`${label}: answered, p95`]: quantile(
    clicks.map(({ answeredMs }) => answeredMs),
    0.95,
  ),
})

/** The pointer rests this long before the click after a hover. */
const REST_MS = 300

/** One of the two that are measured, opened. */
interface Side {
  openMs: number
  click(dim: string, value: Scalar): Promise<Times>
  /** The sums of the first view that a click filters. */
  totals(dim: string, value: Scalar): Promise<number[]>
  /** What happens after a click while the pointer stays. */
  stay(dim: string): Promise<void>
  /** The pointer enters a view: milliseconds until what it builds is there. */
  hover(dim: string, value: Scalar): Promise<number>
  /** Takes a click back and forgets what it built. */
  clear(dim: string): Promise<void>
  /** The pointer enters the months: milliseconds until what it builds is there. */
  enterBrush(from: number, to: number): Promise<number>
  brush(from: number, to: number): Promise<Times>
  /** Plain queries without an index or a library. */
  plain: ((dim: string, value: Scalar) => Promise<Times>) | null
  close(): Promise<void>
}

async function measure(side: Side, { views, months }: Gestures) {
  const worstMs = await worstWindow(views, side.click)
  const totals: number[] = []
  const first: Times[] = []
  const second: Times[] = []
  const plain: Times[] = []
  for (const { dim } of views) await side.clear(dim)
  for (const { dim, values } of views) {
    const [one, other] = [values[0]!, values[1]!]
    first.push(await side.click(dim, one))
    await side.stay(dim)
    second.push(await side.click(dim, other))
    totals.push(...(await side.totals(dim, one)))
    await side.clear(dim)
    if (side.plain) plain.push(await side.plain(dim, one))
  }
  const hovers: number[] = []
  const hovered: Times[] = []
  for (const { dim, values } of views) {
    hovers.push(await side.hover(dim, values[1]!))
    await new Promise((resolve) => setTimeout(resolve, REST_MS))
    hovered.push(await side.click(dim, values[0]!))
    await side.clear(dim)
  }
  const brushMs = await side.enterBrush(months[0]!, months[WINDOW]!)
  await new Promise((resolve) => setTimeout(resolve, REST_MS))
  const started = await side.brush(months[0]!, months[WINDOW]!)
  const steps: Times[] = []
  for (let at = 1; at + WINDOW < months.length; at += 4)
    steps.push(await side.brush(months[at]!, months[at + WINDOW]!))
  await side.close()
  return {
    totals,
    times: {
      'open, cold: all rows answerable': side.openMs,
      'clicks from the opening on, slowest 2 s': worstMs,
      ...timesOf('first click in a view', first),
      ...timesOf('second click', second),
      'hover: index built': median(hovers),
      ...timesOf('click after a hover', hovered),
      'brush: index built': brushMs,
      'brush: first position, answered': started.answeredMs,
      ...timesOf('brush step', steps),
      ...(plain.length === 0 ? {} : timesOf('plain queries', plain)),
    },
  }
}

/** The median of answers in the slowest two seconds of ten in which one view after another is clicked. */
async function worstWindow(views: Gestures['views'], click: Side['click']): Promise<number> {
  const windows = new Map<number, number[]>()
  const started = performance.now()
  for (let at = 0; performance.now() - started < 10_000; at += 1) {
    const { dim, values } = views[at % views.length]!
    const window = Math.floor((performance.now() - started) / 2000)
    const { answeredMs } = await click(dim, values[Math.floor(at / views.length) % values.length]!)
    windows.set(window, [...(windows.get(window) ?? []), answeredMs])
  }
  return Math.max(...[...windows.values()].map(median))
}

const linkedTo = (dim: string, value: Scalar) => ({
  linked: {
    model: 'predictions' as const,
    measures: [...SUMS],
    panels: DIMS.map((by) => ({ by: [by], where: by === dim ? EVERYTHING : of({ dim, in: [value] }) })),
  },
})
const indexOf = (active: string, measures: readonly string[] = SUMS): IndexRequest => ({
  model: 'predictions',
  active: [active],
  measures: [...measures],
  panels: DIMS.map((by) => ({ by: [by], where: EVERYTHING })),
})

async function openFurlong(browser: Browser, served: ServedData): Promise<Side> {
  const started = performance.now()
  const page = await openEnginePage(browser, served, { model: MODEL })
  const click: Side['click'] = (dim, value) =>
    page.evaluate(
      (question) => (globalThis as unknown as EngineScope).engine.paint(question),
      linkedTo(dim, value),
    )
  const index = (request: IndexRequest): Promise<number> =>
    page.evaluate((question) => (globalThis as unknown as EngineScope).engine.index(question), request)
  const brush: Side['brush'] = (from, to) =>
    page.evaluate(
      async ([first, last]) => {
        const { answered, painted } = await (globalThis as unknown as EngineScope).engine.step(first, last)
        return { answeredMs: answered, paintedMs: painted }
      },
      [monthName(from), monthName(to)] as const,
    )
  await click('season', 0)
  return {
    openMs: performance.now() - started,
    click,
    totals: async (dim, value) => {
      const rows = await page.evaluate(
        (question) => (globalThis as unknown as EngineScope).engine.read(question),
        linkedTo(dim, value),
      )
      const first = DIMS.findIndex((each) => each !== dim)
      const own = rows.filter((row) => row['panel'] === first)
      return SUMS.map((name) => own.reduce((sum, row) => sum + Number(row[name]), 0))
    },
    stay: async (dim) => void (await index(indexOf(dim))),
    // One more measure, so that the index of the second click is not found.
    hover: (dim) => index(indexOf(dim, [...SUMS, 'voids'])),
    clear: async () => {},
    enterBrush: () => index(indexOf('month')),
    brush,
    plain: null,
    close: () => page.context().close(),
  }
}

/** A month as readers of Furlong see it: `2024-09`. */
const monthName = (month: number): string =>
  `${Math.floor(month / 100)}-${String(month % 100).padStart(2, '0')}`

/** `file`: the peer's table; `script`: its page; `months`: those that are brushed. */
async function openMosaic(
  browser: Browser,
  { baseUrl }: ServedData,
  { file, script, months }: { file: string; script: string; months: readonly number[] },
): Promise<Side> {
  const context = await browser.newContext({ bypassCSP: true, serviceWorkers: 'block' })
  const page = await context.newPage()
  const base = `${baseUrl}peer/`
  await page.route(`${base}*`, (route) => {
    const name = basename(new URL(route.request().url()).pathname)
    return route.fulfill({ path: name.endsWith('.duckdb') ? file : join(DUCKDB, name) })
  })
  const started = performance.now()
  await page.goto(`${baseUrl}icon.svg`)
  await page.goto(`${baseUrl}#/not-a-page`)
  await page.addScriptTag({ content: script })
  await page.evaluate(
    async (options) => {
      const scope = globalThis as unknown as PeerScope
      scope.peer = await scope.openPeer(options)
    },
    { base, dims: DIMS, sums: SUMS, extent: [months[0]!, months.at(-1)!] as const },
  )
  const openMs = performance.now() - started
  const click = (dim: string, value: Scalar | [number, number]) =>
    page.evaluate(([of, chosen]) => (globalThis as unknown as PeerScope).peer.click(of, chosen), [
      dim,
      value,
    ] as const)
  const hover = (dim: string, value: Scalar | [number, number]) =>
    page.evaluate(([of, near]) => (globalThis as unknown as PeerScope).peer.hover(of, near), [
      dim,
      value,
    ] as const)
  return {
    openMs,
    click,
    totals: async (dim, value) => (await click(dim, value)).totals,
    stay: async () => {},
    hover,
    clear: (dim) => page.evaluate((of) => (globalThis as unknown as PeerScope).peer.clear(of), dim),
    enterBrush: (from, to) => hover('month', [from, to]),
    brush: (from, to) => click('month', [from, to]),
    plain: (dim, value) =>
      page.evaluate(([of, where]) => (globalThis as unknown as PeerScope).peer.plain(of, where), [
        dim,
        `${dim} = ${typeof value === 'number' ? value : `'${String(value)}'`}`,
      ] as const),
    close: () => context.close(),
  }
}
