import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  brokenLink,
  CHAIN_START,
  chainHash,
  lockHash,
  lockText,
  type LockEntry,
  type LockedRace,
} from '../../domain/prediction-lock.ts'
import { verifyRace, verifyRecord } from '../../src/features/lock/verify.ts'

const RACE: LockedRace = {
  raceId: 'HKSHT2026112201',
  modelId: 'fundamental',
  chances: [
    { horseNo: 1, probability: Math.fround(0.25) },
    { horseNo: 2, probability: Math.fround(0.1) },
  ],
  predictions: [
    {
      gameplayClass: 1,
      rank: 1,
      combination: '1',
      probability: Math.fround(0.25),
      selected: true,
      cautious: false,
      upsetGuard: true,
    },
    {
      gameplayClass: 9,
      rank: 2,
      combination: '2-1-3-4',
      probability: Math.fround(0.00012345),
      selected: false,
      cautious: false,
      upsetGuard: false,
    },
  ],
}

test('the text that is hashed is as the format page says', () => {
  expect(lockText(RACE)).toBe(
    [
      'furlong 1',
      'race HKSHT2026112201',
      'model fundamental',
      'starter 1 2.50000000e-1',
      'starter 2 1.00000001e-1',
      'prediction 1 1 1 2.50000000e-1 13',
      'prediction 9 2 2-1-3-4 1.23449994e-4 -',
      '',
    ].join('\n'),
  )
  expect(lockHash(RACE)).toBe(createHash('sha256').update(lockText(RACE)).digest('hex'))
})

test('neither order nor a double for a float changes it', () => {
  const turned = {
    ...RACE,
    chances: RACE.chances
      .toReversed()
      .map((chance) => ({ ...chance, probability: chance.horseNo === 2 ? 0.1 : 0.25 })),
    predictions: RACE.predictions.toReversed(),
  }
  expect(lockHash(turned)).toBe(lockHash(RACE))
})

const withPrediction = (part: Partial<LockedRace['predictions'][number]>): LockedRace => ({
  ...RACE,
  predictions: [{ ...RACE.predictions[0]!, ...part }, RACE.predictions[1]!],
})

test.each<[string, LockedRace]>([
  ['a probability', withPrediction({ probability: 0.250001 })],
  ['a combination', withPrediction({ combination: '2' })],
  ['a rank', withPrediction({ rank: 3 })],
  ['a type', withPrediction({ upsetGuard: false })],
  ['a line left out', { ...RACE, predictions: RACE.predictions.slice(1) }],
  ['a starter left out', { ...RACE, chances: RACE.chances.slice(1) }],
  ['another race', { ...RACE, raceId: 'HKSHT2026112202' }],
  ['another model', { ...RACE, modelId: 'blended' }],
])('%s changes it', (_, changed) => {
  expect(lockHash(changed)).not.toBe(lockHash(RACE))
})

function chainOf(count: number): (LockEntry & { chain: string })[] {
  const entries: (LockEntry & { chain: string })[] = []
  let chain = CHAIN_START
  for (let number = 1; number <= count; number += 1) {
    const entry = {
      number,
      raceId: 'HKSHT2026112201',
      modelId: `model-${number}`,
      sha256: String(number).repeat(64).slice(0, 64),
      lockedAt: '2026-11-21T05:00:00.000Z',
    }
    chain = chainHash(chain, entry)
    entries.push({ ...entry, chain })
  }
  return entries
}

describe('the chain', () => {
  const chain = chainOf(5)

  test('holds as it was made, whole or from any entry on', () => {
    expect(brokenLink(CHAIN_START, chain)).toBeNull()
    expect(brokenLink(chain[1]!.chain, chain.slice(2))).toBeNull()
  })

  test.each<[string, (entries: typeof chain) => typeof chain, number]>([
    ['a changed hash', (all) => all.with(2, { ...all[2]!, sha256: 'f'.repeat(64) }), 3],
    ['a changed time', (all) => all.with(0, { ...all[0]!, lockedAt: '2026-11-20T05:00:00.000Z' }), 1],
    ['an entry taken out', (all) => all.toSpliced(2, 1), 4],
    ['entries that changed places', (all) => all.with(1, all[2]!).with(2, all[1]!), 3],
  ])('breaks at %s', (_, change, at) => {
    expect(brokenLink(CHAIN_START, change(chain))).toBe(at)
  })
})

const OFF = '2026-11-22T05:00:00.000Z'

