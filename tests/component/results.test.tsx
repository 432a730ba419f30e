import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryDaySilks, queryNumberedByName } from '../../contract/api/racing.ts'
import type { AnswerRow } from '../../analytics/cells.ts'
import { Meeting, ResultsLegend } from '../../src/features/results/meeting.tsx'
import type { Pick } from '../../src/features/results/use-results.ts'
import { MANIFEST } from './record.tsx'
import { renderPart, server } from './render.tsx'

/** A meeting of the results: picks and winners by name, and won and lost in different words. */

const race = (number: number, given: Partial<AnswerRow> = {}): AnswerRow => ({
  race_id: `HKSHT202601040${number}`,
  day: '2026-01-04',
  race_no: number,
  racecourse: 1,
  racecourse_en: 'Sha Tin',
  race_name_en: null,
  race_class: 'C4',
  distance: 1200,
  status: 'final',
  result: '3-1-7-2',
  winner_en: 'Golden Mile',
  ...given,
})

const pick = (given: Partial<Pick> = {}): Pick => ({
  horses: [3, 1, 9, 4],
  name: { text: 'Golden Mile', fallback: false, language: 'en' },
  origin: 'backtest',
  outcome: 'hit',
  profit: 2150,
  ...given,
})

const LOST = pick({
  horses: [9, 3, 1, 4],
  name: { text: 'Fast Friend', fallback: false, language: 'en' },
  outcome: 'miss',
  profit: -1000,
})

const picks = new Map([
  ['HKSHT2026010401', pick()],
  ['HKSHT2026010402', LOST],
])

const meeting = (whole: boolean, open: boolean, toggled: () => void = () => undefined) => (
  <Meeting
    races={[race(1), race(2), race(3, { winner_en: 'Iron Arrow / Night Owl', result: '5-8-1-2' }), race(4)]}
    picks={picks}
    isHidden={(race) => !whole && race['race_no'] !== 4}
    open={open}
    onToggle={toggled}
    hrefOf={(raceId) => `/race?id=${raceId}`}
  />
)

test('pick and winner are named, and won and lost are told by words and amounts', async () => {
  server.answer(queryDaySilks, [])
  server.answer(queryNumberedByName, [])
  await renderPart(meeting(true, true), { parts: ['results'] })
  const [won, lost, none] = screen.getAllByRole('link').map((each) => each.textContent)
  expect(won).toContain('First pick3Golden Mile')
  expect(won).toContain('Winner3Golden Mile')
  expect(won).toContain('Hit +HK$21.50')
  expect(lost).toContain('First pick9Fast Friend')
  expect(lost).toContain('Miss −HK$10.00')
  expect(lost).not.toContain('Win ')
  expect(none).toContain('First pick–')
  expect(none).toContain('Winner5Iron Arrow / Night Owl')
})

test('a wide screen has the silks of pick and winner where they are known', async () => {
  server.manifest = MANIFEST
  server.answer(queryDaySilks, [
    { raceId: 'HKSHT2026010402', horseNumber: 9, silks: 'Red, white sash, yellow cap' },
    { raceId: 'HKSHT2026010403', horseNumber: 7, silks: 'Red' },
  ])
  server.answer(queryNumberedByName, [])
  await renderPart(meeting(true, true), { parts: ['results'], width: 1280 })
  await waitFor(() =>
    expect(
      screen.getAllByRole('link').map((each) => each.querySelectorAll('svg[class*=silks]').length),
    ).toEqual([0, 1, 0, 0]),
  )
})

test('numbers that are no saddle numbers are on no cloths', async () => {
  server.answer(queryDaySilks, [])
  server.answer(queryNumberedByName, ['HKSHT2026010402'])
  await renderPart(meeting(true, true), { parts: ['results'] })
  await waitFor(() =>
    expect(screen.getAllByRole('link').map((each) => each.querySelector('circle') !== null)).toEqual([
      false,
      true,
      false,
      false,
    ]),
  )
})

test('a pick that may not be seen is a question mark, and the winner is named', async () => {
  server.answer(queryDaySilks, [])
  server.answer(queryNumberedByName, [])
  await renderPart(meeting(false, true), { parts: ['results'] })
  const closed = screen.getAllByRole('link')[2]!.textContent
  expect(closed).toContain('First pick?')
  expect(closed).toContain('not open to you')
  expect(closed).toContain('Winner5')
  // A pick that was never made is not promised to anybody.
  const never = screen.getAllByRole('link')[3]!.textContent
  expect(never).toContain('First pick–')
  expect(never).not.toContain('not open to you')
})

test('a closed meeting says its total and how to see it', async () => {
  let toggles = 0
  const { user } = await renderPart(
    meeting(true, false, () => (toggles += 1)),
    { parts: ['results'] },
  )
  const head = within(screen.getByTestId('meeting'))
  expect(head.queryAllByRole('link')).toEqual([])
  head.getByText('Tap to view')
  expect(screen.getByTestId('meeting').textContent).toContain('Win picks: 1 of 2\u00a0· +HK$11.50')
  await user.click(head.getByRole('button', { name: 'Sun, 4 Jan 2026\u00a0· Sha Tin', expanded: false }))
  expect(toggles).toBe(1)
})

test('the legend says what the frame and the colour mean', async () => {
  await renderPart(<ResultsLegend />, { parts: ['results'] })
  expect(document.body.textContent).toMatch(/^Hit the first pick won\..*a green pick finished among them\.$/)
})
