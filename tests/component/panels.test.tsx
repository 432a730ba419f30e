import { screen, fireEvent, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { prediction, bets, times } from './prepared-facts.ts'
import { breakdown, figuresReady, filterWords, openRecord, panel, PICKS, tile } from './record.tsx'
import { address, cellsOf, part, rowOf } from './render.tsx'

/** Each kind of panel of the record, on prepared predictions whose figures can be added up by hand. */

const WIN = 'bet_type:1~prediction_type:1'

const heat = (): HTMLElement => part('heat')
const cell = (down: string | number, across: string | number): HTMLElement =>
  heat().querySelector<HTMLElement>(`tr[data-key="${down}"] td[data-key="${across}"]`)!

describe('breakdown', () => {
  test('a group has its predictions, hit rate, hits by the market’s expectation, and return', async () => {
    await openRecord({ words: 'p=bars:going' })
    const table = await breakdown('going')
    // Good: 120 predictions, 30 hits where the market expected 24; 30 hits won HK$700 and 90 misses lost HK$900.
    // Intervals follow; what a whisker draws is also a text, under a heading of its own.
    await waitFor(() =>
      expect(cellsOf(table, 'good')).toEqual(['120', '25.0%', '1.25', '−26.7% to −6.7%', '−16.7%']),
    )
    expect(cellsOf(table, 'yielding')).toEqual(['80', '12.5%', '0.63', '−57.5% to −37.5%', '−47.5%'])
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual(['Going', 'Predictions', 'Hit rate', 'A/E', '95% interval', 'Return'])
    expect(rowOf(table, 'yielding').querySelector('th')!.textContent).toBe('Yielding')
  })

  test('a row draws its interval and its return on one scale around zero', { tags: ['rest'] }, async () => {
    // Enough bets for each group to be judged.
    const many = [PICKS, PICKS, PICKS, PICKS, PICKS].flat()
    await openRecord({ words: 'p=bars:going', tables: { predictions: many } })
    const table = await breakdown('going')
    await waitFor(() =>
      expect(table.querySelector<HTMLElement>('[aria-hidden] i:nth-child(2)')!.style.width).toMatch(/^[1-9]/),
    )
    const drawn = ['good', 'yielding'].map((key) =>
      [...rowOf(table, key).querySelectorAll<HTMLElement>('[aria-hidden] i')].flatMap(({ style }) =>
        [style.left, style.width].filter(Boolean).map(Number.parseFloat),
      ),
    )
    // The widest interval ends at 57.5%: with a tenth of room the scale ends at 63.25%.
    const placeOf = (value: number): number => 50 + (50 * value) / 0.6325
    for (const [at, value] of [-1 / 6, -0.475].entries()) {
      const [zero, left, width, point] = drawn[at]!
      expect(zero).toBe(50)
      expect(left).toBeCloseTo(placeOf(value - 0.1), 4)
      expect(left! + width!).toBeCloseTo(placeOf(value + 0.1), 4)
      expect(point).toBeCloseTo(placeOf(value), 4)
    }
  })

  test(
    'false discovery rates count the groups that are compared, and returns are drawn together',
    { tags: ['rest'] },
    async () => {
      await openRecord({ words: 'p=bars:going.adjusted' })
      const table = await breakdown('going')
      await waitFor(() => expect(cellsOf(table, 'good').at(-1)).toMatch(/^0\.\d\d$/))
      // Distances of 12.3 and 18.5 points from −29.0%, each with a standard error of 0.1 ÷ 1.96.
      expect(Number(cellsOf(table, 'good').at(-1))).toBeCloseTo(0.02, 2)
      expect(Number(cellsOf(table, 'yielding').at(-1))).toBe(0)
      const shrunk = ['good', 'yielding'].map((key) =>
        Number(cellsOf(table, key).at(-2)!.replace('−', '-').replace('%', '')),
      )
      expect(shrunk[0]).toBeLessThan(-16.7)
      expect(shrunk[1]).toBeGreaterThan(-47.5)
    },
  )

  test('groups with too few predictions are left out, and counted', { tags: ['rest'] }, async () => {
    const { user } = await openRecord({ words: 'p=bars:going.min-100' })
    const table = await breakdown('going')
    expect(table.querySelectorAll('tbody tr')).toHaveLength(1)
    expect(panel('bars').textContent).toContain('1 group has fewer than 100 rows.')
    await user.clear(within(panel('bars')).getByRole('spinbutton'))
    await user.type(within(panel('bars')).getByRole('spinbutton'), '80{Enter}')
    await waitFor(() => expect(table.querySelectorAll('tbody tr')).toHaveLength(2))
    expect(address()).toContain('bars:going.min-80')
  })

  test(
    'a further figure of the model stands beside the usual ones, and is what the groups are sorted by',
    { tags: ['rest'] },
    async () => {
      const { user } = await openRecord({ words: 'p=bars:going' })
      await breakdown('going')
      await user.selectOptions(screen.getByRole('combobox', { name: 'Figure' }), 'A/E against the model')
      await waitFor(() => expect(address()).toContain('bars:going.ae'))
      await figuresReady()
      const table = await breakdown('going')
      // 30 hits of 120 at a mean probability of 0.25; 10 of 80.
      await waitFor(() => expect(cellsOf(table, 'good').at(-1)).toBe('1.00'))
      expect(cellsOf(table, 'yielding').at(-1)).toBe('0.50')
      await user.click(within(table).getByRole('button', { name: 'A/E against the model' }))
      await waitFor(() => expect(address()).toContain('sort-ae'))
    },
  )

  test('a return without its largest wins says without how many, and the link keeps it', async () => {
    const { user } = await openRecord({ words: 'p=bars:going.return_trimmed.sort-return_trimmed' })
    await breakdown('going')
    const choose = within(panel('bars')).getByRole('combobox', { name: 'Largest wins left out' })
    expect([...choose.querySelectorAll('option')].map((each) => each.textContent)).toEqual([
      '1',
      '3',
      '5',
      '10',
      '20',
    ])
    await user.selectOptions(choose, '10')
    await waitFor(() => expect(address()).toContain('p=bars:going.return_trimmed_10.sort-return_trimmed_10'))
    await waitFor(() => expect(panel('bars').textContent).toContain('Return without the 10 best'))
  })

  test('a click on a heading sorts, and a second one gives the natural order back', async () => {
    const { user } = await openRecord({ words: 'p=bars:racecourse' })
    const table = await breakdown('racecourse')
    const keys = (): string[] =>
      [...table.querySelectorAll<HTMLElement>('tbody tr')].map((row) => row.dataset['key']!)
    expect(keys()).toEqual(['1', '2'])
    const heading = within(table).getByRole('button', { name: 'Predictions' })
    await user.click(within(table).getByRole('button', { name: 'Return' }))
    await waitFor(() => expect(table.querySelector('[aria-sort=descending]')!.textContent).toBe('Return ↓'))
    expect(keys()).toEqual(['1', '2'])
    await user.click(heading)
    expect(address()).toContain('sort-count')
    await user.click(heading)
    await waitFor(() => expect(address()).not.toContain('sort-'))
  })

  test('a click filters every other view, Shift adds, Alt excludes, Escape clears, Ctrl+Z takes back', async () => {
    const { user } = await openRecord({ words: 'p=bars:going~bars:racecourse' })
    const goings = await breakdown('going')
    const courses = await breakdown('racecourse')
    const total = (): string => tile('Predictions').value
    const button = (key: string): HTMLElement => within(rowOf(goings, key)).getByRole('button')
    await user.click(button('yielding'))
    await waitFor(() => expect(total()).toBe('80'))
    await figuresReady()
    expect([1, 2].map((key) => cellsOf(courses, key)[0])).toEqual(['50', '30'])
    // The clicked view keeps its other bars.
    expect(cellsOf(goings, 'good')[0]).toBe('120')
    expect(button('yielding').getAttribute('aria-pressed')).toBe('true')
    expect(button('good').getAttribute('aria-pressed')).toBe('false')
    await user.keyboard('{Shift>}')
    await user.click(button('good'))
    await user.keyboard('{/Shift}')
    await waitFor(() => expect(total()).toBe('200'))
    await user.keyboard('{Alt>}')
    await user.click(button('yielding'))
    await user.keyboard('{/Alt}')
    await waitFor(() => expect(total()).toBe('120'))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(total()).toBe('200'))
    expect(address()).not.toContain('going:')
    await user.keyboard('{Control>}z{/Control}')
    await waitFor(() => expect(total()).toBe('120'))
    await waitFor(() => expect(part('announcement').textContent).toContain('120 predictions'))
  })

  test(
    'a band says its ends, and a group that is not known cannot be chosen',
    { tags: ['rest'] },
    async () => {
      const moves = [-0.25, 0.1, null].flatMap((move) => bets(30, 6, 2000, { odds_move: move }))
      await openRecord({ words: `${filterWords(WIN)}&p=bars:odds_move`, tables: { predictions: moves } })
      const table = await breakdown('odds_move')
      expect(rowOf(table, '-0.25').querySelector('th')!.textContent).toBe('−25% to −10%')
      const unknown = rowOf(table, 'null')
      expect(within(unknown).getByRole('button').hasAttribute('disabled')).toBe(true)
      expect(table.querySelector('tbody tr:last-child')).toBe(unknown)
    },
  )

  test('a breakdown by horses says that a combination counts once for each of them, and others do not', async () => {
    const quinellas = bets(40, 4, 6000, { bet_type: 3, draw: [1, 2], going: 'good', combination: '1-2' })
    await openRecord({
      words: `${filterWords('bet_type:3~prediction_type:1')}&p=bars:draw~bars:going`,
      tables: { predictions: quinellas },
    })
    const note = 'A combination counts once for each of its horses.'
    const draws = (await breakdown('draw')).closest('section')!
    expect(draws.textContent).toContain(note)
    expect(cellsOf(draws, 1)[0]).toBe('40')
    expect(cellsOf(draws, 2)[0]).toBe('40')
    const goings = (await breakdown('going')).closest('section')!
    expect(goings.textContent).not.toContain(note)
    expect(cellsOf(goings, 'good')[0]).toBe('40')
    expect(part('record-tiles').querySelector(`[title="${note}"]`)).toBeNull()
  })

  test(
    'a long dimension has its own answer: names in the reader’s language, the most predictions first',
    { tags: ['rest'] },
    async () => {
      const facts = [...bets(20, 4, 2000, { horse: 8 }), ...bets(30, 6, 2000, { horse: 7 })]
      const { user } = await openRecord({
        words: 'p=bars:horse',
        tables: { predictions: facts },
        language: 'zh-Hant',
      })
      const table = await breakdown('horse')
      const rows = [...table.querySelectorAll('tbody tr')]
      expect(rows.map((row) => row.querySelector('th')!.textContent)).toEqual(['金里', '快友'])
      expect(cellsOf(table, 7)[0]).toBe('30')
      await user.click(within(rows[1] as HTMLElement).getByRole('button'))
      await waitFor(() => expect(address()).toContain('horse:8'))
      await waitFor(() => expect(part('record-tiles').querySelector('dd')!.textContent).toBe('20'))
    },
  )

  test('another dimension, and a figure of dividends that are not known', { tags: ['rest'] }, async () => {
    const facts = [...PICKS, ...times(3, prediction({ outcome: 'hit', profit: null }, { going: 'soft' }))]
    const { user } = await openRecord({ words: 'p=bars:racecourse', tables: { predictions: facts } })
    await user.selectOptions(within(panel('bars')).getByRole('combobox', { name: 'By' }), 'going')
    const table = await breakdown('going')
    expect(address()).toContain('p=bars:going')
    // Winners of unknown dividend got their stake back, or the fair price of 1 ÷ 0.2.
    expect(cellsOf(table, 'soft')).toEqual(['3', '100.0%', '5.00', '', '0.0% to +400.0%'])
    const soft = rowOf(table, 'soft')
    fireEvent.pointerEnter(soft)
    fireEvent.mouseOver(soft)
    expect(soft.title.split('\n').slice(-3)).toEqual([
      'Profit HK$0.00 to +HK$120.00',
      'Return 0.0% to +400.0%',
      'No total: 3 winning bets lack a dividend',
    ])
  })
})

