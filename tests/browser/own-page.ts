import { expect, type Page } from '@playwright/test'
import type { Reference } from './reference.ts'
import { RECORD } from './site.ts'
import { filter, MODEL, WIN } from './workspace-page.ts'

/** Opens the tab of the user's own file, and removes the file of an earlier test. */
export async function openOwn(page: Page): Promise<void> {
  await page.goto(`${RECORD()}?model=${MODEL}&origin=backtest&${filter(WIN)}&tab=own`)
  const choose = page.getByRole('button', { name: 'Choose a file' })
  const remove = page.getByRole('button', { name: 'Remove', exact: true })
  // An earlier test may have begun to remove its file.
  await expect(async () => {
    if (await remove.isVisible()) await remove.click({ timeout: 1000 })
    await expect(choose).toBeEnabled({ timeout: 1000 })
  }).toPass({ timeout: 30_000 })
}

export const chooseOwn = (page: Page, name: string, content: string | Uint8Array): Promise<void> =>
  page
    .getByTestId('own')
    .locator('input[type=file]')
    .setInputFiles({
      name,
      mimeType: 'text/csv',
      buffer: Buffer.from(content),
    })

/** Chooses a file that the page makes of a repeated text, because it is too large to be sent to the page. */
export const chooseRepeated = (
  page: Page,
  head: string,
  text: string,
  times: number,
  end: string,
): Promise<void> =>
  page
    .getByTestId('own')
    .locator('input[type=file]')
    .evaluate(
      (input: HTMLInputElement, [start, repeated, count, last]) => {
        // Each part is stored once, however often the file has it.
        const part = new Blob([repeated.repeat(1000)])
        const parts = Array.from({ length: Math.floor(count / 1000) }, () => part)
        const transfer = new DataTransfer()
        transfer.items.add(new File([start, ...parts, repeated.repeat(count % 1000), last], 'repeated.csv'))
        input.files = transfer.files
        input.dispatchEvent(new Event('change', { bubbles: true }))
      },
      [head, text, times, end] as const,
    )

export interface OwnStarter {
  race_id: string
  day: string
  stadium: string
  race_no: number
  horse_no: number
  horse: string
  probability: number
  rating: number
}

/** The starters of the region with what a file has of them. */
export const ownStarters = async (reference: Reference): Promise<OwnStarter[]> =>
  (await reference.rows(
    `SELECT race.race_id, s.race_date::VARCHAR AS day, stadium.name_hant AS stadium, s.race_no::INTEGER AS race_no,
       s.horse_no::INTEGER AS horse_no, horse.name_hant AS horse, s.probability::DOUBLE AS probability, s.rating::INTEGER AS rating
     FROM starter s JOIN race USING (race_key) JOIN stadium ON stadium.stadium_key = s.stadium_key
     JOIN horse USING (horse_key) WHERE s.model = '${MODEL}' ORDER BY race.race_id, s.horse_no`,
  )) as unknown as OwnStarter[]

/**
 * Records every request of the page and its workers that has a word of the file in its address, headers or body, and
 * every one that sends anything but the page's own queries. `calls`: ends of the paths of other calls that may send.
 */
export function watchSent(page: Page, words: readonly string[], calls: readonly string[] = []): string[] {
  const sent: string[] = []
  page.context().on('request', (request) => {
    const everything = [request.url(), request.postData() ?? '', JSON.stringify(request.headers())].join(' ')
    const path = new URL(request.url()).pathname
    const asks =
      request.method() === 'GET' ||
      ['/analytics/query', '/customer/visitLog', ...calls].some((call) => path.endsWith(call))
    if (!asks || words.some((word) => readable(everything).includes(word))) sent.push(everything)
  })
  return sent
}

/** A text as it is, and without percent encoding; a header may have a lone percent sign. */
export const readable = (text: string): string => text + text.replaceAll(/(?:%[0-9a-f]{2})+/gi, decoded)

function decoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}
