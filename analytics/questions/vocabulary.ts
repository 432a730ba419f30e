import { NAME_COLUMNS } from '../../domain/languages.ts'
import { conjuncts } from '../filter.ts'
import { gearItems } from '../../domain/gear.ts'
import type { Dimension, HasDimensions, Scalar } from '../model.ts'
import { MODELS, type ModelName } from '../models.ts'
import { isOwnName } from '../own-slots.ts'
import { readFilter } from '../url.ts'
import type { Meaning, QuestionWords, Role } from './meaning.ts'
import { phraseOf } from './text.ts'
import type { Measure, QuestionTexts } from './texts.ts'
import { ENGLISH } from './words-en.ts'
import { CHINESE } from './words-zh.ts'

/** The dimensions of every subject: what only races have, at the end. */
export const ALL_DIMENSIONS: HasDimensions = {
  dimensions: {
    ...MODELS.predictions.dimensions,
    ...MODELS.runners.dimensions,
    ...MODELS.races.dimensions,
    ...MODELS.runners.dimensions,
  },
}
const DIMENSIONS: Readonly<Record<string, Dimension>> = ALL_DIMENSIONS.dimensions
export const questionDimension = (dim: string): Dimension => DIMENSIONS[dim]!

/** A value of the data: of a dimension with names, in every language, or of one whose values are text. */
export interface DataValue {
  dim: string
  value: Scalar
  names: readonly string[]
}

/**
 * Columns of a row with a value and its names, as answers have them: `jockey`, `jockey_en`, `jockey_hant`.
 *
 * ```ts
 * dataValue('jockey', { jockey: 3, jockey_en: 'Z Purton' }) // => { dim: 'jockey', value: 3, names: ['Z Purton'] }
 * ```
 */
export function dataValue(dim: string, row: Readonly<Record<string, unknown>>): DataValue | null {
  const value = row[dim]
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const names = NAME_COLUMNS.map((column) => row[`${dim}_${column}`])
  return { dim, value, names: names.filter((name) => typeof name === 'string' && name !== '') as string[] }
}

/**
 * Dimensions whose values only the data knows: those with names, and texts. Pairs are found by either person.
 *
 * ```ts
 * dataDimensions('runners').includes('jockey') // => true
 * ```
 */
export const dataDimensions = (subject: ModelName): string[] =>
  Object.entries(MODELS[subject].dimensions as Readonly<Record<string, Dimension>>).flatMap(
    ([dim, dimension]) =>
      isAsked(dim, dimension) && dim !== 'jockey_trainer' && ofData(dimension) ? [dim] : [],
  )

const ofData = (dimension: Dimension): boolean => {
  const { display, level, pinned } = dimension
  if (!haveWords(dimension)) return false
  return (
    ['name', 'text', 'class'].includes(display) || (display === 'words' && level !== 'prediction' && !pinned)
  )
}

/**
 * Whether the values of a dimension can be asked for by their words. A leader is a horse that usually leads: where it was in the
 * race itself is asked for by the name of that dimension alone.
 */
const haveWords = ({ sections }: Dimension): boolean => sections !== true

/** Days and meetings are asked for by dates; the reader's own columns have names of their own. */
const isAsked = (dim: string, { display }: Dimension): boolean =>
  !['day', 'meeting'].includes(display) && dim !== 'region' && !isOwnName(dim)

const LANGUAGES: readonly QuestionWords[] = [ENGLISH, CHINESE]
const listOf = (words: string): string[] =>
  words
    .split(/[,，]/)
    .map((word) => word.trim())
    .filter(Boolean)

/** Adds the English plural of a name whose last word is a noun. */
function withPlural(name: string): string[] {
  if (!/[a-z]$/i.test(name)) return [name]
  const plural = /[^aeiou]y$/i.test(name)
    ? `${name.slice(0, -1)}ies`
    : /(?:s|x|ch|sh)$/i.test(name)
      ? `${name}es`
      : `${name}s`
  return [name, plural]
}

/** What phrases mean, and how many units the longest has that begins with a unit. */
export interface Vocabulary {
  meanings: ReadonlyMap<string, readonly Meaning[]>
  longest: ReadonlyMap<string, number>
  units: ReadonlyMap<string, readonly string[]>
  /** What counts rows after a number. */
  rows: ReadonlyMap<string, true>
  /** Short codes such as the course `A`, and owners, which are understood beside the name of their dimension only. */
  codes: ReadonlyMap<string, readonly Meaning[]>
}

class Builder {
  readonly meanings = new Map<string, Meaning[]>()
  readonly codes = new Map<string, Meaning[]>()
  /** Names of values that the data does not have. */
  readonly absent = new Set<string>()

  add(phrase: string, meaning: Meaning, into = this.meanings): void {
    const key = phraseOf(phrase)
    if (key === '') return
    const known = into.get(key)
    if (known === undefined) into.set(key, [meaning])
    else if (!known.some((each) => sameMeaning(each, meaning))) known.push(meaning)
  }

