import { expect, test } from 'vitest'
import { MODEL_IDS, modelOrder } from '../../contract/model-ids.ts'
import { explainedFirst, headlineOf, promotedBy, type Promotion } from '../../server/model/headline.ts'

const PROMOTIONS: readonly Promotion[] = [
  { model: 'network', promotedAt: '2026-11-01T10:00:00.000Z' },
  { model: 'fundamental', promotedAt: '2026-11-08T10:00:00.000Z' },
]

test('a promotion counts from its instant on, until the next one', () => {
  expect(promotedBy([], '2026-11-27T00:00:00.000Z')).toBe('fundamental')
  expect(promotedBy(PROMOTIONS, '2026-11-01T09:59:59.999Z')).toBe('fundamental')
  expect(promotedBy(PROMOTIONS, '2026-11-01T10:00:00.000Z')).toBe('network')
  expect(promotedBy(PROMOTIONS, '2026-11-08T09:59:59.999Z')).toBe('network')
  expect(promotedBy(PROMOTIONS, '2026-11-08T10:00:00.000Z')).toBe('fundamental')
  // A database may tell an instant with or without its fraction.
  expect(promotedBy(PROMOTIONS, '2026-11-01T10:00:00Z')).toBe('network')
})

test('a race shows the blend where it has one, else the promoted model, else one of its models', () => {
  expect(headlineOf([...MODEL_IDS], 'network')).toBe('blended')
  expect(headlineOf(['market-baseline', 'fundamental', 'network'], 'network')).toBe('network')
  expect(headlineOf(['market-baseline', 'fundamental', 'network'], 'fundamental')).toBe('fundamental')
  // A version of before the network has none.
  expect(headlineOf(['market-baseline', 'fundamental'], 'network')).toBe('fundamental')
  expect(headlineOf(['market-baseline'], 'network')).toBe('market-baseline')
  expect(headlineOf([], 'network')).toBe('market-baseline')
})

test('models are displayed in an order with the promoted one before its challenger', () => {
  expect(modelOrder()).toEqual(['blended', 'fundamental', 'network', 'market-baseline'])
  expect(modelOrder('network')).toEqual(['blended', 'network', 'fundamental', 'market-baseline'])
})

test('reasons begin with those of the headline model; of a blend, with those of the promoted model that it mixes', () => {
  const both = ['fundamental', 'network']
  expect(explainedFirst(both, 'network', undefined)).toEqual(['network', 'fundamental'])
  expect(explainedFirst(both, 'fundamental', 'network')).toEqual(['fundamental', 'network'])
  expect(explainedFirst(both, 'blended', 'network')).toEqual(['network', 'fundamental'])
  expect(explainedFirst(both, 'blended', undefined)).toEqual(['fundamental', 'network'])
  expect(explainedFirst(['fundamental'], 'market-baseline', 'network')).toEqual(['fundamental'])
})
