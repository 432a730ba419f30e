import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { bets, prediction, starter, times, type Fact } from './prepared-facts.ts'
import { figuresReady, filterWords, openRecord, tile } from './record.tsx'
import { address, cellsOf, part } from './render.tsx'

/** Panels that judge probabilities and models: calibration, models on common days, seasons, two slices beside each other. */

const WIN = 'bet_type:1~prediction_type:1'

/** Two bands of starters: 40 of mean probability 0.12 with 6 winners, 20 of 0.32 with 5. */
const RUNNERS = [
  ...times(
    6,
    starter({ won: true, probability: 0.12, market: 0.1, profit: 6000 }, { probability: 0.1, class: 'C5' }),
  ),
  ...times(34, starter({ probability: 0.12, market: 0.1 }, { probability: 0.1, class: 'C5' })),
  ...times(
    5,
    starter({ won: true, probability: 0.32, market: 0.3, profit: 2000 }, { probability: 0.3, class: 'C4' }),
  ),
  ...times(15, starter({ probability: 0.32, market: 0.3 }, { probability: 0.3, class: 'C4' })),
]

describe('calibration', () => {
  const facts = [
    ...bets(30, 5, 4000, { probability: 0.1, class: 'C5' }),
    ...bets(20, 6, 2000, { probability: 0.3, class: 'C4' }),
  ]
  const open = (words: string) =>
    openRecord({ words: `${words}&tab=calibration`, tables: { predictions: facts, runners: RUNNERS } })
  const rows = (): string[][] =>
    [...part('calibration').querySelectorAll('tbody tr')].map((row) =>
      [...row.children].map((each) => each.textContent),
    )

  test('a band of every starter has its mean probability, that of the market, what happened, and its starters', async () => {
    await open(filterWords(WIN))
    await screen.findByTestId('calibration')
    expect(rows()).toEqual([
      ['12.0%', '10.0%', '15.0%', '40'],
      ['32.0%', '30.0%', '25.0%', '20'],
    ])
    // Neither interval of so few starters leaves out its band's mean probability.
    expect(
      screen.getByRole('img', {
        name: 'Reliability diagram of 2 bands of probability: in 2 of them the interval of what happened contains the expected frequency.',
      }),
    ).toBeTruthy()
    const labels = within(screen.getByRole('tabpanel')).getAllByRole('button', {
      name: /^(Calibrated|Market|Perfect)/,
    })
    expect(labels.map(({ textContent }) => textContent.trim().replaceAll(/\s+/g, ' '))).toEqual([
      'Perfect',
      'Calibrated market',
      'Market, final odds',
    ])
  })

  test('in one class only its starters count', { tags: ['rest'] }, async () => {
    await open(filterWords(`${WIN}~class:C5`))
    await screen.findByTestId('calibration')
    expect(rows()).toEqual([['12.0%', '10.0%', '15.0%', '40']])
    expect(tile('Predictions').value).toBe('30')
  })

  test('a band of the table filters the figures; the others stay, and the same click takes it back', async () => {
    const { user } = await open(filterWords(WIN))
    const table = await screen.findByTestId('calibration')
    const band = (at: number): HTMLElement => within(table).getAllByRole('button')[at]!
    band(0).focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(tile('Predictions').value).toBe('30'))
    expect(address()).toContain('probability:0.1')
    await figuresReady()
    expect([0, 1].map((at) => band(at).getAttribute('aria-pressed'))).toEqual(['true', 'false'])
    expect(rows()).toHaveLength(2)
    await user.keyboard('{Shift>}')
    await user.click(band(1))
    await user.keyboard('{/Shift}')
    await waitFor(() => expect(tile('Predictions').value).toBe('50'))
    await user.click(band(1))
    await waitFor(() => expect(tile('Predictions').value).toBe('20'))
    await user.click(band(1))
    await waitFor(() => expect(address()).not.toContain('probability:'))
    await waitFor(() => expect(tile('Predictions').value).toBe('50'))
  })

  test(
    'races without a market line do not pull the market’s mean towards 0',
    { tags: ['rest'] },
    async () => {
      const unpriced = times(
        20,
        starter({ probability: 0.12, market: null }, { probability: 0.1, class: 'C5' }),
      )
      await openRecord({
        words: `${filterWords(WIN)}&tab=calibration`,
        tables: { predictions: facts, runners: [...RUNNERS, ...unpriced] },
      })
      await screen.findByTestId('calibration')
      expect(rows()[0]).toEqual(['12.0%', '10.0%', '10.0%', '60'])
    },
  )

  test(
    'a filter of predictions that starters do not have is named as not applied',
    { tags: ['rest'] },
    async () => {
      await open(filterWords('bet_type:1~rank:1~class:C5'))
      await screen.findByTestId('calibration')
      expect(screen.getByRole('tabpanel').textContent).toContain(
        'Not filtered by Rank: every starter of each race counts here.',
      )
    },
  )
})

