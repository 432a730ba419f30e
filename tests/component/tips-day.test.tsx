import { screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import {
  queryRace,
  queryRacePage,
  queryRacePageDesc,
  queryRaceTips,
  type ScheduledRace,
  type Tip,
} from '../../contract/api/racing.ts'
import { addDays, dayIn } from '../../domain/region.ts'
import { wantedRace } from '../../src/data/wanted-race.ts'
import { stripDays } from '../../src/features/tips/day-strip.tsx'
import { RaceHomeScreen } from '../../src/screens/race-home/race-home-screen.tsx'
import { MANIFEST, signIn } from './record.tsx'
import { address, renderPart, server, type RenderOptions } from './render.tsx'

/** The tips of a day: which day is shown, what is hidden, and what a race shows after its result. */

const TODAY = dayIn('Asia/Hong_Kong', new Date())
const LAST = addDays(TODAY, -4)

const race = (day: string, number: number, given: Partial<ScheduledRace> = {}): ScheduledRace => ({
  id: `HKSHT${day.replaceAll('-', '')}${String(number).padStart(2, '0')}`,
  name: null,
  nameLanguage: null,
  stadiumName: 'Sha Tin',
  competitionDate: `${day}T${String(number + 4).padStart(2, '0')}:00:00.000Z`,
  time: `${number + 12}:00:00`,
  date: day,
  starters: 12,
  numbersByName: false,
  status: 'scheduled',
  stadiumNum: number,
  round: number,
  distanceM: 1200,
  raceClass: 'C4',
  trackType: 'turf',
  course: 'C+3',
  trackCondition: 'good',
  weather: 'fine',
  predicted: true,
  ...given,
})

interface TipGiven {
  open?: boolean
  places?: readonly string[]
  outcome?: Tip['outcome']
}

const tipOf = (of: ScheduledRace, { open = true, places = [], outcome = null }: TipGiven = {}): Tip => ({
  id: of.id,
  raceId: of.id,
  raceDate: of.date,
  date: of.date,
  raceNo: of.stadiumNum,
  numbersByName: false,
  stadiumName: of.stadiumName,
  time: of.time,
  probability: 0.34,
  raceCompetitor1Num: 7,
  raceCompetitor2Num: open ? 3 : null,
  raceCompetitor3Num: open ? 1 : null,
  raceCompetitor4Num: open ? 9 : null,
  odds: 3,
  chartData: [],
  isAccuracy: outcome === 'hit' ? 1 : 0,
  topCompetitors: [7, 3, 1, 9].map((number, index) =>
    open || index === 0
      ? {
          ranking: index + 1,
          horseNumber: number,
          horseId: `HK-H${number}`,
          name: `Horse ${number}`,
          nameLanguage: 'en',
          silks: index === 0 ? 'Red, white sash, yellow cap' : null,
          probability: 0.34 - index / 10,
          odds: 2.6 + index,
          edge: 0.042 - index / 50,
          result: places[index] ?? '',
        }
      : {
          ranking: index + 1,
          horseNumber: null,
          horseId: null,
          name: null,
          nameLanguage: null,
          silks: null,
          probability: null,
          odds: null,
          edge: null,
          result: '',
        },
  ),
  status: of.status,
  outcome,
  open,
})

interface Given extends RenderOptions {
  /** Races from today on, and those of the last meeting, with their tips. */
  coming?: readonly ScheduledRace[]
  past?: readonly ScheduledRace[]
  tips?: readonly Tip[]
}

async function openTips({ coming = [], past = [], tips = [], ...options }: Given = {}) {
  server.manifest = MANIFEST
  const from = (day: string | undefined) => [...past, ...coming].filter(({ date }) => date >= day!)
  server.answer(queryRace, ({ query }) => from(query['today']))
  server.answer(queryRaceTips, ({ query }) => tips.filter(({ date }) => date >= query['today']!))
  server.answer(queryRacePage, [])
  server.answer(queryRacePageDesc, past.toReversed())
  return renderPart(<RaceHomeScreen />, { ...options, parts: ['tips'] })
}

const rows = (): string[][] =>
  [...screen.getByTestId('glance').querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('th, td')].map((cell) => cell.textContent),
  )