describe('what a browser checks of a race', () => {
  const entry = (number: number, previous: string, race: LockedRace): LockEntry & { chain: string } => {
    const own = {
      number,
      raceId: race.raceId,
      modelId: race.modelId,
      sha256: lockHash(race),
      lockedAt: '2026-11-21T05:00:00.000Z',
    }
    return { ...own, chain: chainHash(previous, own) }
  }
  const early = entry(1, CHAIN_START, withPrediction({ combination: '2' }))
  const last = entry(2, early.chain, RACE)
  const chain = { previous: CHAIN_START, entries: [early, last] }
  const forecast = { ...RACE, chances: [...RACE.chances], predictions: [...RACE.predictions] }

  test('the last commitment counts, and holds', () => {
    expect(verifyRace([early, last], [forecast], chain, OFF)).toEqual({ kind: 'holds', count: 1 })
  })

  test('what was changed afterwards fails, and so does what is gone', () => {
    const changed = { ...forecast, predictions: [...withPrediction({ combination: '2' }).predictions] }
    expect(verifyRace([early, last], [changed], chain, OFF)).toEqual({
      kind: 'fails',
      modelId: 'fundamental',
    })
    expect(verifyRace([early, last], [], chain, null)).toEqual({ kind: 'fails', modelId: 'fundamental' })
  })

  test('an entry that the public chain does not have, or has otherwise, fails', () => {
    const without = { previous: CHAIN_START, entries: [early] }
    expect(verifyRace([early, last], [forecast], without, OFF)).toEqual({ kind: 'chain', number: 2 })
    expect(verifyRace([early, last], [forecast], { previous: CHAIN_START, entries: [] }, OFF).kind).toBe(
      'chain',
    )
    const earlier = { ...last, lockedAt: '2026-11-20T05:00:00.000Z' }
    expect(verifyRace([early, earlier], [forecast], chain, OFF)).toEqual({ kind: 'chain', number: 2 })
  })

  test('an entry of after the off fails', () => {
    const off = '2026-11-21T04:59:00.000Z'
    expect(verifyRace([early, last], [forecast], chain, off)).toEqual({ kind: 'late', number: 1 })
  })

  test('a chain that was rewritten for one race does not pass', () => {
    const forged = { ...last, sha256: lockHash(withPrediction({ combination: '2' })) }
    const other = { previous: CHAIN_START, entries: [early, forged] }
    expect(verifyRace([early, forged], [forecast], other, OFF)).toEqual({ kind: 'chain', number: 2 })
  })
})

describe('the entry that a fault of a record’s locks names', () => {
  /** A chain of so many locked races, the later ones run earlier, as the files list them: by race. */
  const chained = (count: number) => {
    const entries: (LockEntry & { chain: string })[] = []
    for (let number = 1; number <= count; number += 1) {
      const raceId = `HKSHT20261122${String(20 - number).padStart(2, '0')}`
      const entry = {
        number,
        raceId,
        modelId: RACE.modelId,
        sha256: lockHash({ ...RACE, raceId }),
        lockedAt: `2026-11-22T0${number}:00:00.000Z`,
      }
      entries.push({ ...entry, chain: chainHash(entries.at(-1)?.chain ?? CHAIN_START, entry) })
    }
    return entries
  }
  type Entries = ReturnType<typeof chained>
  const faultOf = (files: Entries, chain: Entries): number | null =>
    verifyRecord(
      files
        .toSorted((a, b) => (a.raceId < b.raceId ? -1 : 1))
        .map(({ number, raceId, modelId, sha256, lockedAt, chain: hash }) => ({
          number,
          race_id: raceId,
          model_id: modelId,
          sha256,
          locked_at: lockedAt,
          chain: hash,
        })),
      [],
      { previous: CHAIN_START, entries: chain },
    ).chainFault
  const otherwise = (entries: Entries, ...numbers: number[]): Entries =>
    entries.map((entry) => (numbers.includes(entry.number) ? { ...entry, sha256: '0'.repeat(64) } : entry))

  test('is none of files that agree with the chain', () => {
    expect(faultOf(chained(5), chained(5))).toBeNull()
  })

  test('is the lowest of those that differ, in whatever order the files have them', () => {
    expect(faultOf(otherwise(chained(5), 2, 4), chained(5))).toBe(2)
  })

  test('is one that differs before the chain breaks', () => {
    expect(faultOf(otherwise(chained(5), 2), otherwise(chained(5), 4))).toBe(2)
  })

  test('is the break, where entries that differ come after it', () => {
    expect(faultOf(otherwise(chained(5), 5), otherwise(chained(5), 3))).toBe(3)
  })
})
