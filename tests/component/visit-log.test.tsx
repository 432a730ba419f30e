// @module-tag rest
import { screen, waitFor } from '@testing-library/react'
import { Link } from 'react-router-dom'
import { expect, test } from 'vitest'
import { visitLog } from '../../contract/api/site.ts'
import { VisitLog } from '../../src/app/visit-log.tsx'
import { ACCOUNT, signIn } from './record.tsx'
import { renderPart, server } from './render.tsx'

const PARTS = (
  <>
    <VisitLog />
    <Link to="/pages/help/record">help</Link>
    <Link to="/pages/help/staking">more help</Link>
    <Link to="/">home</Link>
    <Link to="/pages/none/such">nowhere</Link>
  </>
)
const visits = (): unknown[] => server.requestsOf(visitLog).map(({ body }) => body)
/** A visit is reported when the page has had its time. */
const reported = (count: number): Promise<void> => waitFor(() => expect(visits()).toHaveLength(count))

test('a visitor’s pages are logged, each once, without an account', async () => {
  server.answer(visitLog, null)
  const { user } = await renderPart(PARTS, { path: '/pages/race/WinLossRecord?panel=months' })
  for (const name of ['help', 'more help', 'home', 'nowhere'])
    await user.click(screen.getByRole('link', { name }))
  await reported(4)
  const [{ clientId }] = visits() as [{ clientId: string }]
  expect(visits()).toEqual(
    ['WinLossRecord', 'help', 'home', 'notFound'].map((page) => ({ clientId, page, channel: 'h5' })),
  )
})

test('a customer’s pages are logged with the account, also the one that was open before it was known', async () => {
  server.answer(visitLog, null)
  signIn('member')
  const { user } = await renderPart(PARTS, { path: '/pages/race/racehome' })
  await reported(1)
  await user.click(screen.getByRole('link', { name: 'home' }))
  await reported(2)
  const account = { accountId: ACCOUNT.id, account: ACCOUNT.account, channel: 'h5' }
  expect(visits()).toMatchObject([
    { page: 'racehome', ...account },
    { page: 'home', ...account },
  ])
})
