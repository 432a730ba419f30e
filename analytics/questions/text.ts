import { SIMPLER } from './simpler.ts'

/** A piece of a question: a word of Latin letters, a number, one Chinese character, or a sign. */
export interface Unit {
  text: string
  /** Where it is in the question: `text.slice(start, end)`. */
  start: number
  end: number
}

/** One character in the form that is compared: lower case, without accents, half-width, Simplified. Its length stays. */
function foldedCharacter(character: string): string {
  const known = FOLDED.get(character)
  if (known !== undefined) return known
  const folded = foldOne(character)
  FOLDED.set(character, folded)
  return folded
}

/** Characters that were met: names have few different ones. */
const FOLDED = new Map<string, string>()

function foldOne(character: string): string {
  const plain = character === '’' ? "'" : character.normalize('NFKD').charAt(0).toLowerCase()
  return SIMPLER.get(plain) ?? (plain === '' ? character : plain)
}

const UNIT =
  /\d{1,3}(?:,\d{3})+(?!\d)|\d+(?:\.\d+)?|\p{Script=Han}|\p{Script=Latin}+(?:'\p{Script=Latin}+)*|[<>]=?|[-+%/,≥≤~]/gu
const DASH = /[–—−－]/g
const isNumber = (text: string | undefined): boolean => text !== undefined && /^\d/.test(text)

/**
 * The units of a text. A hyphen counts only beside a number; other punctuation only ends a word.
 *
 * ```ts
 * unitsOf('First-time gear, 1,200m').map(({ text }) => text) // => ['first', 'time', 'gear', ',', '1200', 'm']
 * ```
 */
export function unitsOf(text: string): Unit[] {
  const folded = Array.from(text, (each) => (each.length > 1 ? each : foldedCharacter(each))).join('')
  const units = [...folded.replaceAll(DASH, '-').replaceAll('、', ',').matchAll(UNIT)].map((found): Unit => {
    const [match] = found
    const start = found.index
    return { text: isNumber(match) ? match.replaceAll(',', '') : match, start, end: start + match.length }
  })
  return units.filter(
    (unit, at) => unit.text !== '-' || isNumber(units[at - 1]?.text) || isNumber(units[at + 1]?.text),
  )
}

const PLAIN_LATIN = /^[a-z]+(?: [a-z]+)*$/i
const PLAIN_HAN = /^[\u4e00-\u9fff]+$/

/** A phrase as the vocabulary has it: its units with spaces between them, without commas. */
export function phraseOf(text: string): string {
  // Thousands of names are made into phrases at once, nearly all of them plain.
  if (PLAIN_LATIN.test(text)) return text.toLowerCase()
  if (PLAIN_HAN.test(text)) return Array.from(text, foldedCharacter).join(' ')
  return unitsOf(text)
    .filter((unit) => unit.text !== ',')
    .map((unit) => unit.text)
    .join(' ')
}
