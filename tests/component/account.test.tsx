import { readFileSync } from 'node:fs'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { Route, Routes } from 'react-router-dom'
import { describe, expect, test } from 'vitest'
import {
  queryInviter,
  register,
  sendCode,
  uniAppLogin,
  type AccountInfo,
} from '../../contract/api/account.ts'
import { queryProof } from '../../contract/api/model.ts'
import { queryNotes } from '../../contract/api/note.ts'
import {
  queryRacePredictionAccuracy,
  queryRaceSubscribe,
  type RecordItem,
  type SubscribedRace,
} from '../../contract/api/racing.ts'
import { querySessions } from '../../contract/api/session.ts'
import { configAll } from '../../contract/api/site.ts'
import {
  listBankCards,
  queryMyCustomerTotal,
  queryOrder,
  queryVipList,
  withdraw,
  withdrawalPage,
} from '../../contract/api/trade.ts'
import { querySavedViews } from '../../contract/api/view.ts'
import { LANGUAGES, type Language } from '../../domain/languages.ts'
import { FurlongError } from '../../domain/errors.ts'
import { AccountFigures, PersonCard } from '../../src/features/account/person-card.tsx'
import { PersonalCentreScreen } from '../../src/screens/account/personal-centre-screen.tsx'
import { PersonalInfoScreen } from '../../src/screens/account/personal-info-screen.tsx'
import { LoginScreen } from '../../src/screens/account/login-screen.tsx'
import { RegisterScreen } from '../../src/screens/account/register-screen.tsx'
import { PayResultScreen } from '../../src/screens/membership/pay-result-screen.tsx'
import { VipListScreen } from '../../src/screens/membership/vip-list-screen.tsx'
import { VipPayScreen } from '../../src/screens/membership/vip-pay-screen.tsx'
import { WithdrawalScreen } from '../../src/screens/promotion/withdrawal-screen.tsx'
import { ErrorNotice } from '../../src/ui/panel.tsx'
import { ACCOUNT, MANIFEST, signIn } from './record.tsx'
import { address, labelled, renderPart, server, type RenderOptions } from './render.tsx'

/** Forms of an account, plans, and what an error says in each language. */

const login = (options: RenderOptions = {}) =>
  renderPart(<LoginScreen />, { parts: ['account'], path: '/pages/login/login', ...options })
/** The texts of a file of a language. */
const textsOf = (language: Language, file: string): Record<string, string> =>
  JSON.parse(readFileSync(`locales/${language}/${file}.json`, 'utf8')) as Record<string, string>
const submit = (name: string): HTMLElement => screen.getByRole('button', { name })

test.for(LANGUAGES)('an error is said in the reader’s words, with a way on: %s', async (language) => {
  let requests = 0
  const { user } = await renderPart(
    <ErrorNotice error={new FurlongError('offline')} onRetry={() => (requests += 1)} />,
    { language },
  )
  const notice = screen.getByRole('alert')
  expect(notice.textContent).toContain(textsOf(language, 'errors')['error.offline'])
  await user.click(screen.getByRole('button'))
  expect(requests).toBe(1)
})

