import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import {
  changeSavedView,
  deleteSavedView,
  querySavedViews,
  saveView,
  type SavedView,
} from '../../contract/api/view.ts'
import { backPath } from '../../src/data/login-path.ts'
import { prediction } from './prepared-facts.ts'
import { filterWords, openRecord } from './record.tsx'
import { address, part, server } from './render.tsx'

/** Saved views and the coming predictions that match them. */

interface View {
  id: string
  name: string
  address: string
  code: string
  followed: boolean
  threshold: SavedView['threshold']
  digest: SavedView['digest']
  updatedAt: string
}

const view = (at: number, name: string, words: string): View => ({
  id: `00000000-0000-4000-8000-00000000000${at}`,
  name,
  address: words,
  code: `abcdefghi${at}`,
  followed: false,
  threshold: null,
  digest: null,
  updatedAt: '2026-01-31T00:00:00.000Z',
})

/** A server that keeps the views of one reader. */
function prepareViews(views: View[]): View[] {
  server.answer(querySavedViews, () => views)
  server.answer(saveView, ({ body }) => {
    const { name, address: words } = body as { name: string; address: string }
    const saved = view(views.length + 1, name, words)
    views.push(saved)
    return saved
  })
  server.answer(changeSavedView, ({ body }) => {
    const { id, up, ...given } = body as Partial<View> & { id: string; up?: true }
    const { name } = given
    const at = views.findIndex((each) => each.id === id)
    if (name !== undefined && views.some((each) => each.name === name)) return { changed: false }
    const changed = { ...views[at]!, ...given }
    views.splice(at, 1)
    views.splice(up ? at - 1 : at, 0, changed)
    return { changed: true }
  })
  server.answer(deleteSavedView, ({ query }) => {
    views.splice(
      views.findIndex((each) => each.id === query['id']),
      1,
    )
    return { deleted: true }
  })
  return views
}

/** Opens the record and its menu of views. */
async function openViews(views: View[], words = '') {
  const opened = await openRecord({ words })
  prepareViews(views)
  await opened.user.click(screen.getByRole('button', { name: 'Views' }))
  const dialog = screen.getByRole('dialog', { name: 'Views' })
  return { ...opened, dialog, button: (name: string) => within(dialog).getByRole('button', { name }) }
}

const namesIn = (dialog: HTMLElement): string[] =>
  [...dialog.querySelector('section')!.querySelectorAll('li a')].map((each) => each.textContent)

test('who comes from the search to save the view types its name at once', { tags: ['rest'] }, async () => {
  await openRecord()
  prepareViews([])
  act(() => {
    history.pushState({ usr: { opens: 'save-view' }, key: 'saving', idx: 1 }, '', location.href)
    dispatchEvent(new PopStateEvent('popstate'))
  })
  const dialog = await screen.findByRole('dialog', { name: 'Views' })
  const field = await within(dialog).findByRole('textbox', { name: 'Name' })
  expect(document.activeElement).toBe(field)
})

test('views are saved, ordered, renamed, copied and deleted', async () => {
  const { user, dialog, button } = await openViews([], filterWords('bet_type:1~going:good'))
  const written: string[] = []
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void written.push(text))
  await within(dialog).findByText('You have saved no view yet.')
  const field = (): HTMLElement => within(dialog).getAllByRole('textbox', { name: 'Name' }).at(-1)!
  for (const name of ['Early', 'Late']) {
    await user.type(field(), `${name}{Enter}`)
    await waitFor(() => expect(namesIn(dialog)).toContain(name))
    expect((field() as HTMLInputElement).value).toBe('')
  }
  expect(server.requestsOf(saveView)[0]!.body).toMatchObject({
    countryRegionId: '100000',
    name: 'Early',
    address: expect.stringContaining('going'),
  })
  await user.click(button('Move Late up'))
  await waitFor(() => expect(namesIn(dialog)).toEqual(['Late', 'Early']))
  await user.click(button('Copy the short link of Late'))
  await waitFor(() => expect(dialog.textContent).toContain('Link copied'))
  expect(written).toEqual(['http://localhost:3000/#/pages/race/WinLossRecord?view=abcdefghi2'])

  await user.click(button('Rename Early'))
  const renamed = within(dialog).getAllByRole('textbox', { name: 'Name' })[0]!
  await user.clear(renamed)
  await user.type(renamed, 'Late{Enter}')
  // A name that another view has is refused, and what was written stays.
  await waitFor(() => expect(within(dialog).getByRole('alert')).toBeTruthy())
  await user.clear(renamed)
  await user.type(renamed, 'Dawn{Enter}')
  await waitFor(() => expect(namesIn(dialog)).toEqual(['Late', 'Dawn']))
  await user.click(button('Delete Late'))
  await waitFor(() => expect(namesIn(dialog)).toEqual(['Dawn']))
})

