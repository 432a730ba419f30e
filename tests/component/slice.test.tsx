import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { bets, prediction, times } from './prepared-facts.ts'
import { breakdown, facet, figuresReady, filterWords, openRecord, tile } from './record.tsx'
import { address, cellsOf, labelled, part } from './render.tsx'

/** What selects the slice, and what is said of it: figures, chips, filters, tabs, the count of slices, a held-back season. */

const WIN = 'bet_type:1~prediction_type:1'
const button = (name: string | RegExp, inside: HTMLElement = document.body): HTMLElement =>
  within(inside).getByRole('button', { name })

test('the figures of a slice, each with its note', async () => {
  await openRecord()
  expect(tile('Predictions')).toEqual({ value: '200', note: '4 days, 2 Nov 2025 – 11 Jan 2026' })
  await waitFor(() => expect(tile('Hit rate').note).toContain('to'))
  expect(tile('Hit rate')).toEqual({ value: '20.0%', note: '10.0% to 30.0%\u00a0· random pick 10.0%' })
  // Each interval is drawn beside its figure, in the place that is kept for it.
  expect(
    [...part('record-tiles').children].map((cell) => cell.querySelector('[aria-hidden] > i') !== null),
  ).toEqual([false, true, true, false, true, false])
  expect(tile('A/E (hits ÷ expected)')).toEqual({
    value: '1.00',
    note: '0.90 to 1.10\u00a0· 40 of 40.0 expected',
  })
  expect(tile('Profit').value).toBe('−HK$580.00')
  expect(tile('Return')).toEqual({ value: '−29.0%', note: '−39.0% to −19.0%\u00a0· 200\u00a0bets' })
  // Of the prepared order: 60 misses in a row, and HK$1,080 from the best balance to the lowest.
  await waitFor(() =>
    expect(tile('Longest losing run')).toEqual({ value: '60', note: 'Largest drawdown HK$1,080.00' }),
  )
  // Four meetings lost HK$100, HK$100, HK$180 and HK$200.
  expect(tile('Profit').note).toBe('Staked HK$2,000.00\u00a0· −HK$145.00 ± HK$52.60 a meeting')
})

test(
  'voids are no bets, and unknown dividends of winners leave bounds instead of one profit',
  { tags: ['rest'] },
  async () => {
    const facts = [
      ...bets(40, 10, 3000, { going: 'good' }),
      ...times(5, prediction({ outcome: 'void' }, { going: 'good' })),
      ...times(10, prediction({ outcome: 'hit', profit: null, market: 0.2 }, { going: 'good' })),
    ]
    await openRecord({ tables: { predictions: facts } })
    expect(tile('Predictions').note).toContain('5 void')
    expect(tile('Hit rate').value).toBe('40.0%')
    // Known: 10 × HK$30 − 30 × HK$10 = 0. Winners of unknown dividend got their stake back, or the fair price of 1 ÷ 0.2.
    expect(tile('Profit').value).toBe('HK$0.00 to +HK$400.00')
    expect(tile('Return').value).toBe('0.0% to +80.0%')
    // What depends on the order is no more exact than the profit: from HK$300 the known misses fall by as much.
    await waitFor(() =>
      expect(tile('Longest losing run')).toEqual({ value: '30', note: 'Largest drawdown HK$300.00' }),
    )
  },
)

test('losing run and drawdown have bounds where the profit has them', { tags: ['rest'] }, async () => {
  const facts = [
    ...times(4, prediction({})),
    ...times(2, prediction({ outcome: 'miss', profit: null })),
    prediction({ outcome: 'hit', profit: null, market: 0.2 }),
    ...times(3, prediction({})),
  ]
  await openRecord({ tables: { predictions: facts } })
  // 4 misses, and 2 that nobody knows could be placed; then a winner that paid HK$0 to HK$40, and 3 misses.
  await waitFor(() =>
    expect(tile('Longest losing run')).toEqual({
      value: '4 to 6',
      note: 'Largest drawdown HK$40.00 to HK$90.00',
    }),
  )
})

test('a filter is a chip in words, and its cross removes it', async () => {
  const { user } = await openRecord({ words: filterWords(`${WIN}~odds:10,15~going:good`) })
  const chips = screen.getByRole('list', { name: 'Filters in use' })
  expect([...chips.children].map((chip) => chip.textContent)).toEqual([
    'Going is Good',
    'Bet type is Win',
    'Prediction type is Main pick',
    'Win odds is 10.0 to 15.0, 15.0 to 20.0',
    'Filter',
    'Clear filters',
  ])
  await user.click(button('Remove filter Going: Good'))
  await waitFor(() => expect(address()).not.toContain('going'))
  expect(address()).toContain('odds:10,15')
})

