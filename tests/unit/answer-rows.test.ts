import { expect, test } from 'vitest'
import { AnswerRowsCache } from '../../server/analytics/answer-rows.ts'

const answer = (bytes: number) => ({ bytes: new Uint8Array(bytes), rows: 1, milliseconds: 1 })

test('questions that nobody repeats do not push out those that are asked again', () => {
  const cache = new AnswerRowsCache(4000)
  cache.add('home', answer(100))
  expect(cache.get('home')).toBeDefined()
  for (let index = 0; index < 100; index += 1) cache.add(`flood ${index}`, answer(300))
  expect(cache.get('home')).toBeDefined()
  expect(cache.get('flood 99')).toBeDefined()
  expect(cache.get('flood 0')).toBeUndefined()
})

test('an answer that is larger than its part is not kept, and pushes nothing out for good', () => {
  const cache = new AnswerRowsCache(4000)
  cache.add('home', answer(100))
  cache.get('home')
  cache.add('large', answer(5000))
  expect(cache.get('large')).toBeUndefined()
  expect(cache.get('home')).toBeDefined()
})
