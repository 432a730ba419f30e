import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { MAX_OWN_BYTES } from '../analytics/own-api.ts'
import { csvLine } from '../domain/csv.ts'
import { launch } from './browser.ts'
import { NativeEngine } from '../tests/support/native.ts'
import { serveData } from './serve-data.ts'

const OWN = '#/pages/race/WinLossRecord?model=fundamental&origin=backtest&tuning=1&tab=own'
const REGION = '100000'
/** Rows that match no runner. */
const UNMATCHED = 37
/** Maximum number of starters written; fewer if the data has fewer. */
const RATINGS = 100_000

/**
 * A user's own file in Chromium: ratings of every starter, matched by name, and a file of the maximum accepted size.
 */
export async function benchOwn(dataFolder: string) {
  const folder = mkdtempSync(join(tmpdir(), 'furlong-own-'))
  const served = await serveData(dataFolder)
  const browser = await launch()
  try {
    const native = await NativeEngine.open(dataFolder, REGION, ['fundamental'])
    const starters = await native.rows(
      `SELECT s.race_date::VARCHAR AS day, stadium.name_hant AS stadium, s.race_no::INTEGER AS race_no, horse.name_hant AS horse,
         race.race_id, s.horse_no::INTEGER AS horse_no, s.probability::DOUBLE AS probability, s.rating::INTEGER AS rating
       FROM starter s JOIN race USING (race_key) JOIN stadium ON stadium.stadium_key = s.stadium_key
       JOIN horse USING (horse_key) ORDER BY s.race_date DESC, s.race_key, s.horse_no LIMIT ${RATINGS}`,
    )
    const ratings = join(folder, 'ratings.csv')
    await write(ratings, '\uFEFF日期,馬場,場次,馬名,評分,勝率,"備註, ""私人"""\r\n', [
      ...starters.map((row) => [
        String(row['day']),
        String(row['stadium']),
        Number(row['race_no']),
        String(row['horse']),
        row['rating'] === null ? null : Number(row['rating']),
        Number(row['probability']),
        '"好"，步速快',
      ]),
      ...Array.from({ length: UNMATCHED }, (_, at) => ['2025-01-01', '沙田', 1, `無此馬${at}`, 1, 0.1, null]),
    ])
    const large = join(folder, 'large.csv')
    await writeLarge(large, starters)
    const context = await browser.newContext({ viewport: { width: 1280, height: 1000 } })
    await context.addInitScript((token) => localStorage.setItem('Access-Token', token), served.token)
    const page = await context.newPage()
    await page.goto(`${served.baseUrl}${OWN}`)
    await page.locator('[data-engine=ready]').waitFor({ timeout: 300_000 })
    await page.locator('[data-testid=own] button:enabled').first().waitFor({ timeout: 300_000 })
    await page.waitForTimeout(5000)
    return {
      ratings: { rows: starters.length + UNMATCHED, ...(await timeFile(page, ratings)) },
      large: { bytes: MAX_OWN_BYTES, ...(await timeFile(page, large)) },
    }
  } finally {
    await browser.close()
    await served.close()
    rmSync(folder, { recursive: true })
  }
}

type Cells = (string | number | null)[]

async function write(path: string, header: string, rows: readonly Cells[]): Promise<void> {
  const out = createWriteStream(path)
  out.write(header)
  for (const row of rows) if (!out.write(csvLine(row))) await once(out, 'drain')
  out.end()
  await once(out, 'finish')
}

/** Repeats the starters, with figures and a text column, up to the maximum size. */
async function writeLarge(path: string, starters: readonly Record<string, unknown>[]): Promise<void> {
  const out = createWriteStream(path)
  let bytes = 0
  for (let at = 0; ; at += 1) {
    const row = starters[at % starters.length]!
    const line =
      at === 0
        ? 'race_id,horse_no,probability,rating,speed,late_pace,comment\r\n'
        : csvLine([
            String(row['race_id']),
            Number(row['horse_no']),
            Number(row['probability']),
            Number(row['rating']),
            (at * 7919) % 1000,
            ((at * 104_729) % 100_000) / 1000,
            'Held up behind, made ground in the straight',
          ])
    bytes += line.length
    if (bytes > MAX_OWN_BYTES) break
    if (!out.write(line)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
}

/** Times the choice of a file until its columns are on screen, and until its match and figures are. */
async function timeFile(page: Page, path: string) {
  const own = page.locator('[data-testid=own]')
  const started = performance.now()
  await own.locator('input[type=file]').setInputFiles(path)
  await page.locator('[data-testid=own-columns]').waitFor({ timeout: 120_000 })
  const readMs = performance.now() - started
  const wrong = page.locator('[data-testid=own-problem]')
  await page.locator('[data-testid=own-matched]').or(wrong).first().waitFor({ timeout: 120_000 })
  if (await wrong.isVisible()) throw new Error((await wrong.textContent()) ?? 'the file was refused')
  const matchedMs = performance.now() - started
  await page
    .locator('[data-testid=own-sides], [data-testid=own-compare]')
    .first()
    .waitFor({ timeout: 120_000 })
  const judgedMs = performance.now() - started
  const summary = await page.locator('[data-testid=own-matched]').textContent()
  const unmatched = await page.locator('[data-testid=own-unmatched]').textContent({ timeout: 1000 })
  await own.getByRole('button', { name: 'Remove' }).click()
  return {
    readMs: Math.round(readMs),
    matchedMs: Math.round(matchedMs),
    judgedMs: Math.round(judgedMs),
    told: summary,
    unmatched,
  }
}
