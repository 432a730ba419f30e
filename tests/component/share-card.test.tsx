import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Competitor } from '../../contract/api/racing.ts'
import type { Language } from '../../domain/languages.ts'
import ShareRace from '../../src/features/race/share-race.tsx'
import ShareHorse from '../../src/features/horse/share-horse.tsx'
import { baseUrl } from '../../src/data/client/api-client.ts'
import { cardHeight, CARD_WIDTH, drawCard, type CardContext } from '../../src/widgets/share-card/draw-card.ts'
import { horseInfo, raceInfo, RUNNERS } from './race-samples.ts'
import { bets, prediction, times } from './prepared-facts.ts'
import { figuresReady, MANIFEST, openRecord, tile } from './record.tsx'
import { renderPart, server } from './render.tsx'

interface Drawn {
  text: string
  left: number
  right: number
  y: number
}

/** A canvas's context that notes the texts drawn on it; a letter is half as wide as it is high, a Chinese one as wide. */
function recorder(): { context: CardContext; drawn: Drawn[] } {
  const drawn: Drawn[] = []
  const widthOf = (text: string): number => {
    const size = Number(/(\d+)px/.exec(context.font)?.[1])
    return Array.from(text).reduce(
      (sum, letter) => sum + size * (/\p{Script=Han}/u.test(letter) ? 1 : 0.5),
      0,
    )
  }
  const context: CardContext = {
    fillStyle: '',
    font: '',
    textAlign: 'left',
    textBaseline: 'middle',
    fillRect: () => {},
    beginPath: () => {},
    roundRect: () => {},
    arc: () => {},
    fill: () => {},
    measureText: (text) => ({ width: widthOf(text) }) as TextMetrics,
    fillText: (text, x, y) => {
      const width = widthOf(text)
      const left = context.textAlign === 'right' ? x - width : x
      drawn.push({ text, left, right: left + width, y })
    },
  }
  return { context, drawn }
}

const shared: File[] = []
let drawn: Drawn[] = []

/** The device's canvas and share sheet; without `sheet` it has none, as on most desks. */
function device(sheet: ((data: { files: File[] }) => Promise<void>) | null): void {
  const record = recorder()
  drawn = record.drawn
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(record.context as never)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(new Blob(['png'])))
  const has = sheet !== null
  Object.defineProperty(navigator, 'canShare', { value: has ? () => true : undefined, configurable: true })
  Object.defineProperty(navigator, 'share', { value: sheet ?? undefined, configurable: true })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  URL.createObjectURL = vi.fn<(of: Blob) => string>(() => 'blob:saved')
  URL.revokeObjectURL = vi.fn<(url: string) => void>()
}

beforeEach(() => {
  server.manifest = { ...MANIFEST, demonstration: true }
})
afterEach(() => {
  shared.length = 0
  for (const name of ['canShare', 'share']) Reflect.deleteProperty(navigator, name)
})

const keep = async ({ files }: { files: File[] }): Promise<void> => {
  shared.push(...files)
}

const texts = (): string[] => drawn.map(({ text }) => text)

/** The languages whose words stand in this test. */
const WORDED = ['en', 'zh-Hant', 'zh-Hans'] as const satisfies readonly Language[]

const SHARE: Record<(typeof WORDED)[number], string> = {
  en: 'Share as a picture',
  'zh-Hant': '分享為圖片',
  'zh-Hans': '分享为图片',
}
const NOTICE: Record<(typeof WORDED)[number], RegExp> = {
  en: /not betting advice/,
  'zh-Hant': /投注/,
  'zh-Hans': /投注/,
}

