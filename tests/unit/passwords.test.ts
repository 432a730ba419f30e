import { expect, test } from 'vitest'
import { checkPassword, hashPassword } from '../../server/services/passwords.ts'

test('an owner’s password is compared while strangers of many networks wait', async () => {
  const stored = await hashPassword('horse4course', { address: '192.0.2.1' })
  const order: string[] = []
  const strangers = Array.from({ length: 60 }, (_, index) =>
    checkPassword(null, 'wrong', { address: `203.0.113.${index}` }).then(
      () => order.push('stranger'),
      () => order.push('refused'),
    ),
  )
  const owner = checkPassword(stored, 'horse4course', { address: '198.51.100.7' }).then((matches) => {
    order.push('owner')
    return matches
  })
  expect(await owner).toBe(true)
  // A whole network of strangers has the share of one.
  expect(order.indexOf('owner')).toBeLessThanOrEqual(4)
  await Promise.all(strangers)
})

test('one address that asks for too many is refused, and no other', async () => {
  const many = Array.from({ length: 40 }, () => checkPassword(null, 'wrong', { address: '203.0.113.1' }))
  const other = checkPassword(null, 'wrong', { customerId: 'c' })
  const results = await Promise.allSettled(many)
  const refusals = results.flatMap((each) =>
    each.status === 'rejected' ? [each.reason as { code: string }] : [],
  )
  expect(refusals.length).toBeGreaterThan(0)
  expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(['too-many']))
  expect(await other).toBe(false)
})