describe('sign-in', () => {
  test('what is missing is said at its field, the first of which has the focus, and nothing is sent', async () => {
    const { user } = await login()
    await user.click(submit('Sign in'))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /Account/ })))
    expect(screen.getByRole('textbox', { name: /Account/ }).getAttribute('aria-invalid')).toBe('true')
    expect(server.made).toEqual([])
  })

  test.for(LANGUAGES)(
    'a refusal is told in the server’s words, asked for in the reader’s language: %s',
    async (language) => {
      server.refuse(uniAppLogin, 401, 'the words of the server', { error: 'wrong-credentials' })
      const { user, container } = await login({ language })
      await user.type(
        screen.getByRole('textbox', { name: textsOf(language, 'account')['form.username'] }),
        'nobody',
      )
      await user.type(container.querySelector<HTMLInputElement>('input[type=password]')!, 'wrong4course')
      await user.click(container.querySelector<HTMLElement>('button[type=submit]')!)
      await waitFor(() => expect(document.body.textContent).toContain('the words of the server'))
      expect(server.requestsOf(uniAppLogin)).toMatchObject([
        { body: { username: 'nobody', password: 'wrong4course' }, language },
      ])
      expect(localStorage.getItem('Access-Token')).toBeNull()
    },
  )

  test('by a code: the phone is checked first, and the code cannot be asked for twice at once', async () => {
    server.answer(sendCode, { seconds: 60 })
    const { user } = await login()
    await user.click(screen.getByRole('radio', { name: /code/i }))
    const phone = labelled('Phone')
    await user.type(phone, '123')
    await user.click(submit('Send code'))
    // At the field, not only as a message that goes away.
    await waitFor(() =>
      expect(document.querySelector('form')!.textContent).toContain('A mainland number (11 digits)'),
    )
    expect(server.requestsOf(sendCode)).toEqual([])
    await user.clear(phone)
    await user.type(phone, '61234567')
    await user.click(submit('Send code'))
    await waitFor(() => expect(server.requestsOf(sendCode)).toHaveLength(1))
    await waitFor(() =>
      expect(screen.getByRole('button', { name: /\d+ s|again/i }).getAttribute('aria-disabled')).toBe('true'),
    )
  })
})

describe('registration', () => {
  const open = (options: RenderOptions = {}) =>
    renderPart(<RegisterScreen />, { parts: ['account'], path: '/pages/login/fyregister', ...options })

  test('every error is at its field, and the first invalid field has the focus', async () => {
    const { user } = await open()
    await user.click(submit('Register'))
    await waitFor(() => expect(document.activeElement).toBe(labelled('Phone')))
    const invalid = [...document.querySelectorAll('[aria-invalid=true]')]
    // Phone, code, password; the agreement is a tick.
    expect(invalid).toHaveLength(4)
    expect(document.querySelector('form')!.textContent).toContain('agree')
    expect(server.requestsOf(register)).toEqual([])
  })

  test('asks for phone, code and password, and for an inviter only whoever has one', async () => {
    const { user } = await open()
    const labels = [...document.querySelectorAll('form label')].map((label) => label.textContent)
    expect(labels.slice(0, 4)).toEqual(['Phone', 'Verification code', 'Password', 'Confirm password'])
    expect(labels).toHaveLength(5)
    await user.click(submit('Have an invite code?'))
    expect(document.activeElement).toBe(labelled('Inviter'))
  })

  const NOBODY = '01234567-89ab-4cde-8f01-23456789abcd'

  test('who invited is kept when the call for the name fails', async () => {
    localStorage.setItem('shareby', NOBODY)
    server.fail(queryInviter)
    await open()
    expect((await screen.findByLabelText<HTMLInputElement>('Inviter')).value).toBe(NOBODY)
    expect(server.requestsOf(queryInviter)).toHaveLength(1)
    expect(localStorage.getItem('shareby')).toBe(NOBODY)
  })

  test('who invited is forgotten when there is nobody of that id', async () => {
    localStorage.setItem('shareby', NOBODY)
    server.refuse(queryInviter, 404, 'nobody', { error: 'not-found' })
    await open()
    await screen.findByRole('button', { name: 'Have an invite code?' })
    expect(localStorage.getItem('shareby')).toBeNull()
  })

  test('who invited is named, and can be taken back', async () => {
    localStorage.setItem('shareby', NOBODY)
    server.answer(queryInviter, { nickname: 'Wing' })
    const { user } = await open()
    const invited = await screen.findByTestId('inviter')
    expect(invited.textContent).toContain('Invited by Wing')
    await user.click(invited.querySelector('button')!)
    await waitFor(() => expect(screen.queryByTestId('inviter')).toBeNull())
    expect(localStorage.getItem('shareby')).toBeNull()
  })
})

