import { useEffect, useMemo } from 'react'
import type { Filter } from '../../../analytics/filter.ts'
import { ScopeProvider, useAnalytics } from '../../data/analytics/use-analytics.ts'
import { useReaderScope } from '../../features/dataset/analytics-gate.tsx'
import { useRegion } from '../../data/use-region.ts'
import type { FoundQuestion } from '../../features/palette/found-question.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { ORIGINS_REQUEST } from '../../../analytics/view/requests.ts'
import { countsOf } from '../../../analytics/view/origin-counts.ts'
import { modelOrder } from '../../../contract/model-ids.ts'
import { basisOf, FIRST_VIEW } from '../../../analytics/view/view.ts'
import { writeView } from '../state/write-view.ts'
import { viewOfReading } from '../state/question-view.ts'
import { isLongEnough, useQuestion, type Answerable } from './use-questions.ts'
import { useReadingWords } from './use-reading-words.ts'

const RECORD = '/pages/race/WinLossRecord'
/** A question with more meanings is asked in other words. */
const MOST_READINGS = 5
const NO_NAMES: Answerable['names'] = new Map()

interface PaletteQuestionsProps {
  text: string
  onFound(found: readonly FoundQuestion[]): void
}

/** Reads what is typed into the search as a question to the record; it renders nothing. */
export default function PaletteQuestions(props: PaletteQuestionsProps) {
  const { scope } = useReaderScope()
  return scope === null || !isLongEnough(props.text) ? null : (
    <ScopeProvider value={scope}>
      <ExtraTexts part="workspace" waiting={null}>
        <Questions {...props} />
      </ExtraTexts>
    </ScopeProvider>
  )
}

function Questions({ text, onFound }: PaletteQuestionsProps) {
  const { region } = useRegion()
  const { data } = useAnalytics(ORIGINS_REQUEST)
  const headline = region?.headline
  const rows = data?.rows
  const basis = useMemo(
    () => (rows ? basisOf(FIRST_VIEW, countsOf(rows), modelOrder(headline)) : null),
    [rows, headline],
  )
  const base = useMemo(
    (): Filter | null =>
      basis && {
        and: [
          { dim: 'model', in: [basis.model] },
          { dim: 'origin', in: [basis.origin] },
        ],
      },
    [basis],
  )
  const question = useQuestion(text, base, 'runners')
  const { chipsOf, notesOf } = useReadingWords(basis?.model ?? '', question?.names ?? NO_NAMES)
  // A name that is searched for has words of racing too: most of a question is understood.
  const isQuestion = question !== null && lengthOf(question.unknown) * 2 < text.replaceAll(/\s/g, '').length
  const found = isQuestion
    ? question.readings.slice(0, MOST_READINGS).map((reading): FoundQuestion => ({
        to: `${RECORD}?${writeView(viewOfReading(reading)).toString()}`,
        chips: chipsOf(reading, false),
        notes: notesOf(question),
      }))
    : []
  const key = JSON.stringify(found)
  useEffect(() => {
    onFound(JSON.parse(key) as FoundQuestion[])
    return () => onFound([])
  }, [key, onFound])
  return null
}

const lengthOf = (parts: Answerable['unknown']): number =>
  parts.reduce((sum, { text }) => sum + text.length, 0)
