import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { normalisePhone } from '../domain/phone.ts'

/** Whose numbers decisions section 5 itself describes; others are as their country assigns them. */
const OWN_RULE = /^\+(86|852)/
/** Kinds of numbers that receive texts at the usual price; in some countries a number does not tell its kind. */
const TEXTED = new Set<unknown>(['MOBILE', 'FIXED_LINE_OR_MOBILE'])

/**
 * Normalises the number of a phone that can exist and receive texts to E.164: one number for each phone, without the zero
 * that some countries dial before it. `null` for anything else. It knows every country's numbers, so it is for the server;
 * the page checks the form (`normalisePhone`).
 */
export function existingPhone(text: string): string | null {
  const number = normalisePhone(text)
  if (number === null || OWN_RULE.test(number)) return number
  const found = parsePhoneNumberFromString(number)
  return found?.isValid() && TEXTED.has(found.getType()) ? found.number : null
}