describe('heat map', () => {
  const words = 'p=heat:distance.going.predictions'

  test('a cell has the figure of two values, and a dot where nothing has both', async () => {
    await openRecord({ words })
    await waitFor(() => expect(heat()).toBeTruthy())
    expect(cell(1200, 'good').textContent).toBe('80')
    expect(cell(1200, 'yielding').textContent).toBe('80')
    expect(cell(1650, 'good').textContent).toBe('40')
    expect(heat().querySelector('tr[data-key="1650"]')!.textContent).toBe('1,650 m40·40')
    expect([...heat().querySelectorAll('thead th')].map((each) => each.textContent)).toEqual([
      '',
      'Good',
      'Yielding',
      'Total',
    ])
    expect([...heat().querySelectorAll('tfoot td')].map((each) => each.textContent)).toEqual([
      '120',
      '80',
      '200',
    ])
  })

  test('the totals of lines and columns are ratios of sums, not means of ratios', async () => {
    await openRecord({ words: 'p=heat:distance.going.hit_rate' })
    await waitFor(() => expect(cell(1650, 'good').textContent).toBe('25.0%'))
    const totals = (part: string): (string | null)[] =>
      [...heat().querySelectorAll(`${part} [data-total]`)].map((each) => each.textContent)
    // 1,200 m: 20 of 80 on good and 10 of 80 on wet ground; 1,650 m: 10 of 40.
    expect(totals('tbody')).toEqual(['18.8%', '25.0%'])
    expect(totals('tfoot')).toEqual(['25.0%', '12.5%', '20.0%'])
  })

  test('cells in which a bet counts several times have no totals', { tags: ['rest'] }, async () => {
    await openRecord({ words: 'p=heat:prediction_type.going.hit_rate&v=2&f=bet_type:1' })
    await waitFor(() => expect(heat()).toBeTruthy())
    expect(heat().querySelector('[data-total]')).toBeNull()
  })

  test('the text of a cell under the pointer or with the focus has its figures, its expectation and its interval', async () => {
    const { user } = await openRecord({ words: 'p=heat:distance.going.hit_rate' })
    await waitFor(() => expect(cell(1650, 'good').textContent).toBe('25.0%'))
    const button = within(cell(1650, 'good')).getByRole('button')
    fireEvent.focus(button)
    await waitFor(() => expect(button.title).toContain('95% interval'))
    expect(button.title.split('\n')).toEqual([
      '1,650 m × Good',
      'Predictions 40',
      '10 of 40\u00a0· 25.0%',
      '95% interval 15.0% to 35.0%',
      '10 of 8.0 expected',
      'Profit −HK$100.00',
      'Return −25.0%',
      '95% interval −35.0% to −15.0%',
    ])
    const pointed = within(cell(1200, 'good')).getByRole('button')
    expect(pointed.title).toBe('')
    await user.hover(pointed)
    await waitFor(() => expect(pointed.title).toContain('95% interval'))
    expect(pointed.title.split('\n')).toEqual([
      '1,200 m × Good',
      'Predictions 80',
      '20 of 80\u00a0· 25.0%',
      '95% interval 15.0% to 35.0%',
      '20 of 16.0 expected',
      'Profit −HK$100.00',
      'Return −12.5%',
      '95% interval −22.5% to −2.5%',
    ])
  })

  test('a click filters by both values, another cell of the row keeps the shared one, and the same click takes it back', async () => {
    const { user } = await openRecord({ words })
    await waitFor(() => expect(heat()).toBeTruthy())
    const press = (across: string) => user.click(within(cell(1200, across)).getByRole('button'))
    await press('good')
    await waitFor(() => expect(tile('Predictions').value).toBe('80'))
    expect(address()).toMatch(/going:good.*distance:1200|distance:1200.*going:good/)
    await press('yielding')
    await waitFor(() => expect(address()).toContain('going:yielding'))
    expect(address()).toContain('distance:1200')
    // The same by the keyboard; the new figures leave the focus where it was.
    const button = within(cell(1200, 'yielding')).getByRole('button')
    button.focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(address()).not.toContain('distance:1200'))
    expect(document.activeElement).toBe(button)
    await waitFor(() => expect(tile('Predictions').value).toBe('200'))
  })

  test('months beside seasons have their profits', { tags: ['rest'] }, async () => {
    await openRecord({ words: 'p=heat:month.season.profit' })
    await waitFor(() => expect(cell('2025-11', 2025).textContent).toBe('−HK$100.00'))
    expect(cell('2026-01', 2025).textContent).toBe('−HK$300.00')
    // Two meetings in two months of one season.
    expect(heat().querySelectorAll('td[data-key]')).toHaveLength(3)
  })
})

