import { screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, test } from 'vitest'
import { logout, shareLogPage, userInfo, voucherPage } from '../../contract/api/account.ts'
import { configAll } from '../../contract/api/site.ts'
import { queryNotes } from '../../contract/api/note.ts'
import { queryOddsTrack, queryRaceSubscribe } from '../../contract/api/racing.ts'
import {
  applyStatus,
  listBankCards,
  orderPage,
  queryOrderMainStatus,
  vipActivationLog,
  withdrawalPage,
} from '../../contract/api/trade.ts'
import { querySavedViews } from '../../contract/api/view.ts'
import { deviceName } from '../../src/data/client/device.ts'
import { readToken, storeToken } from '../../src/data/client/session.ts'
import { Withdrawals } from '../../src/features/promotion/withdrawals.tsx'
import { OddsTrack } from '../../src/features/race/odds-track.tsx'
import { PersonalCentreScreen } from '../../src/screens/account/personal-centre-screen.tsx'
import { VouchersScreen } from '../../src/screens/account/vouchers-screen.tsx'
import { ExitScreen } from '../../src/screens/common/exit-screen.tsx'
import { ActivationLogScreen } from '../../src/screens/membership/activation-log-screen.tsx'
import { OrdersScreen } from '../../src/screens/membership/orders-screen.tsx'
import { ApplyScreen } from '../../src/screens/promotion/apply-screen.tsx'
import { BankCardScreen } from '../../src/screens/promotion/bank-card-screen.tsx'
import { ShareLogScreen } from '../../src/screens/sharing/share-log-screen.tsx'
import { MANIFEST, signIn } from './record.tsx'
import { renderPart, server } from './render.tsx'

/** What the next person on the same device may see of the one before. */

const AT = '2026-01-31T00:00:00.000Z'
const ID = '01234567-89ab-4cde-8f01-23456789abce'
const pageOf = <Row,>(records: Row[]) => ({ records, total: records.length, current: 1, size: 10, pages: 1 })

/** Prepares an answer that differs by who asks: `row` for the first person, `other` for the next one. */
type Prepare = (whose: (token: string | null) => 'first' | 'next') => void

const LISTS: readonly [name: string, part: ReactNode, prepare: Prepare, shown: RegExp][] = [
  [
    'orders',
    <OrdersScreen key="orders" />,
    (whose) => {
      server.answer(queryOrderMainStatus, { obligation: 0, accountPaid: 0, closed: 1, refunded: 0 })
      server.answer(orderPage, ({ token }) =>
        pageOf([
          {
            id: ID,
            planId: '4',
            planName: `plan of the ${whose(token)}`,
            length: 12,
            transactionAmount: '898.00',
            originalPrice: '1176.00',
            paidPrice: null,
            state: 'closed' as const,
            payUrl: null,
            createTime: AT,
            expireTime: AT,
            payTime: null,
          },
        ]),
      )
    },
    /plan of the first/,
  ],
  [
    'vouchers',
    <VouchersScreen key="vouchers" />,
    (whose) =>
      server.answer(voucherPage, ({ token }) =>
        pageOf([
          {
            id: ID,
            kind: 'no_expiry' as const,
            day: null,
            reason: 'share',
            reference: ID,
            amount: whose(token) === 'first' ? 77 : 5,
            before: 0,
            after: whose(token) === 'first' ? 77 : 5,
            createTime: AT,
          },
        ]),
      ),
    /\+77/,
  ],
  [
    'bank cards',
    <BankCardScreen key="cards" />,
    (whose) =>
      server.answer(listBankCards, ({ token }) => [
        { id: ID, name: 'Chan', bank: `bank of the ${whose(token)}`, cardNumber: '4242', createTime: AT },
      ]),
    /bank of the first/,
  ],
  [
    'withdrawals',
    <Withdrawals key="withdrawals" />,
    (whose) =>
      server.answer(withdrawalPage, ({ token }) =>
        pageOf([
          {
            id: ID,
            name: 'Chan',
            bank: `bank of the ${whose(token)}`,
            cardNumber: '4242',
            createTime: AT,
            amount: '50.00',
            state: 'waiting' as const,
            decideTime: null,
          },
        ]),
      ),
    /bank of the first/,
  ],
  [
    'VIP periods',
    <ActivationLogScreen key="activations" />,
    (whose) =>
      server.answer(vipActivationLog, ({ token }) =>
        pageOf([
          {
            id: ID,
            orderId: ID,
            customerType: 5,
            length: whose(token) === 'first' ? 77 : 12,
            activationDate: AT,
            vipStartTime: AT,
            vipEndTime: AT,
            cancelled: false,
          },
        ]),
      ),
    /77 months/,
  ],
  [
    'application',
    <ApplyScreen key="apply" />,
    (whose) =>
      server.answer(applyStatus, ({ token }) => ({
        id: ID,
        account: 'account',
        nickname: 'nickname',
        name: `name of the ${whose(token)}`,
        phone: null,
        status: 'pending' as const,
        createTime: AT,
        decideTime: null,
      })),
    /name of the first/,
  ],
  [
    'shares',
    <ShareLogScreen key="shares" />,
    (whose) =>
      server.answer(shareLogPage, ({ token }) =>
        pageOf([
          {
            recipient: `friend of the ${whose(token)}`,
            rewardType: 1,
            rewardAmount: 5,
            beforeNum: 0,
            afterNum: 5,
            createTime: AT,
          },
        ]),
      ),
    /friend of the first/,
  ],
  [
    'odds track',
    <OddsTrack key="odds" rprId="a" raceId="HKSHT2026013101" />,
    (whose) =>
      server.answer(queryOddsTrack, ({ token }) => [
        { horseNumber: whose(token) === 'first' ? 77 : 3, odds: 4.5, createTime: AT },
      ]),
    /77/,
  ],
]

