import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { queryFrozenRules } from '../../contract/api/frozen.ts'
import { setOwnSlots } from '../../src/data/analytics/own-rows.ts'
import { Lab } from '../../workers/lab/lab.ts'
import { prepareWorker } from './browser-stand-ins.ts'
import { bets, prediction, starter, times, type Fact } from './prepared-facts.ts'
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
const RUNNERS = times(3, starter({}, { horse_no: 1, model_rank: 1, favourite_rank: 1, win_odds: 3 }))

async function openLab(
  words = filterWords(WIN),
  predictions: readonly Fact[] = PRICED,
  runners: readonly Fact[] = RUNNERS,
) {
  prepareWorker('lab.worker', new Lab())
  // Without an engine on this device the server sends the rows.
  prepareWorker('analytics.worker', {
    onProgress: () => undefined,
    prepare: () => undefined,
    open: () => ({ ok: false, error: { code: 'offline', details: {} } }),
  })
  server.answer(queryFrozenRules, [])
  const opened = await openRecord({ words: `${words}&tab=lab`, tables: { predictions, runners } })
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
  // What is below a return is named.
  expect(document.querySelector('[data-figure="record.return"]')!.textContent).toMatch(/95% interval .+ to /)
  // The largest wins are two of HK$40 and three of HK$30.
  expect(part('lab-without-largest').textContent).toBe(
    'Without the 5 largest wins: −HK$750.00, a return of −38.5%.',
  )
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

test(
  'a rebate is of lost bets from a stake on, and the field for it appears with the rebate',
  { tags: ['rest'] },
  async () => {
    const { user } = await openLab(
      `${filterWords(WIN)}&lab=${encodeURIComponent('level:1000000~rebate:1000')}`,
      times(4, prediction({}, { win_odds: 3, combination: '1' })),
    )
    expect(figure('profit')).toBe('−HK$36,000.00')
    await user.type(field('Only on lost bets from (HK$)'), '10,001{Enter}')
    await waitFor(() => expect(address()).toContain('rebate:1000~rebate-from:1000100'))
    await waitFor(() => expect(figure('profit')).toBe('−HK$40,000.00'))
    await user.clear(field('Rebate on losses (%)'))
    await user.type(field('Rebate on losses (%)'), '0{Enter}')
    await waitFor(() => expect(screen.queryByLabelText('Only on lost bets from (HK$)')).toBeNull())
  },
)

test('a rule about value chooses no place bets, whose odds are not known', { tags: ['rest'] }, async () => {
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

/** The numbers of HK$ fields, by their labels. */
const field = (name: string): HTMLInputElement => labelled(name) as HTMLInputElement

test('a number that cannot be read is not another number: it is refused, and the plan stays', async () => {
  const { user } = await openLab()
  const before = figure('profit')
  await user.clear(field('Stake (HK$)'))
  await user.type(field('Stake (HK$)'), '2,5{Enter}')
  expect(screen.getByRole('alert').textContent).toBe(
    '“2,5” was not read: the decimal sign is “.” here. Write 2.5. In use: 10.',
  )
  expect(figure('profit')).toBe(before)
  expect(address()).not.toContain('lab=')
  await user.clear(field('Odds from'))
  await user.type(field('Odds from'), '2.5{Enter}')
  await waitFor(() => expect(address()).toContain('odds-from:2.5'))
})

test(
  'a plan that lost nearly everything says so: its chances, when it stopped, why, and how many bets had no stake',
  { tags: ['rest'] },
  async () => {
    // Every bet loses 2% of what is left: below HK$500 that is no unit of HK$10 any more.
    const days = Array.from({ length: 300 }, (_, at) =>
      new Date(Date.UTC(2025, 0, 1 + at)).toISOString().slice(0, 10),
    )
    const losses = days.map((day) =>
      prediction(
        { day },
        { win_odds: 3, late_odds: 3, opening_odds: 3, market_probability: 0.2, combination: '1' },
      ),
    )
    await openLab(`${filterWords(WIN)}&tuning=1&lab=${encodeURIComponent('share:0.02~bank:1000000')}`, losses)
    await waitFor(() => expect(figure('ruin')).toBe('100.0%'), { timeout: 10_000 })
    expect(figure('fall')).toBe('100.0%')
    const alert = screen.getByRole('alert').textContent
    const placed = Number(figure('bets'))
    expect(placed).toBeLessThan(300)
    expect(alert).toContain(`${300 - placed} later ones came to less than one unit of HK$10.00.`)
    expect(alert).toMatch(/Bankroll gone: with the HK\$49\d\.\d\d left, no chosen bet would get one unit/)
    expect(part('lab-unstaked').textContent).toContain(
      `${300 - placed} chosen bets were rounded down to nothing`,
    )
  },
)

test(
  'bets on which the rule stakes nothing are counted apart from those rounded to nothing',
  { tags: ['rest'] },
  async () => {
    await openLab(`${filterWords(WIN)}&lab=${encodeURIComponent('kelly:0.25~bank:1000000')}`)
    expect(part('lab-unstaked').textContent.trim()).toBe(
      'On 200 chosen bets the rule stakes nothing: no advantage, or no odds.',
    )
    expect(screen.queryByTestId('lab-stopped')).toBeNull()
  },
)

test(
  'unknown dividends leave bounds of every figure of the lab, not of the profit alone',
  { tags: ['rest'] },
  async () => {
    const own = { win_odds: 3, late_odds: 3, opening_odds: 3, market_probability: 0.2, combination: '1' }
    const facts = [
      ...times(5, prediction({ day: '2026-01-04' }, own)),
      ...times(2, prediction({ day: '2026-01-11', outcome: 'hit', profit: null }, own)),
      ...times(3, prediction({ day: '2026-01-14', profit: null }, own)),
    ]
    await openLab(filterWords(WIN), facts)
    // Known: 5 lost. At worst 3 more are lost and 2 get their stakes back; at best those 2 are paid 1 ÷ 0.2.
    expect(figure('profit')).toBe('−HK$80.00 to +HK$30.00')
    expect(document.querySelector('[data-figure="record.return"] dd')!.textContent).toBe('−80.0% to +42.9%')
    expect(figure('drawdown')).toBe('HK$50.00 to HK$80.00')
    expect(part('lab-figures').textContent).toContain('2 winning bets lack a dividend')
    expect(part('lab-untold')).toBeTruthy()
  },
)

test('rules are frozen under a name only', async () => {
  const { user } = await openLab()
  const frozen = within(part('frozen'))
  expect(frozen.getByRole('button', { name: 'Freeze these rules' }).hasAttribute('disabled')).toBe(true)
  await user.type(frozen.getByRole('textbox'), 'Mine')
  await waitFor(() =>
    expect(frozen.getByRole('button', { name: 'Freeze these rules' }).hasAttribute('disabled')).toBe(false),
  )
})

test(
  'the month whose bets are listed stays while the bets of another slice load',
  { tags: ['rest'] },
  async () => {
    const { user } = await openLab()
    const list = (): HTMLElement => part('lab-bets')
    await user.click(within(part('lab')).getByRole('button', { name: /Jan 2026/ }))
    await within(list()).findByRole('button', { name: /Jan 2026 only/ })
    await user.click(within(facet('going')).getByRole('checkbox', { name: /^Good/ }))
    await waitFor(() => expect(figure('bets')).toBe('120'))
    await labSettled()
    expect(within(list()).getByRole('button', { name: /Jan 2026 only/ })).toBeTruthy()
  },
)

test(
  'the result by another dimension has the record’s own figures at level stakes, and makes no other variant',
  { tags: ['rest'] },
  async () => {
    const { user } = await openLab()
    const table = (): HTMLElement => part('lab-breakdown')
    const rows = (): string[][] =>
      [...table().querySelectorAll('tbody tr')].map((row) =>
        [...row.children].filter((_, at) => at !== 3).map((cell) => cell.textContent),
      )
    await waitFor(() => expect(rows()).toHaveLength(1))
    const variants = part('lab-variants').dataset['variants']
    await user.selectOptions(within(table()).getByLabelText('By'), 'going')
    await waitFor(() => expect(address()).toContain('by:going'))
    await waitFor(() =>
      expect(rows()).toEqual([
        ['Good', '120', '25.0%', '−16.7%', '−HK$200.00', 'HK$1,200.00'],
        ['Yielding', '80', '12.5%', '−47.5%', '−HK$380.00', 'HK$800.00'],
      ]),
    )
    await user.click(within(table()).getByRole('button', { name: 'Bets' }))
    await user.selectOptions(within(table()).getByLabelText('By'), 'distance')
    await waitFor(() =>
      expect(rows()).toEqual([
        ['1,200 m', '160', '18.8%', '−30.0%', '−HK$480.00', 'HK$1,600.00'],
        ['1,650 m', '40', '25.0%', '−25.0%', '−HK$100.00', 'HK$400.00'],
      ]),
    )
    await labSettled()
    expect(part('lab-variants').dataset['variants']).toBe(variants)
  },
)

test(
  'a plan is kept, and the next one is compared with it on the same races, the other way round, and no longer',
  { tags: ['rest'] },
  async () => {
    const { user } = await openLab()
    const variants = part('lab-variants').dataset['variants']
    await user.click(screen.getByRole('button', { name: 'Keep this plan to compare with' }))
    await waitFor(() => expect(part('lab-compare').textContent).toContain('Both plans are the same'))
    expect(part('lab-variants').dataset['variants']).toBe(variants)
    await user.clear(field('Stake (HK$)'))
    await user.type(field('Stake (HK$)'), '20{Enter}')
    await waitFor(() => expect(address()).toContain('lab=level:2000~against'))
    const cells = (id: string): string[] =>
      [...part('lab-compare').querySelectorAll(`[data-key="${id}"] td`)].map((cell) => cell.textContent)
    await waitFor(() => expect(cells('record.profit')).toEqual(['−HK$1,160.00', '−HK$580.00', '−HK$580.00']))
    expect(cells('record.return').map((text) => text.slice(0, 6))).toEqual(['−29.0%', '−29.0%', '0.0%0.'])
    expect(part('lab-compare').textContent).toContain('200 bets are in both plans.')
    expect(part('lab-compare').textContent).toContain('Other plan: Stake (HK$): 10')
    await user.click(within(part('lab-compare')).getByRole('button', { name: 'Swap the plans' }))
    await waitFor(() => expect(address()).toContain('lab=against~level:2000'))
    await waitFor(() => expect(cells('record.profit')).toEqual(['−HK$580.00', '−HK$1,160.00', '+HK$580.00']))
    await user.click(within(part('lab-compare')).getByRole('button', { name: 'End the comparison' }))
    await waitFor(() => expect(screen.queryByTestId('lab-compare')).toBeNull())
    expect(address()).not.toContain('lab=')
  },
)

/** Six starters in the order of their chances, of which the first five finished so, and what the pools paid. */
const raceOf = (race: number, order: readonly number[], dividends: string): Fact[] =>
  [0.3, 0.25, 0.18, 0.13, 0.09, 0.05].map((probability, at) =>
    starter(
      { day: '2026-01-04', race, probability, won: order[0] === at + 1 },
      {
        horse_no: at + 1,
        model_rank: at + 1,
        going: race === 1 ? 'good' : 'yielding',
        place: order.indexOf(at + 1) + 1,
        outcome: order[0] === at + 1 ? 'hit' : 'miss',
        market_probability: probability,
        places_paid: 2,
        dividends,
      },
    ),
  )
const BOXED = [
  ...raceOf(1, [2, 1, 3, 4, 5, 6], '6,1-2-3,paid,9000;9,2-1-3-4,paid,100000'),
  ...raceOf(2, [6, 5, 4, 3, 2, 1], '6,4-5-6,paid,60000;9,6-5-4-3,paid,900000'),
]

test(
  'boxes are chosen by pool, bankers and horses, and are listed as on a ticket with what they cost and won',
  { tags: ['rest'] },
  async () => {
    const { user } = await openLab(filterWords(WIN), PRICED, BOXED)
    await user.selectOptions(labelled('Bets'), 'boxes')
    await waitFor(() => expect(address()).toContain('lab=boxes'))
    await waitFor(() => expect(figure('bets')).toBe('2'))
    // A quartet box of four: one of two races pays HK$1,000, and each costs HK$240.
    expect(figure('profit')).toBe('+HK$520.00')
    expect(figure('winners')).toBe('1')
    expect(part('lab').textContent).toContain('24 combinations, HK$240.00 a race.')
    const rows = (): string[][] =>
      [...part('lab-bets').querySelectorAll('tbody tr')].map((row) =>
        [...row.children].map((cell) => cell.textContent),
      )
    await user.selectOptions(labelled('Bankers'), '1')
    expect(labelled('Legs')).toHaveProperty('value', '4')
    await user.selectOptions(labelled('Legs'), '3')
    await waitFor(() => expect(address()).toContain('lab=boxes~bankers:1~legs:3'))
    expect(part('lab').textContent).toContain('The banker must win; the legs may follow in any order.')
    await waitFor(() => expect(rows().map((row) => row[2])).toEqual(['1 > 2,3,4', '1 > 2,3,4']))
    await user.selectOptions(labelled('Pool'), '6')
    await waitFor(() => expect(address()).toContain('box:trio'))
    await waitFor(() =>
      expect(rows()[1]!.filter((_, at) => at > 1)).toEqual([
        '1 > 2,3,4',
        '3',
        expect.stringMatching(/^0\.\d{3}$/),
        'HK$30.00',
        'Hit',
        '+HK$60.00',
      ]),
    )
    // There are no odds, benchmarks or frozen rules of boxes.
    expect(screen.queryByLabelText('Odds from')).toBeNull()
    expect(screen.queryByTestId('lab-beside')).toBeNull()
    expect(part('frozen').textContent).toContain('Boxes cannot be frozen')
  },
)

test(
  'boxes are broken down by their races, compared with other boxes, and saved with their races',
  { tags: ['rest'] },
  async () => {
    const { user } = await openLab(
      `${filterWords(WIN)}&lab=${encodeURIComponent('boxes~by:going~against~box:trio~legs:3')}`,
      PRICED,
      BOXED,
    )
    const groups = (): string[][] =>
      [...part('lab-breakdown').querySelectorAll('tbody tr')].map((row) =>
        [...row.children].map((cell) => cell.textContent),
      )
    await waitFor(() =>
      expect(groups().map((row) => [row[0], row[5]])).toEqual([
        ['Good', '+HK$760.00'],
        ['Yielding', '−HK$240.00'],
      ]),
    )
    const offered = [...within(part('lab-breakdown')).getByLabelText('By').querySelectorAll('option')]
    expect(offered.map(({ value }) => value)).not.toContain('jockey')
    await waitFor(() =>
      expect(part('lab-compare').textContent).toContain('2 races have a box in both plans.'),
    )
    expect(part('lab-compare').textContent.replaceAll('\u00A0', ' ')).toContain(
      'Other plan: Pool: Trio · Horses: 3 · Horses chosen by: The probabilities in use · Stake on each combination (HK$): 10',
    )
    const files = savedFiles()
    await user.click(within(part('lab-bets')).getByRole('button', { name: 'Export' }))
    await user.click(screen.getByRole('button', { name: 'Export CSV' }))
    await waitFor(() => expect(part('lab-bets').textContent).toContain('2 rows saved'))
    const text = new TextDecoder().decode(await bytesOf(files[0]!))
    const [header, first] = text.split('\r\n')
    expect(header).toMatch(
      /,Bet type,Prediction,Combinations,Expected winners,Stake \(HK\$\),Outcome,Profit \(HK\$\)$/,
    )
    expect(first).toMatch(/,Quartet,"\[1,2,3,4\]",24,0\.\d+,240,Hit,760$/)
  },
)

test(
  'stakes by a column are offered only beside a file, and an address with them says that it is not open',
  { tags: ['rest'] },
  async () => {
    const kinds = (): string[] => [...labelled('Stakes').querySelectorAll('option')].map(({ value }) => value)
    const { user, unmount } = await openLab()
    expect(kinds()).toEqual(['level', 'share', 'target', 'kelly'])
    act(() =>
      setOwnSlots({ regionId: '100000', slots: [{ slot: 'own_1', name: 'My points', edges: [0, 1] }] }),
    )
    expect(kinds()).toContain('column')
    await user.selectOptions(labelled('Stakes'), 'column')
    await waitFor(() => expect(address()).toContain('lab=own_1:100'))
    expect(labelled('Column')).toHaveProperty('value', 'own_1')
    expect(labelled('Column').textContent).toBe('My points')
    await user.clear(field('Stake for each 1 in the column (HK$)'))
    await user.type(field('Stake for each 1 in the column (HK$)'), '10{Enter}')
    await waitFor(() => expect(address()).toContain('lab=own_1:1000'))
    expect(part('frozen').textContent).toContain('Stakes by a column of your file cannot be frozen')
    act(() => setOwnSlots(null))
    await screen.findByText(/These stakes are by a column of your own file, which is not open\./)
    expect(labelled('Column').textContent).toBe('Of a file that is not open')
    unmount()
  },
)

/** What is saved from now on. */
function savedFiles(): Blob[] {
  const files: Blob[] = []
  URL.createObjectURL = (file) => {
    files.push(file as Blob)
    return 'blob:file'
  }
  URL.revokeObjectURL = () => undefined
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  return files
}

/** jsdom reads files only in this way. */
const bytesOf = (file: Blob): Promise<ArrayBuffer> =>
  new Promise((resolve) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as ArrayBuffer))
    reader.readAsArrayBuffer(file)
  })

