import { existsSync, readdirSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EVERYTHING, NOTHING, SPECS_OF, specsFor } from '../../tools/lib/browser-map.mjs'

const SPECS = readdirSync('tests/browser')
  .filter((name) => name.endsWith('.spec.ts'))
  .map((name) => name.replace('.spec.ts', ''))
  .toSorted()
const NAMED = [...Object.keys(SPECS_OF), ...EVERYTHING, ...NOTHING]

const foldersIn = (folder: string): string[] =>
  readdirSync(folder)
    .map((name) => `${folder}/${name}`)
    .filter((path) => statSync(path).isDirectory())

/** Whether the map says what a change in each file of a folder can break. */
const isMapped = (folder: string): boolean =>
  NAMED.some((each) => each === folder || folder.startsWith(`${each}/`)) ||
  (NAMED.some((each) => each.startsWith(`${folder}/`)) && foldersIn(folder).every(isMapped))

test('every folder of the map is there, and none is in two of its lists', () => {
  expect(NAMED.filter((folder) => !existsSync(folder))).toEqual([])
  expect(NAMED.filter((folder, at) => NAMED.indexOf(folder) !== at)).toEqual([])
})

test('every folder of pages and workers is in the map', () => {
  expect(['src', 'workers', 'tests'].flatMap(foldersIn).length).toBeGreaterThan(10)
  const unmapped = ['src', 'workers'].flatMap(foldersIn).filter((folder) => !isMapped(folder))
  expect(unmapped).toEqual([])
})

test('the map names every browser test, and no other', () => {
  // These start servers of their own and break only with a server, its data or the start of a page.
  const ofServers = ['start']
  const named = [...new Set([...Object.values(SPECS_OF).flat(), ...ofServers])].toSorted()
  expect(named).toEqual(SPECS)
})

test('a change is mapped to the tests of its folder; what is in no folder can break everything', () => {
  expect(specsFor(['src/workspace/console/tabs.tsx', 'tests/browser/market.spec.ts'])).toEqual(
    [...new Set([...SPECS_OF['src/workspace/console']!, 'market'])].toSorted(),
  )
  expect(specsFor(['src/workspace/lab/rules.ts'])).not.toContain('console')
  expect(specsFor(['docs/operating.md', 'README.md', 'tests/unit/csv.test.ts'])).toEqual([])
  for (const path of ['server/app.ts', 'tests/browser/site.ts', 'package-lock.json', 'vite.config.ts'])
    expect(specsFor(['docs/operating.md', path])).toBe('all')
})