test('what a view tells of is chosen on its card: matches, digest, and a limit in percent', async () => {
  const { user, dialog, button } = await openViews([view(1, 'Wet valley', filterWords('going:yielding'))])
  await within(dialog).findByRole('link', { name: 'Wet valley' })
  await user.click(button('Tell me about Wet valley'))
  const choose = (name: string | RegExp, option: string) =>
    user.selectOptions(within(dialog).getByRole('combobox', { name }), option)
  await user.click(await within(dialog).findByRole('checkbox', { name: /new matches/ }))
  await choose('Send its figures', 'After each meeting')
  await choose('Tell me when a figure passes a limit', 'Return')
  const limit = within(dialog).getByLabelText('Limit, in %')
  expect((limit as HTMLInputElement).value).toMatch(/^[-−]20$/)
  await user.clear(limit)
  await user.type(limit, '-12.5')
  await choose('Over the last', '100 bets or more')
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  await screen.findByText('Saved')
  expect(server.requestsOf(changeSavedView)[0]!.body).toMatchObject({
    followed: true,
    digest: 'meeting',
    threshold: { measure: 'return', length: 100, unit: 'bets', side: 'below', value: -0.125 },
  })
  await choose('Tell me when a figure passes a limit', 'Never')
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(server.requestsOf(changeSavedView)[1]!.body).toMatchObject({ threshold: null, digest: 'meeting' }),
  )
})

test(
  'the gallery asks each view for its return, and the name of a view is the title of the page',
  { tags: ['rest'] },
  async () => {
    const { user, dialog } = await openViews([
      view(1, 'Wet valley', filterWords('bet_type:1~racecourse:2~going:yielding')),
    ])
    const card = (name: string): HTMLElement =>
      within(dialog).getByRole('link', { name }).closest<HTMLElement>('li')!
    await within(dialog).findByRole('link', { name: 'Wet valley' })
    await waitFor(() => expect(card('Wet valley').textContent).toContain('Racecourse: Happy Valley'))
    // 2 hits of 30, each with a profit of HK$40.
    await waitFor(() => expect(card('Wet valley').textContent).toContain('−66.7%30\u00a0bets'))
    await waitFor(() => expect(card('Going and racecourse').textContent).toContain('−29.0%200\u00a0bets'))
    expect(card('Going and racecourse').textContent).toContain('On which going and at which racecourse')
    await user.click(within(dialog).getByRole('link', { name: 'Wet valley' }))
    const title = (): string | null => screen.getByRole('heading', { level: 1 }).textContent
    await waitFor(() => expect(title()).toBe('Wet valley'))
    await waitFor(() => expect(document.title).toBe('Wet valley · Record · Furlong'))
    // What is no longer that view is called by what it selects.
    await user.click(screen.getByRole('checkbox', { name: 'Place' }))
    await waitFor(() => expect(title()).toBe('Happy Valley · Yielding · Win, Place'))
    // The menu beside the title opens one of the user's own, or all.
    const menu = screen.getByRole('button', { name: 'Open another view' })
    await user.click(menu)
    await user.click(await screen.findByRole('link', { name: 'Wet valley' }))
    await waitFor(() => expect(title()).toBe('Wet valley'))
    await user.click(menu)
    await user.click(await screen.findByRole('button', { name: 'All views…' }))
    expect(screen.getByRole('dialog', { name: 'Views' })).toBeTruthy()
  },
)

