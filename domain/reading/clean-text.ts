/** Characters that take no room: zero-width blanks and joiners, marks of direction, the byte order mark, soft hyphens. */
const INVISIBLE = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF]/gu
const DIRECTION_OR_NO_WIDTH =
  /[\p{Zl}\p{Zp}\u00AD\u061C\u115F\u1160\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]|\u034F|\u17B4|\u17B5|\u180B|\u180C|\u180D|\u180E/u
/** All but the small digits and fractions, whose plain forms are other numbers: `5²` would be 52. */
const COMPATIBLE = /[^\u00B2\u00B3\u00B9\u00BC-\u00BE\u2070-\u209F\u2150-\u215F\u2189]+/gu
const PLAIN = /^[!-~]+(?: [!-~]+)*$/
/** A cell that a spreadsheet was told to take as text: `="007"`. */
const QUOTED = /^="([^"]*)"$/

/**
 * A text as it is compared and read: compatibility forms (full-width digits and letters) as their plain ones, nothing
 * invisible, any run of blanks as one, none at the ends.
 *
 * ```ts
 * cleanText('\u200BＳha  Tin\u00A0') // => 'Sha Tin'
 * ```
 */
export function cleanText(text: string): string {
  const clean = PLAIN.test(text)
    ? text
    : text
        .replaceAll(INVISIBLE, '')
        .replaceAll(COMPATIBLE, (part) => part.normalize('NFKC'))
        .replaceAll(/\s+/g, ' ')
        .trim()
  return clean.startsWith('="') ? clean.replace(QUOTED, '$1') : clean
}

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Whether a text has Chinese or Japanese characters. */
export const hasCjk = (text: string): boolean => CJK.test(text)

/** Texts that say that there is no value, in lower case. */
export const MISSING_TEXTS: readonly string[] = [
  '',
  '-',
  '--',
  '---',
  '–',
  '—',
  '.',
  '..',
  '...',
  '?',
  'na',
  'n/a',
  'n.a.',
  '#n/a',
  'nan',
  'null',
  '(null)',
  'none',
  'nil',
  'nat',
  '<na>',
  '#null!',
  '不詳',
  '不详',
  '無',
  '无',
]

const missing = new Set(MISSING_TEXTS)
const longest = Math.max(...MISSING_TEXTS.map(({ length }) => length))

/** Whether a text says that there is no value: the one list of such words. */
export const isMissing = (text: string): boolean => missingOf(cleanText(text))

/** `isMissing` of a text that `cleanText` returned. */
export const missingOf = (clean: string): boolean =>
  clean.length <= longest && missing.has(clean.toLowerCase())

/**
 * Whether a text has characters that take no room or change the direction of the text around them: a name with them looks
 * like another one.
 */
export const hasInvisible = (text: string): boolean => DIRECTION_OR_NO_WIDTH.test(text)
