import { screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, test } from 'vitest'
import { shareLogPage, voucherPage } from '../../contract/api/account.ts'
import { queryFrozenRules, type FrozenRule } from '../../contract/api/frozen.ts'
import { queryRaceHorse } from '../../contract/api/horse.ts'
import { queryNotes } from '../../contract/api/note.ts'
import { queryRaceSubscribe } from '../../contract/api/racing.ts'
import {
  orderPage,
  queryOrderMainStatus,
  vipActivationLog,
  withdrawalPage,
} from '../../contract/api/trade.ts'
import { queryClient } from '../../src/app/query-client.ts'
import type { ExtraPart } from '../../src/i18n/extra-parts.ts'
import { AnalyticsGate } from '../../src/features/dataset/analytics-gate.tsx'
import HorseStrip from '../../src/features/home/horse-strip.tsx'
import { Withdrawals } from '../../src/features/promotion/withdrawals.tsx'
import { VouchersScreen } from '../../src/screens/account/vouchers-screen.tsx'
import { ActivationLogScreen } from '../../src/screens/membership/activation-log-screen.tsx'
import { OrdersScreen } from '../../src/screens/membership/orders-screen.tsx'
import { NotebookScreen } from '../../src/screens/notebook/notebook-screen.tsx'
import { SubscriptionsScreen } from '../../src/screens/race-lists/subscriptions-screen.tsx'
import { ShareLogScreen } from '../../src/screens/sharing/share-log-screen.tsx'
import { Frozen } from '../../src/workspace/lab/frozen.tsx'
import { LEVEL_TEN } from '../../domain/staking.ts'
import { FIRST_SETTINGS } from '../../src/workspace/lab/lab-settings.ts'
import { MANIFEST, signIn } from './record.tsx'
import { renderPart, server } from './render.tsx'

/** Lists that grow page by page: what they say when there is nothing, and when nothing is known. */

type Prepared = Parameters<typeof server.fail>[0]

const LISTS: readonly {
  name: string
  list: () => ReactNode
  call: Prepared
  /** What it says of no rows. */
  nothing: string
  parts?: readonly ExtraPart[]
  /** Answers an array, without a total. */
  isArray?: true
}[] = [
  {
    name: 'orders',
    list: () => <OrdersScreen />,
    call: orderPage,
    nothing: 'No orders here.',
    parts: ['account'],
  },
  {
    name: 'memberships',
    list: () => <ActivationLogScreen />,
    call: vipActivationLog,
    nothing: 'No VIP membership yet.',
    parts: ['account'],
  },
  {
    name: 'vouchers',
    list: () => <VouchersScreen />,
    call: voucherPage,
    nothing: 'No voucher has come or gone yet.',
    parts: ['account'],
  },
  {
    name: 'share history',
    list: () => <ShareLogScreen />,
    call: shareLogPage,
    nothing: 'Nobody has registered through your link yet.',
    parts: ['account'],
  },
  {
    name: 'withdrawals',
    list: () => <Withdrawals />,
    call: withdrawalPage,
    nothing: 'No withdrawals yet.',
    parts: ['promotion'],
  },
  {
    name: 'notes',
    list: () => <NotebookScreen />,
    call: queryNotes,
    nothing: 'No notes yet. Write one on the page of a horse or a race.',
    parts: ['notes'],
  },
  {
    name: 'subscriptions',
    list: () => <SubscriptionsScreen />,
    call: queryRaceSubscribe,
    nothing: 'You have not unlocked a race of this region yet.',
    isArray: true,
  },
  { name: 'horses', list: () => <HorseStrip />, call: queryRaceHorse, nothing: 'No horses here yet.' },
]

const NOBODY = { records: [], total: 0, current: 1, size: 10, pages: 0 }

