import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { uploadFile } from '../../contract/api/account.ts'
import { writeMessage } from '../../contract/api/message.ts'
import { configAll } from '../../contract/api/site.ts'
import { backPath } from '../../src/data/login-path.ts'
import { ContactScreen } from '../../src/screens/promotion/contact-screen.tsx'
import { signIn } from './record.tsx'
import { renderPart, server } from './render.tsx'

/** The contact page: a message to the operator. */

const setUp = (values: Record<string, string>): void =>
  server.answer(
    configAll,
    Object.entries(values).map(([code, codeValue]) => ({ code, codeValue })),
  )
const show = () => renderPart(<ContactScreen />, { parts: ['account'] })

test('a message is sent once, with where to answer, and the form is empty again', async () => {
  signIn('member')
  setUp({ showContactUs: '1', contactEmail: '' })
  server.answer(writeMessage, { id: '00000000-0000-7000-8000-000000000001' })
  const { user } = await show()
  const text = await screen.findByLabelText('Your message')
  const send = screen.getByRole<HTMLButtonElement>('button', { name: 'Send' })
  expect(send.disabled).toBe(true)
  await user.type(text, ' Race 5 is missing. ')
  await user.type(screen.getByLabelText('Where to answer (optional)'), 'me@example.org')
  await user.dblClick(send)
  await screen.findByText(/^Your message was sent/)
  expect(server.requestsOf(writeMessage).map(({ body }) => body)).toEqual([
    { content: 'Race 5 is missing.', answerTo: 'me@example.org', pictures: [] },
  ])
  expect((text as HTMLTextAreaElement).value).toBe('')
})

test('a message that could not be sent stays in the form', async () => {
  signIn('member')
  setUp({ showContactUs: '1', contactEmail: '' })
  server.fail(writeMessage)
  const { user } = await show()
  const text = await screen.findByLabelText<HTMLTextAreaElement>('Your message')
  await user.type(text, 'A question')
  await user.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(screen.queryAllByRole('alert')).not.toEqual([]))
  expect(text.value).toBe('A question')
})

test('a visitor who signs in or registers comes back to the message', async () => {
  setUp({ showContactUs: '1', contactEmail: '' })
  await show()
  await screen.findByText(/^Sign in to write to us/)
  for (const [name, way] of [
    ['Sign in', '/pages/login/login'],
    ['Register', '/pages/login/fyregister'],
  ] as const) {
    const [path, query] = screen.getByRole('link', { name }).getAttribute('href')!.slice(1).split('?')
    expect(path).toBe(way)
    expect(backPath(new URLSearchParams(query).get('back'))).toBe('/pages/user/contactUs')
  }
})

test('a visitor is asked to sign in, and finds the email address', async () => {
  setUp({ showContactUs: '1', contactEmail: 'help@example.org' })
  await show()
  await screen.findByText(/^Sign in to write to us/)
  expect(screen.queryByLabelText('Your message')).toBeNull()
  expect(screen.getByRole('link', { name: /help@example.org/ }).getAttribute('href')).toBe(
    'mailto:help@example.org',
  )
})

describe('while a picture is uploaded', () => {
  const STORED = '/sys/common/static/0000.png'
  const begin = async () => {
    signIn('member')
    setUp({ showContactUs: '1', contactEmail: '' })
    server.answer(writeMessage, { id: '00000000-0000-7000-8000-000000000001' })
    server.answer(uploadFile, { obj: STORED })
    const release = server.hold(uploadFile)
    const { user } = await show()
    await user.type(await screen.findByLabelText('Your message'), 'See the picture.')
    const [album] = document.querySelectorAll<HTMLInputElement>('input[type=file]')
    await user.upload(album!, new File(['picture'], 'picture.png', { type: 'image/png' }))
    await waitFor(() => expect(server.requestsOf(uploadFile)).toHaveLength(1))
    return { user, release, send: screen.getByRole('button', { name: 'Send' }) }
  }

  test('the message waits for it, and takes it along', async () => {
    const { user, release, send } = await begin()
    expect(send.getAttribute('aria-disabled')).toBe('true')
    await user.click(send)
    await user.type(screen.getByLabelText('Where to answer (optional)'), 'me@example.org{Enter}')
    expect(server.requestsOf(writeMessage)).toEqual([])
    release()
    await waitFor(() => expect(send.getAttribute('aria-disabled')).toBeNull())
    await user.click(send)
    await screen.findByText(/^Your message was sent/)
    expect(server.requestsOf(writeMessage).map(({ body }) => body)).toEqual([
      { content: 'See the picture.', answerTo: 'me@example.org', pictures: [STORED] },
    ])
  })

  test('one that fails does not hold the message back', async () => {
    signIn('member')
    setUp({ showContactUs: '1', contactEmail: '' })
    server.answer(writeMessage, { id: '00000000-0000-7000-8000-000000000001' })
    server.fail(uploadFile)
    const { user } = await show()
    await user.type(await screen.findByLabelText('Your message'), 'Without it.')
    const [album] = document.querySelectorAll<HTMLInputElement>('input[type=file]')
    await user.upload(album!, new File(['picture'], 'picture.png', { type: 'image/png' }))
    await screen.findByText(/There is no connection/)
    await user.click(screen.getByRole('button', { name: 'Send' }))
    await screen.findByText(/^Your message was sent/)
  })
})
