import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { z } from 'zod'
import { FurlongError, type ErrorDetails } from '../../../domain/errors.ts'
import { DAY_ORDERS } from '../../../domain/reading/read-day.ts'
import { jsonPlaces } from '../../../domain/reading/json-places.ts'
import { FURLONG_FORMAT } from '../furlong/furlong-format.ts'
import { ENCODINGS } from '../reading/csv-file.ts'
import type { FileKind } from '../reading/format.ts'
import { unitsOf } from './units.ts'

/** What a word of a cell stands for: a text of our layout, or `null` for a row of which nothing is needed. */
const meaning = z.string().nullable()

const column = z.strictObject({
  column: z.string(),
  words: z.record(z.string(), meaning).optional(),
  /** What every other cell stands for that is not blank. */
  otherwise: meaning.optional(),
  /** What the numbers of the column are in, if not in the unit of our layout. */
  unit: z.string().optional(),
})
const source = z.union([z.string(), z.strictObject({ constant: z.string() }), column])
const fields = z.record(z.string(), source).optional()

const MAPPING = z.strictObject({
  encoding: z.enum(ENCODINGS).optional(),
  dates: z.enum(DAY_ORDERS).optional(),
  decimal: z.enum(['.', ',']).optional(),
  runners: fields,
  dividends: fields,
  odds: fields,
  sections: fields,
})

/** How files of another layout are read: for each kind of file, where each field of our layout is found. */
export type Mapping = z.infer<typeof MAPPING>
/** The name of a column, the same with what its words stand for, or a text that no cell says. */
export type Source = z.infer<typeof source>
type SourceColumn = z.infer<typeof column>
export type MappedKind = 'runners' | 'dividends' | 'odds' | 'sections'
export type KindFields = Readonly<Record<string, Source>>

/** A mapping as it is written in a file. */
export interface MapFile {
  file: string
  text: string
}

/** Stands in a proposed mapping for what only a person can say. */
export const UNFILLED = '?'

const KINDS = FURLONG_FORMAT.kinds.map((kind) => ({ ...kind, name: kind.name as MappedKind }))
const MOST_PLACES = 6

/** The kinds of file that a mapping has, each with its fields. */
export const kindsOfMapping = (mapping: Mapping): { kind: FileKind; fields: KindFields }[] =>
  KINDS.flatMap((kind) => {
    const own = mapping[kind.name]
    return own === undefined ? [] : [{ kind, fields: own }]
  })

/** A source with all that it may have; `column` is `null` for a constant. */
export function columnOf(from: Source): Omit<SourceColumn, 'column'> & { column: string | null } {
  if (typeof from === 'string') return { column: from }
  return 'constant' in from ? { column: null, otherwise: from.constant } : from
}

/** `problem`: one of those of the message `error.bad-map`. */
export const badMap = (file: string, problem: string, details: ErrorDetails): FurlongError =>
  new FurlongError('bad-map', { file, problem, place: '', known: '', ...details })

/** The forms of a source, which are the same in all languages. */
const SOURCES =
  '"COLUMN", {"constant": "TEXT"}, {"column": "COLUMN", "words": {"WORD": "TEXT"}, "otherwise": "TEXT", "unit": "UNIT"}'

const listed = (texts: readonly string[]): string =>
  [...texts.slice(0, MOST_PLACES), ...(texts.length > MOST_PLACES ? ['…'] : [])].join(', ')

/** Reads a file with a mapping, without looking at what it says. Throws `file-missing`. */
export function readMapFile(path: string): MapFile {
  try {
    return { file: basename(path), text: readFileSync(path, 'utf8') }
  } catch (error) {
    throw new FurlongError('file-missing', { file: path }, { cause: error })
  }
}

/**
 * A mapping from its text. Throws `bad-map` with the line and character where it is not JSON, or with the setting or field that
 * is unknown, missing, of another form, or still to be filled in.
 */
export function parseMapping({ file, text }: MapFile): Mapping {
  const clean = text.replace(/^\uFEFF/, '')
  const { error } = jsonPlaces(clean)
  if (error !== null) {
    const before = clean.slice(0, error).split('\n')
    throw badMap(file, 'json', { line: before.length, character: before.at(-1)!.length + 1 })
  }
  const checked = MAPPING.safeParse(JSON.parse(clean))
  if (!checked.success) throw misshapen(file, checked.error.issues[0]!)
  const mapping = checked.data
  const kinds = kindsOfMapping(mapping)
  if (kinds.length === 0) throw badMap(file, 'empty', { known: KINDS.map(({ name }) => name).join(', ') })
  for (const { kind, fields: own } of kinds) checkFields(file, kind, own)
  const open = kinds.flatMap(({ kind, fields: own }) =>
    Object.entries(own).flatMap(([field, from]) =>
      unfilledOf(from).map((word) => `${kind.name}.${field}${word === '' ? '' : ` (${word})`}`),
    ),
  )
  if (open.length > 0) throw badMap(file, 'unfilled', { place: listed(open) })
  return mapping
}

function misshapen(file: string, issue: z.core.$ZodIssue): FurlongError {
  const place = issue.path.join('.')
  if (issue.path.length > 1) return badMap(file, 'value', { place, known: SOURCES })
  if (issue.code === 'unrecognized_keys')
    return badMap(file, 'setting', {
      place: issue.keys.join(', '),
      known: Object.keys(MAPPING.shape).join(', '),
    })
  const known = issue.code === 'invalid_value' ? issue.values.join(', ') : '{ … }'
  return badMap(file, 'value', { place: place || file, known })
}

function checkFields(file: string, kind: FileKind, own: KindFields): void {
  const known = kind.documented ?? kind.columns
  const unknown = Object.keys(own).find((field) => !known.includes(field))
  if (unknown !== undefined)
    throw badMap(file, 'field', { place: `${kind.name}.${unknown}`, known: known.join(', ') })
  const missing = kind.columns.filter((field) => !Object.hasOwn(own, field))
  if (missing.length > 0) throw badMap(file, 'required', { place: kind.name, known: missing.join(', ') })
  for (const [field, from] of Object.entries(own)) {
    const { unit } = columnOf(from)
    const units = unitsOf(field)
    if (unit !== undefined && !units.includes(unit))
      throw badMap(file, 'unit', { place: `${kind.name}.${field}: ${unit}`, known: units.join(', ') || '–' })
  }
}

/** The words of a source that are still to be filled in; `''` for the source itself. */
function unfilledOf(from: Source): string[] {
  const { column: name, words = {}, otherwise } = columnOf(from)
  const whole = name === UNFILLED || otherwise === UNFILLED ? [''] : []
  return [
    ...whole,
    ...Object.entries(words).flatMap(([word, means]) => (means === UNFILLED ? [word || '""'] : [])),
  ]
}
