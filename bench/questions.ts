import type { DataValue } from '../analytics/questions/vocabulary.ts'
import { QUESTIONS, readerOf } from '../tests/support/question-reader.ts'
import { VALUES } from '../tests/support/question-values.ts'
import { median } from './engine.ts'

/** As many horses as ten seasons have. */
const HORSES = 6000
const ROUNDS = 20

const horses = Array.from({ length: HORSES }, (_, at): DataValue => ({
  dim: 'horse',
  value: at + 1000,
  names: [
    `Runner Number ${at % 26}`.replaceAll(/\d+/g, (digits) => String.fromCharCode(97 + Number(digits))) +
      ` ${at}`,
    `第${at}駿馬`,
    `第${at}骏马`,
  ],
}))

const milliseconds = (run: () => void): number => {
  const start = performance.now()
  run()
  return performance.now() - start
}

/** Questions in words: making the words from the names of ten seasons, and reading a question of the corpus. */
export function benchQuestions() {
  let read = readerOf([])
  const wordsMs = milliseconds(() => (read = readerOf([...VALUES, ...horses])))
  const times = QUESTIONS.map(({ question }) =>
    median(Array.from({ length: ROUNDS }, () => milliseconds(() => void read(question)))),
  )
  return { questions: times.length, wordsMs, medianMs: median(times), worstMs: Math.max(...times) }
}