test.for(LISTS)('of %s nothing is shown to the next person', async ([, part, prepare, shown]) => {
  const whose = (token: string | null) => (token === 'token-of-the-reader' ? 'first' : 'next')
  signIn('member', { isPromotionServiceProvider: 1 })
  prepare(whose)
  const { container } = await renderPart(part, { parts: ['account', 'promotion'] })
  await waitFor(() => expect(container.textContent).toMatch(shown))
  storeToken(null)
  storeToken('token-of-the-next')
  await waitFor(() => expect(container.textContent).not.toMatch(shown), { timeout: 3000 })
})

test('requests that write name the device, the same at every visit and of both persons', async () => {
  signIn('member')
  server.answer(logout, null)
  const { user } = await renderPart(<ExitScreen />, { parts: ['account'] })
  await user.click(screen.getByRole('button', { name: 'Sign out' }))
  await waitFor(() => expect(readToken()).toBeNull())
  const [made] = server.requestsOf(logout)
  expect(made!.device).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(made!.device).toBe(localStorage.getItem('furlong-device'))
  expect(deviceName()).toBe(made!.device)
  for (const { device } of server.requestsOf(userInfo)) expect(device).toBeNull()
})

describe('signing out where work is stored', () => {
  const WORK = {
    'furlong-console': JSON.stringify({ tabs: [{ id: 1, sql: 'select 1' }], active: 1, past: [] }),
    'furlong-own-chances': JSON.stringify({ HKSHT2026013101: { share: 0.5 } }),
    'furlong-own-roles': JSON.stringify({ name: 'mine.csv' }),
  }
  const open = async () => {
    signIn('member')
    server.answer(logout, null)
    for (const [key, value] of Object.entries(WORK)) localStorage.setItem(key, value)
    const { user } = await renderPart(<ExitScreen />, { parts: ['account'] })
    await user.click(screen.getByRole('button', { name: 'Sign out' }))
    await screen.findByText('Your work on this device')
    return user
  }

  test('asks first, and names what is there', async () => {
    const user = await open()
    expect(readToken()).not.toBeNull()
    for (const text of ['Statements of the SQL console', 'Your own chances', 'Your own file'])
      expect(screen.getByText(text)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(readToken()).not.toBeNull()
    expect(server.requestsOf(logout)).toEqual([])
  })

  test('keeps it', async () => {
    const user = await open()
    await user.click(screen.getByRole('button', { name: 'Sign out and keep it' }))
    await waitFor(() => expect(readToken()).toBeNull())
    for (const key of Object.keys(WORK)) expect(localStorage.getItem(key)).not.toBeNull()
  })

  test('or deletes it', async () => {
    const user = await open()
    await user.click(screen.getByRole('button', { name: 'Delete it and sign out' }))
    await waitFor(() => expect(readToken()).toBeNull())
    for (const key of Object.keys(WORK)) expect(localStorage.getItem(key), key).toBeNull()
  })
})

describe('while signing out is under way', () => {
  test('a second click does nothing twice', async () => {
    signIn('member')
    server.answer(logout, null)
    const release = server.hold(logout)
    const { user } = await renderPart(<ExitScreen />, { parts: ['account'] })
    const button = screen.getByRole('button', { name: 'Sign out' })
    await user.dblClick(button)
    await waitFor(() => expect(server.requestsOf(logout)).not.toEqual([]))
    expect(button.getAttribute('aria-disabled')).toBe('true')
    await user.click(button)
    release()
    await waitFor(() => expect(readToken()).toBeNull())
    expect(server.requestsOf(logout)).toHaveLength(1)
  })

  test.each(['Sign out and keep it', 'Delete it and sign out'])('nor does one on “%s”', async (name) => {
    localStorage.setItem('furlong-own-chances', '{"HKSHT2026013101":{"share":0.5}}')
    signIn('member')
    server.answer(logout, null)
    const release = server.hold(logout)
    const { user } = await renderPart(<ExitScreen />, { parts: ['account'] })
    await user.click(screen.getByRole('button', { name: 'Sign out' }))
    const button = await screen.findByRole('button', { name })
    await user.dblClick(button)
    await waitFor(() => expect(server.requestsOf(logout)).not.toEqual([]))
    for (const each of [name, 'Cancel'])
      expect(screen.getByRole('button', { name: each }).getAttribute('aria-disabled'), each).toBe('true')
    release()
    await waitFor(() => expect(readToken()).toBeNull())
    expect(server.requestsOf(logout)).toHaveLength(1)
  })

  test('nor does one in the menu of the personal centre', async () => {
    signIn('member')
    server.manifest = MANIFEST
    server.answer(configAll, [])
    server.answer(queryRaceSubscribe, [])
    server.answer(queryNotes, { records: [], total: 0, current: 1, size: 3, pages: 0 })
    server.answer(querySavedViews, [])
    server.answer(logout, null)
    const release = server.hold(logout)
    const { user } = await renderPart(<PersonalCentreScreen />, { parts: ['account', 'promotion'] })
    const button = await screen.findByRole('button', { name: 'Sign out' })
    await user.dblClick(button)
    await waitFor(() => expect(server.requestsOf(logout)).not.toEqual([]))
    expect(button.getAttribute('aria-disabled')).toBe('true')
    release()
    await waitFor(() => expect(readToken()).toBeNull())
    expect(server.requestsOf(logout)).toHaveLength(1)
  })
})