describe('profit over time', () => {
  test('the table of days adds up to the curve’s end', async () => {
    await openRecord({ words: 'p=profit!' })
    const days = panel('profit').querySelector('details')!
    days.open = true
    fireEvent(days, new Event('toggle'))
    await waitFor(() => expect(days.querySelectorAll('tbody tr')).toHaveLength(4))
    expect(
      [...days.querySelectorAll('tbody tr')].map((row) => [...row.children].map((each) => each.textContent)),
    ).toEqual([
      ['11 Jan 2026', '30', '2', '−HK$200.00', '−HK$580.00'],
      ['4 Jan 2026', '40', '10', '−HK$100.00', '−HK$380.00'],
      ['7 Dec 2025', '50', '8', '−HK$180.00', '−HK$280.00'],
      ['2 Nov 2025', '80', '20', '−HK$100.00', '−HK$100.00'],
    ])
    expect(within(panel('profit')).getByRole('img', { name: /over 4 days, .*: −HK\$580\.00/ })).toBeTruthy()
  })

  test(
    'where winners’ dividends are not known there is no curve, and it says so',
    { tags: ['rest'] },
    async () => {
      const facts = [...PICKS, ...times(60, prediction({ outcome: 'hit', profit: null }, { going: 'good' }))]
      await openRecord({ words: 'p=profit!', tables: { predictions: facts } })
      expect(within(panel('profit')).queryByRole('img', { name: /Profit to date/ })).toBeNull()
      expect(panel('profit').textContent).not.toContain('Show as a table')
    },
  )

  test(
    'the ends of the months answer to the keyboard and to assistive technology',
    { tags: ['rest'] },
    async () => {
      const { user } = await openRecord({ words: 'p=profit!' })
      const first = within(panel('profit')).getByRole('slider', { name: 'Start Month' })
      expect(first.getAttribute('aria-valuetext')).toBe('Nov 2025')
      first.focus()
      await user.keyboard('{ArrowRight}')
      await waitFor(() => expect(address()).toContain('month:2025-12..2026-01'))
      await waitFor(() => expect(tile('Predictions').value).toBe('120'))
      expect(first.getAttribute('aria-valuetext')).toBe('Dec 2025')
      // What assistive technology sets directly is followed too.
      fireEvent.change(first, { target: { value: '2' } })
      await waitFor(() => expect(address()).toContain('month:2026-01..2026-01'))
      await waitFor(() => expect(tile('Predictions').value).toBe('70'))
    },
  )
})

