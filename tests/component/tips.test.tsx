import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryRace, type Tip } from '../../contract/api/racing.ts'
import TipCards from '../../src/features/tips/tip-cards.tsx'
import { scheduled } from './race-samples.ts'
import { MANIFEST } from './record.tsx'
import { renderPart, server } from './render.tsx'

/** A card of a day's tips. */

const numbered = (open: boolean) => ({
  raceCompetitor1Num: 7,
  raceCompetitor2Num: open ? 3 : null,
  raceCompetitor3Num: open ? 1 : null,
  raceCompetitor4Num: open ? 9 : null,
})
const tip = (open: boolean): Tip => ({
  id: '1',
  raceId: 'HKSHT2026010401',
  raceDate: '2026-01-04',
  date: '2026-01-04',
  raceNo: 1,
  numbersByName: false,
  stadiumName: 'Sha Tin',
  time: '13:00:00',
  probability: 0.3,
  ...numbered(open),
  odds: null,
  chartData: [],
  isAccuracy: 0,
  topCompetitors: [7, 3, 1, 9].map((number, index) => ({
    ranking: index + 1,
    horseNumber: index === 0 || open ? number : null,
    horseId: index === 0 || open ? `HK-H${number}` : null,
    name: index === 0 || open ? `Horse ${number}` : null,
    nameLanguage: index === 0 || open ? 'en' : null,
    silks: null,
    probability: index === 0 || open ? 0.3 - index / 10 : null,
    odds: index === 0 || open ? 2 + index : null,
    edge: index === 0 || open ? 0.042 - index / 50 : null,
    result: '',
  })),
  status: 'scheduled',
  outcome: null,
  open,
})

for (const width of [390, 1280])
  for (const [open, words] of [
    [false, '7Horse 730.0%2.0▲+4.2???'],
    [true, '7Horse 730.0%2.0▲+4.2319'],
  ] as const)
    test(`the first choice stands before the others, ${open ? 'known' : 'hidden'}, ${width} pixels wide`, async () => {
      server.manifest = MANIFEST
      server.answer(queryRace, [])
      await renderPart(<TipCards tips={[tip(open)]} onOpen={() => undefined} />, { width })
      const card = screen.getByRole('listitem')
      expect(card.textContent).toContain(words)
    })

test('a post time names its offset where the reader’s clock differs', async () => {
  server.manifest = MANIFEST
  server.answer(queryRace, [])
  await renderPart(<TipCards tips={[tip(true)]} onOpen={() => undefined} />)
  const isHere = new Date('2026-01-04T05:00:00Z').getTimezoneOffset() === -480
  await screen.findByText(`Sha Tin · 13:00${isHere ? '' : ' GMT+8'}`)
  expect(screen.getByRole('heading').textContent).toBe('Sun, 4 Jan 2026')
})

test('a card has the distance and the class of its race, and where the choices finished instead of their odds', async () => {
  server.manifest = MANIFEST
  const { raceId: id, date } = tip(true)
  server.answer(queryRace, [scheduled(1, { id, date, distanceM: 1650, raceClass: 'C3' })])
  const [first, ...others] = tip(true).topCompetitors
  const finished: Tip = {
    ...tip(true),
    status: 'final',
    topCompetitors: [{ ...first!, result: '1' }, ...others.map((horse) => ({ ...horse, result: 'PU' }))],
  }
  const { user } = await renderPart(<TipCards tips={[finished]} onOpen={() => undefined} />)
  await screen.findByText(/^Sha Tin · 13:00.* · 1,650 m · Class 3$/)
  expect(screen.getByRole('listitem').textContent).toContain('7Horse 730.0%1st')
  await user.click(screen.getByRole('button', { name: 'Details of race 1' }))
  expect(screen.getAllByRole('listitem').at(-1)!.textContent).toBe('9Horse 90.0%PURank 4')
})
