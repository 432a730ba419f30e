import { checkFilter, conjuncts, type Clause, type Filter } from './filter.ts'
import type { HasDimensions, Scalar } from './model.ts'

/**
 * Serialises filters for the address: clauses joined by `~`, `going:good,firm`, `distance:1000..1200`, `!`
 * for not, `(a|b)` for or. Clauses that the model does not know are dropped on reading.
 *
 * ```ts
 * writeFilter({ and: [{ dim: 'going', in: ['good', 'firm'] }, { dim: 'distance', from: 1000, to: 1200 }] }) // => 'going:good,firm~distance:1000..1200'
 * ```
 */
export const writeFilter = (filter: Filter | null): string => conjuncts(filter).map(writeNode).join('~')

const escape = (value: Scalar): string =>
  String(value).replaceAll(
    /[%~|():,!]|\.(?=\.)/g,
    (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )

function writeNode(filter: Filter): string {
  if ('and' in filter) return `(${filter.and.map(writeNode).join('~')})`
  if ('or' in filter) return `(${filter.or.map(writeNode).join('|')})`
  if ('not' in filter) return `!${writeNode(filter.not)}`
  if ('in' in filter) return `${filter.dim}:${filter.in.map(escape).join(',')}`
  return `${filter.dim}:${filter.from === undefined ? '' : escape(filter.from)}..${filter.to === undefined ? '' : escape(filter.to)}`
}

/**
 * Parses a filter; `null` if no clause is understood.
 *
 * ```ts
 * import { PREDICTIONS } from './predictions.ts'
 * readFilter(PREDICTIONS, 'rank:1,2~unknown:3') // => { and: [{ dim: 'rank', in: [1, 2] }] }
 * ```
 */
export function readFilter(model: HasDimensions, text: string): Filter | null {
  const parts = splitTop(text, '~').flatMap((part) => {
    try {
      const node = readNode(model, part, 0)
      // Clauses above the limit are not dropped, which would show more than the address says: the query refuses them.
      return node === null ? [] : [checkFilter(model, node, Number.POSITIVE_INFINITY)!]
    } catch {
      return []
    }
  })
  return parts.length === 0 ? null : { and: parts }
}

/** Splits at a separator outside of parentheses. */
function splitTop(text: string, separator: string): string[] {
  const parts: string[] = []
  let depth = 0
  let part = ''
  for (const char of text) {
    if (char === '(') depth += 1
    if (char === ')') depth -= 1
    if (char === separator && depth === 0) {
      parts.push(part)
      part = ''
    } else part += char
  }
  parts.push(part)
  return parts.filter((each) => each !== '')
}

function readNode(model: HasDimensions, text: string, depth: number): Filter | null {
  if (depth > 6) return null
  if (text.startsWith('!')) {
    const inner = readNode(model, text.slice(1), depth + 1)
    return inner === null ? null : { not: inner }
  }
  if (text.startsWith('(') && text.endsWith(')')) return readGroup(model, text.slice(1, -1), depth + 1)
  return readClause(model, text)
}

/** Alternatives, or conditions that all hold. */
function readGroup(model: HasDimensions, inside: string, depth: number): Filter | null {
  const either = splitTop(inside, '|')
  const parts = (either.length > 1 ? either : splitTop(inside, '~')).map((part) =>
    readNode(model, part, depth),
  )
  const known = parts.filter((part) => part !== null)
  if (known.length < parts.length) return null
  return either.length > 1 ? { or: known } : { and: known }
}

/** The values or the range of one dimension; `null` for an unknown dimension. */
function readClause(model: HasDimensions, text: string): Clause | null {
  const at = text.indexOf(':')
  const dim = text.slice(0, at)
  if (at < 1 || !Object.hasOwn(model.dimensions, dim)) return null
  const { type } = model.dimensions[dim]!
  const value = (raw: string): Scalar => {
    const plain = decodeURIComponent(raw)
    return type === 'text' ? plain : type === 'boolean' ? plain === 'true' : Number(plain)
  }
  const values = text.slice(at + 1)
  const range = /^(.*?)\.\.(.*)$/.exec(values)
  if (range) {
    const [, from = '', to = ''] = range
    return { dim, ...(from === '' ? {} : { from: value(from) }), ...(to === '' ? {} : { to: value(to) }) }
  }
  return { dim, in: values.split(',').map(value) }
}