describe('one winner without a dividend', () => {
  /** A month of bets and one dead-heat winner, whose dividend the files do not have. */
  const facts = [
    ...bets(20, 5, 3000, { jockey: 1, trainer: 2 }, { day: '2026-01-04' }),
    prediction({ day: '2026-01-04', outcome: 'hit', profit: null }, { jockey: 1, trainer: 2 }),
  ]
  // Known: 5 × HK$30 − 15 × HK$10 = 0 of HK$200.
  test('does not blank a month: the cell has the bounds, and its text the reason', async () => {
    await openRecord({ words: 'p=heat:month.season.profit', tables: { predictions: facts } })
    await waitFor(() => expect(cell('2026-01', 2025).textContent).toBe('HK$0.00 to +HK$40.00'))
    const button = within(cell('2026-01', 2025)).getByRole('button')
    fireEvent.focus(button)
    await waitFor(() => expect(button.title).toContain('No total: 1 winning bet lacks a dividend'))
  })
  test('does not blank a day of the calendar', { tags: ['rest'] }, async () => {
    await openRecord({ words: 'p=calendar', tables: { predictions: facts } })
    await waitFor(() => expect(panel('calendar').textContent).toContain('2026'))
    expect(
      within(panel('calendar')).getByRole('button', {
        name: /HK\$0\.00 to \+HK\$40\.00 \(21\).*No total: 1 winning bet lacks a dividend/s,
      }),
    ).toBeTruthy()
  })
  test('has the reason where daily totals lack what the bounds need', { tags: ['rest'] }, async () => {
    await openRecord({ words: 'p=bars:month', role: 'visitor', tables: { predictions: facts } })
    const table = await breakdown('month')
    expect(cellsOf(table, '2026-01').at(-1)).toBe('–')
    const month = rowOf(table, '2026-01')
    fireEvent.pointerEnter(month)
    fireEvent.mouseOver(month)
    expect(month.title).toContain('No total: 1 winning bet lacks a dividend')
  })
})

