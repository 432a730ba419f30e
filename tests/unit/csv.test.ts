import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvCell, csvLine } from '../../domain/csv.ts'
import { CsvRows } from '../../src/workspace/list/csv-rows.ts'
import { exportColumns } from '../../src/workspace/list/export-menu.tsx'

test('text that a spreadsheet would run as a formula begins with an apostrophe', () => {
  expect(csvCell('=1+1')).toBe("'=1+1")
  expect(csvCell('+44')).toBe("'+44")
  expect(csvCell('-2+3')).toBe("'-2+3")
  expect(csvCell('@SUM(A1)')).toBe("'@SUM(A1)")
  expect(csvCell('\t=1+1')).toBe("'\t=1+1")
  expect(csvCell('\r=1+1')).toBe('"\'\r=1+1"')
  expect(csvCell('=HYPERLINK("a","b")')).toBe('"\'=HYPERLINK(""a"",""b"")"')
  fc.assert(
    fc.property(fc.string(), (text) => {
      // What a spreadsheet reads in the cell: without the quotation marks around it.
      const read = csvCell(text).replace(/^"/, '')
      expect(/^[=+\-@\t\r]/.test(read)).toBe(false)
    }),
  )
})

test('numbers are not guarded, and other text is as it was', () => {
  expect(csvLine([-12.5, true, null, 'C+3', '[1-10]', 'a, "b"'])).toBe(
    '-12.5,true,,C+3,[1-10],"a, ""b"""\r\n',
  )
})

test('the file names the model and the prediction types, and no name in it can be a formula', async () => {
  const columns = exportColumns('en')
  for (const column of ['model', 'origin', 'selected', 'cautious', 'upset_guard', 'result', 'horses_en'])
    expect(columns.filter((each) => each === column)).toEqual([column])
  const rows = new CsvRows({
    columns: ['model', 'horses_en', 'combination', 'profit_cents'],
    suffix: 'en',
    headingOf: (column) => column,
    word: (id) => id,
  })
  rows.add([{ model: 'blended', horses_en: '@Home', combination: '1-10', profit_cents: -1000 }])
  const [, line] = (await rows.file().text()).split('\r\n')
  expect(line).toBe("source.blended,'@Home,[1-10],-10")
})