  addAll(words: string, meaning: Meaning): void {
    for (const word of listOf(words)) this.add(word, meaning)
  }

  has(phrase: string): boolean {
    return this.meanings.has(phraseOf(phrase))
  }
}

const sameMeaning = (a: Meaning, b: Meaning): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

function addDimensions(builder: Builder, texts: QuestionTexts): void {
  for (const [dim, dimension] of Object.entries(DIMENSIONS)) {
    if (!isAsked(dim, dimension)) continue
    // Figures are of one model and one origin: nothing is broken down by them.
    const meaning: Meaning = dimension.pinned ? { kind: 'missing' } : { kind: 'dimension', dim }
    for (const messages of Object.values(texts)) {
      const name = messages[`dimension.${dim}`]
      if (name !== undefined) for (const each of withPlural(name)) builder.add(each, meaning)
    }
    for (const words of LANGUAGES)
      for (const name of listOf(words.dimensions[dim] ?? ''))
        for (const each of withPlural(name)) builder.add(each, meaning)
  }
}

/** Values that messages name: words, weekdays, months and yes or no, as far as the data has them. */
function addValues(builder: Builder, texts: QuestionTexts, present: ReadonlyMap<string, Set<Scalar>>): void {
  for (const [dim, dimension] of Object.entries(DIMENSIONS)) {
    const prefix = messagePrefix(dimension)
    if (prefix === null || !isAsked(dim, dimension)) continue
    const there = present.get(dim) ?? (dimension.values ? new Set(dimension.values) : undefined)
    const isCounted = dimension.level === 'prediction' || dimension.display === 'weekday'
    for (const messages of Object.values(texts))
      for (const [key, text] of Object.entries(messages)) {
        if (!key.startsWith(`${prefix}.`)) continue
        const word = key.slice(prefix.length + 1)
        const value = dimension.type === 'integer' ? Number(word) : word
        if (there !== undefined && !there.has(value)) {
          builder.absent.add(text)
          continue
        }
        for (const each of isCounted ? withPlural(text) : [text])
          builder.add(each, { kind: 'value', dim, values: [value] })
      }
  }
}

/** The first word of the keys of a dimension's messages; `null` if its values have none, or are not asked for by them. */
function messagePrefix(dimension: Dimension): string | null {
  const { display, words } = dimension
  if (!haveWords(dimension)) return null
  if (display === 'words') return words ?? null
  return display === 'weekday' ? 'weekday' : display === 'calendar-month' ? 'calendarMonth' : null
}

/** Terms of racing: a condition on one dimension, whose values the data must have. */
function addConditions(builder: Builder, present: ReadonlyMap<string, Set<Scalar>>): void {
  for (const { conditions } of LANGUAGES)
    for (const [address, words] of Object.entries(conditions)) {
      const clause = conjuncts(readFilter(ALL_DIMENSIONS, address))[0]
      if (clause === undefined || !('dim' in clause)) {
        for (const word of listOf(words)) builder.absent.add(word)
        continue
      }
      if (!('in' in clause)) {
        builder.addAll(words, { kind: 'condition', clause })
        continue
      }
      const there = present.get(clause.dim)
      const values = clause.in.filter((value) => there === undefined || there.has(value))
      if (values.length > 0) builder.addAll(words, { kind: 'value', dim: clause.dim, values })
    }
}

/** Hong Kong has classes 1 to 5, Britain 1 to 7. */
const CLASSES = [1, 2, 3, 4, 5, 6, 7]
const NUMERALS = '一二三四五六七'

/**
 * `Class 4`, `C4`, `第四班`, `四班`; groups; and grades: `GR1` of races over jumps, `G1` where a region calls its groups grades.
 */
function addClasses(builder: Builder, present: ReadonlyMap<string, Set<Scalar>>): void {
  const there = present.get('class')
  const hasGrades = [1, 2, 3].some((number) => there?.has(`GR${number}`))
  const add = (words: readonly string[], codes: readonly string[]): void => {
    const values = codes.filter((code) => there === undefined || there.has(code))
    for (const word of words)
      if (values.length > 0) builder.add(word, { kind: 'value', dim: 'class', values })
      else builder.absent.add(word)
  }
  for (const number of CLASSES) {
    const numeral = NUMERALS[number - 1]!
    add([`c${number}`, `第${numeral}班`, `${numeral}班`], [`C${number}`])
    if (number > 3) continue
    add([`group ${number}`, `g${number}`], [`G${number}`])
    add([`${numeral}級賽`, `${numeral}級`], [`G${number}`, `GR${number}`])
    add([`grade ${number}`], [hasGrades ? `GR${number}` : `G${number}`])
  }
}

