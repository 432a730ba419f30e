import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { COMMAND } from '../tools/lib/program.mjs'
import { launch } from './browser.ts'
import { desk, FOLLOWS_MS, open } from './pictures.ts'
import { shown } from './shown.ts'
import { startSite } from './site.ts'

const SAMPLES = fileURLToPath(new URL('../docs/samples', import.meta.url))

/** A race of the samples for each page about layouts; sections are imported after their results. */
const PICTURES = [
  { name: 'import-hong-kong', samples: ['hk', 'hk-sectionals'], race: 'HKHAV2024122502', region: '100000' },
  { name: 'import-rpscrape', samples: ['rpscrape'], race: 'GBYRK2024122501', region: '100826' },
  { name: 'import-netkeiba', samples: ['netkeiba'], race: 'JPTOK2024122502', region: '100392' },
  { name: 'import-betfair', samples: ['betfair-stream'], race: 'AUFLE2024122501', region: '100036' },
  { name: 'import-bris', samples: ['bris'], race: 'USBEL2024122501', region: '100840' },
] as const

const run = promisify(execFile)

/** Imports invented files by the operators' command, and takes a picture of a race of each page's layout. */
export async function takeImportPictures(to: string): Promise<string[]> {
  mkdirSync(to, { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), 'furlong-samples-'))
  const browser = await launch()
  try {
    for (const sample of PICTURES.flatMap(({ samples }) => samples))
      await run(process.execPath, [...COMMAND, 'import', join(SAMPLES, sample)], {
        env: { ...process.env, FURLONG_DATA: folder, DATABASE_URL: '' },
      })
    const served = await startSite(folder)
    try {
      const taken: string[] = []
      for (const { name, race, region } of PICTURES) {
        const page = await open(browser, { locale: 'en', dark: false, ...desk }, served.tokens.VIP)
        await page.addInitScript((id) => localStorage.setItem('user_selected_region', id), region)
        await page.goto(`${served.baseUrl}#/pages/race/HorseRace?id=${race}&source=pr`)
        await page.getByTestId('finishers').waitFor({ timeout: 60_000 })
        await shown(page)
        await page.waitForTimeout(FOLLOWS_MS)
        const path = join(to, `${name}.webp`)
        await sharp(await page.screenshot())
          .webp({ quality: 80, effort: 6 })
          .toFile(path)
        taken.push(path)
        await page.context().close()
      }
      return taken
    } finally {
      await served.close()
    }
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
