import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryRace, queryRaceTips, type Tip } from '../../contract/api/racing.ts'
import { RaceGroups } from '../../src/features/races/race-groups.tsx'
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
      server.answer(queryRaceTips, [])
      await renderPart(<TipCards tips={[tip(open)]} onOpen={() => undefined} />, { width })
      const card = screen.getByRole('listitem')
      expect(card.textContent).toContain(words)
    })

/** Whether the reader's clock is so many minutes ahead of UTC. */
const isHere = (minutes: number): boolean => new Date('2026-01-04T05:00:00Z').getTimezoneOffset() === -minutes

test('the day names the offset of post times where the reader’s clock differs, and a race only one of its own', async () => {
  server.manifest = MANIFEST
  server.answer(queryRace, [])
  server.answer(queryRaceTips, [])
  const perth = { ...tip(true), raceId: 'AUASC2026010401', stadiumName: 'Ascot' }
  await renderPart(<TipCards tips={[tip(true), perth]} onOpen={() => undefined} />)
  await screen.findByText('Sha Tin · 13:00')
  screen.getByText(`Ascot · 13:00${isHere(480) ? '' : ' GMT+8'}`)
  expect(screen.getByRole('heading').textContent).toBe(`Sun, 4 Jan 2026${isHere(480) ? '' : '\u00a0· GMT+8'}`)
})

test('the heading of a day of coming races names it too, and its races only theirs', async () => {
  const races = [
    scheduled(1, { time: '13:00:00' }),
    scheduled(2, { id: 'AUASC2026010402', stadiumName: 'Ascot', time: '13:30:00' }),
  ]
  await renderPart(<RaceGroups races={races} hrefOf={() => '/'} onOpen={() => undefined} />)
  const offset = (before: string): string => (isHere(480) ? '' : `${before}GMT+8`)
  screen.getByText(`4 Jan 2026${offset(' · ')}`)
  screen.getByText('Sha Tin · 13:00 · 1,200 m')
  screen.getByText(`Ascot · 13:30${offset(' ')} · 1,200 m`)
})

test('only races with a prediction that is hidden are offered with VIP', async () => {
  server.manifest = MANIFEST
  const { date } = tip(true)
  const coming = (number: number, predicted: boolean) =>
    scheduled(number, { date, status: 'scheduled', predicted })
  server.answer(queryRace, [coming(1, true), coming(2, true), coming(3, false), coming(4, false)])
  server.answer(queryRaceTips, [tip(false)])
  await renderPart(<TipCards tips={[tip(false)]} onOpen={() => undefined} />)
  await screen.findByRole('link', { name: '1 more race that day with VIP' })
})

test('a day whose other races have no prediction offers none of them', async () => {
  server.manifest = MANIFEST
  const { date } = tip(true)
  server.answer(queryRace, [
    scheduled(1, { date }),
    scheduled(2, { date, status: 'scheduled', predicted: false }),
  ])
  server.answer(queryRaceTips, [tip(false)])
  await renderPart(<TipCards tips={[tip(false)]} onOpen={() => undefined} />)
  // With the schedule come the conditions.
  await screen.findByText(/1,200 m/)
  expect(screen.queryByRole('link')).toBeNull()
})

test('a card has the distance and the class of its race, and where the choices finished instead of their odds', async () => {
  server.manifest = MANIFEST
  const { raceId: id, date } = tip(true)
  server.answer(queryRaceTips, [])
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
