import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createIntl } from '@formatjs/intl'
import { readQuestion, type Calendar, type Question } from '../../analytics/questions/question.ts'
import type { Reading } from '../../analytics/questions/readings.ts'
import { questionTexts, type QuestionTexts } from '../../analytics/questions/texts.ts'
import { makeVocabulary, type DataValue } from '../../analytics/questions/vocabulary.ts'
import { writeFilter } from '../../analytics/url.ts'
import { LANGUAGES } from '../../domain/languages.ts'

const path = (relative: string): string => fileURLToPath(new URL(`../../${relative}`, import.meta.url))

/** What `virtual:question-words` gives to the page. */
export const TEXTS: QuestionTexts = Object.fromEntries(
  LANGUAGES.map((language) => {
    const files = readdirSync(path(`locales/${language}`)).map(
      (name) =>
        JSON.parse(readFileSync(path(`locales/${language}/${name}`), 'utf8')) as Record<string, string>,
    )
    const write: Parameters<typeof questionTexts>[1] = (message, values) =>
      createIntl({ locale: language, messages: { message } }).formatMessage({ id: 'message' }, values)
    return [language, questionTexts(Object.assign({}, ...files) as Record<string, string>, write)]
  }),
)

const TODAY: Calendar = { today: '2026-11-28', seasonStartMonth: 9 }

/** Reads questions with the names of some values. */
export function readerOf(values: readonly DataValue[]): (text: string) => Question {
  const vocabulary = makeVocabulary(TEXTS, values)
  return (text) => readQuestion(text, vocabulary, values, TODAY)
}

/** A reading in one line: the rows, then what it restricts and shows. */
export function lineOf(reading: Reading): string {
  const { subject, filter, from, to, by, measure, isSorted, least, model, origin } = reading
  return [
    subject,
    writeFilter(filter),
    from === null && to === null ? '' : `${from ?? ''}..${to ?? ''}`,
    model === '' ? '' : `model ${model}`,
    origin === '' ? '' : `origin ${origin}`,
    by.length === 0 ? '' : `by ${by.join(', ')}`,
    measure === null ? '' : `show ${measure}`,
    isSorted ? 'highest first' : '',
    least === 0 ? '' : `at least ${least}`,
  ]
    .filter(Boolean)
    .join(' | ')
}

/** What a question says besides its readings. */
export function notesOf(question: Question): string[] {
  const { unknown, missing, ambiguous, isFirstTimeGear, isInclusive } = question
  const words = (name: string, parts: Question['unknown']): string[] =>
    parts.length === 0 ? [] : [`${name}: ${parts.map(({ text }) => text).join(', ')}`]
  return [
    ...words('unknown', unknown),
    ...words('missing', missing),
    ...words('ambiguous', ambiguous),
    ...(isFirstTimeGear ? ['some gear for the first time'] : []),
    ...(isInclusive ? ['the end counts'] : []),
  ]
}

/** The questions of `tests/fixtures/questions.txt` with the lines below each: its readings, and `- ` before what is said. */
export const QUESTIONS: readonly { question: string; readings: string[]; notes: string[] }[] = readFileSync(
  path('tests/fixtures/questions.txt'),
  'utf8',
)
  .trim()
  .split('\n\n')
  .map((block) => {
    const [question = '', ...lines] = block.split('\n')
    return {
      question,
      readings: lines.filter((line) => !line.startsWith('- ')),
      notes: lines.filter((line) => line.startsWith('- ')).map((line) => line.slice(2)),
    }
  })
