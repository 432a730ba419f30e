import { expect, test, type Page } from '@playwright/test'
import { strToU8, zipSync } from 'fflate'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { MAX_OWN_BYTES, MAX_OWN_ROWS, OWN_PROBLEMS, type OwnProblem } from '../../analytics/own-api.ts'
import { chooseOwn, chooseRepeated, openOwn, ownStarters } from './own-page.ts'
import type { Reference } from './reference.ts'
import { openWorkspace } from './workspace-page.ts'

/** Files that are wrong: what is wrong, and its line. */

let reference: Reference
let page: Page

test.beforeAll(async ({ browser }) => {
  ;({ reference, page } = await openWorkspace(browser))
})

/** Problems of a whole file or of all its rows, and of formats without lines. Any other is at a line. */
const WITHOUT_LINE: readonly OwnProblem[] = [
  'empty',
  'too-large',
  'not-table',
  'other-sheet',
  'archive',
  'several-tables',
  'sheet',
  'line-endings',
  'no-header',
  'no-rows',
  'parquet',
  'no-keys',
  'empty-column',
  'no-match',
]

async function expectProblem(problem: OwnProblem, line: number | null, timeout: number): Promise<void> {
  const notice = page.getByTestId('own-problem')
  await expect(notice).toHaveAttribute('data-problem', problem, { timeout })
  if (line === null) await expect(notice).not.toContainText(/^Line/)
  else await expect(notice).toContainText(`Line ${line.toLocaleString('en')}:`)
  await expect(notice).not.toContainText(/[{}]|undefined/)
  const remove = page.getByRole('button', { name: 'Remove', exact: true })
  if (await remove.isVisible()) await remove.click()
}

const HEAD = 'race_id,horse_no,probability\n'
const GOOD = 'HKSHT2026010101,1,0.5\n'

