import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryHorseInfo } from '../../contract/api/horse.ts'
import { queryRaceLocks } from '../../contract/api/model.ts'
import {
  queryMeetingResults,
  queryRaceCompetitor,
  queryRaceInfo,
  queryRacePageDesc,
} from '../../contract/api/racing.ts'
import { queryRaceReport } from '../../contract/api/report.ts'
import { keyOf } from '../../src/data/client/call.ts'
import { queryClient } from '../../src/app/query-client.ts'
import { HorseRaceScreen } from '../../src/screens/horse-race/horse-race-screen.tsx'
import { PreparedConnector } from './prepared-connector.ts'
import { DIVIDENDS, idOf, raceInfo, RUNNERS, runner, scheduled } from './race-samples.ts'
import { MANIFEST, signIn } from './record.tsx'
import { address, renderPart, server } from './render.tsx'

const { raceId } = raceInfo()

/** The page of the middle race of three; another racecourse has races on its day, and another day at its racecourse. */
async function openRace(given: Parameters<typeof raceInfo>[0], path = '', width = 1280) {
  server.manifest = MANIFEST
  server.connect(new PreparedConnector({ named: () => DIVIDENDS }))
  const other = `HKHVL${idOf(1).slice(5)}`
  server.answer(queryRacePageDesc, [
    scheduled(1),
    scheduled(2),
    scheduled(3, { status: 'scheduled' }),
    scheduled(4, { id: other }),
    scheduled(5, { date: '2025-01-01', id: `${raceId.slice(0, 5)}2025010105` }),
  ])
  server.answer(queryRaceInfo, raceInfo({ raceId: idOf(2), raceNumber: 2, isSubscribe: 0, ...given }))
  server.answer(queryRaceCompetitor, given?.status === 'scheduled' ? [runner(1), runner(2)] : [...RUNNERS])
  server.answer(queryMeetingResults, [
    {
      date: raceInfo().date,
      stadiumName: 'Sha Tin',
      races: [
        {
          raceId: idOf(1),
          raceNo: 1,
          numbersByName: false,
          winners: [],
          rank: null,
          pick: { horseNumber: 4, outcome: 'hit', profit: null, origin: 'backtest' },
        },
      ],
    },
  ])
  server.answer(queryRaceLocks, { regionId: '100000', entries: [], changed: [] })
  server.fail(queryHorseInfo)
  server.fail(queryRaceReport)
  return renderPart(<HorseRaceScreen />, {
    path: `/pages/race/HorseRace?id=${idOf(2)}${path}`,
    parts: ['card'],
    width,
  })
}

const strip = async (): Promise<HTMLElement> => {
  const found = await screen.findByRole('navigation', { name: 'Races of this meeting' })
  await waitFor(() => expect(within(found).getAllByRole('link')).toHaveLength(3))
  return found
}

test('the races of the meeting are one gesture away, by link and by key', async () => {
  const { user } = await openRace({})
  const links = within(await strip()).getAllByRole('link')
  expect(links.map((link) => link.textContent)).toEqual(['R1', 'R2', 'R3'])
  expect(links.map((link) => link.getAttribute('aria-current'))).toEqual([null, 'page', null])
  expect(links[2]!.getAttribute('aria-label')).toContain('Race 3')
  // How our first choice ended, where it is known.
  await waitFor(() => expect(links[0]!.getAttribute('aria-label')).toBe('Race 1, Official result, Hit'))
  await user.keyboard(']')
  await waitFor(() => expect(address()).toContain(idOf(3)))
})

test('a race whose source has no saddle numbers says so, and has no cloths', async () => {
  await openRace({ numbersByName: true }, '&tab=card')
  await screen.findByText('The source has no saddle numbers: horses are numbered by name.')
  await screen.findByTestId('racecard')
  const numbers = [...document.querySelectorAll('.cloth > svg')]
  expect(numbers.length).toBeGreaterThan(2)
  expect(numbers.filter((each) => each.querySelector('circle') === null)).toEqual([])
})

test('a wide screen has the field in its stalls beside the header', async () => {
  await openRace({})
  const field = within(await screen.findByTestId('course-sketch'))
  await waitFor(() =>
    // A horse that was withdrawn stands in none.
    expect(field.getAllByRole('listitem').map((stall) => stall.textContent)).toEqual(['11', '22', '33']),
  )
  expect(field.queryByText(/from the last bend/)).toBeNull()
})

test('a course without measures is not drawn, and its field in the stalls is below the card', async () => {
  await openRace({ course: 'D' }, '&tab=card')
  await screen.findByTestId('racecard')
  const sketch = await screen.findByTestId('course-sketch')
  expect(within(sketch).getAllByRole('listitem')).toHaveLength(3)
  expect(sketch.querySelector('figcaption')).toBeNull()
  expect(sketch.closest('header')).toBeNull()
})

test.for([
  ['&tab=card', 1280],
  ['&tab=card', 390],
  ['&tab=1', 1280],
  ['&tab=1', 390],
] as const)(
  'a race without a prediction says so and offers nothing to unlock: %s, %i pixels wide',
  async ([path, width]) => {
    signIn('member')
    await openRace({ status: 'scheduled', isAnalyzer: 0, models: [] }, path, width)
    await screen.findByText('No prediction for this race.')
    expect(screen.queryByRole('button', { name: /Unlock|voucher/i })).toBeNull()
    expect(screen.queryByRole('link', { name: /VIP/ })).toBeNull()
  },
)

