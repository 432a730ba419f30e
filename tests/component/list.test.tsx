import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { follow } from '../../contract/api/follow.ts'
import { queryRaceLocks } from '../../contract/api/model.ts'
import { queryRaceCompetitor, queryRaceInfo } from '../../contract/api/racing.ts'
import { nameNotes } from '../../src/i18n/name-notes.ts'
import type { Request } from '../../analytics/request.ts'
import { prediction, times, type Fact } from './prepared-facts.ts'
import { filterWords, openRecord, PICKS, tile } from './record.tsx'
import { address, server } from './render.tsx'
import { DIVIDENDS, raceInfo, RUNNERS } from './race-samples.ts'

/** The list of predictions: rows, groups, columns, totals, the race beside it, and what it asks for. */

const listed = (at: number, values: Record<string, string | number | null> = {}): Fact =>
  prediction(
    {
      day: `2026-01-${String(30 - at).padStart(2, '0')}`,
      outcome: at === 0 ? 'hit' : 'miss',
      ...(at === 0 ? { profit: 1050 } : {}),
    },
    {
      race_id: `HKSHT202601${String(30 - at).padStart(2, '0')}01`,
      combination: `${at + 1}`,
      horses_en: `Horse ${at + 1}`,
      horses_hant: `馬${at + 1}`,
      horses_hans: `马${at + 1}`,
      price: 3.5,
      price_paid: at === 0,
      result: '1-2-3-4',
      going: at < 2 ? 'good' : 'soft',
      ...values,
    },
  )
const ROWS = [0, 1, 2].map((at) => listed(at))

const open = (words = '', predictions: readonly Fact[] = ROWS, width = 1280) =>
  openRecord({
    list: true,
    width,
    words: `p=profit${words === '' ? '' : `&${words}`}`,
    tables: { predictions, named: ({ name }) => (name === 'dividends' ? DIVIDENDS : []) },
  })

