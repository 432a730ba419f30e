import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type Page } from '@playwright/test'
import { build } from 'vite'
import type { ServedData } from './serve-data.ts'

export const CHROMIUM = {
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}

export const launch = (): Promise<Browser> => chromium.launch(CHROMIUM)

/** Address of the built worker. */
export function workerPath(): string {
  const assets = fileURLToPath(new URL('../dist/site/assets', import.meta.url))
  return `assets/${readdirSync(assets).find((name) => /^analytics\.worker-.*\.js$/.test(name))}`
}

let bundled: Promise<string> | undefined

/** `door-page.ts` as one script for a page. */
async function doorScript(): Promise<string> {
  bundled ??= build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: {
        entry: fileURLToPath(new URL('door-page.ts', import.meta.url)),
        formats: ['iife'],
        name: 'doorPage',
      },
    },
  }).then((output) => {
    const [first] = [output].flat()
    if (!first || !('output' in first)) throw new Error('nothing was bundled')
    return first.output[0].code
  })
  return bundled
}

/** A page of the served site with the engine open on all its data as `globalThis.door`. */
export async function openDoorPage(
  browser: Browser,
  served: Pick<ServedData, 'baseUrl' | 'token'>,
): Promise<Page> {
  // The site's own policy allows no script but its own files.
  const context = await browser.newContext({ bypassCSP: true, serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.goto(`${served.baseUrl}icon.svg`)
  await page.goto(`${served.baseUrl}#/not-a-page`)
  await page.addScriptTag({ content: await doorScript() })
  await page.evaluate(
    async ([worker, base, token]) => {
      const scope = globalThis as unknown as {
        openDoor: (...of: string[]) => Promise<unknown>
        door: unknown
      }
      scope.door = await scope.openDoor(worker!, base!, token!)
    },
    [new URL(workerPath(), served.baseUrl).href, served.baseUrl, served.token],
  )
  return page
}
