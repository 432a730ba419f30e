import { fireEvent, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FurlongError } from '../../domain/errors.ts'
import { bets } from './prepared-facts.ts'
import { openRecord, panel, tile } from './record.tsx'
import { address, part } from './render.tsx'

/** The pivot of the record, on prepared predictions whose figures can be added up by hand. */

const words = 'p=pivot:distance.going.count.hit_rate'
const pivot = (): HTMLElement => part('pivot')
const textsOf = (selector: string): (string | null)[] =>
  [...pivot().querySelectorAll(selector)].map((each) => each.textContent)
const rows = (): string[] =>
  [...pivot().querySelectorAll<HTMLElement>('tbody tr')].map((row) => row.dataset['key']!)

test('a cell has its figures, and each total is a ratio of sums', async () => {
  await openRecord({ words })
  await waitFor(() => expect(pivot()).toBeTruthy())
  expect(textsOf('thead th')).toEqual([
    'Going',
    'Total',
    'Good',
    'Yielding',
    'Distance',
    ...['Total', 'Good', 'Yielding'].flatMap(() => ['Predictions', 'Hit rate']),
  ])
  // 1,200 m: 20 of 80 on good and 10 of 80 on wet ground; 1,650 m: 10 of 40.
  expect(textsOf('tbody tr[data-key="1200"] td')).toEqual(['160', '18.8%', '80', '25.0%', '80', '12.5%'])
  expect(textsOf('tbody tr[data-key="1650"] td')).toEqual(['40', '25.0%', '40', '25.0%', '·', '·'])
  expect(textsOf('tfoot td')).toEqual(['200', '20.0%', '120', '25.0%', '80', '12.5%'])
})

test('a heading sorts from the largest, from the smallest, and no longer', { tags: ['rest'] }, async () => {
  await openRecord({ words })
  await waitFor(() => expect(rows()).toEqual(['1200', '1650']))
  const heading = () => pivot().querySelectorAll<HTMLElement>('thead tr:last-child button')[4]!
  fireEvent.click(heading())
  await waitFor(() => expect(address()).toContain('sort-hit_rate.at-good'))
  fireEvent.click(pivot().querySelectorAll<HTMLElement>('thead tr:last-child button')[2]!)
  await waitFor(() => expect(rows()).toEqual(['1650', '1200']))
  fireEvent.click(pivot().querySelectorAll<HTMLElement>('thead tr:last-child button')[2]!)
  await waitFor(() => expect(rows()).toEqual(['1200', '1650']))
  expect(address()).toContain('sort-hit_rate.ascending')
  fireEvent.click(pivot().querySelectorAll<HTMLElement>('thead tr:last-child button')[2]!)
  await waitFor(() => expect(address()).not.toContain('sort-'))
})

test('cells are reached by the arrow keys, and Enter filters by both values', async () => {
  const { user } = await openRecord({ words })
  await waitFor(() => expect(pivot()).toBeTruthy())
  pivot().querySelector<HTMLElement>('[tabindex="0"]')!.focus()
  expect(document.activeElement!.textContent).toBe('160')
  await user.keyboard('{ArrowRight}{ArrowRight}{ArrowDown}')
  expect(document.activeElement!.textContent).toBe('40')
  expect(pivot().querySelectorAll('[tabindex="0"]')).toHaveLength(1)
  await user.keyboard('{Enter}')
  await waitFor(() => expect(tile('Predictions').value).toBe('40'))
  expect(address()).toMatch(/going:good.*distance:1650|distance:1650.*going:good/)
  // Its own selection does not restrict it: not the cells, nor their totals.
  expect(textsOf('tfoot td')).toEqual(['200', '20.0%', '120', '25.0%', '80', '12.5%'])
  const good = within(pivot()).getByRole('button', { name: 'Good' })
  await waitFor(() => expect(good.getAttribute('aria-pressed')).toBe('true'))
})

