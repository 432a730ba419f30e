import { expect, test } from 'vitest'
import { matchResult } from '../../domain/football.ts'

test('a match is won, drawn or lost for the home side', () => {
  expect([matchResult(2, 1), matchResult(1, 1), matchResult(0, 3)]).toEqual(['home-win', 'draw', 'home-loss'])
})