/** The rows of a CSV file without quotes, by the headings. */
async function csvRows(file: Blob): Promise<Record<string, string>[]> {
  const [header, ...lines] = new TextDecoder()
    .decode(await bytesOf(file))
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))
  return lines.map((cells) => Object.fromEntries(header!.map((name, at) => [name, cells[at] ?? ''])))
}

test(
  'the bets are a file: those that were placed, with their stakes and what they won or lost',
  { tags: ['rest'] },
  async () => {
    const own = { win_odds: 3.2, late_odds: 3, opening_odds: 2.8, distance: 1200, horses_en: 'Golden Mile' }
    const facts = [
      prediction({ day: '2026-01-04', outcome: 'hit', profit: 2500 }, { ...own, combination: '4' }),
      prediction({ day: '2026-01-07' }, { ...own, combination: '5' }),
      // Not chosen: its odds are below 2.9.
      prediction({ day: '2026-01-11' }, { ...own, late_odds: 2.5, combination: '6' }),
      prediction({ day: '2026-01-14', outcome: 'void' }, { ...own, combination: '7' }),
    ]
    const { user } = await openLab(
      `${filterWords(WIN)}&lab=${encodeURIComponent('odds-from:2.9~level:20000~rebate:1000')}`,
      facts,
    )
    const files = savedFiles()
    await user.click(within(part('lab-bets')).getByRole('button', { name: 'Export' }))
    await user.click(screen.getByRole('button', { name: 'Export CSV' }))
    await waitFor(() => expect(part('lab-bets').textContent).toContain('3 rows saved'))
    const csv = await csvRows(files[0]!)
    const columns = [
      'Day',
      'Prediction',
      'Horses',
      'Distance',
      'Odds used',
      'Stake (HK$)',
      'Outcome',
      'Profit (HK$)',
    ]
    expect(csv.map((row) => columns.map((name) => row[name]))).toEqual([
      ['2026-01-04', '[4]', 'Golden Mile', '1200', '3', '200', 'Hit', '500'],
      ['2026-01-07', '[5]', 'Golden Mile', '1200', '3', '200', 'Miss', '-180'],
      ['2026-01-14', '[7]', 'Golden Mile', '1200', '3', '200', 'Void', '0'],
    ])
  },
)