test('a chip is edited where it is: its values, whether they are left out, and a range', async () => {
  const { user } = await openRecord({ words: filterWords(`${WIN}~racecourse:2`) })
  await user.click(button('Edit filter Racecourse: Happy Valley'))
  const box = await screen.findByRole('group', { name: 'Edit filter Racecourse' })
  await user.click(await within(box).findByRole('checkbox', { name: /^Sha Tin/ }))
  await waitFor(() => expect(address()).toContain('racecourse:2,1'))
  await waitFor(() => expect(tile('Predictions').value).toBe('200'))
  await user.click(within(box).getByRole('checkbox', { name: /^Sha Tin/ }))
  await user.click(within(box).getByRole('radio', { name: 'is not' }))
  await waitFor(() => expect(address()).toContain('!racecourse:2'))
  await waitFor(() => expect(tile('Predictions').value).toBe('130'))
  expect(screen.getByRole('list', { name: 'Filters in use' }).textContent).toContain(
    'Racecourse is not Happy Valley',
  )
  // Its last value goes, but what edits it stays.
  await user.click(within(box).getByRole('checkbox', { name: /^Happy Valley/ }))
  await waitFor(() => expect(address()).not.toContain('racecourse'))
  expect(screen.getByRole('list', { name: 'Filters in use' }).textContent).toContain('Racecourse is any')
})

test('F finds dimensions and values by typing, and adds one after another', async () => {
  const { user } = await openRecord()
  await user.keyboard('f')
  const field = screen.getByRole('combobox', { name: 'Find a dimension, a value or a name' })
  expect(document.activeElement).toBe(field)
  const list = await screen.findByRole('listbox')
  // Before anything is typed: the dimensions.
  await waitFor(() => expect(within(list).getByRole('option', { name: 'Draw' })).toBeTruthy())
  // Typed and entered before the values are there.
  await user.keyboard('跑馬{Enter}draw 2{Enter}')
  await waitFor(() => expect(address()).toContain('racecourse:2'))
  await waitFor(() => expect(address()).toContain('draw:2'))
  await waitFor(() => expect(tile('Predictions').value).toBe('40'))
  expect((field as HTMLInputElement).value).toBe('')
  expect(document.title).toBe('Happy Valley · Win · Main pick · 2 · Record · Furlong')
  // A dimension opens its values and its range.
  await user.keyboard('distance')
  await waitFor(() => expect(within(list).getAllByRole('option')[0]!.textContent).toBe('Distance'))
  await user.keyboard('{Enter}')
  const box = await screen.findByRole('group', { name: 'Edit filter Distance' })
  await user.type(await within(box).findByRole('spinbutton', { name: 'From' }), '1400{Enter}')
  await waitFor(() => expect(address()).toContain('distance:1400..'))
})