describe.each(LISTS)('$name', ({ list, call, nothing, parts = [], isArray }) => {
  const open = async (): Promise<void> => {
    signIn('member')
    server.manifest = MANIFEST
    server.answer(queryOrderMainStatus, { obligation: 0, accountPaid: 0, closed: 0, refunded: 0 })
    await renderPart(list(), { parts })
  }

  test('a failed load says why, and nothing about the rows', async () => {
    server.fail(call)
    await open()
    expect((await screen.findByRole('alert')).textContent).toContain('There is no connection')
    expect(document.body.textContent).not.toContain(nothing)
  })

  test('an empty list says so, and nothing else', async () => {
    server.answer(call, isArray ? [] : NOBODY)
    await open()
    await waitFor(() => expect(document.body.textContent).toContain(nothing))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('while it loads it says neither', async () => {
    server.answer(call, isArray ? [] : NOBODY)
    const release = server.hold(call)
    await open()
    await waitFor(() => expect(server.requestsOf(call)).toHaveLength(1))
    expect(document.body.textContent).not.toContain(nothing)
    release()
    await waitFor(() => expect(document.body.textContent).toContain(nothing))
  })
})

const row = (index: number) => ({
  recipient: `friend ${index}`,
  rewardType: 1,
  rewardAmount: 20,
  beforeNum: index * 20,
  afterNum: index * 20 + 20,
  createTime: `2026-01-${String(index + 1).padStart(2, '0')}T00:00:00.000Z`,
})
const rows = (from: number, count: number) => Array.from({ length: count }, (_, index) => row(from + index))
const page = (current: number, total: number, records: ReturnType<typeof rows>) => ({
  records,
  total,
  current,
  size: 10,
  pages: Math.ceil(total / 10),
})

describe('the end of a list', () => {
  const open = async (width = 1280) => {
    signIn('member')
    const { user } = await renderPart(<ShareLogScreen />, { parts: ['account'], width })
    await screen.findByText('friend 0')
    return user
  }
  const more = (): HTMLElement | null => screen.queryByRole('button', { name: 'More' })

  test('a list whose rows are all there offers no more, though its page is full', async () => {
    server.answer(shareLogPage, page(1, 10, rows(0, 10)))
    await open()
    expect(more()).toBeNull()
  })

  test('after the last page the list says that it is at its bottom', async () => {
    server.answer(shareLogPage, ({ query }) =>
      query['pageNo'] === '2' ? page(2, 12, rows(10, 2)) : page(1, 12, rows(0, 10)),
    )
    const user = await open()
    await user.click(more()!)
    await screen.findByText('friend 11')
    await screen.findByText('Already at the bottom of the page')
    expect(more()).toBeNull()
  })

  test('a next page that fails keeps the rows, says why, keeps the focus, and can be asked for again', async () => {
    let failing = true
    server.answer(shareLogPage, ({ query }) => {
      if (query['pageNo'] !== '2') return page(1, 12, rows(0, 10))
      if (failing) throw new TypeError('Failed to fetch')
      return page(2, 12, rows(10, 2))
    })
    const user = await open()
    const button = more()!
    await user.click(button)
    expect(document.activeElement).toBe(button)
    expect((await screen.findByRole('alert')).textContent).toContain('There is no connection')
    expect(screen.getByText('friend 0')).toBeTruthy()
    expect(document.body.textContent).not.toContain('It’s the end!')
    failing = false
    expect(document.activeElement).toBe(more())
    await user.click(more()!)
    await screen.findByText('friend 11')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('an empty next page is told by a message of its own', async () => {
    server.answer(shareLogPage, ({ query }) =>
      query['pageNo'] === '2' ? page(2, 10, []) : page(1, 11, rows(0, 10)),
    )
    const user = await open()
    await user.click(more()!)
    await screen.findByText('It’s the end!')
  })
})

const frozenRule = (index: number): FrozenRule => ({
  id: `01234567-89ab-4cde-8f01-2345678900${String(index).padStart(2, '0')}`,
  name: `rule ${index}`,
  address: 'v=2',
  universe: 'kept',
  rules: FIRST_SETTINGS.rules,
  plan: LEVEL_TEN,
  frozenAt: '2026-01-01T00:00:00.000Z',
  endedAt: null,
  races: 0,
  missed: 0,
  bets: 0,
})

describe('a list of which something could not be loaded', () => {
  test('frozen rules say that the next ones could not be loaded, and are asked for again', async () => {
    let failing = true
    const rules = Array.from({ length: 12 }, (_, index) => frozenRule(index))
    signIn('vip')
    server.manifest = MANIFEST
    server.answer(queryFrozenRules, ({ query }) => {
      if (query['pageNo'] !== '2') return rules.slice(0, 10)
      if (failing) throw new TypeError('Failed to fetch')
      return rules.slice(10)
    })
    const { user } = await renderPart(
      <AnalyticsGate>
        <Frozen
          settings={FIRST_SETTINGS}
          where={{ dim: 'model', in: ['market-baseline'] }}
          model="market-baseline"
        />
      </AnalyticsGate>,
      { parts: ['workspace', 'lab'] },
    )
    await screen.findByText('rule 0')
    const more = screen.getByRole('button', { name: 'More' })
    await user.click(more)
    expect((await screen.findByRole('alert')).textContent).toContain('There is no connection')
    expect(screen.getByText('rule 9')).toBeTruthy()
    expect(document.activeElement).toBe(more)
    failing = false
    await user.click(screen.getByRole('button', { name: 'More' }))
    await screen.findByText('rule 11')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('a refresh that failed is not told as a next page that failed', async () => {
    signIn('member')
    server.answer(shareLogPage, ({ query }) =>
      query['pageNo'] === '2' ? page(2, 12, rows(10, 2)) : page(1, 12, rows(0, 10)),
    )
    const { user } = await renderPart(<ShareLogScreen />, { parts: ['account'] })
    await screen.findByText('friend 0')
    const told: (string | null)[] = []
    const observer = new MutationObserver(() =>
      told.push(...screen.queryAllByRole('alert').map(({ textContent }) => textContent)),
    )
    observer.observe(document.body, { childList: true, subtree: true })
    server.isOffline = true
    await queryClient.refetchQueries()
    server.isOffline = false
    expect(screen.getByText('friend 0')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'More' }))
    await screen.findByText('friend 11')
    observer.disconnect()
    expect(told).toEqual([])
  })
})

test('a horse has its year of birth beside its name, where it is known', async () => {
  server.manifest = MANIFEST
  const horse = {
    id: 'GB-CanonLawIRE',
    number: 'Canon Law (IRE)',
    name: 'Canon Law (IRE)',
    nameLanguage: 'en',
    nameEn: 'Canon Law (IRE)',
    countryRegion: 'Great Britain',
    sex: null,
    colour: null,
    status: null,
    lastRating: null,
    birthYear: 2010,
  } as const
  server.answer(queryRaceHorse, { ...NOBODY, records: [horse], total: 1, pages: 1 })
  await renderPart(<HorseStrip />)
  expect((await screen.findByRole('link')).textContent).toBe('Canon Law (IRE)Born 2010')
})
