import { normalisePhone } from '../../../domain/phone.ts'

/**
 * Rules of an account's fields (decisions section 5), checked before anything is sent; the
 * server has the final say.
 */
export const RULES = {
  phone: (value: string) => (normalisePhone(value) === null ? 'field.phone' : null),
  captcha: (value: string) => (/^\d{6}$/.test(value) ? null : 'field.code'),
  nickname: (value: string) =>
    value.trim().length >= 1 && value.trim().length <= 20 ? null : 'field.nickname',
  password: (value: string) =>
    value.length >= 8 && value.length <= 64 && /\p{L}/u.test(value) && /\d/.test(value)
      ? null
      : 'field.password',
  needed: (value: string) => (value.trim() === '' ? 'field.required' : null),
} as const

/** Message ids by field, for the fields whose rule is broken. */
export function broken(
  checks: Readonly<Record<string, string | null>>,
): Readonly<Record<string, string>> | null {
  const found = Object.entries(checks).filter((entry): entry is [string, string] => entry[1] !== null)
  return found.length === 0 ? null : Object.fromEntries(found)
}