test('the strip is the days around today, with the last days of racing before and the next one after', () => {
  const raceDays = ['2026-05-06', '2026-05-10', '2026-05-13', '2026-05-16', '2026-11-26', '2026-12-13']
  const days = stripDays({ today: '2026-11-27', raceDays, value: null })
  expect(days.slice(0, 5)).toEqual(['2026-05-10', '2026-05-13', '2026-05-16', '2026-11-25', '2026-11-26'])
  expect(days.slice(-2)).toEqual(['2026-12-03', '2026-12-13'])
  expect(days).toHaveLength(3 + 9 + 1)
  expect(stripDays({ today: '2026-11-27', raceDays, value: '2025-01-01' })[0]).toBe('2025-01-01')
})

describe('before the races', () => {
  const coming = [1, 2, 3].map((number) => race(TODAY, number))

  test('a VIP sees name, chance, odds and edge of four horses, and course and going on one line', async () => {
    signIn('vip')
    await openTips({ coming, tips: coming.map((each) => tipOf(each)) })
    await screen.findByText(/^Turf, C\+3 course · Good/)
    const [first] = rows()
    expect(first![0]).toContain('R1\u00a0· 13:00')
    expect(first![0]).toContain('1,200 m\u00a0· Class 4')
    // The second horse is 2.2 points above the market, which is not marked.
    expect(first!.slice(1)).toEqual([
      '7Horse 734.0%2.6▲+4.2',
      '3Horse 324.0%3.6',
      '1Horse 114.0%4.6',
      '9Horse 94.0%5.6',
      '12 runnersfirst pick ahead by 10.0 points',
    ])
    // Only of the first choices the silks are known.
    expect(document.querySelectorAll('td svg[class*=silks]')).toHaveLength(coming.length)
    expect(screen.queryByText(/Unlock/)).toBeNull()
  })

  test('closed races stay as rows of question marks, with one way to unlock them a day', async () => {
    signIn('member')
    await openTips({ coming, tips: [tipOf(coming[0]!, { open: false })] })
    await screen.findByTestId('glance')
    expect(rows().map((row) => row.slice(1, 5))).toEqual([
      ['7Horse 734.0%2.6▲+4.2', '?', '?', '?'],
      ['?', '?', '?', '?'],
      ['?', '?', '?', '?'],
    ])
    expect(screen.getAllByText('Unlock 3 races with VIP')).toHaveLength(1)
    screen.getByRole('button', { name: 'Unlock race 1\u00a0· 4 left' })
  })

  test('without a voucher the way to what is hidden is VIP, which leads back to the race', async () => {
    signIn('member', { everyDayFreeNum: 0, subscribeFreeNum: 0 })
    const { user } = await openTips({ coming, tips: [tipOf(coming[0]!)] })
    await user.click(await screen.findByRole('link', { name: 'Unlock 2 races with VIP' }))
    expect(screen.queryByRole('button', { name: /^Unlock/ })).toBeNull()
    expect(wantedRace()).toBe(coming[1]!.id)
  })

  test.for([
    [1280, 'row'],
    [390, 'listitem'],
  ] as const)(
    'a race without a prediction says so and is no race to unlock, %i pixels wide',
    async ([width, role]) => {
      signIn('member')
      const without = race(TODAY, 3, { predicted: false })
      await openTips({ coming: [...coming.slice(0, 2), without], tips: [tipOf(coming[0]!)], width })
      await screen.findByText('No prediction for this race.')
      const of = (number: number): string =>
        screen.getAllByRole(role).find(({ textContent }) => textContent.startsWith(`R${number}`))!.textContent
      expect(of(2)).toContain('????')
      expect(of(3)).toContain('No prediction for this race.')
      expect(of(3)).not.toContain('?')
      screen.getByRole('link', { name: 'Unlock 1 race with VIP' })
      screen.getByRole('button', { name: 'Unlock race 2\u00a0· 4 left' })
    },
  )

  test('the offset of the racecourse’s clocks is in the heading, not in every row', async () => {
    await openTips({ coming, tips: [tipOf(coming[0]!)] })
    await screen.findByTestId('glance')
    const isHere = new Date().getTimezoneOffset() === -480
    screen.getByText(`Turf, C+3 course · Good${isHere ? '' : ' · GMT+8'}`)
    expect(rows().map(([first]) => first)).toEqual(
      ['13:00', '14:00', '15:00'].map((time, index) =>
        expect.stringMatching(`^R${index + 1}\u00a0· ${time}1,200`),
      ),
    )
  })

  test('before anything is predicted, nothing is shown as hidden', async () => {
    await openTips({ coming: coming.map((each) => ({ ...each, predicted: false })) })
    await screen.findByText('The picks for this day are not made yet.')
    expect(rows()[0]!.slice(1, 5)).toEqual(['–', '–', '–', '–'])
    expect(screen.queryByText(/Unlock/)).toBeNull()
  })

  test('once the day is over, nothing is promised of it', async () => {
    const over = { status: 'final', predicted: false } as const
    await openTips({ coming: coming.map((each) => ({ ...each, ...over })) })
    await screen.findByTestId('glance')
    expect(screen.queryByText('The picks for this day are not made yet.')).toBeNull()
  })

  test('a phone has cards with names, which open', async () => {
    const { user } = await openTips({ coming, tips: [tipOf(coming[0]!)], width: 390 })
    const [card] = await screen.findAllByRole('listitem')
    expect(card!.textContent).toContain('7Horse 734.0%2.6▲+4.23Horse 31Horse 19Horse 9')
    await user.click(within(card!).getByRole('button', { name: 'Details of race 1' }))
    expect(within(card!).getAllByText(/^Rank \d$/)).toHaveLength(4)
    expect(screen.queryByTestId('glance')).toBeNull()
  })

  test('the chosen view is remembered on the device', async () => {
    const given = { coming, tips: coming.map((each) => tipOf(each)) }
    const { user, unmount } = await openTips(given)
    await user.click(await screen.findByLabelText('Cards'))
    expect(screen.queryByTestId('glance')).toBeNull()
    unmount()
    await openTips(given)
    await screen.findAllByRole('button', { name: /Details of race/ })
    expect(screen.queryByTestId('glance')).toBeNull()
  })
})

