const ADDRESS = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/
/** Of a path in SMTP, without its angle brackets (RFC 5321, section 4.5.3.1.3). */
const MAX_LENGTH = 254

/**
 * Whether a text is one e-mail address of the usual form, without a name, a comment or a line break.
 *
 * @example
 * ```ts
 * isEmailAddress('reader@example.com') // → true
 * isEmailAddress('Reader <reader@example.com>') // → false
 * ```
 */
export const isEmailAddress = (text: string): boolean => text.length <= MAX_LENGTH && ADDRESS.test(text)
