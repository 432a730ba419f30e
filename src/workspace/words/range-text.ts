import type { Interval } from '../../../domain/statistics.ts'
import type { Word } from '../../i18n/use-word.ts'

type Show = (value: number) => string

/** An interval as text, whatever its width. */
export const intervalText = (word: Word, { low, high }: Interval, show: Show): string =>
  word('workspace.between', { low: show(low), high: show(high) })

/** The bounds of a figure as text; one number where both read alike. */
export const rangeText = (word: Word, range: Interval, show: Show): string => {
  const low = show(range.low)
  return low === show(range.high) ? low : intervalText(word, range, show)
}