describe('models', () => {
  const DAYS = ['2026-01-04', '2026-01-11'] as const
  const of = (model: string, day: string, count: number, hits: number, profit: number, values = {}) =>
    bets(count, hits, profit, { model, odds: 3, ...values }, { day })
  /** The blended model begins a day later: only the second day is common. */
  const facts = [
    ...of('market-baseline', DAYS[0], 10, 2, 3000),
    ...of('market-baseline', DAYS[1], 10, 3, 3000),
    ...of('fundamental', DAYS[0], 10, 1, 5000),
    ...of('fundamental', DAYS[1], 10, 2, 5000),
    ...of('blended', DAYS[1], 10, 4, 2000),
  ]
  const standards = DAYS.flatMap((day) => [
    ...times(4, starter({ day, won: true, profit: 2000 }, { favourite_rank: 1 })),
    ...times(6, starter({ day }, { favourite_rank: 1 })),
    ...times(30, starter({ day })),
  ])
  const open = (words: string, predictions: readonly Fact[] = facts) =>
    openRecord({
      words: `${words}&tab=models&tuning=1`,
      tables: { predictions, runners: standards },
    })
  const cells = (key: string): string[] => cellsOf(part('models'), key)

  test('every model, the favourite and chance on the days that all have', async () => {
    await open(filterWords(WIN))
    await screen.findByTestId('models')
    expect(part('models').textContent).toContain(
      '1 race day on which every model predicted, 11 Jan 2026 to 11 Jan 2026',
    )
    expect(cells('market-baseline').slice(0, 5)).toEqual(['10', '30.0%', '1.50', '+HK$20.00', '+20.0%'])
    expect(cells('fundamental').slice(0, 5)).toEqual(['10', '20.0%', '1.00', '+HK$20.00', '+20.0%'])
    expect(cells('blended').slice(0, 5)).toEqual(['10', '40.0%', '2.00', '+HK$20.00', '+20.0%'])
    // The favourite won 4 of 10 at HK$20; chance spreads the same stake over all starters.
    expect(cells('favourite').slice(1, 5)).toEqual(['40.0%', '–', '+HK$20.00', '+20.0%'])
    expect(cells('random').slice(1, 5)).toEqual(['10.0%', '–', '−HK$70.00', '−70.0%'])
    expect(screen.getByRole('img', { name: 'Profit to date of every model on the same races' })).toBeTruthy()
    // Each line is named with its end; those of one course have one label, and the one with the focus stands out.
    const labels = within(part('models'))
      .getAllByRole('button', { name: /HK\$/ })
      .map((each) => each.textContent.trim().replaceAll(/\s+/g, ' '))
    expect(labels).toEqual([
      'Form and market blend = Form model (no odds) = Calibrated market = Favourite +HK$20.00',
      'Random horse −HK$70.00',
    ])
    const chance = within(part('models')).getByRole('button', { name: /^Random horse/ })
    act(() => chance.focus())
    const dimmed = () =>
      [...part('models').querySelectorAll('[data-dimmed=true]')].map((each) => each.textContent)
    expect(dimmed()).toEqual([expect.stringContaining('Favourite')])
    act(() => chance.blur())
    expect(dimmed()).toEqual([])
  })

  test('a filter of races leaves every model the same races, and one of predictions does not', async () => {
    const models = ['market-baseline', 'fundamental', 'blended']
    await open(filterWords(`${WIN}~racecourse:1`), [
      ...facts,
      ...models.flatMap((model) => of(model, DAYS[1], 4, 1, 2000, { racecourse: 2, odds: 8 })),
      // In the same races; only the form model picks horses at the odds of the second filter.
      ...models.flatMap((model) => of(model, DAYS[1], 5, 1, 2000, { odds: model === 'fundamental' ? 3 : 8 })),
    ])
    await screen.findByTestId('models')
    const counts = (): string[] => models.map((key) => cells(key)[0]!)
    expect(counts()).toEqual(['15', '15', '15'])
    expect(screen.getByRole('tabpanel').textContent).not.toContain('each model picks other races')
    location.hash = location.hash.replace(encodeURIComponent('racecourse:1'), encodeURIComponent('odds:3'))
    await waitFor(() =>
      expect(screen.getByRole('tabpanel').textContent).toContain(
        'Filtered by Win odds, each model picks other races of these days.',
      ),
    )
    await waitFor(() => expect(counts()).toEqual(['10', '15', '10']))
    // The figure above the tabs is also of the day that the blended model does not have.
    expect(tile('Predictions').value).toBe('20')
  })

  test(
    'a model with winners of unknown dividend has bounds, no curve, and the reason',
    { tags: ['rest'] },
    async () => {
      await open(filterWords(WIN), [
        ...facts,
        ...times(
          2,
          prediction({ day: DAYS[1], outcome: 'hit', profit: null }, { model: 'fundamental', odds: 3 }),
        ),
        ...times(2, prediction({ day: DAYS[1] }, { model: 'market-baseline', odds: 3 })),
        ...times(2, prediction({ day: DAYS[1] }, { model: 'blended', odds: 3 })),
      ])
      await screen.findByTestId('models')
      // Known: +HK$20 of HK$100; two more winners paid HK$0 to HK$40 each.
      expect(cells('fundamental').slice(3, 5)).toEqual(['+HK$20.00 to +HK$100.00', '+16.7% to +83.3%'])
      expect(part('models').textContent).toContain('Some winning dividends are missing')
    },
  )

  /** Races of two seasons, each won by a starter to which the models gave these chances. */
  const races = (model: string, chances: readonly (readonly [day: string, chance: number])[]): Fact[] =>
    chances.flatMap(([day, probability], at) => [
      starter({ day, race: at + 1, won: true, probability }, { model, season: Number(day.slice(0, 4)) }),
      starter(
        { day, race: at + 1, probability: 1 - probability },
        { model, season: Number(day.slice(0, 4)) },
      ),
    ])

  test('the challenger’s gain on the model that is shown first is over the meetings of both, by season too', async () => {
    const both = ['fundamental', 'network'].flatMap((model) => of(model, DAYS[1], 10, 2, 5000))
    await openRecord({
      words: `${filterWords(WIN)}&tab=models&tuning=1`,
      tables: {
        predictions: both,
        runners: [
          ...races('fundamental', [
            ['2025-01-05', 0.25],
            ['2026-01-04', 0.25],
            ['2026-01-11', 0.5],
          ]),
          ...races('network', [
            ['2025-01-05', 0.5],
            ['2026-01-04', 0.25],
            // The other model did not predict this meeting.
            ['2026-01-18', 0.9],
          ]),
          ...races('market-baseline', [['2026-01-04', 0.25]]),
        ],
      },
    })
    const found = await screen.findByTestId('challenge')
    expect(within(found).getByRole('heading').textContent).toBe(
      'Network on the form model (no odds) against Form model (no odds), which is shown first',
    )
    const lines = within(found)
      .getAllByRole('row')
      .slice(1)
      .map((row) => [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent))
    // ln 2 in one of two races; R² is against equal chances, ln 4 a race.
    expect(lines).toEqual([
      ['All seasons', '2', '+0.346695% 0.0000 to +0.6931', '+0.250095% 0.0000 to +0.5000'],
      ['2026/27', '1', '0.000095% 0.0000 to 0.0000', '0.000095% 0.0000 to 0.0000'],
      ['2025/26', '1', '+0.693195% +0.6931 to +0.6931', '+0.500095% +0.5000 to +0.5000'],
    ])
  })

  test.each([
    ['zh-Hant', '自家模型（不用賠率）與首先顯示的自家模型加神經網絡（不用賠率）比較', '2026/27'],
    ['zh-Hans', '自家模型（不用赔率）与首先显示的自家模型加神经网络（不用赔率）比较', '2026/27'],
  ] as const)('in %s, and after a promotion the other way round', async (language, heading, season) => {
    await openRecord({
      language,
      headline: 'network',
      words: `${filterWords(WIN)}&tab=models&tuning=1`,
      tables: {
        predictions: ['fundamental', 'network'].flatMap((model) => of(model, DAYS[1], 10, 2, 5000)),
        runners: [
          ...races('fundamental', [['2026-01-04', 0.25]]),
          ...races('network', [['2026-01-04', 0.5]]),
        ],
      },
    })
    const found = await screen.findByTestId('challenge')
    expect(within(found).getByRole('heading').textContent).toBe(heading)
    const [, line] = within(found).getAllByRole('row')
    expect(line!.querySelector('th')!.textContent).toBe(season)
    expect(line!.querySelectorAll('td')[1]!.textContent).toMatch(/^−0\.6931/)
  })

  test('without a day that all have it says so', { tags: ['rest'] }, async () => {
    await openRecord({
      words: `${filterWords(WIN)}&tab=models&tuning=1`,
      tables: {
        predictions: [
          ...of('market-baseline', DAYS[0], 5, 1, 2000),
          ...of('fundamental', DAYS[1], 5, 1, 2000),
        ],
      },
    })
    await waitFor(() => expect(screen.getByRole('tabpanel').textContent).toMatch(/no (race )?day/i))
  })
})

