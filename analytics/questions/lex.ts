import { readBound, readNumbers, type Bound, type Numbers } from './numbers.ts'
import { unitsOf, type Unit } from './text.ts'
import { readTime, type Calendar, type Time } from './times.ts'
import type { Meaning } from './meaning.ts'
import type { Vocabulary } from './vocabulary.ts'

/** A part of the question's text: `text.slice(start, end)`. */
export interface Part {
  text: string
  start: number
  end: number
}

/** What a part may mean. */
type Read =
  | { kind: 'term'; meanings: readonly Meaning[] }
  /** Short codes, which only a neighbour's dimension confirms. */
  | { kind: 'code'; meanings: readonly Meaning[] }
  | { kind: 'number'; numbers: Numbers; dims: readonly string[] }
  /** So many rows at least. */
  | { kind: 'rows'; least: number }
  | { kind: 'time'; times: readonly Time[] }
  | { kind: 'unknown' }

/** A part with what it may mean. */
export type Token = Part & Read

/** Units that a phrase, a date or a number can take. */
const REACH = 14
const LONGEST_UNIT = 3
/** Signs that separate, where they are no part of a phrase. */
const SIGNS: ReadonlySet<string> = new Set([',', '/', '+'])
/** Dimensions whose values are dates. */
const OF_TIME: ReadonlySet<string> = new Set(['season', 'month', 'calendar_month'])

/** The longest phrase at a unit that a table has. */
function longestIn<Value>(
  table: ReadonlyMap<string, Value>,
  units: readonly Unit[],
  at: number,
  most: number,
): { units: number; found: Value } | null {
  for (let length = Math.min(most, units.length - at); length > 0; length -= 1) {
    const found = table.get(keyAt(units, at, length))
    if (found !== undefined) return { units: length, found }
  }
  return null
}

const keyAt = (units: readonly Unit[], at: number, length = REACH): string =>
  units
    .slice(at, at + length)
    .map(({ text }) => text)
    .join(' ')

/** Reads the units of a question from left to right, the longest meaning first. */
export class Lexer {
  readonly tokens: Token[] = []
  private at = 0
  private readonly units: readonly Unit[]
  private readonly text: string
  private readonly vocabulary: Vocabulary
  private readonly calendar: Calendar

  constructor(text: string, vocabulary: Vocabulary, calendar: Calendar) {
    this.text = text
    this.vocabulary = vocabulary
    this.calendar = calendar
    this.units = unitsOf(text)
    while (this.at < this.units.length) this.next()
  }

  private part(length: number): Part {
    const [first, last] = [this.units[this.at]!, this.units[this.at + length - 1]!]
    return { start: first.start, end: last.end, text: this.text.slice(first.start, last.end) }
  }

  private take(length: number, meaning: Read): void {
    this.tokens.push({ ...this.part(length), ...meaning })
    this.at += length
  }

  /** Units joined by spaces, beginning so many after the present one. */
  private ahead(after = 0): string {
    return keyAt(this.units, this.at + after)
  }

  private next(): void {
    const unit = this.units[this.at]!.text
    if (SIGNS.has(unit)) {
      this.at += 1
      return
    }
    const found = this.longest(unit)
    if (found !== null) return this.take(found.units, found.read)
    const { codes, longest } = this.vocabulary
    const code = longestIn(codes, this.units, this.at, longest.get(unit) ?? 0)
    if (code) return this.take(code.units, { kind: 'code', meanings: code.found })
    this.unknown()
  }

  /** The longest phrase, date or number; of the same length a date before a phrase, and a phrase before a number. */
  private longest(unit: string): { units: number; read: Read } | null {
    const { meanings, longest } = this.vocabulary
    const phrase = longestIn(meanings, this.units, this.at, longest.get(unit) ?? 0)
    const numbers = this.numbers()
    const time =
      numbers?.isSaid || this.followsDimension(numbers) ? null : readTime(this.ahead(), this.calendar)
    const candidates: { units: number; read: Read }[] = []
    if (time) candidates.push({ units: time.units, read: { kind: 'time', times: time.times } })
    if (phrase) candidates.push({ units: phrase.units, read: { kind: 'term', meanings: phrase.found } })
    // A plain number is a part of a date that has it.
    if (numbers && !time) candidates.push(numbers)
    return candidates.toSorted((a, b) => b.units - a.units)[0] ?? null
  }

  /** Whether a number belongs to a dimension right before it: `distance 2010`. */
  private followsDimension(numbers: object | null): boolean {
    const before = this.tokens.at(-1)
    return (
      numbers !== null &&
      before?.kind === 'term' &&
      before.meanings.some((meaning) => meaning.kind === 'dimension' && !OF_TIME.has(meaning.dim))
    )
  }

  /** Characters and words that nothing knows are one part, as far as they stand together. */
  private unknown(): void {
    const before = this.tokens.at(-1)
    const unit = this.units[this.at]!
    if (before?.kind === 'unknown' && before.end === unit.start) {
      const text = this.text.slice(before.start, unit.end)
      this.tokens[this.tokens.length - 1] = { ...before, end: unit.end, text }
      this.at += 1
    } else this.take(1, { kind: 'unknown' })
  }

  /**
   * Numbers with their unit, and with what makes them a range: `1600m or more`, `60分以上`. `isSaid`: whether a unit or such
   * a word says that they are no year.
   */
  private numbers(): { units: number; read: Read; isSaid: boolean } | null {
    const shift = this.units[this.at]!.text === '第' ? 1 : 0
    const numbers = readNumbers(this.ahead(shift))
    if (numbers === null) return null
    const plain = numbers.units + shift
    const first = readBound(this.ahead(plain))
    const bare = plain + (first?.units ?? 0)
    const rows = this.rows(numbers, first, bare)
    if (rows) return rows
    return this.withUnit(numbers, first, bare)
  }

  private withUnit(numbers: Numbers, first: Bound | null, bare: number) {
    const unit = longestIn(this.vocabulary.units, this.units, this.at + bare, LONGEST_UNIT)
    const named = bare + (unit?.units ?? 0)
    const second = unit && !first ? readBound(this.ahead(named)) : null
    const bound = first ?? second
    const read: Read = {
      kind: 'number',
      numbers: bound ? bounded(numbers, bound) : numbers,
      dims: unit?.found ?? [],
    }
    return { isSaid: unit !== null || bound !== null, units: named + (second?.units ?? 0), read }
  }

  /** So many rows at least: `at least 30 runs`. */
  private rows(numbers: Numbers, bound: Bound | null, units: number) {
    const isLeast = numbers.from !== undefined && numbers.to === undefined && !numbers.isOpen
    if (!isLeast && bound?.kind !== 'atLeast') return null
    const word = longestIn(this.vocabulary.rows, this.units, this.at + units, LONGEST_UNIT)
    const least = numbers.from ?? numbers.values?.at(-1)
    if (word === null || least === undefined) return null
    return { isSaid: true, units: units + word.units, read: { kind: 'rows', least } } as const
  }
}

function bounded(numbers: Numbers, { kind, isInWords }: Bound): Numbers {
  const { values, ...common } = numbers
  const end = values?.at(-1)
  if (end === undefined) return numbers
  return {
    ...common,
    ...(isInWords ? { isInWords } : {}),
    ...(kind === 'atLeast' ? { from: end } : { to: end }),
  }
}
