import type { Filter } from '../filter.ts'
import type { Dimension, Scalar } from '../model.ts'
import type { Condition, Draft } from './draft.ts'
import { Lexer, type Part, type Token } from './lex.ts'
import type { Numbers } from './numbers.ts'
import { readingsOf, type Reading } from './readings.ts'
import type { Meaning, Role } from './meaning.ts'
import { phraseOf } from './text.ts'
import type { Calendar } from './times.ts'
import { gearSets, questionDimension, type DataValue, type Vocabulary } from './vocabulary.ts'

export type { Calendar } from './times.ts'

/** What a question asks, and what became of the words that it is not asked with. */
export interface Question {
  /** Views that it may mean: one, or several where a word has several meanings or the rows are not said. */
  readings: readonly Reading[]
  /** Words that nothing knows, and numbers of which it is not said what they count. */
  unknown: readonly Part[]
  /** Words of racing of which the record has nothing, and conditions that the record cannot have together. */
  missing: readonly Part[]
  /** Words that change nothing. */
  ignored: readonly Part[]
  /** Words that have several meanings: the readings differ in them. */
  ambiguous: readonly Part[]
  /** Whether it asks for a piece of gear worn for the first time: the record knows that some piece was, not which. */
  isFirstTimeGear: boolean
  /** Whether an end of a range is a part of it although the words leave it out: `over 20` of odds. */
  isInclusive: boolean
}

const dimensionsIn = (meanings: readonly Meaning[]): string[] =>
  meanings.flatMap((each) => (each.kind === 'dimension' ? [each.dim] : []))
const dimensionIn = (meanings: readonly Meaning[]): string | null => dimensionsIn(meanings)[0] ?? null
const isNumeric = ({ type, names, display }: Dimension): boolean =>
  (type === 'integer' || type === 'number') && !names && !['words', 'season'].includes(display)
/** Numbers of a class are words: class 4 is `C4`. */
const takesNumbers = (dim: string): boolean => dim === 'class' || isNumeric(questionDimension(dim))

type TermToken = Extract<Token, { kind: 'term' }>

class Parser {
  readonly draft: Draft = {
    conditions: [],
    by: [],
    measures: [],
    subject: null,
    isSorted: false,
    least: 0,
  }
  readonly unknown: Part[] = []
  readonly missing: Part[] = []
  readonly ignored: Part[] = []
  isFirstTimeGear = false
  isInclusive = false
  private at = 0
  /** The word that negates the next condition. */
  private not: Part | null = null
  /** Whether the words before list dimensions to break down by. */
  private isListing = false
  /** The dimension of the condition right before, whose name may follow its value. */
  private before: string | null = null
  private readonly tokens: readonly Token[]
  private readonly vocabulary: Vocabulary
  private readonly values: readonly DataValue[]

  constructor(tokens: readonly Token[], vocabulary: Vocabulary, values: readonly DataValue[]) {
    this.tokens = tokens
    this.vocabulary = vocabulary
    this.values = values
    while (this.at < tokens.length) this.next()
    if (this.not) this.unknown.push(this.not)
  }

  private next(): void {
    const token = this.tokens[this.at]!
    this.at += 1
    if (token.kind === 'term') return this.term(token)
    this.isListing = false
    if (token.kind === 'number') return this.number(token, token.numbers, token.dims)
    if (token.kind === 'time') return this.condition(token, token.times)
    if (token.kind === 'rows') {
      this.draft.least = token.least
      return
    }
    if (token.kind === 'code' && this.code(token, dimensionIn(this.meaningsAt(this.at)))) return
    this.before = null
    this.unknown.push(partOf(token))
  }

  private meaningsAt(at: number): readonly Meaning[] {
    const token = this.tokens[at]
    return token?.kind === 'term' ? token.meanings : []
  }

