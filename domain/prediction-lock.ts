import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** A prediction as locked. */
export interface LockedPrediction {
  gameplayClass: number
  rank: number
  /** Saddle numbers, `3-7`. */
  combination: string
  probability: number
  selected: boolean
  cautious: boolean
  upsetGuard: boolean
}

/** A starter's win probability as locked. */
export interface LockedChance {
  horseNo: number
  probability: number
}

/** One model's forecast for one race. */
export interface LockedRace {
  raceId: string
  modelId: string
  predictions: readonly LockedPrediction[]
  chances: readonly LockedChance[]
}

/**
 * A probability as it is stored, sent to browsers and hashed: a 32-bit float. Nine significant digits
 * identify it exactly, in every language that prints numbers.
 */
export const lockedProbability = (probability: number): number => Math.fround(probability)

const digits = (probability: number): string => Math.fround(probability).toExponential(8)

/**
 * The text that is hashed, one item per line: version, race, model, starters by number,
 * predictions by class and rank. The same predictions give the same text, regardless of their
 * order. Layout: `docs/data-format.md`.
 */
export function lockText({ raceId, modelId, predictions, chances }: LockedRace): string {
  const types = (row: LockedPrediction): string =>
    `${row.selected ? '1' : ''}${row.cautious ? '2' : ''}${row.upsetGuard ? '3' : ''}` || '-'
  return [
    'furlong 1',
    `race ${raceId}`,
    `model ${modelId}`,
    ...chances
      .toSorted((a, b) => a.horseNo - b.horseNo)
      .map(({ horseNo, probability }) => `starter ${horseNo} ${digits(probability)}`),
    ...predictions
      .toSorted((a, b) => a.gameplayClass - b.gameplayClass || a.rank - b.rank)
      .map(
        (row) =>
          `prediction ${row.gameplayClass} ${row.rank} ${row.combination} ${digits(row.probability)} ${types(row)}`,
      ),
    '',
  ].join('\n')
}

const hash = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)))

/** SHA-256 of the text, lower-case hex. */
export const lockHash = (race: LockedRace): string => hash(lockText(race))

/** An entry in a region's chain. */
export interface LockEntry {
  /** 1, 2, 3 … within the region. */
  number: number
  raceId: string
  modelId: string
  sha256: string
  /** Instant in UTC, `2026-11-21T05:00:00.000Z`. */
  lockedAt: string
}

/** The hash before a chain's first entry. */
export const CHAIN_START = '0'.repeat(64)

/** The hash that an entry adds to the chain, over the previous hash and all of its own fields. */
export const chainHash = (
  previous: string,
  { number, raceId, modelId, sha256: own, lockedAt }: LockEntry,
): string => hash(`${previous}\n${number} ${raceId} ${modelId} ${own} ${lockedAt}\n`)

/** Number of the first entry that is inconsistent with the previous ones; `null` if the chain is valid. */
export function brokenLink(
  previous: string,
  entries: readonly (LockEntry & { chain: string })[],
): number | null {
  let before = previous
  let number = entries[0]?.number ?? 0
  for (const entry of entries) {
    if (entry.number !== number || chainHash(before, entry) !== entry.chain) return entry.number
    before = entry.chain
    number += 1
  }
  return null
}

/** The last entry of a region's chain as it was published: a chain that no longer has it was cut or rewritten. */
export interface ChainHead {
  regionId: string
  number: number
  chain: string
}