test('the calendar has the profit of each day or another figure, and a click filters by it', async () => {
  const { user } = await openRecord({ words: 'p=calendar' })
  await waitFor(() => expect(panel('calendar').textContent).toContain('2025'))
  const day = () => within(panel('calendar')).getAllByRole('button', { name: /7 Dec 2025/ })[0]!
  expect(day().title).toMatch(/HK\$/)
  await user.selectOptions(within(panel('calendar')).getByRole('combobox', { name: 'Figure' }), 'hit_rate')
  await waitFor(() => expect(day().title).toMatch(/: \d+\.\d% \(/))
  expect(address()).toContain('p=calendar:hit_rate')
  await user.click(day())
  await waitFor(() => expect(tile('Predictions').value).toBe('50'))
  expect(address()).toContain('day:2025-12-07')
})

test('a panel is widened, moved, made higher, removed and added, and the address has it', async () => {
  const { user } = await openRecord({ words: 'p=profit!~bars:going~bars:racecourse' })
  await breakdown('racecourse')
  const [goings, courses] = [...document.querySelectorAll<HTMLElement>('[data-panel=bars]')]
  await user.click(within(goings!).getByRole('button', { name: 'Make wider' }))
  await waitFor(() => expect(address()).toContain('bars:going!'))
  await user.click(within(courses!).getByRole('button', { name: 'Move before the previous chart' }))
  await waitFor(() => expect(address()).toContain('p=profit!~bars:racecourse~bars:going!'))
  const edge = within(panel('profit')).getByRole('separator', { name: 'Height of “Profit over time”' })
  edge.focus()
  await user.keyboard('{ArrowDown}')
  await waitFor(() => expect(address()).toContain('profit:high-260!'))
  await waitFor(() => expect(edge.getAttribute('aria-valuenow')).toBe('260'))
  await user.keyboard('{Delete}')
  await waitFor(() => expect(address()).not.toContain('high-'))
  await user.click(within(panel('profit')).getByRole('button', { name: 'Remove this chart' }))
  await waitFor(() => expect(panel('profit')).toBeNull())
  await user.selectOptions(document.querySelector('[aria-label="Add a chart…"]')!, 'calendar')
  await waitFor(() => expect(address()).toContain('bars:going!~calendar'))
})

test('an empty slice says so, and nothing is called known of it', async () => {
  await openRecord({ words: `${filterWords(`${WIN}~rank:9`)}&p=bars:going~profit!` })
  expect(tile('Profit')).toEqual({ value: 'Not available', note: 'No bets' })
  expect(part('record-tiles').textContent).not.toContain('Staked')
  expect(panel('bars').textContent).toContain('No predictions match this filter.')
  expect(panel('profit').textContent).toContain('No predictions match this filter.')
})

test('an empty slice offers the filter without the clause that empties it', { tags: ['rest'] }, async () => {
  const words = filterWords(`${WIN}~going:good~racecourse:2~draw:1`)
  const { user, connector } = await openRecord({ words })
  expect(tile('Predictions').value).toBe('0')
  const ways = await screen.findByTestId('nearest-filters')
  // On good ground at Happy Valley 40 had draw 2; of draw 1, 80 ran on good ground, and 30 at Happy Valley.
  await waitFor(() =>
    expect(
      within(ways)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'Without “Going: Good”: 30 predictions',
      'Without “Draw: 1”: 40 predictions',
      'Without “Racecourse: Happy Valley”: 80 predictions',
    ]),
  )
  await user.click(within(ways).getByRole('button', { name: /Draw: 1/ }))
  await waitFor(() => expect(tile('Predictions').value).toBe('40'))
  await waitFor(() => expect(screen.queryByTestId('nearest-filters')).toBeNull())
  // Only the empty slice asked for them.
  const asked = connector.requests.filter(
    (each) =>
      'linked' in each &&
      each.linked.panels.length > 2 &&
      each.linked.panels.every(({ by }) => by.length === 0),
  )
  expect(asked).toHaveLength(1)
})