test('a filter that is known for some bet types goes with them', { tags: ['rest'] }, async () => {
  const { user } = await openRecord({ words: `${filterWords(`${WIN}~odds:10,15`)}&p=bars:bet_type` })
  await user.click(screen.getByRole('checkbox', { name: 'Place' }))
  await waitFor(() => expect(address()).toContain('bet_type:1,2'))
  expect(address()).not.toContain('odds')
  await figuresReady()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('odds and their movement are offered for win bets alone', { tags: ['rest'] }, async () => {
  const { user } = await openRecord({ words: 'p=bars:odds' })
  await user.click(button('Price and model'))
  expect(button('Win odds', facet('odds')).hasAttribute('disabled')).toBe(false)
  await user.click(screen.getByRole('checkbox', { name: 'Quinella' }))
  await waitFor(() => expect(button('Win odds', facet('odds')).hasAttribute('disabled')).toBe(true))
  // Neither offered nor applied: a filter by odds would select by outcome.
  expect(screen.queryAllByTestId('breakdown').filter((each) => each.dataset['by'] === 'odds')).toEqual([])
})

test(
  'a value of a filter is added, taken alone and excluded, by the keyboard too',
  { tags: ['rest'] },
  async () => {
    const { user } = await openRecord({ words: 'p=bars:racecourse' })
    await user.click(button('Horse and people'))
    const heading = button('Draw', facet('draw'))
    expect(heading.getAttribute('aria-expanded')).toBe('false')
    heading.focus()
    await user.keyboard('{Enter}')
    expect(heading.getAttribute('aria-expanded')).toBe('true')
    const box = await within(facet('draw')).findByRole('checkbox', { name: /^1/ })
    box.focus()
    await user.keyboard(' ')
    await waitFor(() => expect(tile('Predictions').value).toBe('110'))
    // The new figures leave the focus where it was.
    expect(document.activeElement).toBe(box)
    await user.click(button('Only 2', facet('draw')))
    await waitFor(() => expect(tile('Predictions').value).toBe('90'))
    // The return of its predictions is drawn beside it.
    const good = within(facet('going')).getByRole('checkbox', { name: /^Good Return [+−]\d+\.\d% \d+$/ })
    await user.hover(good)
    expect(good.closest('label')!.title).toMatch(/^Good\nPredictions \d+\n[^]*Return /)
    await user.keyboard('{Alt>}')
    await user.click(good)
    await user.keyboard('{/Alt}')
    await waitFor(() => expect(tile('Predictions').value).toBe('50'))
    expect(address()).toContain('!going:good')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(tile('Predictions').value).toBe('200'))
  },
)

test(
  'filters are in groups with headings, whose state and that of the whole rail this device remembers',
  { tags: ['rest'] },
  async () => {
    const { user, unmount } = await openRecord()
    const rail = (): HTMLElement => screen.getByRole('complementary', { name: 'Filters' })
    const groups = ['When', 'Where', 'Race', 'Horse and people', 'Price and model']
    expect(
      within(rail())
        .getAllByRole('heading', { level: 3 })
        .slice(2)
        .map(({ textContent }) => textContent),
    ).toEqual(groups)
    const openGroups = (): string[] =>
      groups.filter((name) => button(name, rail()).getAttribute('aria-expanded') === 'true')
    expect(openGroups()).toEqual(['Where'])
    // Its heading counts what a closed group filters by.
    await user.click(within(facet('going')).getByRole('checkbox', { name: /^Good/ }))
    await user.click(button('Where', rail()))
    expect(facet('going')).toBeNull()
    expect(button(/^Where/, rail()).textContent).toBe('Where1')
    await user.click(button('Race', rail()))
    expect(facet('class')).not.toBeNull()
    await user.click(button('Filters'))
    expect(screen.queryByRole('complementary', { name: 'Filters' })).toBeNull()
    // The button that shut it has the focus, and opens it.
    expect(document.activeElement).toBe(button('Filters'))
    unmount()
    await openRecord()
    expect(screen.queryByRole('complementary', { name: 'Filters' })).toBeNull()
    await user.click(button('Filters'))
    expect(openGroups()).toEqual(['Race'])
  },
)

test(
  'filters are searched by their names, and more than eight values by theirs',
  { tags: ['rest'] },
  async () => {
    const horses = Array.from({ length: 9 }, (_, at) => prediction({}, { jockey: 100 + at })).flatMap(
      (fact, at) => times(9 - at, fact),
    )
    const names = Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [100 + at, [`Rider ${at}`, `騎師${at}`, `骑师${at}`] as const]),
    )
    const { user } = await openRecord({ tables: { predictions: horses, names: { jockey: names } } })
    await user.type(labelled('Search filters'), 'jock')
    await waitFor(() => expect(facet('going')).toBeNull())
    await user.click(button('Jockey', facet('jockey')))
    await waitFor(() => expect(within(facet('jockey')).getAllByRole('checkbox')).toHaveLength(8))
    // Those with the most predictions first.
    expect(within(facet('jockey')).getAllByRole('listitem')[0]!.textContent).toContain('Rider 09')
    await user.click(button('Show all 9', facet('jockey')))
    expect(within(facet('jockey')).getAllByRole('checkbox')).toHaveLength(9)
    await user.type(within(facet('jockey')).getByRole('searchbox'), 'rider 7')
    await waitFor(() => expect(within(facet('jockey')).getAllByRole('checkbox')).toHaveLength(1))
  },
)

