import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { race, times } from './prepared-facts.ts'
import { breakdown, facet, filterWords, openRecord, tile } from './record.tsx'
import { cellsOf } from './render.tsx'

/** The third subject of the record: every race, as a bet on the model's first choice. */

/** 40 races of class 4, in which the first choice wins 8 and the favourite 10, and 60 of class 5, in which it wins 6 and the favourite 24. */
const RACES = [
  ...times(
    8,
    race({ won: true, profit: 5000, favouriteWon: true }, { class: 'C4', field_size: 12, going: 'good' }),
  ),
  ...times(2, race({ favouriteWon: true }, { class: 'C4', field_size: 12, going: 'good' })),
  ...times(30, race({}, { class: 'C4', field_size: 14, going: 'good' })),
  ...times(
    6,
    race({ won: true, profit: 6000, favouriteWon: true }, { class: 'C5', field_size: 8, going: 'yielding' }),
  ),
  ...times(18, race({ favouriteWon: true }, { class: 'C5', field_size: 8, going: 'yielding' })),
  ...times(36, race({}, { class: 'C5', field_size: 8, going: 'yielding' })),
]
const openRaces = (words = '') => openRecord({ words: `s=races${words}`, tables: { races: RACES } })

test('every race counts, with the first choice as its bet and the favourite beside it', async () => {
  await openRaces()
  expect(tile('Races').value).toBe('100')
  expect(tile('First choice won').value).toBe('14.0%')
  // 8 × HK$50 + 6 × HK$60 − 86 × HK$10.
  expect(tile('Profit').value).toBe('−HK$100.00')
  const classes = await breakdown('class')
  expect(cellsOf(classes, 'C4').slice(0, 2)).toEqual(['40', '20.0%'])
  expect(cellsOf(classes, 'C4').at(-1)).toMatch(/^25\.0%/)
  expect(cellsOf(classes, 'C5').at(-1)).toMatch(/^40\.0%/)
  await waitFor(() => expect(document.title).toBe('Races · Record · Furlong'))
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
    'Overview',
    'Seasons',
    'SQL',
    'Your data',
  ])
})

test('what a race does not have is named as not applied, and nothing is filtered by who won it', async () => {
  const { user } = await openRaces(`&${filterWords('going:good~draw:1')}`)
  expect(tile('Races').value).toBe('40')
  expect(
    screen.getByText('Not filtered by Draw, which a race does not have: every race counts here.'),
  ).toBeTruthy()
  await user.type(screen.getByRole('searchbox', { name: 'Search filters' }), 'favourite')
  await waitFor(() => expect(facet('favourite_odds')).toBeTruthy())
  expect(facet('first_is_favourite')).toBeTruthy()
  await user.clear(screen.getByRole('searchbox', { name: 'Search filters' }))
  await user.type(screen.getByRole('searchbox', { name: 'Search filters' }), 'winner')
  await waitFor(() => expect(facet('favourite_odds')).toBeNull())
  expect(document.querySelectorAll('[data-facet]')).toHaveLength(0)
})

test('the list has a line for each race, with the first choice, the favourite and the winner', async () => {
  const { connector } = await openRecord({ words: 's=races', list: true, tables: { races: RACES } })
  expect(await screen.findByRole('heading', { name: 'Every race' })).toBeTruthy()
  await waitFor(() =>
    expect(
      connector.requests.some(
        (request) =>
          'rows' in request &&
          request.rows.model === 'races' &&
          ['first_no', 'first_en', 'win_odds', 'favourite_no', 'winner_no', 'winner_odds'].every((column) =>
            request.rows.columns.includes(column),
          ),
      ),
    ).toBe(true),
  )
})
