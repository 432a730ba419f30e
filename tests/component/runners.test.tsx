import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Request } from '../../analytics/request.ts'
import { FurlongError } from '../../domain/errors.ts'
import { starter, times, type Fact } from './prepared-facts.ts'
import { breakdown, facet, figuresReady, filterWords, openRecord, panel, tile } from './record.tsx'
import { address, cellsOf } from './render.tsx'

/** The second subject of the record: every runner of every race, as a bet on it to win. */

/** 40 runs of one jockey with 8 wins at HK$50, and 60 of another with 6 at HK$60; draws 1 and 9. */
const RUNS = [
  ...times(8, starter({ won: true, profit: 5000 }, { jockey: 1, draw: 1, going: 'good' })),
  ...times(32, starter({}, { jockey: 1, draw: 9, going: 'good' })),
  ...times(6, starter({ won: true, profit: 6000 }, { jockey: 2, draw: 1, going: 'good' })),
  ...times(54, starter({}, { jockey: 2, draw: 9, going: 'yielding' })),
]
const NAMES = { jockey: { 1: ['Z Purton', '潘頓', '潘顿'], 2: ['K Teetan', '田泰安', '田泰安'] } } as const
const openRunners = (words = '') =>
  openRecord({ words: `s=runners${words}`, tables: { runners: RUNS, names: NAMES } })

test('every run counts, with its wins, the market’s expectation and the return of a bet on each', async () => {
  await openRunners()
  expect(tile('Runs').value).toBe('100')
  expect(tile('Win rate').value).toBe('14.0%')
  // 14 wins of 100 runs at a chance of 0.2 by the market.
  expect(tile('A/E (hits ÷ expected)')).toMatchObject({ value: '0.70' })
  // 8 × HK$50 + 6 × HK$60 − 86 × HK$10.
  expect(tile('Profit').value).toBe('−HK$100.00')
  const jockeys = await breakdown('jockey')
  expect(cellsOf(jockeys, '1').slice(0, 2)).toEqual(['40', '20.0%'])
  expect(cellsOf(jockeys, '2').slice(0, 2)).toEqual(['60', '10.0%'])
  expect(within(jockeys).getByRole('button', { name: 'Z Purton' })).toBeTruthy()
})

test('a table of many groups begins with its first ones and those that are chosen; the others are asked for', async () => {
  const runs = Array.from({ length: 60 }, (_, at) => times(100 - at, starter({}, { jockey: at + 1 }))).flat()
  const { user } = await openRecord({
    words: `s=runners&p=bars:jockey&${filterWords('jockey:55')}`,
    tables: { runners: runs, names: NAMES },
  })
  const table = await breakdown('jockey')
  const keys = () => [...table.querySelectorAll('tbody tr')].map((row) => row.getAttribute('data-key'))
  const first = Array.from({ length: 40 }, (_, at) => String(at + 1))
  await waitFor(() => expect(keys()).toEqual([...first, '55']))
  await user.click(screen.getByRole('button', { name: 'Show all 60' }))
  expect(keys()).toHaveLength(60)
  await user.click(screen.getByRole('button', { name: 'Show fewer' }))
  expect(keys()).toHaveLength(41)
  // A printed page has them all.
  globalThis.dispatchEvent(new Event('beforeprint'))
  await waitFor(() => expect(keys()).toHaveLength(60))
})

test('a filter of predictions waits until they are shown again, and one of both applies to both', async () => {
  const { user } = await openRunners(`&${filterWords('going:good~rank:2~draw:1')}`)
  expect(tile('Runs').value).toBe('14')
  const chips = screen.getByRole('list', { name: 'Filters in use' })
  expect([...chips.children].map((chip) => chip.textContent).slice(0, 2)).toEqual([
    'Going is Good',
    'Draw is 1',
  ])
  expect(screen.getByText(/Not filtered by Rank/)).toBeTruthy()
  // The title says what the figures are of.
  await waitFor(() => expect(document.title).toBe('Good · 1 · Runners · Record · Furlong'))
  await user.click(screen.getByRole('button', { name: 'Rows: Runners' }))
  await user.click(screen.getByRole('button', { name: 'Predictions' }))
  await figuresReady()
  expect(address()).not.toContain('s=runners')
  await waitFor(() => expect(chips.textContent).toContain('Rank is 2'))
})

test(
  'a view of one subject follows one of the other while the former figures are still shown',
  { tags: ['rest'] },
  async () => {
    const { user } = await openRunners('&p=bars:model_rank~bars:draw')
    await screen.findAllByTestId('breakdown')
    const choose = async (name: string): Promise<void> => {
      await user.click(screen.getByRole('button', { name: /^Rows: / }))
      await user.click(
        within(document.querySelector<HTMLElement>('[popover][data-open=true]')!).getByRole('button', {
          name,
        }),
      )
      await figuresReady()
    }
    // A panel and a list of what the other subject does not have.
    await choose('Predictions')
    expect(tile('Predictions').value).toBe('200')
    expect(screen.getByText(/Only known for some bet types/)).toBeTruthy()
    await choose('Runners')
    expect(tile('Runs').value).toBe('100')
  },
)

/** Whether a request is a panel's own, by a dimension of many values: the page's request does not have it. */
const isOfPanel = (request: Request): boolean =>
  'aggregate' in request && request.aggregate.by.join() === 'jockey'
const busy = (panelKind: string): string | null | undefined =>
  panel(panelKind).querySelector('[aria-busy]')?.getAttribute('aria-busy')

