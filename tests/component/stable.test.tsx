import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryFollows, queryStable, unfollow, type Follow, type Stable } from '../../contract/api/follow.ts'
import { queryMarkRecord, type MarkRecord } from '../../contract/api/mark.ts'
import { StableScreen } from '../../src/screens/stable/stable-screen.tsx'
import { idOf, scheduled } from './race-samples.ts'
import { MANIFEST, signIn } from './record.tsx'
import { renderPart, server } from './render.tsx'

const createdAt = '2026-01-01T00:00:00.000Z'
const FOLLOWS: Follow[] = [
  { kind: 'horse', target: 'HK-H1', createdAt },
  { kind: 'jockey', target: 'HK-Jockey 1', createdAt },
  { kind: 'meeting', target: idOf(1).slice(0, -2), createdAt },
  { kind: 'race', target: idOf(2), createdAt },
  { kind: 'trainer', target: 'HK-Gone', createdAt },
]

const entry = (race: number, horse: number): Stable['entries'][number] => ({
  raceId: idOf(race),
  horseId: `HK-H${horse}`,
  horseNumber: horse,
  entryNumber: null,
  name: `Horse ${horse}`,
  nameLanguage: 'en',
  draw: horse + 4,
  jockeyId: 'HK-Jockey 1',
  jockey: 'Jockey 1',
  jockeyLanguage: 'en',
  trainerId: null,
  trainer: null,
  trainerLanguage: null,
  withdrawn: false,
})

const STABLE: Stable = {
  follows: FOLLOWS,
  horses: [
    {
      id: 'HK-H1',
      number: 'H1',
      name: 'Horse 1',
      nameLanguage: 'en',
      silks: null,
      runs: [{ raceId: idOf(9), date: '2026-01-01', stadiumName: 'Sha Tin', distanceM: 1400, place: '2' }],
      note: 'Drew wide',
    },
  ],
  people: [
    {
      kind: 'jockey',
      id: 'HK-Jockey 1',
      name: 'Jockey 1',
      nameLanguage: 'en',
      countryRegionId: '100000',
      season: 2025,
      runs: 200,
      wins: 30,
      placed: 80,
    },
  ],
  entries: [entry(2, 1), { ...entry(3, 1), withdrawn: true }, entry(3, 7)],
  races: [
    scheduled(1, { status: 'final' }),
    scheduled(2, { status: 'scheduled', competitionDate: '2026-01-04T05:30:00.000Z' }),
    scheduled(3, { status: 'scheduled' }),
  ],
}

/** The page of somebody who follows all of this. */
function open(
  stable: Stable = STABLE,
  width = 1280,
  language: 'en' | 'zh-Hant' | 'zh-Hans' = 'en',
  record: MarkRecord[] = [],
) {
  signIn('member')
  server.manifest = MANIFEST
  server.answer(queryMarkRecord, record)
  server.answer(queryFollows, stable.follows)
  server.answer(queryStable, stable)
  return renderPart(<StableScreen />, { parts: ['follow'], width, language })
}

test.each([390, 1280])(
  'what is followed has its entries, results, record and note, %i pixels wide',
  async (width) => {
    await open(STABLE, width)
    const coming = await screen.findAllByTestId('coming-race')
    expect(coming.map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('R2'),
      expect.stringContaining('R3'),
    ])
    expect(coming[0]!.textContent).toMatch(/Horse 1.*Draw 5.*Jockey 1/)
    expect(coming[1]!.textContent).toMatch(/Horse 1.*Withdrawn.*Horse 7/)
    const horse = screen.getByTestId('stable-horse')
    expect(horse.textContent).toMatch(/Next: .*R2.*2nd\s·\sSha Tin\s·\s1,400\sm.*Drew wide/)
    expect(screen.getByTestId('stable-person').textContent).toMatch(
      /2025\/26: 30 wins \(15\.0%\) and 80 times in the first three from 200 runs2 runners to come, next .*R2/,
    )
    expect(screen.getByText('1 of 3 races run')).toBeTruthy()
    expect(screen.getByText('HK-Gone').textContent).toContain('No longer among our races')
    for (const star of await screen.findAllByRole('button', { name: /^Follow / }))
      expect(star.getAttribute('aria-pressed')).toBe('true')
  },
)

test('what is unfollowed stays until the page is opened again, so that a slip is undone in its place', async () => {
  const { user } = await open()
  server.answer(unfollow, { followed: false })
  const horse = await screen.findByTestId('stable-horse')
  const star = await within(horse).findByRole('button', { name: 'Follow Horse 1' })
  server.answer(queryFollows, FOLLOWS.slice(1))
  await user.click(star)
  await waitFor(() => expect(star.getAttribute('aria-pressed')).toBe('false'))
  expect(server.requestsOf(unfollow).map(({ query }) => query)).toEqual([{ kind: 'horse', target: 'HK-H1' }])
  expect(screen.getByTestId('stable-horse')).toBe(horse)
})

test.each([
  ['en', /Tap the star/, 'To the next races'],
  ['zh-Hant', /點按星號/, '前往下一場賽事'],
  ['zh-Hans', /点按星号/, '前往下一场赛事'],
] as const)('who follows nothing is told how, and led on: %s', async (language, words, link) => {
  await open({ follows: [], horses: [], people: [], entries: [], races: [] }, 1280, language)
  await screen.findByText(words)
  expect(screen.getByRole('link', { name: link }).getAttribute('href')).toContain('/pages/race/racehome')
})

test('between meetings the entries say that there are none, and lead on', async () => {
  await open({ ...STABLE, entries: [] })
  const words = await screen.findByText(/Nothing that you follow is entered/)
  expect(within(words).getByRole('link', { name: 'To the next races' })).toBeTruthy()
  expect(screen.getByTestId('stable-horse').textContent).toContain('Not entered')
})

test.each([
  ['en', 'Final odds above yours', 'unknown'],
  ['zh-Hant', '最終賠率高於您的賠率', '未知'],
  ['zh-Hans', '最终赔率高于您的赔率', '未知'],
] as const)(
  'the record of the own marks has a line for each, and says what is unknown: %s',
  async (...of) => {
    const [language, value, unknown] = of
    await open(STABLE, 1280, language, [
      { group: 'shortlisted', runs: 20, wins: 4, placed: 9, expected: 2.5, profitCents: -4550 },
      { group: 'value', runs: 8, wins: 1, placed: 2, expected: null, profitCents: null },
    ])
    const rows = await screen.findAllByRole('row')
    expect(rows.map(({ textContent }) => textContent).slice(1)).toEqual([
      expect.stringMatching(/20491\.60−HK\$45\.50$/),
      `${value}812${unknown}${unknown}`,
    ])
  },
)

test('of many races the first six are shown, and the others on a tap', async () => {
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8]
  const { user } = await open({
    ...STABLE,
    entries: numbers.map((number) => entry(number, number)),
    races: numbers.map((number) => scheduled(number, { status: 'scheduled' })),
  })
  expect(await screen.findAllByTestId('coming-race')).toHaveLength(6)
  await user.click(screen.getByRole('button', { name: 'All 8 races' }))
  expect(screen.getAllByTestId('coming-race')).toHaveLength(8)
})

test('without a connection the page says so and can be asked again', async () => {
  signIn('member')
  server.manifest = MANIFEST
  server.answer(queryMarkRecord, [])
  server.fail(queryStable)
  const { user } = await renderPart(<StableScreen />, { parts: ['follow'] })
  const retry = await screen.findByRole('button', { name: 'Try again' })
  server.answer(queryStable, STABLE)
  await user.click(retry)
  await screen.findByTestId('stable-horse')
})
