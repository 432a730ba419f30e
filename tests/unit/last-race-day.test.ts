import { expect, test } from 'vitest'
import { lastRaceDay } from '../../contract/last-race-day.ts'

test('the last race day of a region is that of its newest season with results', () => {
  const files = [
    { kind: 'racing', regionId: '1', to: '2025-07-16' },
    { kind: 'racing', regionId: '1', to: null },
    { kind: 'racing', regionId: '1', to: '2024-07-10' },
    { kind: 'ticks', regionId: '1', to: '2026-01-01' },
    { kind: 'racing', regionId: '2', to: '2026-02-02' },
  ] as const
  expect([lastRaceDay(files, '1'), lastRaceDay(files, '2'), lastRaceDay(files, '3')]).toEqual([
    '2025-07-16',
    '2026-02-02',
    null,
  ])
})