test(
  'the tabs have one place in the order of focus, and the arrow keys go through them',
  { tags: ['rest'] },
  async () => {
    const { user } = await openRecord()
    const tab = (name: string): HTMLElement => screen.getByRole('tab', { name })
    tab('Overview').focus()
    for (const [key, name, word] of [
      ['ArrowRight', 'Calibration', 'calibration'],
      ['ArrowRight', 'Models', 'models'],
      ['ArrowLeft', 'Calibration', 'calibration'],
    ] as const) {
      await user.keyboard(`{${key}}`)
      await waitFor(() => expect(document.activeElement).toBe(tab(name)))
      expect(tab(name).getAttribute('aria-selected')).toBe('true')
      expect(address()).toContain(`tab=${word}`)
      expect(screen.getByRole('tabpanel', { name })).toBeTruthy()
    }
    expect(screen.getAllByRole('tab').filter(({ tabIndex }) => tabIndex === 0)).toEqual([tab('Calibration')])
    // Before the first tab is the last one.
    await user.keyboard('{ArrowLeft}{ArrowLeft}')
    await waitFor(() => expect(document.activeElement).toBe(tab('Verify')))
    await user.keyboard('{Home}')
    await waitFor(() => expect(document.activeElement).toBe(tab('Overview')))
    await user.keyboard('{End}')
    await waitFor(() => expect(document.activeElement).toBe(tab('Verify')))
    // Tab leaves the list for what the tab shows.
    await user.tab()
    const shown = screen.getByRole('tabpanel', { name: 'Verify' })
    expect(shown.contains(document.activeElement)).toBe(true)
  },
)

test(
  'clearing leaves nothing behind, by the button or Escape: filters, a period, an origin, a held-back season',
  { tags: ['rest'] },
  async () => {
    const { user } = await openRecord()
    await user.click(button('Clear filters'))
    await waitFor(() => expect(address()).not.toContain('origin'))
    const first = address()
    for (const how of ['button', 'Escape']) {
      await user.click(within(facet('going')).getByRole('checkbox', { name: /^Good/ }))
      await user.keyboard('{Alt>}')
      await user.click(within(facet('distance')).getByRole('checkbox', { name: /^1,650/ }))
      await user.keyboard('{/Alt}')
      await user.click(screen.getByRole('checkbox', { name: 'Place' }))
      await user.click(screen.getByRole('radio', { name: 'Locked' }))
      await user.click(button('Last 12 months'))
      await user.selectOptions(labelled('Hold-out season'), '2024')
      await waitFor(() => expect(address()).toMatch(/period=year.*origin=locked.*hold=2024/))
      expect(address()).toMatch(/going:good.*!distance:1650|!distance:1650.*going:good/)
      expect(address()).toContain('bet_type:1,2')
      // An empty slice offers it once more.
      if (how === 'button') await user.click(screen.getAllByRole('button', { name: 'Clear filters' })[0]!)
      else {
        await figuresReady()
        ;(document.activeElement as HTMLElement).blur()
        await user.keyboard('{Escape}')
      }
      await waitFor(() => expect(address()).toBe(first))
      await waitFor(() => expect(tile('Predictions').value).toBe('200'))
    }
  },
)

test(
  'without any filter a period can still be cleared: the figures are not of every prediction',
  { tags: ['rest'] },
  async () => {
    const { user } = await openRecord({ words: 'v=2&f=&period=month' })
    await user.click(button('Clear filters'))
    await waitFor(() => expect(address()).not.toContain('period'))
    await waitFor(() => expect(tile('Predictions').value).toBe('200'))
  },
)

test('the number of slices that were viewed stands beside the best of them', { tags: ['rest'] }, async () => {
  const facts = [1, 2, 3].flatMap((rank) => bets(220, 40, 3500 + 500 * rank, { rank, prediction_type: 1 }))
  const { user } = await openRecord({
    words: filterWords('bet_type:1~rank:1'),
    tables: { predictions: facts },
  })
  const evidence = part('evidence')
  await user.click(button(/^Rank/, facet('rank')))
  await waitFor(() =>
    expect(within(facet('rank')).getAllByRole('button', { name: /^Only / })).toHaveLength(3),
  )
  await user.click(evidence)
  await user.click(button('Reset the count', screen.getByRole('dialog', { name: 'Views tried' })))
  await user.click(button('Close', screen.getByRole('dialog', { name: 'Views tried' })))
  expect(evidence.textContent).toBe('Tried: 0')
  expect(screen.queryByTestId('best-slice')).toBeNull()
  // 40 hits of 220 at HK$45 and HK$50: 0% and +9.1%.
  const returns = ['0.0%', '+9.1%']
  for (const [at, rank] of [2, 3].entries()) {
    await user.click(button(`Only ${rank}`, facet('rank')))
    await waitFor(() => expect(tile('Return').value).toBe(returns[at]))
    await waitFor(() => expect(evidence.textContent).toBe(`Tried: ${at + 1}\u00a0· best ${returns[at]}`))
    expect(part('best-slice').textContent).toBe(`best ${returns[at]}`)
  }
  await user.click(evidence)
  const dialog = screen.getByRole('dialog', { name: 'Views tried' })
  expect(dialog.textContent).toContain('You tried 2 views since the last reset.')
  expect(dialog.textContent).toContain('The best return of them: +9.1% over 220 bets.')
  expect(within(dialog).getByRole('link', { name: 'Show it' }).getAttribute('href')).toContain('rank')
})

