import { GOINGS } from '../../../contract/goings.ts'
import { GAMEPLAYS } from '../../../domain/gameplay.ts'
import { hasCjk, isMissing } from '../../../domain/reading/clean-text.ts'
import { guessByName } from '../../../domain/reading/own-columns.ts'
import { FURLONG_FORMAT } from '../furlong/furlong-format.ts'
import { HK_FORMAT } from '../hk/hk-format.ts'
import { CHINESE, ENGLISH } from '../hk/words.ts'
import type { FileKind } from '../reading/format.ts'
import { US_FORMAT } from '../us/us-format.ts'
import type { ColumnSummary } from './column-summary.ts'
import { FIELD_NAMES, MARKED_PLACE, UNFINISHED_WORDS, UNIT_NAMES, WITHDRAWN_WORDS } from './field-names.ts'
import { UNFILLED, type KindFields, type MappedKind, type Source } from './mapping.ts'

/** Fields by which a kind of file is told; any other file is taken for one of runners. */
const TELLING: readonly (readonly [MappedKind, readonly string[]])[] = [
  ['dividends', ['combination', 'dividend']],
  ['odds', ['horse_no', 'seen_at_utc', 'win_odds']],
  ['sections', ['horse_no', 'section', 'time']],
]

/** What a field is if no column has its name, and the mapping must say it. */
const CONSTANTS: Readonly<Record<string, string>> = { race_status: 'final', win_odds: '' }

const lower = (words: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(words).map(([word, means]) => [word.toLowerCase(), String(means)]))

/** Words of the formats that are read, and what they are in our layout. */
const MEANINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  stadium: lower({
    ...Object.fromEntries(
      [...HK_FORMAT.stadiums, ...US_FORMAT.stadiums].flatMap(({ id, en, hant, hans }) =>
        [id.slice(2), en, hant, hans].flatMap((name) => (name === null ? [] : [[name, id]])),
      ),
    ),
    ...CHINESE.venues,
    ...ENGLISH.venues,
  }),
  going: lower({
    ...CHINESE.goings,
    ...ENGLISH.goings,
    // The last of two counts: only Hong Kong writes FAST for firm.
    ...Object.fromEntries(GOINGS.map((going) => [going.replaceAll('_', ' '), going])),
  }),
  track: lower({
    turf: 'turf',
    t: 'turf',
    grass: 'turf',
    草地: 'turf',
    芝: 'turf',
    awt: 'awt',
    aw: 'awt',
    'all weather': 'awt',
    'all weather track': 'awt',
    synthetic: 'awt',
    全天候: 'awt',
    dirt: 'dirt',
    d: 'dirt',
    泥地: 'dirt',
    ダ: 'dirt',
    ダート: 'dirt',
  }),
  gameplay_class: lower({
    ...Object.fromEntries(GAMEPLAYS.map(({ key, class: id }) => [key.replaceAll('_', ' '), id])),
    ...CHINESE.pools,
    ...ENGLISH.pools,
    exacta: 5,
    trifecta: 7,
    superfecta: 9,
    単勝: 1,
    複勝: 2,
    馬連: 3,
    ワイド: 4,
    馬単: 5,
    三連複: 6,
    三連単: 7,
    '3連複': 6,
    '3連単': 7,
  }),
}
/** Fields of which every word must have a meaning: others are stored as unknown. */
const NEEDED = new Set(['stadium', 'gameplay_class'])

/** A name without what is in brackets, and without the unit at its end. */
const withoutUnit = (name: string): string =>
  name.replaceAll(/[([（［].*?[)\]）］]/g, '').replace(/[_ ](?:lbs?|kgs?|m|f|y)$/i, '')

function guess(kind: FileKind, columns: readonly ColumnSummary[]): Partial<Record<string, ColumnSummary>> {
  const fields = kind.documented ?? kind.columns
  const common = Object.fromEntries(
    fields.flatMap((field) => (FIELD_NAMES[field] === undefined ? [] : [[field, FIELD_NAMES[field]]])),
  )
  const names = columns.map(({ column }) => column)
  const whole = guessByName(names, common)
  const taken = new Set(Object.values(whole))
  const rest = guessByName(
    names.map((name, at) => (taken.has(at) ? '' : withoutUnit(name))),
    Object.fromEntries(Object.entries(common).filter(([field]) => whole[field] === undefined)),
  )
  return Object.fromEntries(
    Object.entries({ ...whole, ...rest }).map(([field, at]) => [field, columns[at!]!]),
  )
}