describe('seasons', () => {
  const races = [
    { day: '2025-01-05', race: 1 },
    { day: '2025-01-05', race: 2 },
    { day: '2026-01-04', race: 1 },
  ].flatMap(({ day, race }) => [
    starter(
      { day, race, won: true, probability: 0.5, market: 0.4, profit: 1500 },
      { model_rank: 1, favourite_rank: 1 },
    ),
    ...times(
      3,
      starter({ day, race, probability: 0.16, market: 0.2 }, { model_rank: 2, favourite_rank: 2 }),
    ).map(({ values, sums }) => ({
      sums,
      values: { ...values, race_id: `HKSHT${day.replaceAll('-', '')}0${race}` },
    })),
  ])

  test('each season and all of them: races, losses, R², the gain over the market, picks, favourite and chance', async () => {
    await openRecord({ words: 'tab=seasons', tables: { runners: races } })
    const table = await screen.findByTestId('judge')
    const rows = [...table.querySelectorAll('tbody tr')].map((row) =>
      [...row.children].map((each) => each.textContent),
    )
    expect(rows.map(([season, number]) => [season, number])).toEqual([
      ['All', '3'],
      ['2025/26', '1'],
      ['2024/25', '2'],
    ])
    // −ln 0.5 = 0.6931, and 1 − 0.6931 ÷ ln 4 = 0.5; the market’s is 1 − 0.9163 ÷ 1.3863 = 0.3390.
    expect(rows[1]![2]).toBe('0.6931')
    expect(rows[1]![3]).toMatch(/^0\.5000/)
    expect(rows[1]![4]).toMatch(/^\+0\.1610/)
    expect(rows[1]![6]).toMatch(/^100\.0%/)
    expect(
      screen.getByRole('img', {
        name: 'Gain over market in 2 seasons: above 0 in 2; in 2 the 95% interval is on one side of 0.',
      }),
    ).toBeTruthy()
    expect(screen.getByRole('tabpanel').textContent).not.toContain('Not filtered by')
  })

  const seasonCells = async (): Promise<Record<string, string>> => {
    const table = await screen.findByTestId('judge')
    const headings = [...table.querySelectorAll('thead th')].map((each) => each.textContent)
    const cells = [...table.querySelector('tbody tr')!.children].map((each) => each.textContent)
    return Object.fromEntries(headings.map((heading, at) => [heading, cells[at]!]))
  }

  test('a dead heat is a hit as on the overview, and the page says so', { tags: ['rest'] }, async () => {
    // One race of four: the first choice and the favourite share the win.
    const heat = [
      starter({ won: true, deadHeat: true, profit: 200 }, { model_rank: 1, favourite_rank: 2 }),
      starter({ won: true, deadHeat: true, profit: 100 }, { model_rank: 2, favourite_rank: 1 }),
      ...times(2, starter({}, { model_rank: 3, favourite_rank: 3 })),
    ].map(({ values, sums }) => ({ sums, values: { ...values, race_id: 'HKSHT2026010401' } }))
    await openRecord({
      words: 'tab=seasons',
      tables: { runners: heat, predictions: [prediction({ outcome: 'hit', profit: 200 })] },
    })
    const cells = await seasonCells()
    expect(cells['First choice won']).toMatch(/^100\.0%/)
    expect(cells['Favourite won']).toBe('100.0%')
    // Two of four.
    expect(cells['Random won']).toBe('50.0%')
    expect(tile('Hit rate').value).toBe('100.0%')
    expect(screen.getByRole('tabpanel').textContent).toContain(
      'A dead heat for first is a hit, as on the overview',
    )
  })

  /** The same races elsewhere, without a market line. */
  const unpriced = races.map(({ values, sums }) => ({
    values: { ...values, race_id: `HKHVT${String(values['race_id']).slice(5)}` },
    sums: {
      ...sums,
      favourite_bets: 0,
      favourite_hits: 0,
      favourite_staked: 0,
      favourite_profit: 0,
      market_starters: 0,
      market_expected: 0,
      market_log_loss: 0,
      priced_log_loss: 0,
      priced_uniform_log_loss: 0,
    },
  }))

  test('the favourite counts in the races that have a market line', { tags: ['rest'] }, async () => {
    await openRecord({ words: 'tab=seasons', tables: { runners: [...races, ...unpriced] } })
    expect((await seasonCells())['Favourite won']).toBe('100.0%')
  })

  test('without any market line the favourite’s hit rate is unknown, not 0', { tags: ['rest'] }, async () => {
    await openRecord({ words: 'tab=seasons', tables: { runners: unpriced } })
    expect((await seasonCells())['Favourite won']).toBe('–')
  })

  test('a return without some of the winners has bounds and the reason', { tags: ['rest'] }, async () => {
    const unknown = starter(
      { day: '2026-01-04', race: 2, won: true, market: 0.2, profit: null },
      { model_rank: 1, favourite_rank: 1 },
    )
    await openRecord({ words: 'tab=seasons', tables: { runners: [...races.slice(-4), unknown] } })
    // Known: +HK$15 of HK$10. The other winner got its stake back, or HK$40.
    expect((await seasonCells())['Return']).toBe('+75.0% to +275.0%')
    expect((await seasonCells())['Favourite’s return']).toBe('+75.0% to +275.0%')
    const cell = within(part('judge')).getAllByText('+75.0% to +275.0%')[0]!
    expect(cell.closest('td')!.title).toBe('No total: 1 winning bet lacks a dividend')
  })

  test('filters of predictions and horses do not apply, and are named', { tags: ['rest'] }, async () => {
    await openRecord({
      words: `${filterWords(`${WIN}~odds:3,4~racecourse:1`)}&tab=seasons`,
      tables: { predictions: [prediction({}, { odds: 3 })], runners: races },
    })
    const table = await screen.findByTestId('judge')
    expect(screen.getByRole('tabpanel').textContent).toContain(
      'Not filtered by Win odds: every starter of each race counts here.',
    )
    expect(table.querySelector('tbody tr')!.children[1]!.textContent).toBe('3')
    expect(tile('Predictions').value).toBe('1')
  })
})