const TWO_SEASONS = [
  ...bets(300, 60, 4000, { going: 'good' }, { day: '2025-01-05' }),
  ...bets(200, 50, 4000, { going: 'good' }, { day: '2026-01-04' }),
]

test(
  'a season that is held back leaves the figures, and is revealed once, also after a step back',
  { tags: ['rest'] },
  async () => {
    const { user } = await openRecord({ tables: { predictions: TWO_SEASONS } })
    await waitFor(() => expect(tile('Predictions').value).toBe('500'))
    await user.selectOptions(labelled('Hold-out season'), '2025')
    await waitFor(() => expect(tile('Predictions').value).toBe('300'))
    expect(screen.queryByTestId('revealed')).toBeNull()
    await user.click(button('Reveal the hold-out season'))
    await user.click(
      button(
        'Reveal the hold-out season',
        screen.getByRole('dialog', { name: 'Reveal the hold-out season' }),
      ),
    )
    const revealed = await screen.findByTestId('revealed')
    expect(revealed.textContent).toMatch(
      /^2025\/26, revealed on \d{1,2} [A-Z][a-z]+ \d{4}: 200 predictions, hit rate 25\.0%, return \+25\.0%, 95% interval \+15\.0% to \+35\.0%$/,
    )
    // The explored figures stay without the season.
    expect(tile('Predictions').value).toBe('300')
    expect(address()).toContain('shown=1')
    expect(labelled('Hold-out season').hasAttribute('disabled')).toBe(true)
    const [day] = /\d{1,2} [A-Z][a-z]+ \d{4}/.exec(revealed.textContent)!
    // The address of the step before does not know of the reveal, but the device does.
    history.back()
    await waitFor(() => expect(address()).not.toContain('shown=1'))
    const before = await screen.findByTestId('revealed-before')
    expect(before.textContent).toBe(`Revealed on ${day}`)
    expect(screen.queryByRole('button', { name: 'Reveal the hold-out season' })).toBeNull()
    await user.click(before)
    const dialog = screen.getByRole('dialog', { name: `Revealed on ${day}` })
    expect(dialog.textContent).toContain('were shown on this device')
    expect(within(dialog).queryByRole('button', { name: /Reveal/ })).toBeNull()
    await user.click(button('Close', dialog))
    // Another season can still be revealed.
    await user.selectOptions(labelled('Hold-out season'), '2024')
    await waitFor(() => expect(button('Reveal the hold-out season')).toBeTruthy())
  },
)

test('a member sees which filters are for VIPs, and a visitor meets no empty part of the page', async () => {
  const { user } = await openRecord({ role: 'member', words: 'tab=models&a=model%3Dfundamental' })
  // One sentence for the filters of a group.
  expect(facet('going')).toBeNull()
  expect(document.querySelector('[data-group=where] p')!.textContent).toMatch(/^For VIP members: .*Going/)
  expect(document.body.textContent).toContain('You see daily totals of the whole history')
  // Tabs and a comparison that need the history are neither offered nor opened.
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['Overview', 'Verify'])
  expect(screen.queryByTestId('compare')).toBeNull()
  expect(cellsOf(await breakdown('season'), 2025)[0]).toBe('200')
  expect(screen.queryByRole('button', { name: 'Columns' })).toBeNull()
  await user.keyboard('{Escape}')
})

test('on a phone the filters are a sheet whose bar names the slice', async () => {
  const { user } = await openRecord({ width: 390, words: filterWords(`${WIN}~going:good`) })
  const bar = button(/Win\u00a0· Main pick\u00a0· All/)
  expect(bar.textContent).toContain('Filters (1)')
  expect(bar.textContent).toMatch(/^Backtest\u00a0· Calibrated market\u00a0· Win/)
  await user.click(bar)
  const sheet = screen.getByRole('dialog', { name: 'Filters' })
  // What the bar of a wide page has is in the sheet.
  expect(within(sheet).getByRole('radio', { name: 'Backtest' })).toBeTruthy()
  for (const name of ['Model', 'Period', 'Hold-out season', 'Compared with'])
    expect(within(sheet).getByLabelText(name)).toBeTruthy()
  await user.click(within(sheet).getByRole('checkbox', { name: 'Place' }))
  await waitFor(() => expect(address()).toContain('bet_type:1,2'))
  await user.click(button(/Show \d+ predictions/, sheet))
  expect(screen.queryByRole('dialog', { name: 'Filters' })).toBeNull()
})