test('the key for the race before works too, and no key while something is typed or asked', async () => {
  const { user } = await openRace({})
  await strip()
  const field = document.body.appendChild(document.createElement('input'))
  field.focus()
  await user.keyboard('[[')
  expect(address()).toContain(idOf(2))
  field.remove()
  // Nor under a dialog that is open.
  const dialog = document.body.appendChild(document.createElement('dialog'))
  dialog.setAttribute('open', '')
  await user.keyboard('[[')
  expect(address()).toContain(idOf(2))
  dialog.remove()
  await user.keyboard('[[')
  await waitFor(() => expect(address()).toContain(idOf(1)))
})

const selected = async (): Promise<string | null> =>
  (await screen.findByRole('tab', { selected: true })).textContent

test.for([
  ['a finished race opens with its result', {}, '', 'Result'],
  ['a coming race with its runners', { status: 'scheduled', isAnalyzer: 0 }, '', 'Runners'],
  ['an address with the runners’ tab with those', {}, '&tab=0', 'Runners'],
  ['a part that the viewer may not see with the first', {}, '&tab=market', 'Result'],
] as const)('%s', async ([, given, path, label]) => {
  await openRace(given, path)
  expect(await selected()).toBe(label)
})

test('an address with a bet type opens its predictions', async () => {
  await openRace({}, '&tab=3')
  await screen.findByRole('tab', { name: 'Quinella' })
  const chosen = screen.getAllByRole('tab', { selected: true }).map((tab) => tab.textContent)
  expect(chosen).toEqual(['Predictions', 'Quinella'])
  expect(screen.getByRole<HTMLInputElement>('radio', { name: '2 horses' }).checked).toBe(true)
})

const betTypes = (): (string | null)[] =>
  within(screen.getByRole('tablist', { name: 'Bet types' }))
    .getAllByRole('tab')
    .map((tab) => tab.textContent)

test('a bet type is chosen by its number of horses, then among the few of that number', async () => {
  const { user } = await openRace({}, '&tab=1', 390)
  await screen.findByRole('tab', { name: 'Win' })
  expect(screen.getAllByRole('radio').map((radio) => radio.parentElement!.textContent)).toEqual([
    '1 horse',
    '2 horses',
    '3 horses',
    '4 horses',
  ])
  expect(betTypes()).toEqual(['Win', 'Place'])
  // By the keyboard: the number, which shows the first of its types, and then another one.
  screen.getByRole('radio', { name: '1 horse' }).focus()
  await user.keyboard('{ArrowLeft}')
  await waitFor(() => expect(address()).toContain('tab=8'))
  expect(betTypes()).toEqual(['First 4', 'Quartet'])
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: '4 horses' }))
  await user.tab()
  await user.keyboard('{ArrowRight}')
  await waitFor(() => expect(address()).toContain('tab=9'))
  expect(document.activeElement!.textContent).toBe('Quartet')
  await user.click(screen.getByRole('radio', { name: '2 horses' }))
  expect(betTypes()).toEqual(['Quinella', 'Quinella Place', 'Forecast'])
})

test('a phone has the neighbours within reach, and keeps the part that is shown', async () => {
  await openRace({}, '&tab=0', 390)
  await strip()
  const before = await screen.findByText('R1', { selector: 'a[rel=prev]' })
  expect(before.getAttribute('href')).toBe(`#/pages/race/HorseRace?id=${idOf(1)}&tab=0`)
})

test.for([
  ['sign in', {}, false, 'Sign in'],
  ['unlock the race', {}, true, 'Use a voucher'],
  ['read the own chances', { isSubscribe: 1 }, true, 'Own chances'],
] as const)('between the neighbours a phone offers to %s', async ([, given, member, label]) => {
  if (member) signIn('member')
  await openRace(given, '', 390)
  const before = await screen.findByText('R1', { selector: 'a[rel=prev]' })
  expect(before.nextElementSibling!.textContent).toBe(label)
})

test('the own chances are opened at the thumb, and the report stays beside them', async () => {
  const { user } = await openRace({ isSubscribe: 1 }, '&source=pr', 390)
  const chances = await screen.findByRole('link', { name: 'Own chances' })
  expect(chances.getAttribute('aria-current')).toBeNull()
  expect(screen.getByRole('link', { name: 'View report' }).getAttribute('href')).toBe(
    `#/pages/race/ReportView?id=${idOf(2)}`,
  )
  await user.click(chances)
  await waitFor(async () => expect(await selected()).toBe('Own chances'))
  expect(address()).toBe(`/pages/race/HorseRace?id=${idOf(2)}&source=pr&tab=chances`)
  expect(screen.getByRole('link', { name: 'Own chances' }).getAttribute('aria-current')).toBe('page')
})

test('a runner that is withdrawn while the page is open is said and struck through', async () => {
  await openRace({ status: 'scheduled', isAnalyzer: 0 }, '', 390)
  await screen.findByText('Horse 2')
  server.answer(queryRaceCompetitor, [runner(1), runner(2, { status: 'withdrawn' })])
  await queryClient.invalidateQueries({ queryKey: keyOf(queryRaceCompetitor) })
  await screen.findByText('No. 2 Horse 2 has been withdrawn.')
  const line = document.querySelector('[data-number="2"]')!
  expect(line.querySelector('s')!.textContent).toBe('Horse 2')
  // What was known before is not said.
  expect(document.querySelector('[data-number="1"] s')).toBeNull()
})