type User = Awaited<ReturnType<typeof openRecord>>['user']

/** Pins the same slice of the form model as A. */
async function compareWithForm(user: User): Promise<void> {
  await user.click(screen.getByRole('button', { name: 'Compared with: nothing' }))
  await user.click(document.querySelector('[popover][data-open=true] [data-value=fundamental]')!)
}

describe('two slices', () => {
  const day = (at: number): string => `2026-01-${String(at).padStart(2, '0')}`
  /** Three meetings; the market line wins HK$30 at the first two, the form model HK$40 at the last two. */
  const facts = [1, 2, 3].flatMap((meeting) => [
    prediction(meeting < 3 ? { day: day(meeting), outcome: 'hit', profit: 3000 } : { day: day(meeting) }, {
      race_no: 1,
    }),
    prediction({ day: day(meeting) }, { race_no: 2 }),
    prediction(meeting > 1 ? { day: day(meeting), outcome: 'hit', profit: 4000 } : { day: day(meeting) }, {
      race_no: 1,
      model: 'fundamental',
    }),
    prediction({ day: day(meeting) }, { race_no: 2, model: 'fundamental' }),
    // Only one of the models has it: not a common race.
    prediction({ day: day(meeting), outcome: 'hit', profit: 9000 }, { race_no: 3 }),
  ])

  test(
    'the same days a season earlier share no race: each side has all of its own, and the difference its interval',
    { tags: ['rest'] },
    async () => {
      const winners = (day: string, hits: number): Fact[] => [
        ...times(hits, prediction({ day, outcome: 'hit', profit: 3000 }, { meeting: day })),
        ...times(10 - hits, prediction({ day }, { meeting: day })),
      ]
      const { user } = await openRecord({
        words: 'tuning=1&period=own&from=2026-01-01&to=2026-01-31',
        tables: {
          predictions: [
            ...winners('2025-01-05', 2),
            ...winners('2025-01-12', 3),
            ...winners('2026-01-04', 4),
            ...winners('2026-01-11', 3),
            // Of neither month.
            ...winners('2025-12-07', 9),
          ],
        },
      })
      await user.click(screen.getByRole('button', { name: 'Compared with: nothing' }))
      await user.click(screen.getByRole('button', { name: 'Same days a season earlier' }))
      const compare = await screen.findByTestId('compare')
      await waitFor(() => expect(compare.textContent).toContain('share no race'))
      expect(decodeURIComponent(address())).toContain('from=2025-01-01')
      const table = compare.querySelector('table')!
      expect(cellsOf(table, 'count').slice(0, 2)).toEqual(['20', '20'])
      // 5 of 20 at HK$30 each and 15 lost; 7 of 20.
      expect(cellsOf(table, 'record.hitRate').slice(0, 3)).toEqual(['25.0%', '35.0%', '+10.0%'])
      expect(cellsOf(table, 'profit').slice(0, 3)).toEqual(['HK$0.00', '+HK$80.00', '+HK$80.00'])
      expect(cellsOf(table, 'record.return')[3]).toContain(' to ')
      // There is no curve of common races.
      expect(within(compare).queryByRole('img')).toBeNull()
    },
  )

  test(
    'on common races: both sides, the difference and its interval by meeting; and their groups beside each other',
    { tags: ['rest'] },
    async () => {
      const { user } = await openRecord({ words: 'tuning=1', tables: { predictions: facts } })
      await compareWithForm(user)
      const compare = await screen.findByTestId('compare')
      await waitFor(() => expect(compare.textContent).toContain('6 common races'))
      const table = compare.querySelector('table')!
      expect(cellsOf(table, 'count').slice(0, 2)).toEqual(['6', '6'])
      // The form model is A, what is on screen is B: 2 hits of 6 each; +HK$40 and +HK$20.
      await waitFor(() => expect(cellsOf(table, 'record.return')[3]).toContain(' to '))
      expect(cellsOf(table, 'record.hitRate').slice(0, 3)).toEqual(['33.3%', '33.3%', '0.0%'])
      // The difference is that of the two rates as they are shown.
      expect(cellsOf(table, 'record.return').slice(0, 3)).toEqual(['+66.7%', '+33.3%', '−33.4%'])
      expect(cellsOf(table, 'profit').slice(0, 3)).toEqual(['+HK$40.00', '+HK$20.00', '−HK$20.00'])
      // The figures above have the same differences.
      expect(tile('Hit rate').value).toContain('0.0% vs A')
      expect(tile('Return').value).toContain('−33.4% vs A')
      // Of the meetings: differences of +40, −10 and −50 HK$ around a mean of −20 ÷ 3, over stakes of HK$60.
      const rest = [40, -10, -50].map((profit) => (profit + 20 / 3) / 60)
      const reach = 1.959964 * Math.sqrt((rest.reduce((sum, each) => sum + each ** 2, 0) * 3) / 2)
      const [low, high] = cellsOf(table, 'record.return')[3]!
        .split(' to ')
        .map((text) => Number(text.replace('−', '-').replace('%', '')) / 100)
      expect(low).toBeCloseTo(-1 / 3 - reach, 2)
      expect(high).toBeCloseTo(-1 / 3 + reach, 2)
      expect(within(compare).getByRole('img', { name: /common races/ })).toBeTruthy()

      // Each over the races of its own slice.
      const groups = await screen.findByTestId('compare-groups')
      expect(groups.dataset['by']).toBe('season')
      const [n, , , other] = cellsOf(groups, 2025)
      expect([n, other]).toEqual(['6', '9'])
      // A: +HK$40 of HK$60. B, with its own races too: +HK$290 of HK$90; the difference is of returns, meeting by meeting.
      const [, , ofA, , , ofB, difference, interval] = cellsOf(groups, 2025)
      expect([ofA, ofB, difference]).toEqual(['+66.7%', '+322.2%', '+255.5%'])
      const [below, above] = interval!
        .split(' to ')
        .map((text) => Number(text.replace('−', '-').replace('%', '')) / 100)
      const spread = [
        (110 - (290 / 90) * 30) / 90 - (-20 - (40 / 60) * 20) / 60,
        (110 - (290 / 90) * 30) / 90 - (30 - (40 / 60) * 20) / 60,
        (70 - (290 / 90) * 30) / 90 - (30 - (40 / 60) * 20) / 60,
      ]
      const width = 1.959964 * Math.sqrt((spread.reduce((sum, each) => sum + each ** 2, 0) * 3) / 2)
      expect(below).toBeCloseTo(290 / 90 - 40 / 60 - width, 2)
      expect(above).toBeCloseTo(290 / 90 - 40 / 60 + width, 2)
      await user.click(screen.getByRole('button', { name: 'Unpin A' }))
      await waitFor(() => expect(screen.queryByTestId('compare')).toBeNull())
      expect(address()).not.toContain('a=')
    },
  )

  const untold = 'Some winning dividends are missing'

  test(
    'on races without a single bet that counts, nothing is said of dividends that were not published',
    { tags: ['rest'] },
    async () => {
      const voids = facts.map(({ values }) =>
        prediction(
          { day: String(values['day']), outcome: 'void' },
          { ...values, outcome: 'void', profit_cents: 0 },
        ),
      )
      const { user } = await openRecord({ words: 'tuning=1', tables: { predictions: voids } })
      await compareWithForm(user)
      const compare = await screen.findByTestId('compare')
      await waitFor(() => expect(compare.textContent).toContain('6 common races'))
      await within(compare).findByTestId('compare-groups')
      expect(compare.textContent).not.toContain(untold)
    },
  )

  test(
    'where too many hits of either lack a dividend, it is said instead of the curve',
    { tags: ['rest'] },
    async () => {
      const lacking = [
        ...facts,
        ...['market-baseline', 'fundamental'].map((model) =>
          prediction(
            { day: day(4), outcome: 'hit', profit: model === 'fundamental' ? null : 3000 },
            { race_no: 1, model },
          ),
        ),
      ]
      const { user } = await openRecord({ words: 'tuning=1', tables: { predictions: lacking } })
      await compareWithForm(user)
      const compare = await screen.findByTestId('compare')
      await waitFor(() => expect(compare.textContent).toContain('7 common races'))
      await waitFor(() => expect(compare.textContent).toContain(untold))
      expect(within(compare).queryByRole('img', { name: /common races/ })).toBeNull()
    },
  )
})
