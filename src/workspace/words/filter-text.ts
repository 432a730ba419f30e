import { conjuncts, type Filter } from '../../../analytics/filter.ts'
import type { Scalar } from '../../../analytics/model.ts'
import type { AnswerRow } from '../../../analytics/cells.ts'
import { useWord, type Word } from '../../i18n/use-word.ts'
import { useDimensionText } from './dimension-text.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

/** Values listed of a clause; the others are counted. */
const MAX_VALUES = 3

/** Texts as one list. `Intl.ListFormat` puts nothing between them in Chinese where it has no word for "and". */
export const listed = (word: Word, texts: readonly string[]): string =>
  texts.join(word('workspace.separator'))

/** Clauses as text in the reader's language. */
interface ClauseText {
  /** A whole clause: `Going: Good, Firm`, `not Racecourse: Sha Tin`. */
  textOf(part: Filter): string
  /** The values of a clause on one dimension, or its range: `Good, Firm`. */
  valuesOf(clause: Extract<Filter, { dim: string }>): string
}

export function useClauseText(model: string, names: ReadonlyMap<string, AnswerRow>): ClauseText {
  const word = useWord()
  const rowText = useDimensionText(model)
  const valueText = (dim: string, value: Scalar, plain = false): string =>
    rowText(dim, names.get(`${dim} ${String(value)}`) ?? { [dim]: value }, plain)
  const valuesOf: ClauseText['valuesOf'] = (part) => {
    if ('in' in part) {
      const shown = part.in.slice(0, MAX_VALUES).map((value) => valueText(part.dim, value))
      const unlisted = part.in.length - shown.length
      return listed(word, unlisted > 0 ? [...shown, `+${unlisted}`] : shown)
    }
    const ends = [part.from, part.to].map((end) => (end === undefined ? '' : valueText(part.dim, end, true)))
    return ends.join(' – ')
  }
  const textOf = (part: Filter): string => {
    if ('and' in part) return part.and.map(textOf).join(BETWEEN_FACTS)
    if ('or' in part) return part.or.map(textOf).join(' / ')
    if ('not' in part) return word('workspace.not', { clause: textOf(part.not) })
    return word('workspace.clause', { name: word(`dimension.${part.dim}`), values: valuesOf(part) })
  }
  return { textOf, valuesOf }
}

/** Formats a filter as text: each of its clauses, separated by dots. */
export function useFilterText(
  model: string,
  names: ReadonlyMap<string, AnswerRow>,
): (filter: Filter | null) => string {
  const { textOf } = useClauseText(model, names)
  return (filter) => conjuncts(filter).map(textOf).join(BETWEEN_FACTS)
}