test('the longest losing run of a total is that of its own bets, not of its cells', async () => {
  const losing = 'p=pivot:distance.going.losing_run'
  const { user } = await openRecord({
    words: losing,
    tables: {
      predictions: [
        ...bets(3, 0, 0, { going: 'good', distance: 1200 }),
        ...bets(2, 0, 0, { going: 'yielding', distance: 1200 }),
        ...bets(4, 0, 0, { going: 'good', distance: 1650 }),
        ...bets(1, 1, 2000, { going: 'good', distance: 1650 }),
      ],
    },
  })
  await waitFor(() => expect(textsOf('tbody tr[data-key="1200"] td')).toEqual(['5', '3', '2']))
  expect(textsOf('tbody tr[data-key="1650"] td')).toEqual(['4', '4', '·'])
  expect(textsOf('tfoot td')).toEqual(['9', '7', '2'])
  await user.click(within(panel('pivot')).getByRole('button', { name: 'Drawdown', pressed: false }))
  await waitFor(() => expect(textsOf('tfoot td')).toContain('HK$90.00'))
})

test('figures over each single bet that cannot be had say why, and can be asked for again', async () => {
  let failing = true
  const { user } = await openRecord({
    words: 'p=pivot:distance.going.losing_run',
    tables: {
      predictions: bets(3, 0, 0, { going: 'good', distance: 1200 }),
      instead: (request) => {
        const isOfCells = 'aggregate' in request && request.aggregate.by.join() === 'distance,going'
        if (isOfCells && failing) throw new FurlongError('query-failed')
        return undefined
      },
    },
  })
  const retry = await within(panel('pivot')).findByRole('button', { name: 'Try again' })
  failing = false
  await user.click(retry)
  await waitFor(() => expect(textsOf('tbody tr[data-key="1200"] td')).toEqual(['3', '3']))
})

test('the parts of a line ask for their cells and their totals only', { tags: ['rest'] }, async () => {
  const of = { going: 'good', distance: 1200 }
  const { user, connector } = await openRecord({
    words: 'p=pivot:distance.going.losing_run.within-racecourse',
    tables: {
      predictions: [...bets(3, 0, 0, { ...of, racecourse: 1 }), ...bets(2, 0, 0, { ...of, racecourse: 2 })],
    },
  })
  await waitFor(() => expect(textsOf('tfoot td')).toEqual(['5', '5']))
  await user.click(within(pivot()).getByRole('button', { name: /^Split/ }))
  await waitFor(() => expect(textsOf('tbody td')).toEqual(['5', '5', '3', '3', '2', '2']))
  const asked = connector.requests.flatMap((request) =>
    'aggregate' in request && request.aggregate.measures.join() === 'losing_run'
      ? [request.aggregate.by.join()]
      : [],
  )
  expect(asked.toSorted()).toEqual([
    '',
    'distance',
    'distance,going',
    'going',
    'racecourse',
    'racecourse,going',
  ])
})

test('at most four figures are chosen, and one always stays', { tags: ['rest'] }, async () => {
  const { user } = await openRecord({ words })
  await waitFor(() => expect(pivot()).toBeTruthy())
  const choice = (name: string) => within(panel('pivot')).getByRole('button', { name })
  await user.click(within(panel('pivot')).getByRole('button', { name: 'Return', pressed: false }))
  await waitFor(() => expect(address()).toContain('pivot:distance.going.count.hit_rate.return'))
  await user.click(within(panel('pivot')).getByRole('button', { name: 'Impact value', pressed: false }))
  await waitFor(() => expect(textsOf('tfoot td')).toHaveLength(12))
  expect((choice('Log loss') as HTMLButtonElement).disabled).toBe(true)
})

test(
  'dimensions with many values have their largest groups, with the totals of all',
  { tags: ['rest'] },
  async () => {
    const jockeys = bets(45, 9, 2500, { going: 'good' }).map(({ values, sums }, at) => ({
      values: { ...values, jockey: at + 1 },
      sums,
    }))
    await openRecord({ words: 'p=pivot:jockey.going.count', tables: { predictions: jockeys } })
    await waitFor(() => expect(pivot()).toBeTruthy())
    expect(rows()).toHaveLength(40)
    expect(panel('pivot').textContent).toContain('At most 40 rows and 16 columns are shown')
    expect(textsOf('tfoot td')).toEqual(['45', '45'])
  },
)
