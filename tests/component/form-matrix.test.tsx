import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { useFormAhead } from '../../src/screens/horse-race/form-ahead.ts'
import FormMatrix from '../../src/screens/horse-race/form-matrix.tsx'
import { PreparedConnector } from './prepared-connector.ts'
import type { Fact } from './prepared-facts.ts'
import { raceInfo, runner } from './race-samples.ts'
import { MANIFEST, signIn } from './record.tsx'
import { renderPart, server } from './render.tsx'

/** Runs of a horse on one day: of the model that the region shows first, at the racecourse with the key 7. */
const runs = (horse: number, count: number, given: Partial<Fact['values']>, sums: Fact['sums']): Fact[] =>
  Array.from({ length: count }, () => ({
    values: {
      model: 'blended',
      origin: 'backtest',
      day: '2025-12-01',
      horse,
      jockey: 40 + horse,
      trainer: 60 + horse,
      sire: 'Sire',
      racecourse: 7,
      distance: 1200,
      going: 'good',
      course: 'A',
      class: 'C5',
      draw_third: 'low',
      field_size: 2,
      days_since_run: 14,
      ...given,
    },
    sums: {
      runners: 1,
      winners: 0,
      place_bets: 1,
      place_hits: 0,
      market_expected: 0.1,
      market_winners: 0,
      ...sums,
    },
  }))

const WON = { winners: 1, place_hits: 1, market_winners: 1 }

const KEYS = [
  { kind: 'stadium', id: 'HKSHT', key: 7, sire: null },
  ...[1, 2].flatMap((number) => [
    { kind: 'horse', id: `HK-H${number}`, key: number, sire: number === 1 ? 'Sire' : null },
    { kind: 'jockey', id: `HK-J${number}`, key: 40 + number, sire: null },
  ]),
]

const RUNS = [
  // Eight of ten at the market's 10%: more than chance explains, wherever they were run.
  ...runs(1, 8, {}, WON),
  ...runs(1, 2, { distance: 1400, racecourse: 8, going: 'good_to_firm', days_since_run: 61 }, {}),
  // Before the day of the race alone, and with another jockey.
  ...runs(1, 1, { day: '2026-01-04' }, WON),
  ...runs(2, 1, { jockey: 41, origin: 'locked' }, {}),
  ...runs(2, 3, {}, {}),
]

/** Earlier runs like a runner's, the nearest first: four of twelve won, of which the odds of eleven are known. */
const NEAREST = Array.from({ length: 12 }, (_, index) => ({
  race_id: `HKSHT20251201${String(index + 1).padStart(2, '0')}`,
  day: '2025-12-01',
  horse_no: 3,
  horse_en: `Like ${index}`,
  horse_hant: null,
  horse_hans: null,
  place: index < 4 ? 1 : 5,
  odds: index === 11 ? null : 5,
  won: index < 4 ? 1 : 0,
  expected: index === 11 ? null : 0.2,
  difference: index / 10,
}))

const FIELD = [1, 2, 3].map((number) =>
  runner(number, {
    jockeyId: `HK-J${number}`,
    trainerId: null,
    ...(number === 3 && { status: 'withdrawn' }),
  }),
)

async function show(role: 'member' | 'vip', part = <FormMatrix race={raceInfo()} runners={FIELD} />) {
  signIn(role)
  const [racing] = MANIFEST.files
  server.manifest = { ...MANIFEST, files: [racing!, { ...racing!, kind: 'record', model: 'blended' }] }
  const connector = new PreparedConnector({
    runners: RUNS,
    named: (request) => (request.name === 'nearest' ? NEAREST : KEYS),
  })
  server.connect(connector)
  return { ...(await renderPart(part, { path: '/pages/race/HorseRace', parts: ['card'] })), connector }
}

/** A race of which something else is shown until the button is clicked. */
function Page() {
  const [isShown, setShown] = useState(false)
  const ask = useFormAhead(raceInfo(), FIELD)
  return (
    <>
      <button type="button" onPointerDown={ask} onClick={() => setShown(true)}>
        Form
      </button>
      {isShown ? <FormMatrix race={raceInfo()} runners={FIELD} /> : null}
    </>
  )
}

const cells = (): string[][] =>
  within(screen.getByTestId('form-matrix'))
    .getAllByRole('row')
    .map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent))