function addGear(builder: Builder, texts: QuestionTexts): void {
  const codes = new Map<string, string[]>()
  for (const messages of Object.values(texts))
    for (const [key, text] of Object.entries(messages))
      if (key.startsWith('gear.')) (codes.get(key.slice(5)) ?? setAt(codes, key.slice(5))).push(text)
  for (const { gear } of LANGUAGES)
    for (const [code, words] of Object.entries(gear))
      (codes.get(code) ?? setAt(codes, code)).push(...listOf(words))
  const patterns = LANGUAGES.flatMap(({ firstTimeGear }) => listOf(firstTimeGear))
  for (const [code, names] of codes)
    for (const name of names) {
      builder.add(name, { kind: 'gear', code, firstTime: false })
      for (const pattern of patterns)
        builder.add(pattern.replace('*', name), { kind: 'gear', code, firstTime: true })
    }
}

function setAt(lists: Map<string, string[]>, key: string): string[] {
  const list: string[] = []
  lists.set(key, list)
  return list
}

/** The last word of a Latin name of several. */
const SURNAME = /^[\p{Script=Latin}.' -]+ (\p{Script=Latin}[\p{Script=Latin}'-]+)$/u

/** Names of the data; a person is also found by the last word of a Latin name. */
function addNames(builder: Builder, values: readonly DataValue[]): void {
  const surnames: [string, Meaning][] = []
  for (const { dim, value, names } of values) {
    const meaning: Meaning = { kind: 'value', dim, values: [value] }
    const { display } = questionDimension(dim)
    if (display === 'text' && !dim.endsWith('gear')) {
      const code = String(value)
      // A letter alone is a word of English, and an owner may be a trainer or have a name of plain words.
      const isCode = /^[a-z]{1,2}$/i.test(code) || dim === 'owner'
      builder.add(code, meaning, isCode ? builder.codes : builder.meanings)
    }
    for (const name of names) {
      builder.add(name, meaning)
      const last = ['jockey', 'trainer'].includes(dim) ? SURNAME.exec(name)?.[1] : undefined
      if (last !== undefined) surnames.push([last, meaning])
      if (dim === 'racecourse')
        for (const { racecourses } of LANGUAGES) builder.addAll(racecourses[name] ?? '', meaning)
    }
  }
  const others = new Set(surnames.map(([name]) => name).filter((name) => builder.has(name)))
  for (const [name, meaning] of surnames) if (!others.has(name)) builder.add(name, meaning)
}

function addGrammar(builder: Builder, texts: QuestionTexts): void {
  for (const messages of Object.values(texts))
    for (const [key, text] of Object.entries(messages))
      if (key.startsWith('workspace.measure.'))
        builder.add(text, { kind: 'measure', measure: key.slice('workspace.measure.'.length) as Measure })
  for (const { measures, subjects, roles, missing } of LANGUAGES) {
    for (const [measure, words] of Object.entries(measures))
      builder.addAll(words, { kind: 'measure', measure: measure as Measure })
    for (const [subject, words] of Object.entries(subjects))
      builder.addAll(words, { kind: 'subject', subject: subject as ModelName })
    for (const [role, words] of Object.entries(roles))
      builder.addAll(words, { kind: 'role', role: role as Role })
    builder.addAll(missing, { kind: 'missing' })
  }
}

/**
 * The words that a question may have: of the messages of all languages, the tables beside this file, and the values of the
 * data. `values`: names of people, horses and places, and the values of dimensions that are text.
 *
 * ```ts
 * makeVocabulary({ en: { 'dimension.draw': 'Draw' } }, []).rows.has('runs') // => true
 * ```
 */
export function makeVocabulary(texts: QuestionTexts, values: readonly DataValue[]): Vocabulary {
  const present = new Map<string, Set<Scalar>>()
  for (const { dim, value } of values) present.set(dim, (present.get(dim) ?? new Set()).add(value))
  const builder = new Builder()
  addGrammar(builder, texts)
  addDimensions(builder, texts)
  addValues(builder, texts, present)
  addClasses(builder, present)
  addConditions(builder, present)
  addGear(builder, texts)
  addNames(builder, values)
  for (const text of builder.absent) if (!builder.has(text)) builder.add(text, { kind: 'missing' })
  const longest = new Map<string, number>()
  for (const key of [...builder.meanings.keys(), ...builder.codes.keys()]) {
    const units = key.split(' ')
    longest.set(units[0]!, Math.max(longest.get(units[0]!) ?? 0, units.length))
  }
  return {
    meanings: builder.meanings,
    codes: builder.codes,
    longest,
    units: new Map(
      LANGUAGES.flatMap(({ units }) =>
        Object.entries(units).flatMap(([words, dims]) =>
          listOf(words).map((word) => [phraseOf(word), dims.filter((dim) => dim in DIMENSIONS)] as const),
        ),
      ),
    ),
    rows: new Map(
      LANGUAGES.flatMap(({ rows }) => listOf(rows).map((each) => [phraseOf(each), true] as const)),
    ),
  }
}

/** The values of a dimension of gear, each a set of pieces, that have this piece. */
export const gearSets = (values: readonly DataValue[], of: string, code: string): string[] =>
  values.flatMap(({ dim, value }) =>
    dim === of && gearItems(String(value)).some((item) => item.code === code) ? [String(value)] : [],
  )
