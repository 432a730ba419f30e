import { describe, expect, test } from 'vitest'
import { checkFilter } from '../../analytics/filter.ts'
import { MODELS } from '../../analytics/models.ts'
import { SIMPLER } from '../../analytics/questions/simpler.ts'
import { CHINESE } from '../../analytics/questions/words-zh.ts'
import { simplifiedName } from '../../server/store/racing/simplified-name.ts'
import { viewOfReading, withReading } from '../../src/workspace/state/question-view.ts'
import { FIRST_VIEW, readView } from '../../analytics/view/view.ts'
import { writeView } from '../../src/workspace/state/write-view.ts'
import { lineOf, notesOf, QUESTIONS, readerOf, TEXTS } from '../support/question-reader.ts'
import { VALUES } from '../support/question-values.ts'

const read = readerOf(VALUES)

test('there are two hundred questions, a third of them in Chinese of both scripts', () => {
  const han = QUESTIONS.filter(({ question }) => /\p{Script=Han}/u.test(question))
  const simplified = han.filter(({ question }) => simplifiedName(question) === question)
  const traditional = han.filter(({ question }) => simplifiedName(question) !== question)
  expect(QUESTIONS.length).toBeGreaterThanOrEqual(200)
  expect(han.length * 3).toBeGreaterThanOrEqual(QUESTIONS.length)
  expect(Math.min(simplified.length, traditional.length)).toBeGreaterThanOrEqual(20)
})

test.each(QUESTIONS)('$question', ({ question, readings, notes }) => {
  const found = read(question)
  expect({ readings: found.readings.map(lineOf), notes: notesOf(found) }).toEqual({ readings, notes })
})

test('every view is one of the record: its filter is accepted, and its address has all of it', () => {
  for (const { question } of QUESTIONS)
    for (const reading of read(question).readings) {
      const view = viewOfReading(reading)
      expect(checkFilter(MODELS[view.subject], view.filter), question).toEqual(view.filter)
      expect(readView(writeView(view)), question).toEqual(view)
    }
})

test('classes end where those of the region do, and grades are those of its races', () => {
  const classes = (...codes: string[]) => codes.map((value) => ({ dim: 'class', value, names: [] }))
  const britain = readerOf([
    ...VALUES.filter(({ dim }) => dim !== 'class'),
    ...classes('C6', 'C7', 'G1', 'GR1'),
  ])
  const japan = readerOf([...VALUES.filter(({ dim }) => dim !== 'class'), ...classes('G1', 'JG1')])
  const filterOf = ({ readings: [reading] }: ReturnType<typeof read>) => reading?.filter
  expect(filterOf(read('runners class 4+'))).toEqual({ and: [{ dim: 'class', in: ['C4', 'C5'] }] })
  expect(filterOf(britain('runners class 4+'))).toEqual({
    and: [{ dim: 'class', in: ['C4', 'C5', 'C6', 'C7'] }],
  })
  expect(filterOf(read('runners class 3 or above'))).toEqual({
    and: [{ dim: 'class', in: ['C1', 'C2', 'C3'] }],
  })
  expect(filterOf(read('第三班或以下 馬匹'))).toEqual({ and: [{ dim: 'class', in: ['C3', 'C4', 'C5'] }] })
  expect(filterOf(read('runners class above 3'))).toEqual({ and: [{ dim: 'class', in: ['C1', 'C2'] }] })
  expect(read('runners C7').missing.map(({ text }) => text)).toEqual(['C7'])
  expect(filterOf(britain('一級賽 馬匹'))).toEqual({ and: [{ dim: 'class', in: ['G1', 'GR1'] }] })
  expect(filterOf(britain('runners C6'))).toEqual({ and: [{ dim: 'class', in: ['C6'] }] })
  expect(filterOf(britain('第七班 馬匹'))).toEqual({ and: [{ dim: 'class', in: ['C7'] }] })
  expect(filterOf(britain('runners grade 1'))).toEqual({ and: [{ dim: 'class', in: ['GR1'] }] })
  expect(filterOf(japan('runners grade 1'))).toEqual({ and: [{ dim: 'class', in: ['G1'] }] })
})

test('nothing is broken down by the model or the origin, of which every figure has one', () => {
  const { readings, missing } = read('return by model at Sha Tin')
  expect(readings.map(({ by }) => by)).toEqual([[], []])
  expect(missing.map(({ text }) => text)).toEqual(['model'])
})

test('each unit of a question is named once: the words that were not understood are where they stand', () => {
  const question = 'Purton foo 1200m, bar 沙田某某'
  const { unknown, readings } = read(question)
  expect(unknown.map(({ start, end }) => question.slice(start, end))).toEqual(['foo', 'bar', '某某'])
  expect(readings).toHaveLength(1)
})

test('a question that is applied to a view replaces the conditions on its dimensions and keeps the others', () => {
  const [reading] = read('draw 1-4 return by going').readings
  const before = {
    ...FIRST_VIEW,
    subject: 'runners' as const,
    filter: {
      and: [
        { dim: 'class', in: ['C4'] },
        { dim: 'draw', in: [9] },
      ],
    },
  }
  const after = withReading(before, reading!, true)
  expect(after.filter).toEqual({
    and: [
      { dim: 'class', in: ['C4'] },
      { dim: 'draw', from: 1, to: 4 },
    ],
  })
  expect(after.panels.map(({ kind, by }) => [kind, ...by].join(' '))).toEqual([
    'bars going',
    'profit',
    'bars jockey',
    'bars draw',
  ])
})

describe('words', () => {
  test('each dimension of both subjects is found by its name in every language', () => {
    const names = Object.values(TEXTS).flatMap((texts) =>
      Object.entries(texts).filter(([key]) =>
        /^dimension\.(?!own_|day$|meeting$|region$|model$|origin$)\w+$/.test(key),
      ),
    )
    for (const [key, name] of names) {
      const { readings, unknown, missing } = read(`return by ${name}`)
      expect([key, unknown, missing]).toEqual([key, [], []])
      expect(readings[0]?.by, name).toEqual([key.slice('dimension.'.length)])
    }
  })

  test('the Simplified forms are known of every Traditional character of the words', () => {
    for (const character of JSON.stringify(CHINESE).match(/\p{Script=Han}/gu) ?? [])
      expect(SIMPLER.get(character) ?? character).toBe(simplifiedName(character))
  })
})