test('who may not ask sees the cards with a lock', async () => {
  const { user } = await openRecord({ role: 'visitor' })
  await user.click(screen.getByRole('button', { name: 'Views' }))
  const dialog = screen.getByRole('dialog', { name: 'Views' })
  const card = (await within(dialog).findByRole('link', { name: 'Class 5 calibration' })).closest('li')!
  expect(card.textContent).toContain('For VIP members')
  // Of the whole record they may ask.
  await waitFor(() =>
    expect(
      within(dialog).getByRole('link', { name: 'Going and racecourse' }).closest('li')!.textContent,
    ).toContain('−29.0%'),
  )
})

test('a view that came by a link is what the next gesture changes', { tags: ['rest'] }, async () => {
  const { user, dialog } = await openViews([], 'p=bars:going')
  await user.click(await within(dialog).findByRole('link', { name: 'Draw at Happy Valley' }))
  await waitFor(() => expect(screen.getByTestId('heat').dataset['by']).toBe('draw.distance'))
  expect(address()).toContain('racecourse:2')
  const cells = (): HTMLElement[] => [...part('heat').querySelectorAll<HTMLElement>('td[data-key]')]
  await waitFor(() => expect(cells()).toHaveLength(2))
  const keys = cells().map((cell) => ({
    draw: cell.closest('tr')!.dataset['key'],
    distance: cell.dataset['key'],
  }))
  await user.click(within(cells()[0]!).getByRole('button'))
  await waitFor(() => expect(address()).toContain(`draw:${keys[0]!.draw}`))
  expect(address()).toContain(`distance:${keys[0]!.distance}`)
  // The rest of the view that came stays.
  expect(address()).toContain('racecourse:2')
  await user.click(within(cells()[0]!).getByRole('button'))
  await waitFor(() => expect(address()).not.toContain('draw:'))
  expect(address()).toContain('racecourse:2')
})

test('coming predictions that match the view are counted and listed', { tags: ['rest'] }, async () => {
  const { user, dialog, button, coming } = await openViews([
    view(1, 'Main picks', `${filterWords('bet_type:1~prediction_type:1~outcome:hit')}&model=market-baseline`),
  ])
  const match = (number: number) =>
    prediction(
      { day: '2026-02-01', probability: 0.3 },
      {
        origin: 'locked',
        race_id: `HKSHT20260201${String(number).padStart(2, '0')}`,
        race_no: number,
        combination: String(number),
        horses_en: `Horse ${number}`,
        price: 4.5,
      },
    )
  coming.tables = { predictions: [match(1), match(2)] }
  await waitFor(() => expect(namesIn(dialog)).toEqual(['Main picks']))
  await user.click(button('Close'))
  // The counts are asked again every minute; a new view asks at once.
  await user.click(screen.getByRole('checkbox', { name: 'Place' }))
  await waitFor(() => expect(part('coming-count').getAttribute('aria-label')).toBe('2 matches coming'))
  await user.click(part('coming-count'))
  const list = await screen.findByTestId('matches')
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(2))
  expect(
    within(list)
      .getAllByRole('listitem')
      .map((each) => each.textContent),
  ).toEqual(['R11  Horse 1Win30.0%4.5', 'R22  Horse 2Win30.0%4.5'])
  expect(within(list).getAllByRole('link')[0]!.getAttribute('href')).toContain('id=HKSHT2026020101')
})

test('a visitor who signs in to save a view comes back to the slice on screen', async () => {
  const { user } = await openRecord({ role: 'visitor', words: filterWords('bet_type:1') })
  await user.click(screen.getByRole('button', { name: 'Views' }))
  await screen.findByText(/^Sign in to save/)
  const query = screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')!.split('?')[1]
  const back = backPath(new URLSearchParams(query).get('back'))
  expect(decodeURIComponent(back)).toBe(address())
  expect(back).toContain('bet_type')
})