  private term(token: TermToken): void {
    const role = token.meanings.find((each) => each.kind === 'role')?.role
    const dim = dimensionIn(token.meanings)
    // "Race 1": the word alone says nothing.
    if (role === 'nothing' && dim !== null && this.withNeighbour([dim])) return
    if (role !== undefined) return this.role(token, role)
    if (dim !== null) return this.dimension(token, dim)
    this.isListing = false
    const [first] = token.meanings
    if (first!.kind === 'measure') {
      this.draft.measures.push(first!.measure)
      this.before = null
    } else if (first!.kind === 'subject') this.draft.subject = first!.subject
    else if (first!.kind === 'missing') this.missing.push(partOf(token))
    else this.value(token, this.before)
  }

  private role(token: TermToken, role: Role): void {
    const code = this.isCodeOf(token, this.before === null ? dimensionIn(this.meaningsAt(this.at)) : null)
    if (code) return this.condition(token, [code])
    if (role === 'by') this.isListing = true
    else if (role === 'not') this.not = partOf(token)
    else if (role === 'best') this.draft.isSorted = true
    else if (role === 'firstTime' || role === 'to') this.unknown.push(partOf(token))
    if (role === 'nothing') this.ignored.push(partOf(token))
  }

  /** A code such as the course `A` where its dimension stands beside it. */
  private isCodeOf(token: Token, dim: string | null): { clause: Filter } | null {
    if (dim === null) return null
    const found = this.vocabulary.codes
      .get(phraseOf(token.text))
      ?.find((each) => each.kind === 'value' && each.dim === dim)
    return found?.kind === 'value' ? { clause: { dim, in: [...found.values] } } : null
  }

  private code(token: Token, dim: string | null): boolean {
    const code = this.isCodeOf(token, dim)
    if (code) this.condition(token, [code])
    return code !== null
  }

  /** The next token that is not a word without meaning. */
  private ahead(): Token | undefined {
    let at = this.at
    while (this.meaningsAt(at).some((each) => each.kind === 'role' && each.role === 'nothing')) at += 1
    return this.tokens[at]
  }

  private skipTo(token: Token): void {
    for (; this.tokens[this.at] !== token; this.at += 1) this.ignored.push(partOf(this.tokens[this.at]!))
    this.at += 1
  }

  private dimension(token: TermToken, dim: string): void {
    const direct = this.tokens[this.at]
    if (direct && this.code(direct, dim)) {
      this.at += 1
      return
    }
    const named = dimensionsIn(token.meanings)
    if (this.withNeighbour(named)) return
    // "Weight": nothing says which one.
    if (named.length > 1) return void this.unknown.push(partOf(token))
    // "Happy Valley racecourse": the value was confirmed when it was read.
    if (this.before === dim && !this.isListing) return
    this.alone(token, dim)
  }

  /** Takes the number or the value of a dimension that follows its name. */
  private withNeighbour(dims: readonly string[]): boolean {
    const following = this.ahead()
    if (following?.kind === 'number') {
      const fitting = dims.filter((each) => fits(following, each))
      if (fitting.length === 0) return false
      this.skipTo(following)
      this.number(following, following.numbers, fitting)
      return true
    }
    if (following?.kind !== 'term') return false
    const dim = dims.find((each) => following.meanings.some((meaning) => isOf(meaning, each)))
    if (dim === undefined) return false
    this.skipTo(following)
    this.value(following, dim)
    return true
  }

  /** A dimension without a value: what is broken down by, unless it says what the rows are, or is a yes or no. */
  private alone(token: TermToken, dim: string): void {
    const subject = token.meanings.find((each) => each.kind === 'subject')
    if (subject && !this.isListing) {
      this.draft.subject = subject.subject
      return
    }
    this.before = null
    if (questionDimension(dim).type === 'boolean' && !this.isListing)
      return this.condition(token, [{ clause: { dim, in: [true] } }])
    if (!this.draft.by.includes(dim)) this.draft.by.push(dim)
  }

