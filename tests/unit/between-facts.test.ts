import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** A dot between facts stands at the end of a line, never at its beginning: the space before it does not break. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Titles of windows do not wrap; SQL joins the names of a combination, which are joined anew for the screen. */
const PLAIN = /document\.title|const BETWEEN_NAMES|values\.join/
const COMMENT = /^\s*(\/\/|\/?\*)/

const breaking = (folder: string, name: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file))
    .flatMap((file) =>
      readFileSync(join(ROOT, folder, file), 'utf8')
        .split('\n')
        .filter((line) => / · ?/.test(line) && !PLAIN.test(line) && !COMMENT.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    )

test('no text has a dot between facts before which a line may break', () => {
  // The formulas of the help stand on lines of their own.
  const texts = breaking('locales', /\.json$/).filter((line) => !/<f>/.test(line))
  expect([...breaking('src', /\.tsx?$/), ...texts]).toEqual([])
})
