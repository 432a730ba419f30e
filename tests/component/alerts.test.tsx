import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import * as calls from '../../contract/api/alert.ts'
import { ALERT_KINDS, DEFAULT_KINDS } from '../../contract/alert-kinds.ts'
import { LANGUAGES } from '../../domain/languages.ts'
import UnreadMark from '../../src/features/session/unread-mark.tsx'
import { AlertSettingsScreen } from '../../src/screens/account/alert-settings-screen.tsx'
import { AlertsScreen } from '../../src/screens/account/alerts-screen.tsx'
import { signIn } from './record.tsx'
import { renderPart, server, type RenderOptions } from './render.tsx'

const SETTINGS = {
  language: 'en',
  kinds: {
    site: [...DEFAULT_KINDS.site],
    push: [...DEFAULT_KINDS.push],
    email: [...DEFAULT_KINDS.email],
  },
  quiet: null,
  pricePercent: 20,
  priceBelow: null,
  pushKey: 'BExample',
  devices: 0,
  emailOffered: true,
  email: null,
} satisfies calls.AlertSettings

const ALERT = {
  id: '01a2237e-9662-74df-8dff-865dc3950b9a',
  title: 'Blue Meadow runs from draw 3, ridden by A Rider',
  body: 'Sha Tin, race 5: Sun 29 Nov, 13:00',
  path: '/pages/race/HorseRace?id=HKSHT2026112905&source=home',
  createdAt: '2026-11-28T09:00:00.000Z',
  read: false,
} satisfies calls.SiteAlert

const settings = (change: Partial<calls.AlertSettings> = {}, options: RenderOptions = {}) => {
  signIn('member')
  server.answer(calls.queryAlertSettings, { ...SETTINGS, ...change })
  return renderPart(<AlertSettingsScreen />, { parts: ['account', 'alerts'], ...options })
}

test('the list leads to races, says what is new, and is marked as read', async () => {
  signIn('member')
  let isRead = false
  server.answer(calls.queryAlerts, () => ({ unread: isRead ? 0 : 1, alerts: [{ ...ALERT, read: isRead }] }))
  server.answer(calls.markAlertsRead, () => {
    isRead = true
    return { unread: 0 as const }
  })
  const { user } = await renderPart(<AlertsScreen />, { parts: ['account', 'alerts'] })
  const link = await screen.findByRole('link', { name: ALERT.title })
  expect(link.getAttribute('href')).toBe(`#${ALERT.path}`)
  screen.getByText('New')
  await user.click(screen.getByRole('button', { name: 'Mark all as read' }))
  await waitFor(() => expect(screen.queryByText('New')).toBeNull())
  expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull()
})

test('the mark on the account counts what is new, and is not there without', async () => {
  signIn('member')
  server.answer(calls.queryUnreadAlerts, { unread: 120 })
  await renderPart(<UnreadMark />)
  await screen.findByText('120 new alerts')
  screen.getByText('99')
})

test('kinds, prices and quiet hours are saved as chosen', async () => {
  const { user } = await settings()
  server.answer(calls.saveAlertSettings, { saved: true })
  await user.click(await screen.findByRole('checkbox', { name: 'Gear for the first time: E-mail' }))
  await user.click(screen.getByRole('checkbox', { name: 'Withdrawn: Push' }))
  await user.selectOptions(screen.getByRole('combobox', { name: /has moved/ }), '30%')
  await user.type(screen.getByLabelText(/falls to/), '4.5')
  await user.click(screen.getByRole('checkbox', { name: /Quiet hours/ }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('Saved')
  expect(server.requestsOf(calls.saveAlertSettings)[0]!.body).toEqual({
    language: 'en',
    kinds: {
      site: [...ALERT_KINDS],
      push: DEFAULT_KINDS.push.filter((kind) => kind !== 'withdrawn'),
      email: [...DEFAULT_KINDS.email, 'gear'],
    },
    quiet: { from: 1320, to: 420 },
    pricePercent: 30,
    priceBelow: 4.5,
  })
})

test('an address is sent with the consent only, and what is missing is said', async () => {
  const { user } = await settings()
  server.answer(calls.addAlertEmail, { sent: true })
  await user.type(await screen.findByRole('textbox', { name: 'Address' }), 'reader@example.com')
  await user.click(screen.getByRole('button', { name: 'Send the confirmation' }))
  const consent = screen.getByRole('checkbox', { name: /I agree/ })
  expect(consent.getAttribute('aria-invalid')).toBe('true')
  expect(server.requestsOf(calls.addAlertEmail)).toEqual([])
  await user.click(consent)
  server.answer(calls.queryAlertSettings, {
    ...SETTINGS,
    email: { address: 'reader@example.com', confirmed: false },
  })
  await user.click(screen.getByRole('button', { name: 'Send the confirmation' }))
  await screen.findByText(/on its way to/)
  expect(server.requestsOf(calls.addAlertEmail)[0]!.body).toEqual({
    address: 'reader@example.com',
    agreed: true,
  })
})

test('an installation that sends no e-mail does not offer it', async () => {
  await settings({ emailOffered: false })
  const table = await screen.findByRole('table')
  expect(within(table).getAllByRole('columnheader')).toHaveLength(3)
  expect(screen.queryByRole('textbox', { name: 'Address' })).toBeNull()
})

test.for(LANGUAGES)('the settings are in the reader’s language: %s', async (language) => {
  await settings({ email: { address: 'reader@example.com', confirmed: true } }, { language })
  const table = await screen.findByRole('table')
  expect(within(table).getAllByRole('checkbox')).toHaveLength(3 * ALERT_KINDS.length)
  screen.getByText('reader@example.com')
})
