import { expect, test } from 'vitest'
import type { ConsoleRows } from '../../src/data/analytics/console-rows.ts'
import { documentFileName, MARKDOWN_ROWS, markdownOf } from '../../src/workspace/console/document-files.ts'
import { readDocument } from '../../src/workspace/console/document.ts'

/** A document as a file of Markdown. */

const WORDS = {
  notRun: 'Not run.',
  part: (shown: number, { rows }: ConsoleRows) => `The first ${shown} of ${rows.length}.`,
}

const rowsOf = (rows: ConsoleRows['rows']): ConsoleRows => ({
  columns: [
    { name: 'a|b', type: 'VARCHAR', kind: 'text' },
    { name: 'n', type: 'INTEGER', kind: 'number' },
  ],
  rows,
  truncated: false,
  milliseconds: 1,
})

const DOCUMENT = readDocument(`-- %% document Draw
-- %% text
-- Low draws **win**.
-- %% sql runs
SELECT '\`\`\`' AS a
;
-- %% sql
FROM runs
;
`)

test('texts, statements and results follow each other, and nothing in a value is read as Markdown', () => {
  const result = rowsOf([
    ['<i>x</i> | *y*\nz', '1'],
    [null, '-2.5'],
  ])
  expect(markdownOf(DOCUMENT, (cell) => (cell.id === 2 ? result : null), WORDS)).toBe(`# Draw

Low draws **win**.

\`runs\`

\`\`\`\`sql
SELECT '\`\`\`' AS a
\`\`\`\`

| a\\|b | n |
| --- | ---: |
| &lt;i>x&lt;/i> \\| \\*y\\*<br>z | 1 |
|  | -2.5 |

\`\`\`sql
FROM runs
\`\`\`

*Not run.*
`)
})

test('a table has the first rows, and says so', () => {
  const result = rowsOf(Array.from({ length: MARKDOWN_ROWS + 5 }, (_, at) => [`r${at}`, String(at)]))
  const text = markdownOf(DOCUMENT, () => result, WORDS)
  expect(text).toContain(`| r${MARKDOWN_ROWS - 1} |`)
  expect(text).not.toContain(`| r${MARKDOWN_ROWS} |`)
  expect(text).toContain(`*The first ${MARKDOWN_ROWS} of ${MARKDOWN_ROWS + 5}.*`)
})

test.each([
  ['', 'furlong-document'],
  ['../Draw: low & high?', 'Draw-low-high'],
  ['檔位 1', '檔位-1'],
])('the file of %j is named %j', (title, name) => {
  expect(documentFileName({ title })).toBe(name)
})
