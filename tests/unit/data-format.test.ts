import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { tableDocs } from '../support/table-docs.ts'

const FILE = fileURLToPath(new URL('../../docs/data-format.md', import.meta.url))
const BEGIN = '<!-- columns: written from analytics/tables.ts -->\n\n'
const END = '\n\n<!-- end of columns -->'

test('the columns of the files are documented as they are (FURLONG_WRITE_DOCS=1 writes them)', () => {
  const text = readFileSync(FILE, 'utf8')
  const from = text.indexOf(BEGIN) + BEGIN.length
  const to = text.indexOf(END)
  expect(text.indexOf(BEGIN)).toBeGreaterThan(0)
  expect(to).toBeGreaterThan(from)
  if (process.env['FURLONG_WRITE_DOCS'] === '1')
    writeFileSync(FILE, text.slice(0, from) + tableDocs() + text.slice(to))
  else expect(text.slice(from, to)).toBe(tableDocs())
})
