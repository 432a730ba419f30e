import { conjuncts, type Filter } from '../../../analytics/filter.ts'
import type { Scalar } from '../../../analytics/model.ts'
import type { AnswerRow } from '../../data/analytics/cells.ts'
import { useWord, type Word } from '../../i18n/use-word.ts'
import { useDimensionText } from './dimension-text.ts'

/** Values listed of a clause; the others are counted. */
const MAX_VALUES = 3

/** Texts as one list. `Intl.ListFormat` puts nothing between them in Chinese where it has no word for "and". */
export const listed = (word: Word, texts: readonly string[]): string =>
  texts.join(word('workspace.separator'))

/** Formats clauses as text: `Going: Good, Firm`, `not Racecourse: Sha Tin`. */
export function useClauseText(
  model: string,
  names: ReadonlyMap<string, AnswerRow>,
): (part: Filter) => string {
  const word = useWord()
  const rowText = useDimensionText(model)
  const valueText = (dim: string, value: Scalar, plain = false): string =>
    rowText(dim, names.get(`${dim} ${String(value)}`) ?? { [dim]: value }, plain)
  const textOf = (part: Filter): string => {
    if ('and' in part) return part.and.map(textOf).join(' · ')
    if ('or' in part) return part.or.map(textOf).join(' / ')
    if ('not' in part) return word('workspace.not', { clause: textOf(part.not) })
    const name = word(`dimension.${part.dim}`)
    if ('in' in part) {
      const shown = part.in.slice(0, MAX_VALUES).map((value) => valueText(part.dim, value))
      const unlisted = part.in.length - shown.length
      const list = unlisted > 0 ? [...shown, `+${unlisted}`] : shown
      return word('workspace.clause', { name, values: listed(word, list) })
    }
    const ends = [part.from, part.to].map((end) => (end === undefined ? '' : valueText(part.dim, end, true)))
    return word('workspace.clause', { name, values: ends.join(' – ') })
  }
  return textOf
}

/** Formats a filter as text: each of its clauses, separated by dots. */
export function useFilterText(
  model: string,
  names: ReadonlyMap<string, AnswerRow>,
): (filter: Filter | null) => string {
  const clauseText = useClauseText(model, names)
  return (filter) => conjuncts(filter).map(clauseText).join(' · ')
}
