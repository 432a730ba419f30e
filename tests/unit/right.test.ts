import { expect, test } from 'vitest'
import { makeToken, readToken } from '../../server/services/right.ts'

const SECRET = 'a'.repeat(43)
const right = { role: 'vip', expiresAt: new Date('2026-11-22T00:00:00Z'), demonstration: false } as const
const now = new Date('2026-11-21T00:00:00Z')

test('a right survives its token', () => {
  expect(readToken(SECRET, makeToken(SECRET, right), now)).toEqual(right)
})

test('a token of another key, with another content, or none at all opens nothing', () => {
  const token = makeToken(SECRET, right)
  const [payload = '', signature = ''] = token.split('.')
  const longer = Buffer.from(
    Buffer.from(payload, 'base64url')
      .toString()
      .replace(/"exp":\d+/, '"exp":9999999999'),
  ).toString('base64url')
  for (const forged of [
    makeToken('b'.repeat(43), right),
    `${longer}.${signature}`,
    payload,
    '',
    '.',
    'x.y',
  ]) {
    expect(() => readToken(SECRET, forged, now)).toThrow(expect.objectContaining({ code: 'right-missing' }))
  }
})

test('a right ends', () => {
  const token = makeToken(SECRET, right)
  expect(() => readToken(SECRET, token, right.expiresAt)).toThrow(
    expect.objectContaining({ code: 'right-expired' }),
  )
})
