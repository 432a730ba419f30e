import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SOAKED } from '../../tools/lib/checks.mjs'

/** Names that only a test with more to do in the soak imports. */
const MORE_IN_SOAK =
  /import \{[^}]*\b(kindsOf|SOAK|times)\b[^}]*\} from '\.\.\/support\/(databases|soak)\.ts'/

test('the soak runs every test that does more in it', () => {
  const found = ['unit', 'sql', 'service'].flatMap((folder) =>
    readdirSync(`tests/${folder}`)
      .map((name) => `tests/${folder}/${name}`)
      .filter((path) => MORE_IN_SOAK.test(readFileSync(path, 'utf8'))),
  )
  expect(found.length).toBeGreaterThan(10)
  expect(found.filter((path) => !SOAKED.includes(path))).toEqual([])
  expect(SOAKED.filter((path) => !existsSync(path))).toEqual([])
})