describe('the personal centre', () => {
  const figures = (): Record<string, string | null> =>
    Object.fromEntries(
      [...document.querySelectorAll('dl a')].map((link) => [
        link.getAttribute('aria-label')!,
        link.getAttribute('href'),
      ]),
    )

  test.for([
    [1, true, '#/pages/user/withdrawal'],
    [0, true, '#/pages/user/apply'],
    [0, false, undefined],
  ] as const)('the earnings lead on: provider %s, applications %s', async ([provider, mayApply, to]) => {
    await renderPart(
      <AccountFigures
        account={{ ...ACCOUNT, income: '206.75', isPromotionServiceProvider: provider }}
        mayApply={mayApply}
      />,
      { parts: ['account'] },
    )
    expect(figures()).toEqual({
      'Vouchers today 1': '#/pages/user/vouchers',
      'No-expiry vouchers 3': '#/pages/user/vouchers',
      ...(to && { 'Settled earnings HK$206.75': to }),
    })
  })

  test('a membership says how long it lasts, and warns in its last week', async () => {
    const day = 86_400_000
    const vip = (daysLeft: number): AccountInfo => ({
      ...ACCOUNT,
      isVip: 1,
      vipStartTime: new Date(Date.now() - 10 * day).toISOString(),
      vipEndTime: new Date(Date.now() + daysLeft * day - 1000).toISOString(),
    })
    await renderPart(<PersonCard account={vip(20)} />, { parts: ['account'] })
    const bar = screen.getByRole<HTMLProgressElement>('progressbar', { name: '20 days left' })
    expect([bar.max, bar.value]).toEqual([30, 20])
    expect(document.body.textContent).not.toContain('ends in')
    await renderPart(<PersonCard account={vip(3)} />, { parts: ['account'] })
    expect(document.body.textContent).toContain('Your VIP membership ends in 3 days.')
  })
})

test('the details of somebody who is no VIP have no dates of a membership', async () => {
  signIn('member')
  server.answer(querySessions, { sessions: [], events: [] })
  await renderPart(<PersonalInfoScreen />, { parts: ['account'] })
  const names = (await screen.findAllByRole('term')).map(({ textContent }) => textContent)
  expect(names).toContain('Account')
  expect(names).not.toContain(textsOf('en', 'account')['activation.from'])
  expect(names).not.toContain(textsOf('en', 'account')['activation.to'])
})

test('the personal centre says what won the races that were unlocked, and what became of our pick', async () => {
  signIn('member')
  server.manifest = MANIFEST
  server.answer(configAll, [])
  server.answer(querySavedViews, [])
  server.answer(queryNotes, { records: [], total: 0, current: 1, size: 3, pages: 0 })
  const won = { dividend: '45.00', nameLanguage: 'en' as const, silks: null }
  server.answer(queryRaceSubscribe, [
    subscribed(2, {
      status: 'final',
      winners: [{ ...won, entryNumber: null, horseNumber: 5, name: 'Iron Arrow' }],
      pick: { horseNumber: 5, outcome: 'hit', profit: '35.00', origin: 'locked' },
    }),
    subscribed(3, { status: 'scheduled' }),
  ])
  const { user } = await renderPart(<PersonalCentreScreen />, { parts: ['account', 'promotion'] })
  await screen.findByText('Iron Arrow')
  const [settled, coming] = screen
    .getAllByRole('link', { name: /^Sha Tin R/ })
    .map((link) => link.closest('li')!.textContent)
  expect(settled).toContain('Won by5Iron Arrow')
  expect(settled).toContain('Our pick5Hit+HK$35.00')
  expect(coming).toContain('Off 13:30')
  expect(coming).not.toContain('Won by')
  // What the account gives to programs is a group of its own.
  const data = screen.getByRole('heading', { level: 2, name: 'Data and API' }).parentElement!
  expect(
    within(data)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['Download my data', 'Analytics API'])

  // The language changes where it is chosen: the page stays.
  await user.selectOptions(screen.getByRole('combobox', { name: 'Language' }), 'zh-Hant')
  expect(await screen.findByRole('combobox', { name: '語言' })).toBeTruthy()
  expect(localStorage.getItem('userLocale')).toBe('zh-Hant')
})

