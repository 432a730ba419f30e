import { expect, test } from 'vitest'
import { z } from 'zod'
import type { LiveRow } from '../../analytics/engine-api.ts'
import { Manifest } from '../../contract/dataset.ts'
import { checkLiveRows } from '../../workers/channel/live-rows.ts'
import { isManifest } from '../../workers/engine/manifest.ts'

/** Values that a field may wrongly have; `undefined` removes the field. */
const ODD: readonly unknown[] = [
  undefined,
  null,
  '',
  'x',
  '0',
  -1,
  0,
  0.5,
  1,
  1.5,
  99,
  100,
  2 ** 53,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  true,
  [],
  {},
  [1],
  { extra: 1 },
  'HKSHT2026112601',
  'a'.repeat(64),
  'A'.repeat(64),
  'odds',
  'racing',
  'member',
  'fundamental',
  '2026-11-26T10:00:00Z',
  '2026-11-26T10:00Z',
  '2026-11-26T10:00:00.123456Z',
  '2026-02-29T10:00:00Z',
  '2024-02-29T10:00:00Z',
  '2026-11-26T24:00:00Z',
  '2026-11-26T10:60:00Z',
  '2026-11-26T10:00:00',
  '2026-11-26T10:00:00+08:00',
  '2026-11-26 10:00:00Z',
  '2026-11-26',
  '2026-11-26T10:00:00z',
]

/** Every copy of a value in which one part is another, is missing, or has one field more. */
function* mutationsOf(value: unknown): Generator {
  yield* ODD
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield { ...value, unheardOf: 1 }
  for (const [key, part] of Object.entries(value))
    for (const other of mutationsOf(part)) {
      const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...value }
      if (other === undefined && !Array.isArray(copy)) delete (copy as Record<string, unknown>)[key]
      else (copy as Record<string, unknown>)[key] = other
      yield copy
    }
}

const MANIFEST: Manifest = {
  schema: 7,
  asOf: '2026-11-26T10:00:00Z',
  demonstration: false,
  regions: [
    {
      id: '100000',
      code: 'HK',
      nameEn: 'Hong Kong',
      nameHant: '香港',
      nameHans: '香港',
      timeZone: 'Asia/Hong_Kong',
      currency: 'HKD',
      seasonStartMonth: 9,
      headline: 'network',
    },
  ],
  files: [
    {
      kind: 'record',
      regionId: '100000',
      season: 2025,
      model: 'fundamental',
      entitlement: 'member',
      sha256: '0123456789abcdef'.repeat(4),
      bytes: 1000,
      rows: { prediction: 12, starter: 0 },
      from: '2025-09-07',
      to: '2026-07-15',
    },
    {
      kind: 'reference',
      regionId: '100000',
      season: null,
      model: null,
      entitlement: 'public',
      sha256: 'f'.repeat(64),
      bytes: 0,
      rows: {},
      from: null,
      to: null,
    },
  ],
}

test('the guard of the manifest accepts exactly what its schema accepts', () => {
  expect(isManifest(MANIFEST)).toBe(true)
  const verdicts = { accepted: 0, refused: 0 }
  for (const mutated of mutationsOf(MANIFEST)) {
    const wanted = Manifest.safeParse(mutated).success
    verdicts[wanted ? 'accepted' : 'refused'] += 1
    expect(isManifest(mutated), JSON.stringify(mutated)).toBe(wanted)
  }
  expect(verdicts.accepted).toBeGreaterThan(100)
  expect(verdicts.refused).toBeGreaterThan(500)
})

const row = {
  raceId: z.string().regex(/^[A-Z]{5}\d{10}$/),
  at: z.iso.datetime(),
  horseNumber: z.number().int().min(1).max(99),
}
/** The same rules in the words of the validation library that the worker does without. */
const LiveRows = z
  .array(
    z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('odds'), ...row, odds: z.number().positive() }),
      z.strictObject({ kind: z.literal('result'), ...row, place: z.number().int().min(1).max(99) }),
      z.strictObject({
        kind: z.literal('tip'),
        ...row,
        rank: z.number().int().min(1).max(99),
        probability: z.number().min(0).max(1),
      }),
    ]),
  )
  .max(5000)

const of = { raceId: 'HKSHT2026112601', at: '2026-11-26T10:00:00Z', horseNumber: 7 }
const ROWS: LiveRow[] = [
  { kind: 'odds', ...of, odds: 3.5 },
  { kind: 'result', ...of, place: 1 },
  { kind: 'tip', ...of, rank: 2, probability: 0.25 },
]

const isLive = (value: unknown): boolean => {
  try {
    return checkLiveRows(value) === value
  } catch {
    return false
  }
}

test('the guard of live rows accepts exactly what the schema accepts', () => {
  expect(checkLiveRows(ROWS)).toBe(ROWS)
  const verdicts = { accepted: 0, refused: 0 }
  for (const mutated of mutationsOf(ROWS)) {
    const wanted = LiveRows.safeParse(mutated).success
    verdicts[wanted ? 'accepted' : 'refused'] += 1
    expect(isLive(mutated), JSON.stringify(mutated)).toBe(wanted)
  }
  expect(verdicts.accepted).toBeGreaterThan(20)
  expect(verdicts.refused).toBeGreaterThan(300)
})

test('live rows are limited in number, and a wrong one is named as such', () => {
  const many = (count: number): LiveRow[] => Array.from({ length: count }, () => ROWS[0]!)
  expect(checkLiveRows(many(5000))).toHaveLength(5000)
  expect(() => checkLiveRows(many(5001))).toThrowError(expect.objectContaining({ code: 'bad-parameters' }))
  expect(() => checkLiveRows([{ ...ROWS[0], odds: '3.5' }])).toThrowError(
    expect.objectContaining({ code: 'bad-parameters', details: { reason: 'live rows' } }),
  )
})
