import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { launch, openDoorPage } from './browser.ts'
import { CASES, type Case } from './cases.ts'
import type { OpenedDoor } from './door-page.ts'
import { enlargeDataset } from './enlarge.ts'
import { NativeEngine } from './native.ts'
import { serveData } from './serve-data.ts'

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Rounds before counting: the browser compiles hot code of the engine again while it runs. */
const WARM_UP = 10

const askDoor = (page: Page, { name, parameters }: Case): ReturnType<OpenedDoor['ask']> =>
  page.evaluate(([query, given]) => (globalThis as unknown as { door: OpenedDoor }).door.ask(query, given), [
    name,
    parameters,
  ] as const)

/** Each query natively and through the door, turn by turn: medians, and the median of paired ratios. */
export async function benchEngine(dataFolder: string, rows: number, rounds: number) {
  const target = mkdtempSync(join(tmpdir(), 'furlong-bench-'))
  try {
    const predictions = await enlargeDataset(dataFolder, target, rows)
    const served = await serveData(target)
    const browser = await launch()
    try {
      const page = await openDoorPage(browser, served)
      const native = await NativeEngine.open(target)
      for (let round = 0; round < WARM_UP; round += 1) for (const each of CASES) await askDoor(page, each)
      const results = []
      for (const each of CASES) {
        const times: { native: number; door: number; engine: number; source: string }[] = []
        for (let round = -3; round < rounds; round += 1) {
          const first = round % 2 === 0
          const early = first ? await native.ask(each) : null
          const door = await askDoor(page, each)
          const alone = early ?? (await native.ask(each))
          if (alone.rows !== door.rows)
            throw new Error(`${each.label}: ${alone.rows} rows natively, ${door.rows} by the door`)
          if (round >= 0)
            times.push({
              native: alone.milliseconds,
              door: door.milliseconds,
              engine: door.engineMilliseconds,
              source: door.source,
            })
        }
        results.push({
          query: each.label,
          source: times[0]!.source,
          nativeMs: round2(median(times.map((time) => time.native))),
          doorMs: round2(median(times.map((time) => time.door))),
          engineMs: round2(median(times.map((time) => time.engine))),
          ratio: round2(median(times.map((time) => time.door / time.native))),
        })
      }
      const logs = results.map(({ ratio }) => Math.log(ratio))
      const geometricMean = round2(Math.exp(logs.reduce((sum, value) => sum + value, 0) / logs.length))
      return {
        predictions,
        rounds,
        geometricMean,
        worst: Math.max(...results.map(({ ratio }) => ratio)),
        results,
      }
    } finally {
      await browser.close()
      await served.close()
    }
  } finally {
    rmSync(target, { recursive: true, force: true })
  }
}

const round2 = (value: number): number => Math.round(value * 100) / 100
