import { expect, test } from 'vitest'
import { existingPhone } from '../../contract/existing-phone.ts'
import { normalisePhone } from '../../domain/phone.ts'

test.each([
  // Nine or eleven digits of Hong Kong, and one that begins as none there does.
  '+8520091234567',
  '+85291234567890',
  '+852091234567',
  '+85211234567',
  '+1234567',
  // Too short, too long, and of no country.
  '+861381234567',
  '+44791112345',
  '+447911123456789',
  '+9991234567890',
  // Landlines and numbers that cost extra.
  '+442079460958',
  '+19005551234',
])('%s is no phone that can receive texts', (text) => {
  expect(existingPhone(text)).toBeNull()
})

test.each([
  ['61234567', '+85261234567'],
  ['+852 6123 4567', '+85261234567'],
  ['13812345678', '+8613812345678'],
  ['+447911123456', '+447911123456'],
  // The zero that is dialled within the country is not part of the number: one handset is one person.
  ['+4407911123456', '+447911123456'],
  ['+49 01512 3456789', '+4915123456789'],
  ['+33 6 12 34 56 78', '+33612345678'],
  ['+1 212 555 2368', '+12125552368'],
  ['+886912345678', '+886912345678'],
  ['+85366123456', '+85366123456'],
])('%s is %s', (text, expected) => {
  expect(existingPhone(text)).toBe(expected)
  expect(normalisePhone(text)).not.toBeNull()
})
