import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { queryRaceInfo, type Tip } from '../../contract/api/racing.ts'
import { subscribeCheck } from '../../contract/api/subscription.ts'
import { queryOrder, type Order } from '../../contract/api/trade.ts'
import { PayResultScreen } from '../../src/screens/membership/pay-result-screen.tsx'
import { useOpenRace } from '../../src/features/subscription/use-open-race.tsx'
import { raceInfo } from './race-samples.ts'
import { signIn } from './record.tsx'
import { address, renderPart, server } from './render.tsx'

const { raceId } = raceInfo()
const TIP: Tip = {
  id: raceId,
  raceId,
  raceDate: '2026-01-04',
  date: '2026-01-04',
  raceNo: 1,
  numbersByName: false,
  stadiumName: 'Sha Tin',
  time: '13:00:00',
  probability: 0.4,
  raceCompetitor1Num: 2,
  raceCompetitor2Num: null,
  raceCompetitor3Num: null,
  raceCompetitor4Num: null,
  odds: 2,
  chartData: [],
  isAccuracy: 1,
  topCompetitors: [],
  status: 'final',
  outcome: 'hit',
  open: true,
}

const PAID: Order = {
  id: '00000000-0000-7000-8000-000000000001',
  planId: '4',
  planName: 'Yearly',
  length: 12,
  transactionAmount: '898.00',
  originalPrice: '1176.00',
  paidPrice: '898.00',
  state: 'accountPaid',
  payUrl: null,
  createTime: '2026-01-04T00:00:00.000Z',
  expireTime: '2026-01-04T00:30:00.000Z',
  payTime: '2026-01-04T00:01:00.000Z',
}

function Opener() {
  const { open, dialog } = useOpenRace('home')
  return (
    <>
      <button type="button" onClick={() => open(raceId)}>
        open
      </button>
      {dialog}
    </>
  )
}

async function openRace() {
  const { user } = await renderPart(<Opener />)
  await user.click(screen.getByRole('button', { name: 'open' }))
}
const onRace = (): Promise<void> => waitFor(() => expect(address()).toContain(`HorseRace?id=${raceId}`))
/** What is asked: nothing while there is no dialog, or it is closed. */
const question = (): string => screen.queryByRole('dialog')?.textContent ?? ''

describe('a member without a subscription', () => {
  test('is not asked for a voucher if the race is settled and its pick is open to everybody', async () => {
    signIn('member')
    server.answer(subscribeCheck, 0)
    server.answer(queryRaceInfo, raceInfo({ isSubscribe: 0, tips: TIP }))
    await openRace()
    await onRace()
    expect(question()).toBe('')
  })

  test('is not asked for a voucher if nothing was predicted of the race', async () => {
    signIn('member')
    server.answer(subscribeCheck, 0)
    server.answer(queryRaceInfo, raceInfo({ isSubscribe: 0, status: 'scheduled', models: [] }))
    await openRace()
    await onRace()
    expect(question()).toBe('')
  })

  test.each([
    ['the race is settled and its pick is closed', raceInfo({ isSubscribe: 0, tips: null })],
    [
      'only a part of the tip of a settled race is open',
      raceInfo({ isSubscribe: 0, tips: { ...TIP, open: false } }),
    ],
    [
      'the race is still to come',
      raceInfo({ isSubscribe: 0, status: 'scheduled', isAnalyzer: 0, tips: TIP }),
    ],
  ])('is asked if %s', async (_, race) => {
    signIn('member')
    server.answer(subscribeCheck, 0)
    server.answer(queryRaceInfo, race)
    await openRace()
    await waitFor(() => expect(question()).toContain('voucher'))
    expect(question()).toContain('Unlock Sha Tin R1?')
    expect(address()).not.toContain('HorseRace')
  })
})

test('a subscriber opens the race without another request', async () => {
  signIn('member')
  server.answer(subscribeCheck, 1)
  await openRace()
  await onRace()
  expect(server.requestsOf(queryRaceInfo)).toEqual([])
})

test('who goes to the plans from the question is led back to the race once it is paid', async () => {
  signIn('member')
  server.answer(subscribeCheck, 0)
  server.answer(queryRaceInfo, raceInfo({ isSubscribe: 0, status: 'scheduled', isAnalyzer: 0, tips: TIP }))
  await openRace()
  await screen.findByText('Unlock Sha Tin R1?')
  fireEvent.click(screen.getByRole('link', { name: 'Become VIP' }))
  await waitFor(() => expect(address()).toContain('viplist'))
  cleanup()
  server.answer(queryOrder, PAID)
  const { user } = await renderPart(<PayResultScreen />, {
    parts: ['account'],
    path: `/pages/race/payresult?order=${PAID.id}&result=success`,
  })
  await user.click(await screen.findByRole('link', { name: 'Back to the race' }))
  await onRace()
})