test.for([
  ['vip', 'As a VIP you read every race without unlocking it.'],
  ['member', 'You have not unlocked a race of this region yet.'],
] as const)('without unlocked races the centre says what that means: %s', async ([role, text]) => {
  server.manifest = MANIFEST
  signIn(role)
  server.answer(querySavedViews, [])
  server.answer(queryRaceSubscribe, [])
  server.answer(queryNotes, { records: [], total: 0, current: 1, size: 3, pages: 0 })
  server.answer(configAll, [])
  await renderPart(<PersonalCentreScreen />, { parts: ['account', 'promotion'] })
  expect(await screen.findByText(text)).toBeTruthy()
})

const subscribed = (number: number, given: Partial<SubscribedRace>): SubscribedRace => ({
  id: `HKSHT202601310${number}`,
  numbersByName: false,
  name: null,
  nameLanguage: null,
  stadiumName: 'Sha Tin',
  weather: null,
  competitionDate: '2026-01-31T05:30:00.000Z',
  time: '13:30:00',
  date: '2026-01-31',
  starters: 12,
  status: 'scheduled',
  stadiumNum: number,
  round: number,
  distanceM: 1200,
  raceClass: 'C4',
  trackType: 'turf',
  course: 'A',
  trackCondition: 'good',
  predicted: true,
  winners: [],
  pick: null,
  ...given,
})

describe('plans', () => {
  const plan = (
    id: string,
    name: string,
    length: number,
    price: string,
    sellingPrice: string,
    monthlyPrice: string,
  ) => ({
    id,
    name,
    customerType: Number(id) + 1,
    period: length,
    length,
    price,
    sellingPrice,
    monthlyPrice,
    discount: Number(sellingPrice) / Number(price),
  })
  const pick = (
    gameplayClass: number,
    predictionResults: string,
    outcome: 'hit' | 'miss',
    profit: string,
  ): RecordItem => ({
    id: `HKSHV2026012809-${gameplayClass}`,
    raceId: 'HKSHV2026012809',
    numbersByName: false,
    date: '2026-01-28',
    stadiumName: 'Happy Valley',
    stadiumNum: 9,
    round: 1,
    gameplayClass,
    results: '3',
    predictionResults,
    outcome,
    isAccuracy: outcome === 'hit' ? 1 : 0,
    probability: 0.25,
    profit,
    odds: null,
    oddsPaid: true,
    origin: 'locked',
  })
  const PLANS = [
    plan('1', 'Monthly', 1, '98.00', '98.00', '98.00'),
    plan('4', 'Yearly', 12, '1176.00', '898.00', '74.83'),
  ]
  const LINE = { hitRate: 0.3, hitInterval: null, returns: null }
  const open = (options: RenderOptions = {}) => {
    server.manifest = MANIFEST
    server.answer(queryVipList, PLANS)
    server.answer(queryProof, {
      model: 'market-baseline',
      seasons: [2024, 2025],
      races: 1696,
      pick: LINE,
      favourite: LINE,
      random: LINE,
    })
    server.answer(queryRacePredictionAccuracy, [
      pick(1, '3', 'hit', '17.00'),
      pick(3, '3-7', 'miss', '-10.00'),
    ])
    return renderPart(
      <Routes>
        <Route path="/pages/race/viplist" element={<VipListScreen />} />
        <Route path="*" element={null} />
      </Routes>,
      { parts: ['account'], path: '/pages/race/viplist', ...options },
    )
  }

  test.for([
    ['en', '24% off'],
    ['zh-Hant', '7.6 折'],
    ['zh-Hans', '7.6 折'],
  ] as const)(
    'a plan has its price, the former one, and the discount as the language says it: %s',
    async ([language, off]) => {
      await open({ language })
      const yearly = await screen.findByRole('radio', { name: /^Yearly/ })
      const text = yearly.closest('label')!.textContent
      expect(text).toContain(off)
      expect(text).toContain('HK$898.00')
      expect(text).toContain('HK$1,176.00')
      expect(text).toContain('HK$74.83')
      // 898 for the 848 races of a year.
      expect(text).toContain('HK$1.06')
      const monthly = screen.getByRole('radio', { name: /^Monthly/ })
      expect((monthly as HTMLInputElement).checked).toBe(true)
      expect(monthly.closest('label')!.querySelector('s')).toBeNull()
    },
  )

  test('the sample is the last race with a result, hits and misses', async () => {
    await open()
    const sample = await screen.findByRole('heading', {
      name: /^For example: Happy Valley R9, Wed,? 28 Jan 2026$/,
    })
    const rows = [...sample.closest('section')!.querySelectorAll('li')].map((row) => row.textContent)
    expect(rows).toEqual(['Win325.0%Hit+HK$17.00', 'Quinella3725.0%Miss−HK$10.00'])
  })

  test('a visitor is led to sign-in, and back to the chosen plan', async () => {
    const { user } = await open()
    await user.click(await screen.findByRole('radio', { name: /^Yearly/ }))
    await user.click(submit('Continue'))
    await waitFor(() => expect(address()).toContain('/pages/login/login?back='))
    expect(decodeURIComponent(address())).toContain('/pages/race/vippay?id=4')
  })

  test('the button to pay says how much, and the page until when VIP lasts and what is saved', async () => {
    signIn('vip', { vipEndTime: '2099-01-31T04:00:00.000Z' })
    server.answer(queryVipList, [
      plan('1', 'Monthly', 1, '98.00', '95.50', '95.50'),
      plan('4', 'Yearly', 12, '1176.00', '898.00', '74.83'),
    ])
    await renderPart(<VipPayScreen />, { parts: ['account'], path: '/pages/race/vippay?id=4' })
    expect(await screen.findByRole('button', { name: 'Pay HK$898.00' })).toBeTruthy()
    // From the end of the membership that lasts, and against twelve times the monthly plan.
    expect(document.body.textContent).toContain('VIP until31 Jan 2100')
    expect(document.body.textContent).toContain('Less than paying monthlyHK$248.00')
    cleanup()
    await renderPart(<VipPayScreen />, { parts: ['account'], path: '/pages/race/vippay?id=1' })
    await screen.findByRole('button', { name: 'Pay HK$95.50' })
    expect(document.body.textContent).not.toContain('Less than paying monthly')
  })
})