/** A number of seconds, which is no time of a clock: `102.27`, `84`. */
const SECONDS = /^\d{2,3}(?:[.,]\d{1,3})?$/

function sourceOf(field: string, { column, words }: ColumnSummary): Source {
  const known = MEANINGS[field]
  if (known !== undefined) {
    const needed = NEEDED.has(field)
    const told = [...words].flatMap((word): [string, string][] => {
      const key = word.toLowerCase()
      const unknown = needed && !isMissing(word) ? UNFILLED : undefined
      const means = Object.hasOwn(known, key) ? known[key] : unknown
      return means === undefined || means === word ? [] : [[word, means]]
    })
    return told.length === 0 ? column : { column, words: Object.fromEntries(told) }
  }
  const seconds =
    /^(?:finish_)?time$/.test(field) && [...words].every((word) => isMissing(word) || SECONDS.test(word))
  if (seconds) return { column, unit: 'seconds' }
  const unit = UNIT_NAMES.find(({ fields, name }) => fields.includes(field) && name.test(column))?.unit
  return unit === undefined ? column : { column, unit }
}

/** How a horse ended, and its place, from one column that has either. */
function finish({ column, words }: ColumnSummary): { status: Source; place: Source } {
  const status: Record<string, string> = {}
  const place: Record<string, string> = {}
  for (const word of words) {
    if (/^\d{1,2}(?:\.0)?$/.test(word)) continue
    const [, marked, equal = ''] = MARKED_PLACE.exec(word) ?? []
    const number = marked ?? equal
    if (word !== '') place[word] = number
    if (number !== '') continue
    const code = word.toUpperCase()
    status[word] = WITHDRAWN_WORDS.has(code)
      ? 'withdrawn'
      : UNFINISHED_WORDS.has(code)
        ? 'unfinished'
        : UNFILLED
  }
  return {
    status: { column, ...(Object.keys(status).length === 0 ? {} : { words: status }), otherwise: 'finished' },
    place: Object.keys(place).length === 0 ? column : { column, words: place },
  }
}

function fieldsOf(kind: FileKind, columns: readonly ColumnSummary[]): KindFields {
  const found = guess(kind, columns)
  const fields: Record<string, Source> = {}
  for (const field of kind.documented ?? kind.columns) {
    const summary = found[field]
    const named = /^(?:race|horse)_name_en$/.test(field) && summary?.samples.some(hasCjk)
    if (summary !== undefined) fields[named ? field.replace(/en$/, 'hant') : field] = sourceOf(field, summary)
    else if (kind.columns.includes(field)) fields[field] = { constant: CONSTANTS[field] ?? UNFILLED }
  }
  if (kind.name === 'runners') {
    if (found['place'] !== undefined) Object.assign(fields, finish(found['place']))
    const name = found['brand'] ?? found['horse_name_en']
    if (name !== undefined) fields['brand'] = name.column
  }
  if (kind.name === 'dividends' && found['status'] === undefined) fields['status'] = { constant: 'paid' }
  return fields
}

/** How many fields of our own layout the names of columns are commonly used for. */
export const knownNames = (header: readonly string[]): number =>
  Object.keys(guessByName(header.map(withoutUnit), FIELD_NAMES)).length

/**
 * A mapping for a file that no format reads, guessed from the names of its columns and the words of its cells, with `?` for
 * what only a person can say.
 */
export function proposeFor(columns: readonly ColumnSummary[]): { kind: MappedKind; fields: KindFields } {
  const kindNamed = (name: MappedKind): FileKind => FURLONG_FORMAT.kinds.find((each) => each.name === name)!
  const isTold = ([name, fields]: (typeof TELLING)[number]): boolean => {
    const found = guess(kindNamed(name), columns)
    return fields.every((field) => found[field] !== undefined)
  }
  const told = TELLING.find(isTold)
  // Results have odds and a time too.
  const isResult = guess(kindNamed('runners'), columns)['place'] !== undefined
  const kind = told === undefined || (told[0] === 'odds' && isResult) ? 'runners' : told[0]
  return { kind, fields: fieldsOf(kindNamed(kind), columns) }
}