const cell = (row: number | string, column: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[role=row][row-index="${row}"] [col-id="${column}"]`)
const text = (row: number | string, column: string): string => cell(row, column)?.textContent ?? ''
const headings = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('[role=columnheader]')]
    .toSorted((a, b) => Number(a.getAttribute('aria-colindex')) - Number(b.getAttribute('aria-colindex')))
    .map((each) => each.getAttribute('col-id')!)
const rowRequests = (requests: readonly Request[]) =>
  requests.flatMap((each) => ('rows' in each ? [each.rows] : []))

function prepareRaces(): void {
  server.answer(queryRaceInfo, ({ query }) => raceInfo({ raceId: query['raceId']!, date: '2026-01-30' }))
  server.answer(queryRaceCompetitor, [...RUNNERS])
  server.answer(queryRaceLocks, LOCKS)
}
const LOCKS = { regionId: '100000', entries: [], changed: [] }

test.each([1280, 390])('at %i pixels, the page says once that names are in Chinese', async (width) => {
  const chinese = { horses_en: null, horses_hant: '金槍', horses_hans: '金枪' }
  const view = await open('', [listed(0, chinese), listed(1, chinese), listed(2)], width)
  await screen.findAllByText(/1\s+金槍$/)
  await waitFor(() => expect(nameNotes()).toEqual(['zh-Hant']))
  view.unmount()
  expect(nameNotes()).toEqual([])
})

test('a row in the reader’s words, and a total that states what the figures above state', async () => {
  await open()
  await waitFor(() => expect(text(0, 'combination')).toBe('1  Horse 1'))
  expect(text(0, 'day')).toBe('30 Jan 2026')
  expect(text(0, 'outcome')).toBe('Hit')
  expect(text(0, 'profit_cents')).toBe('+10.50')
  expect(text(0, 'price')).toBe('3.5')
  // Odds that were not paid are the last recorded ones.
  expect(text(1, 'price')).toBe('(3.5)')
  expect(text(1, 'profit_cents')).toBe('−10.00')
  expect(text('b-0', 'profit_cents')).toBe('−9.50')
  expect(cell(0, 'profit_cents')!.closest('.ag-root')!.textContent).toContain('Profit (HK$)')
  expect(tile('Profit').value).toBe('−HK$9.50')
  expect(document.querySelector('[role=row][row-index="b-0"]')!.textContent).toContain('1 hits of 3')
})

test('the race’s name is a column in the reader’s language, beside what a horse is called in every language', async () => {
  const named = { race_name_en: 'New Year Handicap', race_name_hant: '新年讓賽', race_name_hans: '新年让赛' }
  await open('cols=day,race_name,combination,brand,horse_id', [
    listed(0, { ...named, brand: 'G7', horse_id: 'HK-G7' }),
    listed(1),
  ])
  await waitFor(() => expect(text(0, 'race_name')).toBe('New Year Handicap'))
  expect([text(0, 'brand'), text(0, 'horse_id')]).toEqual(['G7', 'HK-G7'])
  expect(text(1, 'race_name')).toBe('–')
  expect(headings()).toEqual(expect.arrayContaining(['day', 'race_name', 'brand', 'horse_id']))
})

test('a total is a dash where the figure above is not available', { tags: ['rest'] }, async () => {
  await open(filterWords('bet_type:1~prediction_type:1~rank:9'))
  await waitFor(() => expect(text('b-0', 'profit_cents')).toBe('–'))
  expect(tile('Profit').value).toBe('Not available')
})

test('groups open in place, with their rows', async () => {
  const { user } = await open('g=going&cols=day,race_no,combination,going,outcome,profit_cents')
  await waitFor(() => expect(text(0, 'day')).toContain('▸'))
  expect(text(1, 'day')).toContain('▸')
  expect(cell(2, 'day')).toBeNull()
  await user.click(cell(0, 'day')!)
  await waitFor(() => expect(text(0, 'day')).toContain('▾'))
  await waitFor(() => expect(text(1, 'going')).toBe('Good'))
  expect(text(2, 'going')).toBe('Good')
  expect(text(3, 'day')).toContain('▸')
  expect(headings()).toHaveLength(6)
  await user.click(cell(0, 'day')!)
  await waitFor(() => expect(cell(2, 'day')).toBeNull())
})

test(
  'a group that counts a combination for each of its horses has as many rows as combinations',
  { tags: ['rest'] },
  async () => {
    const combinations = ROWS.map(({ values, sums }) => ({
      sums,
      values: { ...values, bet_type: 3, draw: [1, 2], combination: '1-2' },
    }))
    const { user } = await open(
      `${filterWords('bet_type:3~prediction_type:1~draw:1,2,3,4')}&g=racecourse`,
      combinations,
    )
    expect(tile('Predictions').value).toBe('6per horseA combination counts once for each of its horses.')
    await waitFor(() => expect(text(0, 'day')).toContain('▸'))
    await user.click(cell(0, 'day')!)
    await waitFor(() => expect(text(3, 'combination')).toContain('1-2'))
    await waitFor(() => expect(cell(4, 'combination')).toBeNull())
    expect(document.body.textContent).toContain('in the list it has one row')
  },
)

test('columns are chosen and moved, and the address has them', { tags: ['rest'] }, async () => {
  const { user } = await open()
  await waitFor(() => expect(headings()).toContain('racecourse'))
  const before = headings()
  // What is the same in every row is said once.
  expect(document.body.textContent).toContain('The same in every row: Bet type: Win\u00a0· Rank: 1.')
  expect(before.filter((each) => ['bet_type', 'rank'].includes(each))).toEqual([])
  const at = before.indexOf('racecourse')
  await user.click(screen.getByRole('button', { name: 'Columns' }))
  const dialog = screen.getByRole('dialog', { name: 'Columns' })
  await user.click(within(dialog).getByLabelText('Distance'))
  await waitFor(() => expect(address()).toContain('distance'))
  await user.click(within(dialog).getByRole('button', { name: 'Move Racecourse down' }))
  const moved = [...before.toSpliced(at, 2, before[at + 1]!, 'racecourse'), 'distance']
  await waitFor(() => expect(headings()).toEqual(moved))
  expect(new URLSearchParams(location.hash.split('?')[1]).get('cols')).toBe(
    moved.toSpliced(3, 0, 'bet_type', 'rank').join(','),
  )
  await user.click(within(dialog).getByRole('button', { name: 'Default columns' }))
  await waitFor(() => expect(address()).not.toContain('cols='))
  await waitFor(() => expect(headings()).toEqual(before))
})

test('a click on a heading sorts by it, in the request and in the address', async () => {
  const { user, connector } = await open()
  await waitFor(() => expect(text(0, 'combination')).toBe('1  Horse 1'))
  const heading = (): HTMLElement =>
    document.querySelector('[role=columnheader][col-id=profit_cents] .ag-header-cell-label')!
  const column = (): Element =>
    screen.getByRole('grid', { name: 'Every prediction' }).querySelector('[col-id=profit_cents]')!
  expect(column().getAttribute('aria-sort')).toBe('none')
  await user.click(heading())
  await waitFor(() => expect(text(0, 'profit_cents')).toBe('−10.00'))
  expect(column().getAttribute('aria-sort')).toBe('ascending')
  expect(rowRequests(connector.requests).at(-1)!.sort).toEqual([{ by: 'profit_cents', descending: false }])
  await waitFor(() => expect(address()).toContain('sort='))
})

test(
  'a race stands beside the list with what it paid; J, K and the buttons go through the races, Enter opens one',
  { tags: ['rest'] },
  async () => {
    const { user } = await open('cols=day,race_no,race_id,combination')
    prepareRaces()
    await waitFor(() => expect(text(0, 'race_id')).toBe('HKSHT2026013001'))
    await user.click(cell(0, 'race_id')!)
    await waitFor(() => expect(address()).toContain('race=HKSHT2026013001'))
    const beside = await screen.findByRole('complementary', { name: 'Race of the selected row' })
    await waitFor(() =>
      expect(beside.querySelector('h2')!.textContent).toBe('30 Jan 2026\u00a0· Sha Tin\u00a0· Race 1'),
    )
    await waitFor(() =>
      expect(
        [...beside.querySelectorAll('th[scope=row]')].slice(0, 4).map((each) => each.textContent),
      ).toEqual(['12Horse 2', '23Horse 3', '31Horse 1', 'WV4Horse 4']),
    )
    const both = within(beside).getByRole('link', { name: 'Head-to-head of the first two' })
    expect(both.getAttribute('href')).toBe('#/pages/race/HeadToHead?id=HK-H2&other=HK-H3')
    const paid = await screen.findByTestId('dividends')
    expect(
      [...paid.querySelectorAll('tr')].map((row) => [...row.children].map((each) => each.textContent)),
    ).toEqual([
      ['Win', '2', 'HK$20.50'],
      ['Place', '2', 'HK$12.50'],
      ['Place', '3', 'HK$14.00'],
      ['Quinella', '2-3', 'Refund'],
    ])
    await user.keyboard('j')
    await waitFor(() => expect(address()).toContain('race=HKSHT2026012901'))
    await user.keyboard('k')
    await waitFor(() => expect(address()).toContain('race=HKSHT2026013001'))
    await user.click(screen.getByRole('button', { name: 'Next race of the list' }))
    await waitFor(() => expect(address()).toContain('race=HKSHT2026012901'))
    await user.dblClick(cell(2, 'race_id')!)
    await waitFor(() => expect(address()).toBe('/pages/race/HorseRace?id=HKSHT2026012801'))
  },
)

test(
  'beside the names of the race of a row, a horse and a jockey are followed',
  { tags: ['rest'] },
  async () => {
    const { user } = await open()
    prepareRaces()
    server.answer(follow, { followed: true })
    await waitFor(() => expect(text(0, 'day')).toMatch(/\d{4}/))
    await user.click(cell(0, 'day')!)
    const beside = await screen.findByRole('complementary', { name: 'Race of the selected row' })
    await user.click(await within(beside).findByRole('button', { name: 'Follow Horse 1' }))
    await user.click(within(beside).getByRole('button', { name: 'Follow Jockey 1' }))
    await waitFor(() =>
      expect(server.requestsOf(follow).map(({ body }) => body)).toEqual([
        { kind: 'horse', target: 'HK-H1' },
        { kind: 'jockey', target: 'HK-Jockey 1' },
      ]),
    )
  },
)

test('Space shows the race, and the focus stays in the list', { tags: ['rest'] }, async () => {
  const { user } = await open('cols=day,race_no,race_id,combination')
  prepareRaces()
  await waitFor(() => expect(text(0, 'race_id')).toBe('HKSHT2026013001'))
  cell(0, 'day')!.focus()
  await user.keyboard(' ')
  await waitFor(() => expect(address()).toContain('race=HKSHT2026013001'))
  expect(document.activeElement).toBe(cell(0, 'day'))
  await screen.findByTestId('dividends')
})

test(
  'a click on a row that is still loading opens its race once it is loaded',
  { tags: ['rest'] },
  async () => {
    const { user, release } = await openRecord({
      list: true,
      words: 'p=profit',
      tables: { predictions: ROWS },
      delayed: (request) => 'rows' in request,
    })
    prepareRaces()
    await waitFor(() => expect(text(0, 'day')).toBe('…'))
    await user.click(cell(0, 'day')!)
    expect(screen.queryByRole('complementary', { name: 'Race of the selected row' })).toBeNull()
    release()
    const beside = await screen.findByRole('complementary', { name: 'Race of the selected row' })
    await waitFor(() => expect(beside.querySelector('table')).toBeTruthy())
    await waitFor(() => expect(beside.textContent).toContain(text(0, 'day')))
    expect(address()).toContain('race=HKSHT2026013001')
  },
)

test('the number of rows is asked once a filter, not once a block', { tags: ['rest'] }, async () => {
  const { connector } = await open('', PICKS)
  await waitFor(() => expect(text(0, 'day')).toMatch(/\d{4}/))
  const counts = connector.requests.filter((request) => {
    const panels = 'linked' in request && !request.linked.intervals ? request.linked.panels : []
    return panels.some(({ by }) => by.length === 0)
  })
  expect(counts).toHaveLength(1)
  const [first] = rowRequests(connector.requests)
  expect(first).toMatchObject({ offset: 0, limit: 100 })
})

test('the query of the list is copied for a shell and as Python code', { tags: ['rest'] }, async () => {
  const { user } = await open(filterWords('bet_type:1~prediction_type:1~going:good'))
  const written: string[] = []
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (each) => void written.push(each))
  for (const name of ['Copy as query', 'Copy as Python code']) {
    await user.click(screen.getByRole('button', { name }))
    await waitFor(() => expect(document.body.textContent).toContain('Query copied'))
  }
  const [shell, python] = written
  expect(shell).toMatch(/^ {2}curl .*'http:\/\/localhost:3000\/analytics\/query'/m)
  const body = /-d '(.*),"cursor":"'"\$cursor"'"\}' \| tail/s.exec(shell!)![1]!
  const { request } = JSON.parse(`${body}}`) as { request: object }
  expect(python).toContain('http://localhost:3000/analytics/query')
  const literal = /^request = (\{.*?^\})$/ms.exec(python!)![1]!
  expect(JSON.parse(literal.replaceAll(/,(\s*[\]}])/g, '$1'))).toEqual(request)
})

test('on a phone the predictions are cards by meeting, and the next page follows the first', async () => {
  const many = times(25, listed(0)).map(({ values, sums }, at) => ({
    sums,
    values: { ...values, rank: at + 1 },
  }))
  const { connector } = await open('', many, 390)
  const cards = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('a[href*="HorseRace?id="]')]
  // The end of the first page is in view.
  await waitFor(() => expect(cards()).toHaveLength(25))
  expect(rowRequests(connector.requests).map(({ offset }) => offset)).toEqual([0, 20])
  expect(cards()[0]!.textContent).toBe('R11  Horse 1Win\u00a0· 25.0%\u00a0· 3.5Hit+HK$10.50')
  expect(screen.getByRole('heading', { name: /30 Jan 2026/ })).toBeTruthy()
})
