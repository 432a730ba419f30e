import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { querySavedViews } from '../../contract/api/view.ts'
import { queryProof, type Proof } from '../../contract/api/model.ts'
import {
  queryMeetingResults,
  queryRace,
  queryRaceCompetitor,
  queryRacePage,
  queryRacePageDesc,
  queryRaceTips,
  type Meeting,
  type MeetingRace,
  type ScheduledRace,
  type Tip,
} from '../../contract/api/racing.ts'
import { dayIn } from '../../domain/region.ts'
import type { Language } from '../../domain/languages.ts'
import { HomeScreen } from '../../src/screens/home/home-screen.tsx'
import { keepOutOfView } from './browser-stand-ins.ts'
import { runner } from './race-samples.ts'
import { MANIFEST, signIn } from './record.tsx'
import { part, renderPart, server } from './render.tsx'

/** The home screen in each of its states, as far as it is in view at its start. */

const MINUTE_MS = 60_000
const TODAY = dayIn('Asia/Hong_Kong', new Date())

/** A race of today, so many minutes from now. */
const raceIn = (number: number, minutes: number, given: Partial<ScheduledRace> = {}): ScheduledRace => ({
  id: `HKSHT${TODAY.replaceAll('-', '')}${String(number).padStart(2, '0')}`,
  numbersByName: false,
  name: null,
  nameLanguage: null,
  stadiumName: 'Sha Tin',
  competitionDate: new Date(Date.now() + minutes * MINUTE_MS).toISOString(),
  time: `1${number}:00:00`,
  date: TODAY,
  starters: 3,
  status: 'scheduled',
  stadiumNum: number,
  round: number,
  distanceM: 1200,
  raceClass: null,
  trackType: 'turf',
  course: 'A',
  trackCondition: 'good',
  weather: 'fine',
  predicted: true,
  ...given,
})

const line = (hitRate: number, rate: number, low: number | null = hitRate - 0.01) => ({
  hitRate,
  hitInterval: low === null ? null : { low, high: 2 * hitRate - low },
  returns: { rate, interval: { low: rate - 0.05, high: rate + 0.05 }, bets: 4167 },
})
const PROOF: Proof = {
  model: 'blended',
  seasons: [2021, 2022, 2023, 2024, 2025],
  races: 4167,
  pick: line(0.308, -0.155),
  favourite: line(0.306, -0.16),
  random: line(0.085, -0.239, null),
}

const won = (raceNo: number, given: Partial<MeetingRace> = {}): MeetingRace => ({
  raceId: `HKHAV20260513${String(raceNo).padStart(2, '0')}`,
  raceNo,
  numbersByName: false,
  winners: [
    {
      horseNumber: raceNo + 2,
      entryNumber: null,
      name: `Winner ${raceNo}`,
      nameLanguage: 'en',
      silks: raceNo === 1 ? 'Red' : null,
      dividend: '45.50',
    },
  ],
  rank: 2,
  pick: { horseNumber: 1, outcome: 'miss', profit: '-10.00', origin: 'backtest' },
  ...given,
})
const MEETINGS: Meeting[] = [
  {
    date: '2026-05-13',
    stadiumName: 'Happy Valley',
    races: [
      won(1, {
        rank: 1,
        pick: { horseNumber: 3, outcome: 'hit', profit: '35.50', origin: 'backtest' },
        winners: [
          {
            horseNumber: 3,
            entryNumber: null,
            name: 'Winner 1',
            nameLanguage: 'en',
            silks: 'Red',
            dividend: '45.50',
          },
        ],
      }),
      ...[2, 3, 4, 5, 6, 7, 8].map((number) => won(number)),
      won(9, { rank: null }),
    ],
  },
  { date: '2026-05-10', stadiumName: 'Sha Tin', races: [1, 2, 3, 4, 5].map((number) => won(number)) },
]