test.each(WORDED)(
  'a race is handed to the share sheet as a picture of what is shown, in %s',
  async (language) => {
    device(keep)
    const { user } = await renderPart(<ShareRace race={raceInfo()} runners={RUNNERS} />, {
      language,
      path: '/pages/race/HorseRace?id=HKSHT2026010401&shareby=inviter-7&source=share',
    })
    await user.click(await screen.findByRole('button', { name: SHARE[language] }))
    await waitFor(() => expect(shared.map(({ name, type }) => [name, type])).toHaveLength(1))
    expect(shared[0]).toMatchObject({ name: 'furlong-HKSHT2026010401.png', type: 'image/png' })
    const all = texts().join('\n')
    for (const runner of RUNNERS) expect(all).toContain(runner.name)
    expect(all).toContain('55.0%')
    expect(texts().some((text) => NOTICE[language].test(text))).toBe(true)
    expect(texts()).toContain(baseUrl().replace(/^https?:\/\//, ''))
    // Neither who invites nor the page's own query.
    for (const personal of ['inviter-7', 'shareby', '?', '#', 'source=']) expect(all).not.toContain(personal)
    expect(drawn.every(({ left, right }) => left >= 0 && right <= CARD_WIDTH)).toBe(true)
  },
)

test('nothing that is locked for the reader is on the card of a race', async () => {
  device(keep)
  const closed: Competitor[] = RUNNERS.map((runner) => ({
    ...runner,
    probability: null,
    predictedRank: null,
    openingOdds: null,
    tenMinuteOdds: null,
  }))
  const { user } = await renderPart(<ShareRace race={raceInfo({ isSubscribe: 0 })} runners={closed} />)
  await user.click(await screen.findByRole('button', { name: SHARE.en }))
  await waitFor(() => expect(shared).toHaveLength(1))
  expect(texts().filter((text) => text.includes('%'))).toEqual([])
  expect(texts()).not.toContain('Model')
  expect(texts()).toContain('2 Horse 2')
  // Who is shown the picture must not take the demonstration for real races.
  expect(texts()).toContain('A demonstration: every horse, price and result is invented.')
})

test('without a share sheet the picture is saved, and a closed sheet is no error', async () => {
  device(null)
  const { user, unmount } = await renderPart(<ShareHorse horse={horseInfo()} />, { parts: ['horse'] })
  await user.click(await screen.findByRole('button', { name: SHARE.en }))
  expect(await screen.findByText('The picture was saved.')).toBeTruthy()
  expect(URL.createObjectURL).toHaveBeenCalledOnce()
  expect(texts()).toEqual(expect.arrayContaining(['Starts', 'Wins', horseInfo().name]))
  unmount()

  device(() => Promise.reject(new DOMException('closed', 'AbortError')))
  const again = await renderPart(<ShareHorse horse={horseInfo()} />, { parts: ['horse'] })
  const button = await screen.findByRole('button', { name: SHARE.en })
  await again.user.click(button)
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBeNull())
  expect(URL.createObjectURL).not.toHaveBeenCalled()
  again.unmount()

  // A sheet that refuses, as without a gesture: the picture is not lost.
  device(() => Promise.reject(new DOMException('no gesture', 'NotAllowedError')))
  const last = await renderPart(<ShareHorse horse={horseInfo()} />, { parts: ['horse'] })
  await last.user.click(await screen.findByRole('button', { name: SHARE.en }))
  await waitFor(() => expect(URL.createObjectURL).toHaveBeenCalledOnce())
})

test.each([
  ['known', undefined],
  [
    'bounds',
    [
      ...bets(40, 10, 3000, { going: 'good' }),
      ...times(10, prediction({ outcome: 'hit', profit: null, market: 0.2 }, { going: 'good' })),
    ],
  ],
])('the card of a view has the figures that the page shows: %s', async (_, predictions) => {
  device(keep)
  const { user } = await openRecord(predictions === undefined ? {} : { tables: { predictions } })
  await figuresReady()
  await user.click(screen.getByRole('button', { name: 'More' }))
  await user.click(await screen.findByRole('button', { name: SHARE.en }))
  await waitFor(() => expect(shared.map(({ name }) => name)).toEqual(['furlong-record.png']))
  for (const label of ['Predictions', 'Hit rate', 'Profit', 'Return']) {
    expect(texts()).toContain(label)
    expect(texts()).toContain(tile(label).value)
  }
  expect(texts().join(' ')).toContain('Bet type: Win')
})

test('a device without a canvas says that it could not make the picture', async () => {
  device(keep)
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  const { user } = await renderPart(<ShareHorse horse={horseInfo()} />, { parts: ['horse'] })
  await user.click(await screen.findByRole('button', { name: SHARE.en }))
  expect(await screen.findByText('The picture could not be made on this device.')).toBeTruthy()
  expect(shared).toEqual([])
})

test('long titles and names stay within the card, and every row has its place', () => {
  const { context, drawn: noted } = recorder()
  const long = 'A very long name that nobody would give to a horse '.repeat(5)
  const content = {
    title: long,
    facts: ['短句', '長'.repeat(120), `${'長'.repeat(33)}「名」：值`, ''],
    figures: [[long, '−HK$1,234,567.00']] as const,
    table: {
      columns: [
        { head: 'No.', kind: 'figure' as const },
        { head: 'Horse', kind: 'name' as const },
        { head: 'Odds', kind: 'figure' as const },
      ],
      rows: Array.from({ length: 14 }, (_, index) => [String(index + 1), long, '12']),
    },
  }
  const frame = { site: 'example.org/', made: '1 Jan 2026', notices: [long], fontFamily: 'sans-serif' }
  const height = cardHeight(context, content, frame)
  drawCard(context, content, frame)
  expect(noted.every(({ left, right }) => left >= 0 && right <= CARD_WIDTH)).toBe(true)
  expect(Math.max(...noted.map(({ y }) => y))).toBeLessThan(height)
  const rows = noted.filter(({ text }) => text === '12').map(({ y }) => y)
  expect(new Set(rows).size).toBe(14)
  // A figure is whole, however small.
  expect(noted.map(({ text }) => text)).toContain('−HK$1,234,567.00')
  expect(noted.filter(({ text }) => /^[：，。）」]/u.test(text))).toEqual([])
  expect(noted.filter(({ text }) => text.endsWith('…')).length).toBeGreaterThan(14)
})