test('a payment that is confirmed while its result is shown changes within one announced element', async () => {
  const id = '01234567-89ab-4cde-8f01-23456789abce'
  let state: 'obligation' | 'accountPaid' = 'obligation'
  signIn('vip')
  server.answer(queryOrder, () => ({
    id,
    planId: '4',
    planName: 'Yearly',
    length: 12,
    transactionAmount: '898.00',
    originalPrice: '1176.00',
    paidPrice: state === 'accountPaid' ? '898.00' : null,
    state,
    payUrl: null,
    createTime: '2026-01-31T00:00:00.000Z',
    expireTime: '2026-01-31T00:30:00.000Z',
    payTime: state === 'accountPaid' ? '2026-01-31T00:01:00.000Z' : null,
  }))
  await renderPart(<PayResultScreen />, {
    parts: ['account'],
    path: `/pages/race/payResult?order=${id}&result=success`,
  })
  const status = (
    await screen.findByRole('heading', { name: 'Waiting for the payment service…' })
  ).closest<HTMLElement>('[role=status]')!
  state = 'accountPaid'
  await screen.findByRole('heading', { name: /^You’re VIP until / })
  expect(status.isConnected).toBe(true)
  expect(status.querySelector('h1')!.textContent).toMatch(/^You’re VIP until /)
})

