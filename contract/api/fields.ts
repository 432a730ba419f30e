import { z } from 'zod'
import { existingPhone } from '../existing-phone.ts'
import { readCardNumber } from '../../domain/bank-card.ts'
import { LANGUAGES } from '../../domain/languages.ts'
import { parseCents } from '../../domain/money.ts'

/**
 * Inputs shared by several calls. A custom message is a key of `field.*`, which the server
 * translates to the user's language.
 */

/**
 * Characters that are invisible or change the text around them: controls, zero-width and bidirectional
 * marks, line separators, private use, and letters that look like blanks. A name with them can
 * impersonate another one.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u115F\u1160\u2800\u3164\uFFA0]/u

/** One line of visible text. */
export const line = (maximum: number, minimum = 1, message?: string) =>
  z
    .string()
    .trim()
    .min(minimum, message)
    .max(maximum, message)
    .refine((text) => !INVISIBLE.test(text), 'field.invisible')

const LINE_BREAK = /\r\n?/g

/** Visible text of several lines, whose line breaks are preserved. */
export const text = (maximum: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maximum)
    .transform((given) => given.replace(LINE_BREAK, '\n'))
    .refine((given) => !INVISIBLE.test(given.replaceAll(/[\n\t]/g, '')), 'field.invisible')

export const wholeNumber = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^-?\d{1,9}$/, 'field.type')
    .transform(Number)
    .pipe(z.number().min(minimum).max(maximum))

export const regionId = z.string().regex(/^\d{6}$/, 'field.invalid')
/** A calendar day in the years 1900 to 2999. */
export const day = z.iso.date('field.day').regex(/^(?:19|2\d)/, 'field.day')
export const raceId = z.string().regex(/^[A-Z]{5}\d{10}$/, 'field.raceId')
/** A horse: its region's code and its brand number. */
export const horseId = z.string().regex(/^[A-Z]{2}-[A-Za-z0-9-]{1,24}$/, 'field.invalid')
/** A model's name; a nonexistent one has no predictions. */
export const modelId = z.string().regex(/^[a-z-]{1,30}$/, 'field.invalid')
export const uuid = z.uuid('field.invalid')
export const gameplayClass = wholeNumber(1, 9)
export const negativeDays = wholeNumber(-366, -1)
export const category = wholeNumber(1, 99)
export const plainCode = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, 'field.invalid')

/** Pagination: pages from 1, ten rows per page, at most a hundred (decisions section 8). */
export const paging = {
  pageNo: wholeNumber(1, 1_000_000).default(1),
  pageSize: wholeNumber(1, 100).default(10),
}

/** A text that `read` brings into its usual form, or refuses with `null`. */
const readBy = (read: (text: string) => string | null, maximum: number, message: string) =>
  z
    .string()
    .max(maximum, message)
    .transform((text, context) => {
      const known = read(text)
      if (known !== null) return known
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    })

export const phone = readBy(existingPhone, 24, 'field.phone')
export const cardNumber = readBy(readCardNumber, 32, 'field.card')
export const captcha = z.string().regex(/^\d{6}$/, 'field.code')
export const nickname = line(20, 1, 'field.nickname')
export const gender = z.union([z.literal(0), z.literal(1), z.literal(2)], 'field.gender')
export const newPassword = z
  .string()
  .min(8, 'field.password')
  .max(64, 'field.password')
  .regex(/^(?=.*\p{L})(?=.*\d)/su, 'field.password')
/** A password to compare: no format rule, only a maximum length. */
export const password = z.string().min(1).max(256)

/** An amount of HK$ above 0 as text, `120` or `120.50`, parsed to whole cents. */
export const amount = z
  .string()
  // At most nine digits of dollars: more than any account is owed, and safe as cents.
  .regex(/^\d{1,9}(\.\d{1,2})?$/, 'field.amount')
  .transform(parseCents)
  .pipe(z.number().min(1, 'field.amount'))

/** HK$ in a response: an exact decimal text with two places, never a binary float. */
export const money = z.string().regex(/^-?\d+\.\d{2}$/)
export const instant = z.iso.datetime()
export const flag = z.union([z.literal(0), z.literal(1)])
/** The language of a displayed name; `null` if no language has a name and the number is shown instead. */
export const nameLanguage = z.enum(LANGUAGES).nullable()
/** A fraction, 0 to 1. */
export const share = z.number().min(0).max(1)

/** One page of a list with the total number of rows. */
export const page = <Row extends z.ZodType>(row: Row) =>
  z.strictObject({
    records: z.array(row),
    total: z.number().int(),
    current: z.number().int(),
    size: z.number().int(),
    pages: z.number().int(),
  })

/** Proof of account ownership: the password, or a code that was sent to the account's phone (`login`). */
export const proof = { password: password.optional(), captcha: captcha.optional() }

/** Number of a horse’s coupled entry, whose horses are one bet; `null` if it is not coupled. */
export const entryNumber = z.number().int().nullable()
