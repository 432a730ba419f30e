import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { follow, queryFollows, unfollow, type Follow } from '../../contract/api/follow.ts'
import { queryHorseInfo } from '../../contract/api/horse.ts'
import { FollowToggle } from '../../src/widgets/follow/follow.tsx'
import { Racecard } from '../../src/features/race/racecard.tsx'
import { raceInfo, runner } from './race-samples.ts'
import { bets } from './prepared-facts.ts'
import { breakdown, filterWords, openRecord, signIn } from './record.tsx'
import { address, renderPart, server } from './render.tsx'

const HORSE = { kind: 'horse', target: 'HK-A123' } as const
const WORDS = {
  en: 'Follow Golden Mile',
  'zh-Hant': '追蹤Golden Mile',
  'zh-Hans': '关注Golden Mile',
} as const

/** Signs in somebody who follows `before`, and lets the server remember what changes. */
function asMember(before: Follow[] = []): void {
  signIn('member')
  let stored = before
  server.answer(queryFollows, () => stored)
  server.answer(follow, ({ body }) => {
    stored = [{ ...(body as typeof HORSE), createdAt: '2026-01-01T00:00:00.000Z' }, ...stored]
    return { followed: true as const }
  })
  server.answer(unfollow, ({ query }) => {
    stored = stored.filter(({ target }) => target !== query['target'])
    return { followed: false as const }
  })
}

const button = (name: string = WORDS.en) => screen.findByRole('button', { name })
const pressed = (element: HTMLElement) => element.getAttribute('aria-pressed')
const toggle = <FollowToggle of={HORSE} name="Golden Mile" />

describe.each(['en', 'zh-Hant', 'zh-Hans'] as const)('in %s', (language) => {
  test('one tap follows and another ends that', async () => {
    asMember()
    const { user } = await renderPart(toggle, { language })
    const star = await button(WORDS[language])
    expect(pressed(star)).toBe('false')
    await user.click(star)
    await waitFor(() => expect(pressed(star)).toBe('true'))
    await waitFor(() => expect(server.requestsOf(follow).map(({ body }) => body)).toEqual([HORSE]))
    await waitFor(() => expect(server.requestsOf(queryFollows)).toHaveLength(2))
    await user.click(star)
    await waitFor(() => expect(pressed(star)).toBe('false'))
    await waitFor(() => expect(server.requestsOf(unfollow).map(({ query }) => query)).toEqual([HORSE]))
  })
})

test('a second click while the first one is on its way sends nothing, and the state is shown at once', async () => {
  asMember()
  const { user } = await renderPart(toggle)
  const star = await button()
  const release = server.hold(follow)
  await user.dblClick(star)
  await waitFor(() => expect(pressed(star)).toBe('true'))
  release()
  await waitFor(() => expect(server.requestsOf(queryFollows)).toHaveLength(2))
  expect(server.requestsOf(follow)).toHaveLength(1)
  expect(server.requestsOf(unfollow)).toHaveLength(0)
  expect(pressed(star)).toBe('true')
})

test('without a connection the star goes out again, and why is said', async () => {
  asMember()
  const { user } = await renderPart(toggle)
  const star = await button()
  await waitFor(() => expect(server.requestsOf(queryFollows)).toHaveLength(1))
  server.isOffline = true
  await user.click(star)
  await screen.findByText(/connection/i)
  expect(pressed(star)).toBe('false')
  server.isOffline = false
  await user.click(star)
  await waitFor(() => expect(pressed(star)).toBe('true'))
})

test('where there is no room for another one, the limit is said', async () => {
  asMember()
  server.refuse(follow, 400, 'Parameters', { error: 'bad-parameters' })
  const { user } = await renderPart(toggle)
  await user.click(await button())
  await screen.findByText(/You follow 500 already/)
  expect(pressed(await button())).toBe('false')
})

test('a visitor is sent to sign in, and back to where the star stands', async () => {
  await renderPart(toggle, { path: '/pages/race/HorseDetail?id=HK-A123' })
  const link = await screen.findByRole('link', { name: WORDS.en })
  const back = new URLSearchParams(link.getAttribute('href')!.split('?')[1])
  expect(back.get('back')).toBe('/pages/race/HorseDetail?id=HK-A123')
  expect(link.getAttribute('title')).toBe('Sign in to follow')
})

