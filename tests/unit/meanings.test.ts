import { readFileSync } from 'node:fs'
import { createIntl } from '@formatjs/intl'
import { expect, test } from 'vitest'
import { LANGUAGES } from '../../domain/languages.ts'
import { FILE_TABLES } from '../../analytics/tables.ts'
import {
  CONSOLE_TABLES,
  meaningOf,
  ownColumns,
  sliceColumns,
} from '../../src/workspace/console/console-tables.ts'

const OWN = ownColumns({ columns: [{ name: 'rating', kind: 'number' }] } as unknown as Parameters<
  typeof ownColumns
>[0])

const WORDS = new Set(
  [...Object.values(FILE_TABLES).flat(), OWN, sliceColumns('runners')].flatMap(({ meaning, columns }) => [
    meaning,
    ...Object.values(columns).map((column) => column.meaning),
  ]),
)

test('the console lists every table that it opens, once', () => {
  const opened = [...new Set(Object.values(FILE_TABLES).flatMap((tables) => tables.map(({ name }) => name)))]
  expect(CONSOLE_TABLES.map(({ name }) => name).toSorted()).toEqual(opened.toSorted())
})

test.each(LANGUAGES)('every table and column of the console has its meaning in %s', (locale) => {
  const file = new URL(`../../locales/${locale}/console.json`, import.meta.url)
  const messages = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  const intl = createIntl({
    locale,
    messages,
    onError: (error) => {
      throw error
    },
  })
  expect(WORDS.size).toBeGreaterThan(100)
  for (const text of WORDS) {
    const meaning = meaningOf(intl as Parameters<typeof meaningOf>[0], text)
    if (locale === 'en') expect(meaning).toBe(text)
    else if (locale.startsWith('zh')) expect(meaning).toMatch(/[\u4e00-\u9fff]/)
    else expect(meaning).not.toBe(text)
  }
  // No unused meanings remain.
  expect(Object.keys(messages).filter((key) => key.startsWith('meaning.'))).toHaveLength(WORDS.size)
})
