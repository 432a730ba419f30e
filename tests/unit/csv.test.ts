import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvCell, csvGuarded, csvLine } from '../../domain/csv.ts'
import { CsvRows } from '../../src/workspace/files/csv-rows.ts'
import { exportColumns } from '../../src/workspace/files/export-columns.ts'

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

test('formulas are found in the forms of East Asian keyboards, and behind what a spreadsheet skips', () => {
  for (const text of [
    '＝1+1',
    '＋1',
    '－1',
    '＠SUM(A1)',
    '\n=1+1',
    '\r\n=1+1',
    ' =1+1',
    '\u00a0=1+1',
    '\u3000＝1+1',
    '\u200b=1+1',
    '\ufeff=1+1',
    '\u0000=1+1',
  ])
    expect(csvCell(text).replaceAll('"', ''), JSON.stringify(text)).toBe(`'${text}`)
  for (const text of ['C+3', 'a=1', 'Turf-A', '沙田', '（1）', '1/2 L']) expect(csvCell(text)).toBe(text)
})

test('text that a spreadsheet would turn into a date, a time, a number or a truth value is kept as it is', () => {
  for (const text of [
    '3-7',
    '5/2',
    '1-2-3',
    '1-10',
    '10.5.',
    '2024-01-01',
    '2024/1',
    '1/2/2024',
    '1 1/2',
    '12:30',
    '1:45.20',
    '12:30 PM',
    '3 Mar',
    'MARCH1',
    '1-Dec',
    '1DEC',
    'Sept 2',
    '3月7日',
    '2024年3月',
    '下午1:30',
    '007',
    '00',
    '1.50',
    '1,234',
    '１２３',
    '３－７',
    '1e5',
    '1E10',
    '12%',
    '$5',
    '£3.50',
    '(12)',
    '1234567890123456',
    '0101',
    ' 12',
    'TRUE',
    'false',
    '12 345',
  ])
    expect(csvGuarded(text), text).toBe(`'${text}`)
  for (const text of [
    '12',
    '0',
    '3.4',
    '-5',
    '2024',
    'C4',
    '2yo',
    'A3',
    '1/2L',
    'HKSHT2026112105',
    'May',
    'March Hare',
    'true blue',
    '沙田',
    '',
    '–',
    '10 lengths',
  ])
    expect(csvGuarded(text), text).toBe(text)
})

test('numbers are not guarded, and other text is as it was', () => {
  expect(csvLine([-12.5, true, null, 'C+3', '[1-10]', 'a, "b"'])).toBe(
    '-12.5,true,,C+3,[1-10],"a, ""b"""\r\n',
  )
})

test('the file names the model and the prediction types, and no name in it can be a formula', async () => {
  const columns = exportColumns('predictions', 'en')
  for (const column of ['model', 'origin', 'selected', 'cautious', 'upset_guard', 'result', 'horses_en'])
    expect(columns.filter((each) => each === column)).toEqual([column])
  const rows = new CsvRows({
    subject: 'predictions',
    columns: ['model', 'horses_en', 'combination', 'profit_cents'],
    suffix: 'en',
    headingOf: (column) => column,
    word: (id) => id,
    classText: (code) => code,
  })
  rows.add([{ model: 'blended', horses_en: '@Home', combination: '1-10', profit_cents: -1000 }])
  const [, line] = (await rows.file().text()).split('\r\n')
  expect(line).toBe("source.blended,'@Home,[1-10],-10")
})

test('codes and truth values are the reader’s words, or all are those of the model', async () => {
  const row = { going: 'good_to_firm', class: 'C4', weekday: 3, calendar_month: 11, first_time_gear: true }
  const given = { ...row, selected: false, day: '2026-11-21', season: 2026, distance: 1200, last_going: null }
  const columns = Object.keys(given)
  const linesOf = async (asCodes: boolean): Promise<string[]> => {
    const rows = new CsvRows({
      subject: 'predictions',
      columns,
      suffix: 'en',
      headingOf: (column) => `heading.${column}`,
      word: (id) => `<${id}>`,
      classText: (code) => `class ${code}`,
      asCodes,
    })
    rows.add([given])
    return (await rows.file().text()).trimEnd().split('\r\n')
  }
  expect(await linesOf(false)).toEqual([
    columns.map((column) => `heading.${column}`).join(','),
    '<going.good_to_firm>,class C4,<weekday.3>,<calendarMonth.11>,<common.yes>,<common.no>,2026-11-21,2026,1200,',
  ])
  expect(await linesOf(true)).toEqual([
    columns.join(','),
    'good_to_firm,C4,3,11,true,false,2026-11-21,2026,1200,',
  ])
})
