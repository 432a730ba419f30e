import { regionRules } from '../../../domain/region.ts'
import { numberOf, numberOrNull } from '../../../analytics/cells.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import type { CardContent } from '../../widgets/share-card/draw-card.ts'
import ShareCard from '../../widgets/share-card/share-card.tsx'
import { TOTAL } from '../../../analytics/view/requests.ts'
import { boundsOf, countOf, judge } from '../../../analytics/view/totals.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import { useFilterText } from '../words/filter-text.ts'
import { intervalText } from '../words/range-text.ts'
import { subjectWords } from '../words/subject-words.ts'

/** Shares the figures of a view as a picture: by what it selects, not by the name under which a reader saved it. */
export default function ShareView({ answer, model }: { answer: SliceAnswer; model: string }) {
  const word = useWord()
  const format = useFormat()
  const { asOf, regionId } = useScope()
  const filterText = useFilterText(model, answer.names)
  const content = (): CardContent => {
    const { base, filter, subject } = answer.slice
    const row = answer.rows[TOTAL]?.[0]
    const words = subjectWords(subject)
    const figures: [string, string][] = []
    if (row !== undefined) {
      const { reported } = judge(row)
      const rate = numberOrNull(row, 'hit_rate')
      const back = numberOrNull(row, 'return')
      const ends = (of: 'profit' | 'return', show: (value: number) => string): string => {
        const bounds = boundsOf(row, of)
        return bounds === null ? '–' : intervalText(word, bounds, show)
      }
      figures.push(
        [word(words.count), format.integer(countOf(row))],
        [word(words.hitRate), rate === null ? '–' : format.percent(rate)],
        [
          word('record.profit'),
          reported ? format.signedMoney(numberOf(row, 'profit')) : ends('profit', format.signedMoney),
        ],
        [
          word('record.return'),
          reported && back !== null ? format.signedPercent(back) : ends('return', format.signedPercent),
        ],
      )
    }
    return {
      title: word('record.title'),
      facts: [
        filterText(base),
        filterText(filter),
        word('record.asOf', { instant: format.instantIn(asOf, regionRules(regionId).timeZone) }),
      ],
      figures,
      table: null,
    }
  }
  return <ShareCard name="furlong-record" content={content} />
}