  /** A value, whose dimension a neighbour may confirm. */
  private value(token: TermToken, hint: string | null): void {
    const beside = hint ?? dimensionIn(this.meaningsAt(this.at))
    const values = token.meanings.filter((each) => each.kind === 'value' || each.kind === 'condition')
    const confirmed = values.filter((each) => each.kind === 'value' && each.dim === beside)
    const gear = token.meanings.find((each) => each.kind === 'gear')
    const range = this.classRange(token)
    if (range) return this.condition(token, [{ clause: range }])
    if (gear && confirmed.length === 0) return this.gear(token, gear)
    const options = (confirmed.length > 0 ? confirmed : values).map((each) => ({
      clause: each.kind === 'value' ? { dim: each.dim, in: [...each.values] } : each.clause,
    }))
    this.condition(token, options)
  }

  /** From one class to another: `第三班至第五班`. */
  private classRange(token: TermToken): Filter | null {
    const from = classIn(token.meanings)
    const isTo = this.meaningsAt(this.at).some((each) => each.kind === 'role' && each.role === 'to')
    const to = classIn(this.meaningsAt(this.at + 1))
    if (from === null || to === null || !isTo) return null
    this.at += 2
    return this.classClause({ from: Math.min(from, to), to: Math.max(from, to) })
  }

  /** Classes of a list or a range. Class 1 is the best: `class 3 or above` is classes 1 to 3, and `3+` is 3, 4 and those after. */
  private classClause({ values, from, to, isOpen, isInWords }: Omit<Numbers, 'units' | 'isPercent'>): Filter {
    const known = this.values.flatMap(({ dim, value }) => (dim === 'class' ? (classNumber(value) ?? []) : []))
    const all = Array.from({ length: Math.max(LAST_CLASS, ...known) }, (_, at) => at + 1)
    const [first = 1, last = Infinity] = isInWords ? [to, from] : [from, to]
    const isIn = (each: number): boolean =>
      each >= first && each <= last && (!isOpen || (each !== from && each !== to))
    return { dim: 'class', in: (values ?? all.filter(isIn)).map((each): Scalar => `C${each}`) }
  }

  private gear(token: Token, { code, firstTime }: Extract<Meaning, { kind: 'gear' }>): void {
    const news = firstTime ? gearSets(this.values, 'new_gear', code) : []
    const worn = gearSets(this.values, 'gear', code)
    const clause = news.length > 0 ? { dim: 'new_gear', in: news } : { dim: 'gear', in: worn }
    if (clause.in.length === 0) return void this.missing.push(partOf(token))
    const not = this.not
    this.condition(token, [{ clause }])
    if (!firstTime || news.length > 0) return
    // Without the pieces that are new: some piece is, and this one is worn.
    this.not = not
    this.isFirstTimeGear = true
    this.condition(token, [{ clause: { dim: 'first_time_gear', in: [true] } }])
  }

  private condition(token: Token, options: Condition['options']): void {
    this.draft.conditions.push({ part: partOf(token), negated: this.not !== null, options })
    this.not = null
    this.isListing = false
    const [only] = options
    this.before =
      options.length === 1 && only && 'clause' in only && 'dim' in only.clause ? only.clause.dim : null
  }

  private number(token: Token, numbers: Numbers, dims: readonly string[]): void {
    // "1-4 draw", where nothing else says what the number counts.
    const after = dims.length === 0 ? dimensionsIn(this.meaningsAt(this.at)).filter(takesNumbers) : []
    const of = after.length > 0 ? after : plausible(numbers, dims)
    if (of.length === 0) {
      this.unknown.push(partOf(token))
      return
    }
    this.condition(
      token,
      of.map((dim) => ({ clause: this.clauseOf(dim, numbers) })),
    )
  }

  private clauseOf(dim: string, numbers: Numbers): Filter {
    const { type, display, bins } = questionDimension(dim)
    if (dim === 'class') return this.classClause(numbers)
    const isShare = ['percent', 'change'].includes(display) && (numbers.isPercent || beyondOne(numbers))
    const scaled = (value: number): number => (isShare ? Number((value / 100).toFixed(6)) : value)
    if (numbers.values) {
      const values = numbers.values.map(scaled)
      const [only] = values
      return bins && values.length === 1 ? { dim, from: only!, to: only! } : { dim, in: values }
    }
    // The numbers between are whole, so that a range without its end is exact.
    const step = numbers.isOpen && type === 'integer' ? 1 : 0
    if (numbers.isOpen && step === 0) this.isInclusive = true
    return {
      dim,
      ...(numbers.from === undefined ? {} : { from: scaled(numbers.from) + step }),
      ...(numbers.to === undefined ? {} : { to: scaled(numbers.to) - step }),
    }
  }
}