const TIP: Tip = {
  id: 'tip',
  raceId: raceIn(2, 12).id,
  raceDate: TODAY,
  date: TODAY,
  raceNo: 2,
  numbersByName: false,
  stadiumName: 'Sha Tin',
  time: '12:00:00',
  probability: 0.338,
  raceCompetitor1Num: 3,
  raceCompetitor2Num: null,
  raceCompetitor3Num: null,
  raceCompetitor4Num: null,
  odds: 2.6,
  chartData: [],
  isAccuracy: 0,
  topCompetitors: [
    {
      ranking: 1,
      horseNumber: 3,
      horseId: 'HK-H3',
      name: 'Horse 3',
      nameLanguage: 'en',
      silks: null,
      probability: 0.338,
      odds: 2.6,
      edge: 0.01,
      result: '',
    },
  ],
  status: 'scheduled',
  outcome: null,
  open: false,
}

const HIDDEN = 'For VIPs and readers who unlocked the race'

interface Given {
  races?: ScheduledRace[]
  next?: ScheduledRace[]
  meetings?: Meeting[]
  proof?: Proof | null
  language?: Language
  /** The role of the signed-in reader; a visitor without it. */
  role?: 'member' | 'vip'
  /** Chances of the next race's runners, as a VIP has them. */
  chances?: readonly number[]
  /** Of the window, in pixels. */
  width?: number
}

async function open({ races = [], next = [], meetings = MEETINGS, proof = PROOF, ...rest }: Given) {
  keepOutOfView('body')
  server.manifest = MANIFEST
  if (rest.role) {
    signIn(rest.role)
    server.answer(querySavedViews, [])
  }
  server.answer(queryRace, races)
  server.answer(queryRaceTips, [TIP])
  server.answer(queryMeetingResults, meetings)
  server.answer(queryProof, proof)
  server.answer(queryRacePage, next)
  // The last meeting: eight races on turf and one on the all-weather track.
  server.answer(
    queryRacePageDesc,
    MEETINGS[0]!.races.map(({ raceId, raceNo }) =>
      raceIn(raceNo, 0, {
        id: raceId,
        date: '2026-05-13',
        distanceM: raceNo % 2 === 0 ? 1200 : 1650,
        trackType: raceNo === 9 ? 'awt' : 'turf',
        course: raceNo === 9 ? null : 'B',
      }),
    ),
  )
  server.answer(queryRaceCompetitor, [
    runner(1, { odds: 9, openingOdds: 9, status: 'declared', probability: rest.chances?.[0] ?? null }),
    runner(2, {
      odds: 4.5,
      status: 'declared',
      probability: rest.chances?.[1] ?? null,
      silks: 'Red, white sash, red cap',
    }),
    runner(3, { odds: 2.6, openingOdds: 4, status: 'declared', probability: rest.chances?.[2] ?? null }),
    runner(4, { status: 'withdrawn', probability: null }),
  ])
  return renderPart(<HomeScreen />, { width: rest.width ?? 390, language: rest.language ?? 'en' })
}

/** A part of the page by its heading. */
const panel = async (name: string): Promise<HTMLElement> =>
  (await screen.findByRole('heading', { name })).closest('section')!
const rowsOf = (inside: HTMLElement): string[] =>
  within(inside)
    .getAllByRole('row')
    .map(({ textContent }) => textContent)

test.each([
  ['en', 'Hong Kong horse racing, forecast by AI'],
  ['zh-Hant', '香港賽馬，AI 預測'],
  ['zh-Hans', '香港赛马，AI 预测'],
] as const)('in %s the headline names horse racing and the region', async (language, title) => {
  await open({ language })
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeTruthy()
})

test('first choices stand beside the favourite and a random horse, with intervals, races and seasons', async () => {
  await open({})
  const proof = await panel('Does it work?')
  await within(proof).findByText(/4,167 races/)
  expect(rowsOf(proof).slice(1)).toEqual([
    'Top pick30.8% 95% interval 29.8% to 31.8%−15.5% 95% interval −20.5% to −10.5%',
    'Favourite30.6% 95% interval 29.6% to 31.6%−16.0% 95% interval −21.0% to −11.0%',
    'Random8.5%−23.9% 95% interval −28.9% to −18.9%',
  ])
  expect(proof.textContent).toContain('2021/22 – 2025/26')
  expect(within(proof).getByRole('link', { name: 'How we know' }).getAttribute('href')).toBe(
    '#/pages/race/ModelCard',
  )
})

