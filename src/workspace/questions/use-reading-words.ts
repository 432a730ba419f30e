import { conjuncts } from '../../../analytics/filter.ts'
import type { Question } from '../../../analytics/questions/question.ts'
import { openingFilter, type Reading } from '../../../analytics/questions/readings.ts'
import type { AnswerRow } from '../../../analytics/cells.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { listed, useClauseText } from '../words/filter-text.ts'
import { useMeasureName } from '../words/measure-text.ts'

type Parts = Pick<Question, 'unknown' | 'missing' | 'isFirstTimeGear' | 'isInclusive'>

/** Readings of a question as short texts, as the chips of the view that they open, and what is to be said of the question. */
export function useReadingWords(model: string, names: ReadonlyMap<string, AnswerRow>) {
  const word = useWord()
  const format = useFormat()
  const { textOf } = useClauseText(model, names)
  const nameOf = {
    predictions: useMeasureName('predictions'),
    runners: useMeasureName('runners'),
    races: useMeasureName('races'),
  }
  const daysOf = ({ from, to }: Reading): string[] =>
    from === null && to === null
      ? []
      : [[from, to].map((day) => (day === null ? '' : format.day(day))).join(' – ')]
  const chipsOf = (reading: Reading, isOpening: boolean): string[] => {
    const { subject, filter, by, measure, least, origin } = reading
    return [
      word(`workspace.subject.${subject}`),
      ...(reading.model === '' ? [] : [word(`source.${reading.model}`)]),
      ...(origin === '' ? [] : [word(`origin.${origin}`)]),
      ...conjuncts(isOpening ? openingFilter({ subject, filter }) : filter).map(textOf),
      ...daysOf(reading),
      ...(by.length === 0
        ? []
        : [
            word('question.by', {
              names: listed(
                word,
                by.map((dim) => word(`dimension.${dim}`)),
              ),
            }),
          ]),
      ...(measure === null ? [] : [nameOf[subject](measure)]),
      ...(least === 0 ? [] : [word('question.least', { count: format.integer(least) })]),
    ]
  }
  const notesOf = ({ unknown, missing, isFirstTimeGear, isInclusive }: Parts): string[] => [
    ...(unknown.length === 0
      ? []
      : [
          word('question.unknown', {
            words: listed(
              word,
              unknown.map(({ text }) => text),
            ),
          }),
        ]),
    ...(missing.length === 0
      ? []
      : [
          word('question.missing', {
            words: listed(
              word,
              missing.map(({ text }) => text),
            ),
          }),
        ]),
    ...(isFirstTimeGear ? [word('question.firstTimeGear')] : []),
    ...(isInclusive ? [word('question.inclusive')] : []),
  ]
  return { chipsOf, notesOf }
}