test('a figure that is not offered to a visitor says for whom it is', async () => {
  await openRecord({ role: 'visitor', words: 'p=bars:going' })
  expect(panel('bars').textContent).toContain('For VIP members')
  await figuresReady()
})

test(
  'a rolling line is the ratio over so many race days, beside what it is judged against',
  { tags: ['rest'] },
  async () => {
    const { user } = await openRecord({
      words: 'p=rolling:hit_rate.last-10!',
      tables: {
        predictions: Array.from({ length: 12 }, (_, at) => {
          const day = `2026-01-${String(at + 1).padStart(2, '0')}`
          // On the last two days every bet hits.
          return bets(10, at < 10 ? 1 : 10, 3000, {}, { day })
        }).flat(),
      },
    })
    const shown = panel('rolling')
    await user.click(within(shown).getByText('Show as a table'))
    await waitFor(() => expect(cellsOf(shown, '2026-01-12')).toEqual(['100', '28.0%', '10.0%']))
    // 8 days of 1 hit and 2 of 10; 9 and 1; 10 of 1.
    expect(cellsOf(shown, '2026-01-11')[1]).toBe('19.0%')
    expect(cellsOf(shown, '2026-01-10')[1]).toBe('10.0%')
    expect(
      within(shown).getByRole('img', { name: /over 10 race days at a time.*28.0% at the end/ }),
    ).toBeTruthy()
    await user.selectOptions(within(shown).getByRole('combobox', { name: 'Each point is over' }), '25')
    await waitFor(() =>
      expect(shown.textContent).toContain('12 race days are too few for a line over 25 race days'),
    )
    expect(address()).toContain('rolling:hit_rate!')
    await user.selectOptions(within(shown).getByRole('combobox', { name: 'Each point is over' }), '100-bets')
    // Ten days have a hundred bets.
    await waitFor(() =>
      expect(
        within(shown).getByRole('img', { name: /over 100 bets or more at a time.*28.0% at the end/ }),
      ).toBeTruthy(),
    )
    expect(address()).toContain('rolling:hit_rate.last-100-bets!')
    const measures = within(shown).getByRole('combobox', { name: 'Figure' })
    await user.selectOptions(measures, 'profit')
    await user.click(within(shown).getByText('Show as a table'))
    // A window's profit is the sum of its days': nine of one hit that wins HK$30 and nine misses, and one of ten hits.
    await waitFor(() => expect(cellsOf(shown, '2026-01-11')).toEqual(['100', '−HK$240.00', 'HK$0.00']))
    // Means are over the bets of the window, and judged against nothing.
    await user.selectOptions(measures, 'mean_probability')
    await waitFor(() => expect(cellsOf(shown, '2026-01-11')).toHaveLength(2))
    const offered = [...shown.querySelectorAll('option')].map((each) => each.value)
    expect(offered).toEqual(expect.arrayContaining(['count', 'brier', 'closing_value', 'mean_odds']))
  },
)