describe('a withdrawal', () => {
  const password = (): HTMLInputElement =>
    document.querySelector<HTMLInputElement>('input[autocomplete=current-password]')!
  const CARD = {
    id: '11234567-89ab-4cde-8f01-23456789abcd',
    name: 'Reader',
    bank: 'Bank',
    cardNumber: '4242',
    createTime: '2026-01-01T00:00:00.000Z',
  }
  const TOTALS = {
    customers: 1,
    orders: 1,
    earned: '100.00',
    settled: '100.00',
    withdrawn: '0.00',
    waiting: '0.00',
    withdrawable: '100.00',
  }
  const open = async (options: RenderOptions = {}) => {
    signIn('member', { isPromotionServiceProvider: 1 })
    server.answer(queryMyCustomerTotal, TOTALS)
    server.answer(listBankCards, [CARD])
    server.answer(withdrawalPage, { records: [], total: 0, current: 1, size: 10, pages: 0 })
    const { user } = await renderPart(<WithdrawalScreen />, { parts: ['account', 'promotion'], ...options })
    const amount = await screen.findByRole<HTMLInputElement>('textbox', { name: /Amount/ })
    expect(amount.value).toBe('100')
    await user.clear(amount)
    return user
  }
  /** Up to the password of the review. */
  const review = async () => {
    const user = await open()
    await user.type(labelled('Amount (HK$)'), '10')
    await user.click(submit('Withdraw HK$10.00 to •••• 4242'))
    const dialog = await screen.findByRole('dialog', { name: 'Withdraw HK$10.00 to •••• 4242?' })
    await waitFor(() => expect(document.activeElement).toBe(password()))
    expect(dialog.textContent).toContain('Reader')
    await user.type(password(), 'wrong4course')
    return user
  }

  test('of more than there is, or of nothing, is told at the amount, before anything is confirmed', async () => {
    const user = await open()
    await user.click(submit('Withdraw'))
    await waitFor(() => expect(document.activeElement).toBe(labelled('Amount (HK$)')))
    await user.type(labelled('Amount (HK$)'), '100.01')
    await user.click(submit('Withdraw'))
    await waitFor(() => expect(document.body.textContent).toContain('More than can be withdrawn.'))
    expect(document.querySelector('dialog[open]')).toBeNull()
  })

  test('before anything is settled it says so, without a form of zeros', async () => {
    signIn('member', { isPromotionServiceProvider: 1 })
    server.answer(queryMyCustomerTotal, { ...TOTALS, settled: '0.00', withdrawable: '0.00' })
    server.answer(listBankCards, [CARD])
    server.answer(withdrawalPage, { records: [], total: 0, current: 1, size: 10, pages: 0 })
    await renderPart(<WithdrawalScreen />, { parts: ['account', 'promotion'] })
    await screen.findByText(/^Nothing can be withdrawn yet/)
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(document.body.textContent).not.toContain('Waiting to be paid')
  })

  test('after a wrong password its field says so and has the focus', async () => {
    server.refuse(withdraw, 403, 'The password is wrong.', { error: 'wrong-password' })
    const user = await review()
    await user.click(submit('Confirm the withdrawal'))
    await waitFor(() => expect(password().getAttribute('aria-invalid')).toBe('true'))
    await waitFor(() => expect(document.activeElement).toBe(password()))
    expect(password().getAttribute('aria-invalid')).toBe('true')
    const note = document.getElementById(password().getAttribute('aria-describedby')!)!
    expect(note.textContent).toBe('The password is wrong.')
  })

  test('while it is sent, and after another refusal, the button keeps the focus', async () => {
    server.refuse(withdraw, 400, 'Not enough.', { error: 'more-than-withdrawable' })
    const release = server.hold(withdraw)
    const user = await review()
    const button = submit('Confirm the withdrawal')
    await user.click(button)
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'))
    expect(document.activeElement).toBe(button)
    // A second press sends nothing.
    await user.keyboard('{Enter}')
    await user.click(button)
    release()
    expect((await screen.findByRole('alert')).textContent).toContain('Not enough.')
    expect(document.activeElement).toBe(button)
    expect(server.requestsOf(withdraw)).toHaveLength(1)
  })
})