test('before the first tested season the proof says what will stand there', async () => {
  await open({ proof: null })
  expect(await within(await panel('Does it work?')).findByText(/No full season/)).toBeTruthy()
})

test('between meetings all races of the last one are shown, and the first of the one before', async () => {
  await open({ next: [raceIn(1, 5 * 1440, { date: '2099-01-04', stadiumName: 'Sha Tin' })] })
  const last = await panel('Last meeting')
  await within(last).findByText('Wed, 13 May 2026 · Happy Valley')
  const cards = within(last).getAllByRole('button')
  expect(cards).toHaveLength(9 + 3)
  expect(cards[0]!.textContent).toBe('R1our no. 13Winner 1HK$45.50')
  expect(within(cards[0]!).getByRole('img', { name: 'Hit' })).toBeTruthy()
  // Silks where they are known.
  await waitFor(() => expect(cards[0]!.querySelector('svg[class*=silks]')).not.toBeNull())
  expect(cards[1]!.querySelector('svg[class*=silks]')).toBeNull()
  expect(cards[8]!.textContent).toContain('not in our ten')
  expect(within(cards[8]!).getByRole('img', { name: 'Miss' })).toBeTruthy()
  // 35.50 less eight stakes of 10.
  expect(last.textContent).toContain('1 of 9 top picks won, HK$10 on each\u00a0· −HK$44.50')
  expect(await screen.findByText('Next meeting: Sun, 4 Jan 2099, Sha Tin')).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Add to calendar' })).toBeTruthy()
})

test('on a wide screen the course of the last meeting is drawn, with each race at its start', async () => {
  await open({ width: 1280 })
  await screen.findByText('Where each race started. Filled: our top pick won.')
  const course = part('meeting-course')
  expect(course.textContent).toContain('Not drawn: R9 (All-weather track)')
  const marks = [...course.querySelectorAll('circle')].map((circle) => circle.parentElement!)
  expect(marks.map(({ textContent }) => Number(textContent)).toSorted((a, b) => a - b)).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8,
  ])
  expect(marks.filter((mark) => mark.getAttribute('class')!.includes('hit'))).toHaveLength(1)
  // Those of a distance are tied together.
  expect(course.querySelectorAll('line[class*=row]')).toHaveLength(2)
})

test('a race whose predictions the user may not see has its winner only', async () => {
  await open({ meetings: [{ ...MEETINGS[0]!, races: [won(1, { rank: null, pick: null })] }] })
  const [card] = within(await panel('Last meeting')).getAllByRole('button')
  expect(card!.textContent).toBe('R13Winner 1HK$45.50')
})