test(
  'the profit of race days is spread over bands of one width, with its mean and deviation',
  { tags: ['rest'] },
  async () => {
    const day = (at: number): string => `2026-01-${String(at).padStart(2, '0')}`
    const { user } = await openRecord({
      words: 'p=spread',
      tables: {
        predictions: [
          // HK$10 lost, HK$10 lost, HK$20 won, HK$40 won.
          ...bets(1, 0, 0, {}, { day: day(1) }),
          ...bets(1, 0, 0, {}, { day: day(2) }),
          ...bets(1, 1, 2000, {}, { day: day(3) }),
          ...bets(1, 1, 4000, {}, { day: day(4) }),
        ],
      },
    })
    const shown = panel('spread')
    // A mean of HK$10; squares of 20, 20, 10 and 30 around it, over three.
    await waitFor(() =>
      expect(shown.textContent).toContain(
        'Mean +HK$10.00 a race day, standard deviation HK$24.49. 50.0% of the race days made a profit; from −HK$10.00 to +HK$40.00.',
      ),
    )
    expect(
      within(shown).getByRole('img', {
        name: 'Profit: how 4 race days are spread, with a mean of +HK$10.00',
      }),
    ).toBeTruthy()
    expect(cellsOf(shown, '-1000')).toEqual(['2'])
    expect(
      [...shown.querySelectorAll('tbody td')].map((cell) => Number(cell.textContent)).reduce((a, b) => a + b),
    ).toBe(4)
    await user.selectOptions(within(shown).getByRole('combobox', { name: 'Figure' }), 'hit_rate')
    await waitFor(() =>
      expect(shown.textContent).toContain(
        'Mean of the race days 50.0%, standard deviation 57.7%; from 0.0% to 100.0%.',
      ),
    )
    expect(address()).toContain('p=spread:hit_rate')
    await user.selectOptions(within(shown).getByRole('combobox', { name: 'Figure' }), 'mean_probability')
    await waitFor(() => expect(shown.textContent).toContain('Mean of the race days'))
    // The first of the kind needs no word in the address.
    await user.selectOptions(within(shown).getByRole('combobox', { name: 'Figure' }), 'profit')
    await waitFor(() => expect(address()).not.toContain('mean_probability'))
    expect(address()).toMatch(/p=spread($|&)/)
  },
)