describe('after the races', () => {
  test('a day without predictions says so, and hides nothing', async () => {
    const without = race(LAST, 1, { status: 'final', predicted: false })
    await openTips({ past: [without] })
    await screen.findByText('There are no predictions for this day.')
    expect(rows()[0]!.slice(1, 5)).toEqual(['–', '–', '–', '–'])
    expect(screen.queryByText(/Unlock/)).toBeNull()
  })

  const past = [1, 2].map((number) => race(LAST, number, { status: 'final' }))
  const tips = [
    tipOf(past[0]!, { places: ['1', '4', '2', 'PU'], outcome: 'hit' }),
    tipOf(past[1]!, { places: ['5', '1', '3', '2'], outcome: 'miss' }),
  ]

  test('where nothing is coming, the last meeting is shown: places instead of odds, and its score', async () => {
    await openTips({ past, tips })
    await screen.findByText('Top picks: 1 of 2 won')
    expect(rows().map((row) => row.slice(1, 5))).toEqual([
      ['7Horse 734.0%1st', '3Horse 324.0%4th', '1Horse 114.0%2nd', '9Horse 94.0%PU'],
      ['7Horse 734.0%5th', '3Horse 324.0%1st', '1Horse 114.0%3rd', '9Horse 94.0%2nd'],
    ])
    screen.getByText(/The next fixtures aren’t out yet/)
  })

  test('before the next meeting its day is shown, and the last one’s score leads there', async () => {
    const tomorrow = addDays(TODAY, 1)
    const { user } = await openTips({ past, tips, coming: [race(tomorrow, 1)] })
    await user.click(await screen.findByRole('button', { name: /^Last meeting, .*: 1 of 2 top picks won$/ }))
    await screen.findByText('Top picks: 1 of 2 won')
    expect(address()).toBe(`/?day=${LAST}`)
  })
})