test('each horse’s runs before the day under the race’s conditions, marked where chance does not explain them', async () => {
  const { user } = await show('vip')
  await screen.findByTestId('form-matrix')
  const [heading, first, second, ...others] = cells()
  expect(heading).toEqual([
    'Horse',
    'All runs',
    'Sha Tin',
    '1,200 m',
    'Good',
    'A course',
    'Third of the draw',
    'Class 5',
    'About 2 runners',
    'After 61 days off',
    'With today’s jockey',
  ])
  expect(first!.slice(0, 4)).toEqual([
    '1Horse 1',
    '8/10A/E 8.00 ▲80% placed',
    '8/8A/E 10.00 ▲100% placed',
    '8/8A/E 10.00 ▲100% placed',
  ])
  // Two of the ten followed a rest; the other horse had none.
  expect(first!.slice(8, 10)).toEqual(['8/10A/E 8.00 ▲80% placed', '0/2A/E 0.000% placed'])
  expect(second!.at(-2)).toBe('0')
  // Locked and computed afterwards, a run is one; four with no winner are no reason for a mark.
  expect(second!.slice(0, 2)).toEqual(['2Horse 2', '0/4A/E 0.000% placed'])
  expect(second!.at(-1)).toBe('0/3A/E 0.000% placed')
  // A withdrawn horse has no conditions.
  expect(others).toEqual([])
  const link = within(screen.getByTestId('form-matrix')).getAllByRole('link')[1]!
  const address = decodeURIComponent(link.getAttribute('href')!)
  expect(address).toContain('s=runners')
  expect(address).toContain('racecourse:7')
  await user.click(screen.getByRole('radio', { name: 'Jockey' }))
  await screen.findByText('On this horse')
  expect(cells()[1]!.slice(0, 2)).toEqual(['1Jockey 1', '8/11A/E 7.27 ▲73% placed'])
})

test('a page that rests has the keys, and a finger on the tab asks what the matrix asks', async () => {
  const { user, connector } = await show('vip', <Page />)
  const asked = (): string[] => connector.requests.flatMap((request) => Object.keys(request))
  await waitFor(() => expect(asked()).toEqual(['named']), { timeout: 10_000 })
  const target = screen.getByRole('button', { name: 'Form' })
  await user.pointer({ keys: '[MouseLeft>]', target })
  expect(asked()).toEqual(['named', 'linked'])
  await user.pointer({ keys: '[/MouseLeft]', target })
  await screen.findByTestId('form-matrix')
  expect(asked()).toEqual(['named', 'linked'])
})

test('of sires, those that the data know', async () => {
  const { user } = await show('vip')
  await screen.findByTestId('form-matrix')
  await user.click(screen.getByRole('radio', { name: 'Sire' }))
  await screen.findByText('Sire', { selector: 'span' })
  expect(cells()[1]![0]).toBe('1Sire')
  expect(cells()[2]!.slice(0, 2)).toEqual(['2–', '–'])
})

test('who does not have the history is told for whom it is', async () => {
  await show('member')
  expect(await screen.findByText(/is for VIP members/)).toBeTruthy()
  expect(screen.queryByTestId('form-matrix')).toBeNull()
})

test('the runs most like the chosen runner’s: how many won, how many the odds expected, and the nearest ten', async () => {
  const { user } = await show('vip')
  const select = await screen.findByRole('combobox', { name: 'Runner' })
  // A withdrawn horse is not among them.
  expect(
    within(select)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Choose a runner', '1 Horse 1', '2 Horse 2'])
  await user.selectOptions(select, '2 Horse 2')
  expect((await screen.findByTestId('nearest-sum')).textContent).toBe(
    '4 of 12 runs won, 33%. The final odds expected 2.2: A/E 1.82, with 95% confidence between 0.49 and 4.65.',
  )
  const rows = within(screen.getByTestId('nearest-runs')).getAllByRole('row')
  expect(rows).toHaveLength(11)
  expect([...rows[1]!.children].map(({ textContent }) => textContent).slice(1)).toEqual([
    'Like 0',
    '1st',
    '5.0',
    '0.00',
  ])
  expect(within(rows[1]!).getByRole('link').getAttribute('href')).toContain('HKSHT2025120101')
})