test(
  'figures of the slice before are marked as such until the panel has its own',
  { tags: ['rest'] },
  async () => {
    const { user, connector } = await openRunners('&p=bars:jockey~pivot:jockey.course.count')
    const jockeys = await breakdown('jockey')
    await waitFor(() => expect([busy('bars'), busy('pivot')]).toEqual(['false', 'false']))
    const release = connector.hold(isOfPanel)
    await user.click(within(facet('going')).getByRole('checkbox', { name: /^Good/ }))
    await figuresReady()
    expect(tile('Runs').value).toBe('46')
    expect(cellsOf(jockeys, '2')[0]).toBe('60')
    expect([busy('bars'), busy('pivot')]).toEqual(['true', 'true'])
    release()
    await waitFor(() => expect([busy('bars'), busy('pivot')]).toEqual(['false', 'false']))
    expect(cellsOf(await breakdown('jockey'), '2')[0]).toBe('6')
  },
)

test(
  'a panel by jockey shows no runners under the words of predictions while it waits for its own',
  { tags: ['rest'] },
  async () => {
    const { user, connector } = await openRunners('&p=bars:jockey~pivot:jockey.course.count')
    await breakdown('jockey')
    await screen.findByTestId('pivot')
    const release = connector.hold(isOfPanel)
    await user.click(screen.getByRole('button', { name: /^Rows: / }))
    await user.click(screen.getByRole('button', { name: 'Predictions' }))
    await figuresReady()
    expect(tile('Predictions').value).toBe('200')
    expect(screen.queryByTestId('breakdown')).toBeNull()
    expect(screen.queryByTestId('pivot')).toBeNull()
    release()
    expect(cellsOf(await breakdown('jockey'), 'null')[0]).toBe('200')
  },
)

test(
  'parts whose questions failed are asked for again, all of them by one button',
  { tags: ['rest'] },
  async () => {
    let isDown = true
    const { user } = await openRecord({
      words: 's=runners&p=bars:jockey~pivot:jockey.course.count',
      tables: {
        runners: RUNS,
        names: NAMES,
        instead: (request) => {
          if (isDown && isOfPanel(request)) throw new FurlongError('server-timeout', { limit: 15 })
          return undefined
        },
      },
    })
    const again = () => screen.getAllByRole('button', { name: 'Try again' })
    await waitFor(() => expect(again()).toHaveLength(2))
    isDown = false
    await user.click(again()[0]!)
    expect(cellsOf(await breakdown('jockey'), '2')[0]).toBe('60')
    expect(await screen.findByTestId('pivot')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  },
)

test(
  'runners have no bet types, and what bets are made of stands in other tabs',
  { tags: ['rest'] },
  async () => {
    const { user } = await openRunners()
    expect(screen.queryByRole('group', { name: 'Bet type' })).toBeNull()
    await user.type(screen.getByRole('searchbox', { name: 'Search filters' }), 'rank')
    await waitFor(() => expect(facet('model_rank')).toBeTruthy())
    expect(facet('rank')).toBeNull()
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      'Overview',
      'Calibration',
      'Seasons',
      'SQL',
      'Your data',
    ])
  },
)

test('without the history a link to runners shows the daily totals of predictions', async () => {
  await openRecord({ role: 'member', words: 's=runners', tables: { runners: RUNS } })
  expect(tile('Predictions').value).toBe('200')
  expect(screen.queryByRole('button', { name: /^Rows/ })).toBeNull()
})

test('the list has a line for each run, with horse, people, odds and place', async () => {
  const { connector } = await openRecord({
    words: 's=runners',
    list: true,
    // Narrower windows leave out trainer and draw.
    width: 1600,
    tables: { runners: RUNS, names: NAMES },
  })
  expect(await screen.findByRole('heading', { name: 'Every run' })).toBeTruthy()
  await waitFor(() =>
    expect(
      connector.requests.some(
        (request) =>
          'rows' in request &&
          request.rows.model === 'runners' &&
          ['horse_no', 'horse', 'jockey', 'trainer', 'draw', 'win_odds', 'place'].every((column) =>
            request.rows.columns.includes(column),
          ),
      ),
    ).toBe(true),
  )
})

/** Runs from a stall with and without sectional times; the finishing speed is of those with them. */
const sectioned = (run: Fact, finishing: number): Fact => ({
  ...run,
  sums: { ...run.sums, with_sections: 1, finishing_speed: finishing, finishing_runs: 1 },
})
const openSections = (panels: string) =>
  openRecord({
    words: `s=runners&p=${panels}`,
    tables: {
      runners: [
        ...times(30, sectioned(starter({}, { draw: 1 }), 1.02)),
        ...times(30, sectioned(starter({}, { draw: 2 }), 0.97)),
        ...times(40, starter({}, { draw: 2 })),
      ],
    },
  })

test(
  'a panel of sectional times says how many runs they are of, whatever is filtered',
  { tags: ['rest'] },
  async () => {
    const { user } = await openSections('bars:draw.finishing_speed')
    const stalls = await breakdown('draw')
    await waitFor(() => expect(cellsOf(stalls, '1').at(-1)).toBe('102.0%'))
    // A run without sectional times counts in no mean.
    expect(cellsOf(stalls, '2').at(-1)).toBe('97.0%')
    expect(panel('bars').textContent).toContain(
      '60 of 100 runs have sectional times; the other 40 count in no mean.',
    )
    await user.click(within(stalls).getByRole('button', { name: '1' }))
    await waitFor(() => expect(panel('bars').textContent).toContain('All 30 runs have sectional times.'))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Figure' }), 'A/E against the model')
    await waitFor(() => expect(panel('bars').textContent).not.toContain('have sectional times'))
  },
)
