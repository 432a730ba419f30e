import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryFrozenRules } from '../../contract/api/frozen.ts'
import { Lab } from '../../workers/lab/lab.ts'
import { prepareWorker } from './browser-stand-ins.ts'
import { bets, starter, times, type Fact } from './prepared-facts.ts'
import { facet, filterWords, openRecord, PICKS, tile } from './record.tsx'
import { address, labelled, part, server } from './render.tsx'

/** The strategy lab: its controls and what they make of prepared bets, calculated by the lab itself. */

const WIN = 'bet_type:1~prediction_type:1'

const PRICED = PICKS.map(({ values, sums }) => ({
  sums,
  values: {
    ...values,
    win_odds: 3,
    late_odds: 3,
    opening_odds: 3,
    market_probability: 0.2,
    combination: '1',
  },
}))
const STARTERS = times(3, starter({}, { horse_no: 1, model_rank: 1, favourite_rank: 1, win_odds: 3 }))

async function openLab(words = filterWords(WIN), predictions: readonly Fact[] = PRICED) {
  prepareWorker('lab.worker', new Lab())
  // Without an engine on this device the server sends the rows.
  prepareWorker('analytics.worker', {
    onProgress: () => undefined,
    prepare: () => undefined,
    open: () => ({ ok: false, error: { code: 'offline', details: {} } }),
  })
  server.answer(queryFrozenRules, [])
  const opened = await openRecord({ words: `${words}&tab=lab`, tables: { predictions, starters: STARTERS } })
  await labSettled()
  return opened
}

const labSettled = (): Promise<void> =>
  waitFor(() => expect(part('lab').outerHTML.slice(0, 200)).toMatch(/data-(rests|settled)="true"/))

/** A figure of the result, as it is shown. */
const figure = (name: string): string =>
  document.querySelector(`[data-figure="lab.figure.${name}"] dd`)!.textContent

test('level stakes on the slice are the record’s own profit', async () => {
  await openLab()
  expect(figure('bets')).toBe('200')
  expect(figure('profit')).toBe('−HK$580.00')
  expect(figure('profit')).toBe(tile('Profit').value)
  // An address without settings is of the initial ones.
  expect(address()).not.toContain('lab=')
})

test('a stake is changed, and the address has it', async () => {
  const { user } = await openLab()
  await user.selectOptions(labelled('Stakes'), 'kelly')
  await waitFor(() => expect(address()).toMatch(/lab=kelly:0\.25~bank:1000000/))
  await labSettled()
  // A quarter of what a quarter of the time pays three times the stake: nothing is worth a bet.
  await waitFor(() => expect(figure('bets')).toBe('0'))
})

test('a rule about value chooses no place bets, whose odds are not known', async () => {
  const places = bets(30, 10, 500, { bet_type: 2, combination: '1' })
  await openLab(
    `${filterWords('bet_type:2~prediction_type:1')}&lab=${encodeURIComponent('value-from:1.1')}`,
    places,
  )
  expect(figure('bets')).toBe('0')
  expect(screen.getByRole('tabpanel').textContent).toContain(
    'Odds before the result are known only for win bets.',
  )
})

test('rules are frozen under a name only', async () => {
  const { user } = await openLab()
  const frozen = within(part('frozen'))
  expect(frozen.getByRole('button', { name: 'Freeze these rules' }).hasAttribute('disabled')).toBe(true)
  await user.type(frozen.getByRole('textbox'), 'Mine')
  await waitFor(() =>
    expect(frozen.getByRole('button', { name: 'Freeze these rules' }).hasAttribute('disabled')).toBe(false),
  )
})

test('the month whose bets are listed stays while the bets of another slice load', async () => {
  const { user } = await openLab()
  const list = (): HTMLElement => part('lab-bets')
  await user.click(within(part('lab')).getByRole('button', { name: /Jan 2026/ }))
  await within(list()).findByRole('button', { name: /Jan 2026 only/ })
  await user.click(within(facet('going')).getByRole('checkbox', { name: /^Good/ }))
  await waitFor(() => expect(figure('bets')).toBe('120'))
  await labSettled()
  expect(within(list()).getByRole('button', { name: /Jan 2026 only/ })).toBeTruthy()
})