test.each([390, 1280])('a racecard marks the followed runner alone, %i pixels wide', async (width) => {
  const createdAt = '2026-01-01T00:00:00.000Z'
  asMember([{ kind: 'horse', target: 'HK-H2', createdAt }])
  server.fail(queryHorseInfo)
  const runners = [runner(1, { status: 'declared' }), runner(2, { status: 'declared' })]
  const race = raceInfo({ status: 'scheduled', isSubscribe: 0 })
  await renderPart(<Racecard race={race} runners={runners} open={false} judged={false} />, { width })
  const marks = await screen.findAllByText('Followed')
  expect(marks).toHaveLength(1)
  expect(marks[0]!.closest('[data-number]')!.getAttribute('data-number')).toBe('2')
})

describe('in the record', () => {
  const tables = {
    predictions: [...bets(30, 6, 2000, { horse: 7 }), ...bets(20, 4, 2000, { horse: 8 })],
    ids: { horse: { 7: 'HK-H7', 8: 'HK-H8' } },
  }
  const chips = () => screen.getByRole('list', { name: 'Filters in use' })
  const starsIn = (element: HTMLElement): (string | null)[] =>
    within(element)
      .queryAllByRole('button', { name: /^Follow / })
      .map((each) => each.getAttribute('aria-label'))

  test('the one horse that is chosen is followed beside its name, and no figure is asked for again', async () => {
    server.answer(follow, { followed: true })
    const { user, connector } = await openRecord({ tables, words: `p=profit&${filterWords('horse:7')}` })
    const star = await within(chips()).findByRole('button', { name: WORDS.en })
    const asked = connector.requests.length
    await user.click(star)
    await waitFor(() =>
      expect(server.requestsOf(follow).map(({ body }) => body)).toEqual([{ kind: 'horse', target: 'HK-H7' }]),
    )
    expect(connector.requests).toHaveLength(asked)
  })

  test.each([
    ['two horses', 'horse:7,8'],
    ['a horse that is left out', 'horse:!7'],
    ['a racecourse', 'racecourse:1'],
  ])('%s cannot be followed with one tap', async (_, clause) => {
    await openRecord({ tables, words: `p=profit&${filterWords(clause)}` })
    expect(within(chips()).getAllByRole('listitem').length).toBeGreaterThan(1)
    expect(starsIn(chips())).toEqual([])
  })

  test('a horse whose id is not known has no star', async () => {
    await openRecord({ tables: { ...tables, ids: {} }, words: `p=profit&${filterWords('horse:7')}` })
    await within(chips()).findByText(/Golden Mile/)
    expect(starsIn(chips())).toEqual([])
  })

  test('a breakdown has a star on the rows that are chosen alone', async () => {
    const { user } = await openRecord({ tables, words: 'p=bars:horse' })
    const table = await breakdown('horse')
    expect(starsIn(table)).toEqual([])
    await user.click(within(table).getByRole('button', { name: 'Fast Friend' }))
    await waitFor(() => expect(address()).toContain('horse:8'))
    await waitFor(async () => expect(starsIn(await breakdown('horse'))).toEqual(['Follow Fast Friend']))
    await user.keyboard('{Tab}')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Follow Fast Friend')
  })
})

test('a meeting is followed by another shape than a race, which is drawn by its outline', async () => {
  asMember()
  const { user, container } = await renderPart(
    <>
      <FollowToggle of={{ kind: 'race', target: 'HKSHT-20260101-01' }} name="the race" />
      <FollowToggle of={{ kind: 'meeting', target: 'HKSHT-20260101' }} name="the meeting" />
    </>,
  )
  const shapeOf = (element: HTMLElement) => element.querySelector('svg')!.innerHTML
  const race = await button('Follow the race')
  const meeting = await button('Follow the meeting')
  const before = shapeOf(meeting)
  expect(shapeOf(race)).not.toBe(before)
  await user.click(meeting)
  await waitFor(() => expect(pressed(meeting)).toBe('true'))
  expect(shapeOf(meeting)).not.toBe(before)
  expect(container.querySelectorAll('svg')).toHaveLength(2)
})