const beyondOne = (numbers: Numbers): boolean => allOf(numbers).some((each) => Math.abs(each) > 1)
/** More than any draw, rank, race or field has. */
const MOST_COUNTED = 40

/** Whether numbers can be of a dimension: by their unit, and what counts from 1 has no large ones. */
function fits({ numbers, dims }: Extract<Token, { kind: 'number' }>, dim: string): boolean {
  const { bins, display, type } = questionDimension(dim)
  // Metres may be of the last distance as well.
  const isOfUnit = dims.some(
    (each) => each === dim || (display !== 'integer' && questionDimension(each).display === display),
  )
  if (!takesNumbers(dim) || (dims.length > 0 && !isOfUnit)) return false
  const isCounted = bins === undefined && display === 'integer' && type === 'integer'
  return !isCounted || allOf(numbers).every((each) => Math.abs(each) <= MOST_COUNTED)
}

const allOf = ({ values, from, to }: Numbers): number[] =>
  [...(values ?? []), from, to].filter((each) => each !== undefined)
/** What a number may count: what its unit says, or without one what has values of its size. */
function plausible(numbers: Numbers, dims: readonly string[]): readonly string[] {
  if (dims.length > 0) return dims
  if (numbers.isPercent) return ['probability']
  return allOf(numbers).every((each) => each >= 900 && each <= 3000) ? ['distance', 'body_weight'] : []
}

/** Whether a meaning is a value of a dimension. */
const isOf = (meaning: Meaning, dim: string): boolean =>
  (meaning.kind === 'value' && meaning.dim === dim) || (meaning.kind === 'gear' && dim === 'gear')

const partOf = ({ text, start, end }: Part): Part => ({ text, start, end })

/** The last class of Hong Kong; a region whose races have more ends later. */
const LAST_CLASS = 5

const classNumber = (value: Scalar): number | null => {
  const number = /^C(\d)$/.exec(String(value))?.[1]
  return number === undefined ? null : Number(number)
}

/** The number of a class. */
function classIn(meanings: readonly Meaning[]): number | null {
  const found = meanings.find((each) => each.kind === 'value' && each.dim === 'class')
  const [value] = found?.kind === 'value' ? found.values : []
  return value === undefined ? null : classNumber(value)
}

/**
 * What a question in words asks, by a fixed grammar over the names of the model and of the data: nothing is guessed. `values`:
 * those of the vocabulary.
 *
 * ```ts
 * import { makeVocabulary } from './vocabulary.ts'
 * const vocabulary = makeVocabulary({ en: { 'dimension.draw': 'Draw' } }, [])
 * const calendar = { today: '2026-11-28', seasonStartMonth: 9 }
 * readQuestion('draw 1-2', vocabulary, [], calendar).readings.map(({ subject }) => subject) // => ['runners']
 * readQuestion('draw 1-2 foo', vocabulary, [], calendar).unknown.map(({ text }) => text) // => ['foo']
 * ```
 */
export function readQuestion(
  text: string,
  vocabulary: Vocabulary,
  values: readonly DataValue[],
  calendar: Calendar,
): Question {
  const { tokens } = new Lexer(text, vocabulary, calendar)
  const parser = new Parser(tokens, vocabulary, values)
  const { draft, unknown, ignored, isFirstTimeGear, isInclusive } = parser
  const { readings, apart } = readingsOf(draft)
  return {
    readings,
    unknown,
    missing: [...parser.missing, ...apart],
    ignored,
    ambiguous: draft.conditions.filter(({ options }) => options.length > 1).map(({ part }) => part),
    isFirstTimeGear,
    isInclusive,
  }
}
