import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type Page } from '@playwright/test'
import { build } from 'vite'
import type { OpenRequest } from '../analytics/engine-api.ts'
import type { ModelId } from '../contract/model-ids.ts'
import { CHROMIUM } from '../tests/support/chromium.ts'
import type { OpenedEngine, openEngine } from './engine-page.ts'
import type { ServedData } from './serve-data.ts'

export const launch = (): Promise<Browser> => chromium.launch(CHROMIUM)

/** Additions of the reference loop, and how often it runs. */
const REFERENCE = { additions: 3e7, runs: 20, bytes: 256 * 2 ** 20, pageBytes: 4096 }

/** How fast the machine was when the other figures of a run were taken. */
export interface MachineSpeed {
  /** Mean time of a fixed loop: the processor, and how busy it was with other things. */
  loopMs: number
  /** Time for the first write to each page of 256 MB of new memory, which some virtual machines make very slow. */
  newMemoryMs: number
}

/** Measures the machine in a page of its own. */
export async function machineSpeed(browser: Browser): Promise<MachineSpeed> {
  const page = await browser.newPage()
  const speed = await page.evaluate(({ additions, runs, bytes, pageBytes }) => {
    let sum = 0
    const started = performance.now()
    for (let run = 0; run < runs; run += 1) for (let at = 0; at < additions; at += 1) sum += at
    const looped = performance.now()
    const memory = new Uint8Array(bytes)
    for (let at = 0; at < bytes; at += pageBytes) memory[at] = 1
    const written = performance.now() - looped
    // Both results are used, so that neither loop is left out.
    return sum > 0 && memory[pageBytes] === 1
      ? { loopMs: (looped - started) / runs, newMemoryMs: written }
      : { loopMs: Number.NaN, newMemoryMs: Number.NaN }
  }, REFERENCE)
  await page.close()
  return { loopMs: Math.round(speed.loopMs), newMemoryMs: Math.round(speed.newMemoryMs) }
}

/** Address of the built worker. */
function workerPath(): string {
  const assets = fileURLToPath(new URL('../dist/site/assets', import.meta.url))
  return `assets/${readdirSync(assets).find((name) => /^analytics\.worker-.*\.js$/.test(name))}`
}

let bundled: Promise<string> | undefined

/** `engine-page.ts` as one script for a page. */
async function engineScript(): Promise<string> {
  bundled ??= build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: {
        entry: fileURLToPath(new URL('engine-page.ts', import.meta.url)),
        formats: ['iife'],
        name: 'enginePage',
      },
    },
  }).then((output) => {
    const [first] = [output].flat()
    if (!first || !('output' in first)) throw new Error('nothing was bundled')
    return first.output[0].code
  })
  return bundled
}

/** Globals of an engine page. */
export interface EngineScope {
  engine: OpenedEngine
  openEngine: typeof openEngine
}

export interface EnginePageOptions {
  model?: ModelId
  regionId?: string
  memoryLimitMb?: number
}

/** Opens a page of the served site with the engine available as `globalThis.engine`. */
export async function openEnginePage(
  browser: Browser,
  served: Pick<ServedData, 'baseUrl'> & { token: string | null },
  { model = 'market-baseline', regionId = '100000', memoryLimitMb = 2000 }: EnginePageOptions = {},
): Promise<Page> {
  // The site's own policy allows only its own scripts.
  const context = await browser.newContext({ bypassCSP: true, serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.goto(`${served.baseUrl}icon.svg`)
  await page.goto(`${served.baseUrl}#/not-a-page`)
  await page.addScriptTag({ content: await engineScript() })
  const request: OpenRequest = {
    baseUrl: served.baseUrl,
    regionId,
    model,
    seasons: 'all',
    token: served.token,
    memoryLimitMb,
  }
  await page.evaluate(
    async ([worker, openRequest]) => {
      const scope = globalThis as unknown as EngineScope
      scope.engine = await scope.openEngine(worker, openRequest)
    },
    [new URL(workerPath(), served.baseUrl).href, request] as const,
  )
  return page
}