test('a file that is wrong gets what is wrong and its line', async () => {
  test.setTimeout(240_000)
  await openOwn(page)
  const parquet = new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'a', data: [1, 2] },
        { name: 'b', data: [1, 2] },
      ],
    }),
  )
  const utf16 = Uint8Array.from([0xff, 0xfe, ...Buffer.from(HEAD, 'utf16le')])
  const rows = (await ownStarters(reference)).slice(0, 3)
  const real = rows.map((row) => `${row.race_id},${row.horse_no},0.2\n`).join('')
  const cases: [string, string | Uint8Array, OwnProblem, number | null][] = [
    ['nothing at all', '', 'empty', null],
    ['a picture', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]), 'not-table', null],
    ['the beginning of an archive', Uint8Array.from([0x50, 0x4b, 3, 4, 20, 0, 6, 0, 8, 0]), 'archive', null],
    ['an old spreadsheet', Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), 'other-sheet', null],
    ['a damaged spreadsheet', zipSync({ 'xl/workbook.xml': strToU8('<x>') }), 'sheet', null],
    [
      'an archive of two',
      zipSync({ 'a.csv': strToU8(HEAD), 'b.csv': strToU8(HEAD) }),
      'several-tables',
      null,
    ],
    ['a row that is no JSON', '{"race_id": "x", "horse_no": 1}\n{"race_id": \n', 'json', 2],
    ['UTF-16 with a header alone', utf16, 'no-rows', null],
    [
      'UTF-8 with a damaged row',
      Buffer.concat([
        Buffer.from(`${HEAD}${GOOD}沙田跑馬地,1,1\nx,`),
        Uint8Array.from([0xb0, 0xa8]),
        Buffer.from(',1\n'),
      ]),
      'encoding',
      4,
    ],
    ['old line ends', HEAD.replace('\n', '\r') + GOOD.replace('\n', '\r'), 'line-endings', null],
    ['a header alone', HEAD, 'no-rows', null],
    ['cells where names should be', '1,2,3\n4,5,6\n', 'no-header', null],
    ['empty names', ',,\n1,2,3\n', 'no-header', null],
    ['one column', 'race_id\nHKSHT2026010101\n', 'one-column', 1],
    [
      'too many columns',
      `${Array.from({ length: 201 }, (_, at) => `c${at}`).join(',')}\n1\n`,
      'too-many-columns',
      1,
    ],
    ['a cell too few', `${HEAD}${GOOD}\nHKSHT2026010101,2\n`, 'too-few-cells', 4],
    ['a cell too many', `${HEAD}"HKSHT\n2026",1,0.5\nHKSHT2026010101,2,0.1,x\n`, 'too-many-cells', 4],
    ['an open quote', `${HEAD}${GOOD}"HKSHT2026010101,2,0.1\n`, 'quote', 3],
    ['an open quote in the header', 'race_id,"horse_no\n1,2\n', 'quote', 1],
    ['text behind a quote', `${HEAD}"HKSHT"x,2,0.1\n`, 'quote', 2],
    ['a line without end', `${HEAD}${'x'.repeat(2_500_000)},1,0.1\n`, 'line-too-long', 2],
    ['half of a Parquet file', parquet.slice(0, parquet.length - 20), 'parquet', null],
    ['no keys', 'rating,comment\n1,x\n', 'no-keys', null],
    ['dates that are none', 'date,race_no,horse_no\nyesterday,1,1\n', 'bad-date', 2],
    [
      'a date among others that is none',
      'date,race_no,horse_no\n2026-01-01,1,1\n-,1,2\n\n"2026-01-04",1,3\nyesterday,1,4\n',
      'bad-date',
      6,
    ],
    [
      'dates in two forms',
      'date,race_no,horse_no\n2026/01/01,1,1\n2026-1-2,1,2\n2026-1-3,1,3\n',
      'no-match',
      null,
    ],
    ['a column of dates without any', 'date,race_no,horse_no\n,1,1\n', 'empty-column', null],
    ['probabilities that are words', `${HEAD}${real.replaceAll('0.2', 'high')}`, 'bad-number', 2],
    [
      'a word among probabilities',
      `${HEAD}${real}HKSHT2026010101,1,n/a\nHKSHT2026010101,2,high\n`,
      'bad-number',
      6,
    ],
    [
      'percentages and a word',
      `${HEAD}${real.replaceAll('0.2', '20%')}HKSHT2026010101,1,high\n`,
      'bad-number',
      5,
    ],
    ['a percentage above 100', `${HEAD}${real}HKSHT2026010101,1,170%\n`, 'bad-probability', 5],
    ['a probability above 1', `${HEAD}${real}HKSHT2026010101,1,17\n`, 'bad-probability', 5],
    ['races of nowhere', HEAD + GOOD, 'no-match', null],
  ]
  const largest = ['too-large', 'too-many-rows'] as const
  expect(new Set([...cases.map(([, , problem]) => problem), ...largest])).toEqual(new Set(OWN_PROBLEMS))
  for (const [name, content, problem, line] of cases) {
    await test.step(name, async () => {
      expect(line === null).toBe(WITHOUT_LINE.includes(problem))
      await chooseOwn(page, 'wrong.csv', content)
      await expectProblem(problem, line, 20_000)
    })
  }
  // A rejected file does not affect a valid one.
  await chooseOwn(page, 'good.csv', HEAD + real)
  await expect(page.getByTestId('own-matched')).toHaveText(/^3 of 3 rows/)
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
})

test('a file above the limits is refused, with the line of the first row that is too many', async () => {
  test.setTimeout(240_000)
  await openOwn(page)
  const left = MAX_OWN_BYTES + 1 - HEAD.length
  await chooseRepeated(page, HEAD, GOOD, Math.floor(left / GOOD.length), 'x'.repeat(left % GOOD.length))
  await expectProblem('too-large', null, 20_000)
  await chooseRepeated(page, 'race_id,horse_no\n', 'a,1\n', MAX_OWN_ROWS, '\n')
  // The most rows that are taken are read, and match nothing.
  await expectProblem('no-match', null, 90_000)
  await chooseRepeated(page, 'race_id,horse_no\n', 'a,1\n', MAX_OWN_ROWS, '\na,1\n')
  await expectProblem('too-many-rows', MAX_OWN_ROWS + 3, 90_000)
})