test('without fixtures and results it says so, and nothing is empty', async () => {
  const { container } = await open({ meetings: [], proof: null })
  expect(await screen.findByText('The next fixtures aren’t out yet.')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Last meeting' })).toBeNull())
  expect(container.textContent).not.toMatch(/…|–/)
})

test('on a race day the meeting, the state of its races, the next one and the results are shown', async () => {
  const races = [
    raceIn(1, -40, { status: 'final' }),
    raceIn(2, 12),
    raceIn(3, 42),
    raceIn(4, 72, { status: 'abandoned' }),
  ]
  await open({
    races,
    meetings: [
      {
        date: TODAY,
        stadiumName: 'Sha Tin',
        races: [
          won(1, {
            raceId: races[0]!.id,
            pick: { horseNumber: 3, outcome: 'hit', profit: '35.50', origin: 'locked' },
          }),
        ],
      },
      ...MEETINGS,
    ],
  })
  await screen.findByRole('heading', { name: 'Today’s results so far' })
  const day = part('race-day')
  expect(day.textContent).toContain('Good\u00a0· Turf, A course\u00a0· Fine')
  expect(within(day).getByRole('heading', { name: 'Sha Tin' })).toBeTruthy()
  expect(
    within(day)
      .getAllByRole('button')
      .map((button) => button.getAttribute('aria-label')),
  ).toEqual(['Race 1, Result, Hit', 'Race 2, 12:00, Next', 'Race 3, 13:00, To come', 'Race 4, Abandoned'])
  const next = screen.getByRole('region', { name: 'Next race' })
  expect(next.textContent).toMatch(/in \d+ min/)
  // The chance that is open, then odds; a withdrawn horse is only named.
  await waitFor(() =>
    expect(rowsOf(next).slice(1)).toEqual([
      '3Horse 3Jockey 333.8%2.6',
      `2Horse 2Jockey 2?${HIDDEN}4.5`,
      `1Horse 1Jockey 1?${HIDDEN}9.0`,
    ]),
  )
  expect(next.textContent).toContain('Withdrawn: 4')
  expect(within(next).getByRole('img', { name: 'Shortened from 4.0' })).toBeTruthy()
  expect(within(next).getByRole('button', { name: 'Whole race' })).toBeTruthy()
})

test('a wide screen shows every runner of the next race, with silks and the edge where it is known', async () => {
  await open({
    width: 1280,
    role: 'vip',
    races: [raceIn(2, 12)],
    chances: [0.1, 0.4, 0.3],
  })
  const next = await screen.findByRole('region', { name: 'Next race' })
  await waitFor(() =>
    expect(rowsOf(next)).toEqual([
      'HorseModelOddsEdge (pp)',
      '2Horse 2Jockey 240.0%4.5+9.0',
      '3Horse 3Jockey 330.0%2.6−23.6',
      '1Horse 1Jockey 110.0%9.0−5.5',
    ]),
  )
  expect(next.querySelectorAll('th svg[class*=silks]')).toHaveLength(1)
  expect(within(next).getByRole('button', { name: 'Whole race' })).toBeTruthy()
})

test('a next race without a prediction says so, and promises no chances', async () => {
  await open({ role: 'member', races: [raceIn(4, 12, { predicted: false }), raceIn(5, 42)] })
  const next = await screen.findByRole('region', { name: 'Next race' })
  await within(next).findByText(/^No prediction for this race\. /)
  expect(rowsOf(next)[0]).toBe('HorseOdds')
  expect(within(next).queryByText(HIDDEN)).toBeNull()
  expect(within(next).getByRole('button', { name: 'Whole race' })).toBeTruthy()
})

test('a member is told how many vouchers there are to unlock the next race with', async () => {
  await open({ role: 'member', races: [raceIn(2, 12)] })
  expect(await screen.findByRole('button', { name: 'Unlock\u00a0· 4 left' })).toBeTruthy()
})

test('beside the races a wide screen has what happens, and shows no race twice', async () => {
  const races = [raceIn(1, -40, { status: 'final' }), raceIn(2, 12), raceIn(3, 42)]
  await open({
    width: 1280,
    races,
    meetings: [
      { date: TODAY, stadiumName: 'Sha Tin', races: [won(1, { raceId: races[0]!.id })] },
      ...MEETINGS,
    ],
  })
  const feed = await panel('Live today')
  await waitFor(() =>
    expect(
      within(feed)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'R24Horse 4Withdrawn',
      'R23Horse 34.0 → 2.6 (−35%)',
      'R13Winner 1HK$45.50\u00a0· our no. 1 lost',
    ]),
  )
  expect(screen.queryByText('Today’s results so far')).toBeNull()
  expect((await panel('Last meeting')).textContent).toContain('Happy Valley')
  // The predictions are those of the races after the next one.
  await waitFor(() => expect(screen.getAllByText('Horse 3')).toHaveLength(2))
})

test('a race that has started waits for its result', async () => {
  await open({ races: [raceIn(1, -2), raceIn(2, 28)] })
  await screen.findByRole('region', { name: 'Next race' })
  expect(within(part('race-day')).getByRole('button', { name: 'Race 1, Running' })).toBeTruthy()
})

test('members begin with the races, visitors with the proof', async () => {
  const orderOf = async (): Promise<boolean> => {
    const [proof, last] = [await panel('Does it work?'), await panel('Last meeting')]
    return Boolean(proof.compareDocumentPosition(last) & Node.DOCUMENT_POSITION_FOLLOWING)
  }
  const { unmount } = await open({})
  expect(await orderOf()).toBe(true)
  unmount()
  await open({ role: 'member' })
  expect(await orderOf()).toBe(false)
})
