import { expect, test } from 'vitest'
import type { DatasetFile } from '../../contract/dataset.ts'
import { fitsMemory, modelFiles } from '../../src/data/analytics/model-files.ts'

/** What loading the rows of models into the console takes. */

const file = (kind: DatasetFile['kind'], model: DatasetFile['model'], bytes: number, sha256: string) =>
  ({ kind, model, bytes, sha256, regionId: '1', season: 2025 }) as DatasetFile
const MIB = 2 ** 20
const files = [
  file('racing', null, 2 * MIB, 'a'),
  file('record', 'blended', 3 * MIB, 'b'),
  file('record', 'blended', 1 * MIB, 'c'),
  file('record', 'network', 4 * MIB, 'd'),
  { ...file('record', 'fundamental', MIB, 'e'), regionId: '2' },
]

test('the models of a region with what is missing on the device', () => {
  expect(modelFiles({ files }, '1', ['network', 'blended', 'fundamental'], new Set(['b', 'd']))).toEqual([
    { model: 'network', bytes: 4 * MIB, missingBytes: 0 },
    { model: 'blended', bytes: 4 * MIB, missingBytes: MIB },
  ])
})

test('files may take half of the memory, with those that belong to no model', () => {
  expect(fitsMemory({ files }, '1', ['blended'], 12)).toBe(true)
  expect(fitsMemory({ files }, '1', ['blended'], 11)).toBe(false)
  expect(fitsMemory({ files }, '1', ['blended', 'network'], 12)).toBe(false)
  expect(fitsMemory({ files }, '1', ['blended', 'network'], 20)).toBe(true)
})
