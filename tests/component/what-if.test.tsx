import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryTrial, type Trial, type TrialChange } from '../../contract/api/trial.ts'
import WhatIf from '../../src/features/chances/what-if.tsx'
import {
  gearChoices,
  NOTHING_TRIED,
  withChange,
  withDraw,
  withoutChange,
} from '../../src/features/chances/tried.ts'
import { raceInfo, runner } from './race-samples.ts'
import { signIn } from './record.tsx'
import { renderPart, server } from './render.tsx'

const CHANCES = [0.5, 0.3, 0.2]
const RUNNERS = [1, 2, 3].map((number) => runner(number, { status: 'declared' }))

const trial = (given: (number: number) => Partial<Trial['runners'][number]> = () => ({})): Trial => ({
  model: 'network',
  going: 'good',
  runners: CHANCES.map((before, index) => ({
    horseNumber: index + 1,
    draw: index + 1,
    jockeyId: `HK-J${index + 1}`,
    weightLb: 120,
    gear: index === 0 ? 'B/TT-' : null,
    before,
    after: before,
    reasons: [],
    ...given(index + 1),
  })),
  jockeys: [1, 2, 3, 4].map((number) => ({
    id: `HK-J${number}`,
    name: `Jockey ${number}`,
    nameLanguage: 'en',
  })),
})

const CHANGED = trial((number) =>
  number === 1
    ? {
        after: 0.55,
        reasons: [
          { feature: 'jockey', value: Math.log(1.2) },
          { feature: 'field', value: Math.log(0.55 / 0.6) },
          { feature: 'gear', value: 0.0001 },
        ],
      }
    : { after: number === 2 ? null : 0.45 },
)

const open = async (language?: 'en' | 'zh-Hant') => {
  signIn('vip')
  return renderPart(<WhatIf race={raceInfo({ status: 'scheduled' })} runners={RUNNERS} />, {
    parts: ['race', 'trial'],
    ...(language === undefined ? {} : { language }),
  })
}

test('a jockey is changed, the chances move, the reasons multiply up, and reset takes it back', async () => {
  server.answer(queryTrial, { missing: null, trial: trial() })
  const { user } = await open()
  const table = await screen.findByTestId('trial')
  expect(screen.getByText('Trial', { selector: 'span' })).toBeTruthy()
  expect(screen.getByText(/it is not stored and is no prediction/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Reset' }).hasAttribute('disabled')).toBe(true)
  server.answer(queryTrial, { missing: null, trial: CHANGED })
  await user.selectOptions(screen.getByRole('combobox', { name: 'Jockey' }), 'Jockey 4')
  await waitFor(() => expect(within(table).getByText('55.0%')).toBeTruthy())
  const cells = within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    )
  expect(cells).toEqual([
    ['50.0%', '55.0%', '+5.0'],
    ['30.0%', 'Withdrawn', '–'],
    ['20.0%', '45.0%', '+25.0'],
  ])
  const why = screen.getByTestId('trial-why')
  expect(
    within(why)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['Jockey: × 1.20', 'Rest of the field: × 0.92'])
  expect(within(why).getByRole('status').textContent).toMatch(/50\.0% → 55\.0%/)
  expect(screen.getByRole('button', { name: /^Take back: 1 .*Jockey 4$/ })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Reset' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Take back/ })).toBeNull())
  expect(within(table).queryByText('55.0%')).toBeNull()
})

test('without a connection the card stays, with what is wrong and a second try', async () => {
  server.answer(queryTrial, { missing: null, trial: trial() })
  const { user } = await open()
  await screen.findByTestId('trial')
  server.fail(queryTrial)
  await user.click(screen.getByRole('checkbox', { name: 'Withdrawn' }))
  const alert = await screen.findByRole('alert', {}, { timeout: 5000 })
  expect(within(screen.getByTestId('trial')).getAllByText('–').length).toBeGreaterThan(2)
  server.answer(queryTrial, { missing: null, trial: CHANGED })
  await user.click(within(alert).getByRole('button'))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})

test.each([
  ['look-back', /kept only for races that it predicted before the start/],
  ['version', /trained anew/],
] as const)('of a race without it, what is missing is said: %s', async (missing, text) => {
  server.answer(queryTrial, { missing, trial: null })
  await open()
  expect(await screen.findByText(text)).toBeTruthy()
  expect(screen.queryByRole('combobox')).toBeNull()
})

const { runners: CARD } = trial()
const [ONE, TWO, THREE] = CARD as [
  Trial['runners'][number],
  Trial['runners'][number],
  Trial['runners'][number],
]
const drawsOf = (changes: readonly TrialChange[]): unknown =>
  Object.fromEntries(changes.map(({ horseNumber, draw }) => [horseNumber, draw]))

test('stalls are swapped, so that no two runners share one, however they are taken back', () => {
  const once = withDraw(NOTHING_TRIED, CARD, ONE, 2)
  expect(drawsOf(once.changes)).toEqual({ 1: 2, 2: 1 })
  const twice = withDraw(once, CARD, THREE, 2)
  expect(drawsOf(twice.changes)).toEqual({ 1: 3, 2: 1, 3: 2 })
  expect(drawsOf(withoutChange(twice, CARD, 1, 'draw').changes)).toEqual({ 2: 3, 3: 2 })
  expect(withoutChange(once, CARD, 2, 'draw')).toEqual(NOTHING_TRIED)
})

test('what is again as on the card is no change', () => {
  const withdrawn = withChange(NOTHING_TRIED, TWO, 'withdrawn', true)
  expect(withdrawn.changes).toEqual([{ horseNumber: 2, withdrawn: true }])
  expect(withChange(withdrawn, TWO, 'withdrawn', false)).toEqual(NOTHING_TRIED)
  const both = withChange(withChange(NOTHING_TRIED, TWO, 'weightLb', 126), TWO, 'jockeyId', 'HK-J4')
  expect(withChange(both, TWO, 'weightLb', 120).changes).toEqual([{ horseNumber: 2, jockeyId: 'HK-J4' }])
})

test('gear is put on for the first time or taken off', () => {
  expect(gearChoices(null)).toContain('B1')
  const choices = gearChoices('B/TT-')
  expect(choices).not.toContain('B/TT-/B1')
  expect(choices).toContain('B/TT1')
  expect(choices).toContain('B-/TT-')
  expect(choices).toContain('B/TT-/V1')
})
