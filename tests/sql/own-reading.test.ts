// @module-tag rest
import { gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { parquetWriteBuffer } from 'hyparquet-writer'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { readNumber } from '../../domain/reading/read-number.ts'
import { isMissing } from '../../domain/reading/clean-text.ts'
import { plainSql } from '../../workers/own/typed-sql.ts'
import { OwnReader } from '../support/own-reader.ts'
import { sheetFile } from '../support/sheet-file.ts'

/**
 * Files of one's own read and matched by the engine of the browser, with races made up for this purpose: 3 April and 4
 * March 2031 are both race days, with other horses.
 */
const HORSES = [
  ['K001', 'Café Noir', '夜香'],
  ['K002', 'Silver Rain', '銀雨'],
  ['K003', 'Long Road', '長路'],
  ['K004', 'No Doubt', '無疑'],
  ['K005', 'Early Bird', '早鳥'],
  ['K006', 'Late Bus', '晚車'],
  ['K007', 'Quiet Man', '靜者'],
  ['K008', 'Blue Door', '藍門'],
] as const
const runners = (first: number, count: number) =>
  HORSES.slice(first, first + count).map(([brand, en, hant], at) => ({ no: at + 1, brand, en, hant }))

let reader: OwnReader
beforeAll(async () => {
  reader = await OwnReader.open([
    { id: 'HKSHT2031030401', runners: runners(0, 4) },
    { id: 'HKSHT2031030402', runners: runners(4, 4) },
    { id: 'HKSHT2031040301', runners: runners(4, 4) },
    { id: 'HKSHT2031040302', runners: runners(0, 4) },
    { id: 'HKSHT2031050501', runners: runners(0, 4) },
    { id: 'HKHAV2031050501', runners: runners(4, 4) },
  ])
})

const csv = (...lines: string[]): string => `${lines.join('\n')}\n`
/** How many rows have a starter, and the others’ lines and reasons. */
async function matched(content: string | Uint8Array, choices = {}) {
  const { match } = await reader.match(content, choices)
  return [match.matched, ...match.listed.map(({ line, reason }) => `${line} ${reason}`)]
}

describe('keys', () => {
  test('an id that names no race of ours does not switch off the other keys', async () => {
    const rows = ['1,1', '1,2', '2,3'].map((row) => `2031-03-04,Sha Tin,${row}`)
    for (const ids of [
      ['ST-0304-1', 'ST-0304-1', 'ST-0304-2'],
      ['812', '812', '813'],
      ['', 'n/a', ''],
      ['hksht2031030401', 'x', 'HKSHT2031030402'],
    ])
      expect(
        await matched(csv('race_id,date,course,race_no,no', ...rows.map((row, at) => `${ids[at]},${row}`))),
      ).toEqual([3])
  })
  test('an id and other keys that name different races match nothing', async () => {
    expect(
      await matched(
        csv(
          'race_id,date,race_no,no',
          'HKSHT2031030401,2031-03-04,1,1',
          'HKSHT2031030402,2031-03-04,1,2',
          'HKSHT2031030409,2031-03-04,1,3',
          'HKSHT2031030401,,,4',
        ),
      ),
    ).toEqual([2, '3 race-disagrees', '4 race-disagrees'])
  })
  test('a number and a horse that name different runners match nothing; an unknown horse says nothing', async () => {
    expect(
      await matched(
        csv(
          'date,race_no,no,horse',
          '2031-03-04,1,1,Cafe noir (IRE)',
          '2031-03-04,1,2,K003',
          '2031-03-04,1,3,Early Bird',
          '2031-03-04,1,4,Not Known Here',
          '2031-03-04,2,1A,早鳥',
          '2031-03-04,2,,K006',
          '2031-03-04,2,3B,',
          '2031-03-04,2,9,K007',
        ),
      ),
    ).toEqual([4, '3 horse-disagrees', '4 horse-disagrees', '8 unread-number', '9 horse-disagrees'])
  })
  test('the horse decides where a racecourse or the number of the race is missing', async () => {
    expect(
      await matched(
        csv(
          'date,course,race_no,horse',
          '2031-05-05,,1,K001',
          '2031-05-05,,1,K005',
          '2031-05-05,Somewhere,1,K002',
          '2031-05-05,,,K006',
          '2031-05-05,跑馬地,1,K003',
          '2031-05-05,HV,1,K007',
        ),
      ),
    ).toEqual([5, '6 no-horse'])
    expect(await matched(csv('date,race_no,no', '2031-05-05,1,1'))).toEqual([0, '2 two-races'])
    expect(await matched(csv('date,course,race_no,no', '2031-05-05,Somewhere,1,1'))).toEqual([0, '2 no-race'])
  })
  test('numbers in words and invisible characters', async () => {
    for (const [race, saddle, course] of [
      ['R1', '#2', 'Sha\u00A0Tin'],
      ['第１場', '２號', '\u200B沙田'],
      ['race 1', 'No. 2', 'ＳＴ'],
      ['第一場', '2.0', ' sha tin '],
    ])
      expect(await matched(csv('date,course,race,saddle', `2031-03-04,${course},${race},${saddle}`))).toEqual(
        [1],
      )
  })
  test('where nothing matches, the reasons and lines are told', async () => {
    const { match } = await reader.match(
      csv('date,race_no,no', '2031-12-24,1,1', '2031-03-04,1,77', '2031-03-04,x,1'),
    )
    expect(match).toMatchObject({ matched: 0, rows: 3, races: 0 })
    expect(match.unmatched).toMatchObject({ 'no-race': 1, 'no-horse': 1, 'no-key': 1 })
    expect(match.listed.map(({ line }) => line)).toEqual([2, 3, 4])
  })
})

describe('days', () => {
  const rows = (form: (day: string) => string) =>
    csv(
      'date,course,race_no,no,horse',
      ...['1,1,K001', '1,2,K002', '2,1,K005'].map((row) => `${form('')},Sha Tin,${row}`),
    )
  test('of two orders, the one with which the horses agree, and the one that is chosen', async () => {
    const american = rows(() => '3/4/2031')
    const { match } = await reader.match(american)
    expect(match.matched).toBe(3)
    expect(match.days).toEqual({
      order: 'mdy',
      by: 'matched',
      orders: ['dmy', 'mdy'],
      example: '3/4/2031',
      day: '2031-03-04',
    })
    const chosen = await reader.match(american, { dayOrder: 'dmy' })
    expect(chosen.match).toMatchObject({
      matched: 0,
      days: { order: 'dmy', by: 'chosen', day: '2031-04-03' },
    })
    expect(chosen.match.unmatched['horse-disagrees']).toBe(3)
    const european = await reader.match(rows(() => '4-3-31 14:05'))
    expect(european.match).toMatchObject({
      matched: 3,
      days: { order: 'dmy', by: 'matched', day: '2031-03-04' },
    })
  })
  test('an order that nothing decides is assumed, and told', async () => {
    const { match } = await reader.match(csv('date,race_no,no', '3/4/2031,1,1'))
    expect(match.days).toMatchObject({ order: 'dmy', by: 'assumed' })
    const decided = await reader.match(csv('date,race_no,no', '3/4/2031,1,1', '3/25/2031,1,1'))
    expect(decided.match.days).toMatchObject({ order: 'mdy', by: 'possible', orders: ['mdy'] })
  })
  test.each([
    '2031-03-04 00:00:00',
    '2031-03-03T16:00:00.000Z',
    '2031-03-04T00:00:00+08:00',
    '4 MAR 2031',
    'March 4, 2031',
    '2031年3月4日',
    '20310304',
    '47911',
    'Tue, 04 Mar 2031 09:00:00 +0800',
  ])('%s is 4 March', async (day) => {
    expect(await matched(csv('date;race_no;no', `${day};1;1`))).toEqual([1])
  })
  test('what is no day is refused with its line and cell', async () => {
    await expect(
      reader.match(csv('date,race_no,no', '2031-03-04,1,1', '2031-02-30,1,2')),
    ).rejects.toMatchObject({
      details: { problem: 'bad-date', line: 3, value: '2031-02-30', column: 'date' },
    })
    await expect(reader.match(csv('date,race_no,no', ',1,1', 'NULL,1,2'))).rejects.toMatchObject({
      details: { problem: 'empty-column', column: 'date' },
    })
  })
})

describe('numbers', () => {
  const KEYS = ['2031-03-04;1;1', '2031-03-04;1;2']
  const semicolons = (name: string, ...cells: string[]) =>
    csv(`date;race_no;no;${name}`, ...cells.map((cell, at) => `${KEYS[at]};${cell}`))

  test('the sign of a file decides numbers that can be read with either', async () => {
    const point = await reader.match(semicolons('pay;odds', '2,289;4.5', '8,473;12'))
    expect(point.data.map((row) => row['pay'])).toEqual([2289, 8473])
    expect(point.file.sign).toEqual({ decimal: '.', by: 'proved', example: '2,289' })
    const comma = await reader.match(semicolons('pay;odds', '2.289;4,5', '8.473;12'))
    expect(comma.data.map((row) => row['pay'])).toEqual([2289, 8473])
    const mixed = await reader.match(semicolons('pay;odds;share', '2.289;4,5;0.25', '8.473;12;0.5'))
    expect(mixed.file.sign).toMatchObject({ by: 'assumed', example: '2.289' })
    expect(mixed.data[0]).toMatchObject({ odds: 4.5, share: 0.25 })
  })
  test('where nothing decides, the assumption is told and can be changed', async () => {
    const file = semicolons('pay', '2,289', '8,473')
    const assumed = await reader.match(file)
    expect(assumed.file.sign).toEqual({ decimal: ',', by: 'assumed', example: '2,289' })
    const chosen = await reader.match(file, { decimal: '.' })
    expect(chosen.file.sign.by).toBe('chosen')
    expect(chosen.data.map((row) => row['pay'])).toEqual([2289, 8473])
  })
  test('currency, percentages, brackets, minus signs and fractions', async () => {
    const { data, file } = await reader.match(
      csv(
        'date,race_no,no,probability,stake,profit,big,SP',
        '2031-03-04,1,1,35.1 %,HK$10.0,(2.50),"1,289.00",5/2',
        '2031-03-04,1,2,9%,$ 5,−1.5,"12,000",evens',
        '2031-03-04,1,3,20%,7,+3,NULL,4.5',
      ),
    )
    expect(
      data.map(({ probability, stake, profit, big, sp }) => [probability, stake, profit, big, sp]),
    ).toEqual([
      [0.351, 10, -2.5, 1289, 3.5],
      [0.09, 5, -1.5, 12_000, 2],
      [0.2, 7, 3, null, 4.5],
    ])
    expect(file.notes).toEqual([{ note: 'odds', values: { column: 'SP', value: '5/2' } }])
  })
  test('a column that stays text is told with the first cell that is no number', async () => {
    const { file } = await reader.match(
      csv(
        'date,race_no,no,weight',
        '2031-03-04,1,1,57',
        '2031-03-04,1,2,58',
        '2031-03-04,1,3,55kg',
        '2031-03-04,1,4,56',
      ),
    )
    expect(file.columns[3]!.kind).toBe('text')
    expect(file.notes).toEqual([
      { note: 'not-numbers', values: { column: 'weight', line: 4, value: '55kg' } },
    ])
  })
  test('a probability that is no number is quoted, never an empty cell', async () => {
    await expect(
      reader.match(csv('date,race_no,no,probability', '2031-03-04,1,1,', '2031-03-04,1,2,strong')),
    ).rejects.toMatchObject({ details: { problem: 'bad-number', line: 3, value: 'strong' } })
    await expect(
      reader.match(csv('date,race_no,no,probability', '2031-03-04,1,1,0.2', '2031-03-04,1,2,120 %')),
    ).rejects.toMatchObject({ details: { problem: 'bad-probability', line: 3, value: '120 %' } })
  })
  test('the engine reads plain cells as the readers do', () => {
    const cell = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.stringMatching(/^[-+]?[\d.,_ '%e]{0,8}$/),
      fc.constantFrom(
        'NULL',
        'n/a',
        'nan',
        'inf',
        '1e5',
        '0x1F',
        '-',
        '\u00A0',
        '１２',
        'Nancy',
        '–',
        '#N/A',
        '1_000',
      ),
    )
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 40 }), (cells) => {
        const values = cells.map((text) => `('${text.replaceAll("'", "''")}')`).join(', ')
        for (const decimal of ['.', ','] as const) {
          const plain = plainSql('t.c0', { kind: 'number', decimal })
          for (const row of reader.rows(`SELECT c0, ${plain} AS value FROM (VALUES ${values}) t(c0)`)) {
            if (row['value'] === null) continue
            const reading = readNumber(String(row['c0']), { decimal })
            expect(reading.kind === 'value' ? reading.value + 0 : reading.kind, String(row['c0'])).toBe(
              Number(row['value']) + 0,
            )
          }
        }
        const text = plainSql('t.c0', { kind: 'text' })
        for (const row of reader.rows(`SELECT c0, ${text} AS value FROM (VALUES ${values}) t(c0)`))
          if (row['value'] !== null) expect(isMissing(String(row['c0']))).toBe(false)
      }),
      { numRuns: 60 },
    )
  })
})

test('one list of words for a missing value: counts, examples, values', async () => {
  const words = ['', 'NULL', 'n/a', 'NaN', 'None', '-', '#N/A', '.', '?', '—', '\u00A0', '7.5']
  const days = words.map((_, at) =>
    at < 4 ? `2031-03-04,1,${at + 1}` : at < 8 ? `2031-03-04,2,${at - 3}` : `2031-04-03,1,${at - 7}`,
  )
  const { file, data } = await reader.match(
    csv(
      'date,race_no,no,figure,remark',
      ...days.map((key, at) => `${key},${words[at]},${words[at] === '7.5' ? 'good' : words[at]}`),
    ),
  )
  expect(file.columns.slice(3)).toMatchObject([
    { filled: 1, example: '7.5', kind: 'number', odd: 0 },
    { filled: 1, example: 'good', kind: 'text' },
  ])
  expect(data.filter(({ figure }) => figure !== null)).toHaveLength(1)
  expect(data.filter(({ remark }) => remark !== null)).toHaveLength(1)
})

describe('headers', () => {
  test('nameless and counting columns are left out, others get a name, equal ones a number', async () => {
    const { file, data } = await reader.match(
      csv(',date,race_no,no,,Rate,rate ,index,', '0,2031-03-04,1,1,9,1,2,1,', '1,2031-03-04,1,2,7,3,4,2,n/a'),
    )
    expect(file.columns.map(({ name, column, counts }) => [name, column, counts])).toEqual([
      ['date', 'date', false],
      ['race_no', 'race_no', false],
      ['no', 'no', false],
      ['column 4', 'column_4', false],
      ['Rate', 'rate', false],
      ['rate 2', 'rate_2', false],
      ['index', 'index', true],
    ])
    expect(data[1]).toMatchObject({ column_4: 7, rate: 3, rate_2: 4 })
    expect(file.notes.map(({ note }) => note)).toEqual(['left-out', 'named', 'numbered', 'counter'])
  })
  test.each([
    ['a line for the separator', 'sep=;\ndate;race_no;no;x\n2031-03-04;1;1;0,5\n', 1, 3],
    ['lines above', 'Ratings of mine\n\n"as of, today"\ndate,race_no,no\n2031-03-04,1,1\n', 3, 5],
    ['padded lines above', 'Ratings,,\n2031,,\ndate,race_no,no\n2031-03-04,1,1\n', 2, 4],
    ['an empty last cell in all rows', 'date,race_no,no\n2031-03-04,1,1,\n2031-03-04,1,2,\n', 0, 2],
    ['names of the rows', 'date,race_no,no\n"a",2031-03-04,1,1\n"b",2031-03-04,1,2\n', 0, 2],
  ])('%s', async (_, content, above, line) => {
    const { file, match } = await reader.match(content)
    expect(match.matched).toBe(match.rows)
    expect(file.notes.find(({ note }) => note === 'above')?.values['count'] ?? 0).toBe(above)
    const { match: none } = await reader.match(content.replaceAll('2031-03-04', '2031-12-24'))
    expect(none.listed[0]!.line).toBe(line)
  })
  test('a header of values is refused', async () => {
    await expect(reader.read('2031-03-04,ST,1,1\n2031-03-04,ST,1,2\n')).rejects.toMatchObject({
      details: { problem: 'no-header' },
    })
  })
})

/** A text in an encoding for which there is no encoder: every character that the decoder knows. */
function encoded(text: string, encoding: string): Uint8Array {
  const table = new Map<string, number[]>()
  const decoder = new TextDecoder(encoding, { fatal: true })
  for (let lead = 0x80; lead <= 0xff; lead += 1) {
    for (let trail = -1; trail <= 0xff; trail += 1) {
      const bytes = trail < 0 ? [lead] : [lead, trail]
      try {
        const character = decoder.decode(Uint8Array.from(bytes))
        if (Array.from(character).length === 1 && !table.has(character)) table.set(character, bytes)
      } catch {
        // No character.
      }
    }
  }
  return Uint8Array.from(
    Array.from(text).flatMap((character) =>
      character < '\u0080' ? [character.codePointAt(0)!] : table.get(character)!,
    ),
  )
}
const utf16 = (text: string, little: boolean, marked: boolean): Uint8Array => {
  const bytes = Buffer.from(marked ? `\uFEFF${text}` : text, 'utf16le')
  return little ? bytes : bytes.swap16()
}

describe('encodings', () => {
  const CHINESE =
    '日期,馬場,場次,馬號,馬名,備註\n2031-03-04,沙田,1,1,夜香,狀態大勇可以一鬥\n2031-03-04,沙田,1,2,銀雨,跑法放頭不利\n'
  const SIMPLE =
    '日期,马场,场次,马号,备注\n2031-03-04,ST,1,1,状态很好可以一斗\n2031-03-04,ST,1,2,跑法不利今仗\n'
  const JAPANESE =
    'date,race_no,no,備考\n2031-03-04,1,1,逃げ馬で先行が有利\n2031-03-04,1,2,スタートがよくない\n'
  const WESTERN =
    'date;race_no;no;Entraîneur\n2031-03-04;1;1;André Fabre\n2031-03-04;1;2;Jérôme Reynier\n2031-03-04;1;3;Mélanie Noël\n'
  test.each([
    ['big5', CHINESE, encoded(CHINESE, 'big5')],
    ['gb18030', SIMPLE, encoded(SIMPLE, 'gb18030')],
    ['shift_jis', JAPANESE, encoded(JAPANESE, 'shift_jis')],
    ['windows-1252', WESTERN, encoded(WESTERN, 'windows-1252')],
    ['utf-16le', CHINESE, utf16(CHINESE, true, true)],
    ['utf-16be', CHINESE, utf16(CHINESE, false, true)],
    ['utf-16le', WESTERN, utf16(WESTERN, true, false)],
    ['utf-8', CHINESE, Buffer.from(CHINESE)],
  ])('%s is recognised', async (encoding, text, bytes) => {
    const { file, match } = await reader.match(bytes)
    expect(file.encoding).toBe(encoding)
    expect(file.columns.map(({ name }) => name)).toEqual(text.split('\n')[0]!.split(/[,;]/))
    expect(match.matched).toBe(match.rows)
  })
  test.each([
    ['big5', '夜香銀雨長路無疑'],
    ['gb18030', '状态很好无法跑马地'],
    ['shift_jis', 'サンデー競馬場の予想'],
  ])('%s is recognised by a few words alone', async (encoding, words) => {
    const { file } = await reader.match(
      encoded(csv('date,race_no,no,remark', `2031-03-04,1,1,${words}`, '2031-03-04,1,2,'), encoding),
    )
    expect(file.encoding).toBe(encoding)
  })
  test('another encoding can be chosen, and one that does not fit is told with its line', async () => {
    const bytes = encoded(WESTERN, 'windows-1252')
    expect((await reader.match(bytes, { encoding: 'windows-1252' })).data[0]).toMatchObject({
      entraîneur: 'André Fabre',
    })
    await expect(
      reader.read(encoded(WESTERN.replace('î', 'i'), 'windows-1252'), { encoding: 'utf-8' }),
    ).rejects.toMatchObject({
      details: { problem: 'encoding', line: 2, encoding: 'utf-8' },
    })
    await expect(reader.read(bytes, { encoding: 'big5' })).rejects.toMatchObject({
      details: { problem: 'encoding' },
    })
  })
  test('a file that is plain at first is recognised further on', async () => {
    const many = 'date,race_no,no,trainer\n' + '2031-03-04,1,1,Mr Smith\n'.repeat(60_000)
    const { file } = await reader.match(
      Buffer.concat([Buffer.from(many), encoded('2031-03-04,1,2,André Fabre\n', 'windows-1252')]),
    )
    expect(file.encoding).toBe('windows-1252')
  })
})

describe('formats', () => {
  const CSV = csv('date,race_no,no,figure', '2031-03-04,1,1,5', '2031-03-04,1,2,6')
  test('gzip and zip', async () => {
    expect(await matched(gzipSync(CSV))).toEqual([2])
    expect(
      await matched(zipSync({ 'mine/ratings.csv': strToU8(CSV), '__MACOSX/._ratings.csv': strToU8('x') })),
    ).toEqual([2])
    expect(
      (await reader.read(zipSync({ 'ratings.csv.gz': gzipSync(CSV) }))).notes.map(({ note }) => note),
    ).toEqual(['unpacked', 'gunzipped'])
    for (const [problem, bytes] of [
      ['several-tables', zipSync({ 'a.csv': strToU8(CSV), 'b.csv': strToU8(CSV) })],
      ['archive', zipSync({ 'a.pdf': strToU8('x') })],
      ['archive', gzipSync(CSV).subarray(0, 30)],
      ['other-sheet', zipSync({ 'content.xml': strToU8('x') })],
      ['other-sheet', Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1])],
    ] as const)
      await expect(reader.read(bytes)).rejects.toMatchObject({ details: { problem } })
  })
  test('JSON lines and a list of objects', async () => {
    const rows = [
      { date: '2031-03-04', race_no: 1, no: 1, figure: 5.5 },
      { no: 2, date: '2031-03-04', race_no: 1, remark: 'a "b"' },
    ]
    for (const text of [rows.map((row) => JSON.stringify(row)).join('\n'), JSON.stringify(rows, null, 1)]) {
      const { data, match } = await reader.match(text)
      expect(match.matched).toBe(2)
      expect(data).toMatchObject([
        { figure: 5.5, remark: null },
        { figure: null, remark: 'a "b"' },
      ])
    }
    await expect(reader.read('{"a": 1, "b": 2}\n{"a": 1,\n')).rejects.toMatchObject({
      details: { problem: 'json', line: 2 },
    })
  })
  test('an error in a list of objects names its line, and so does a row without a starter', async () => {
    const row = (no: number): string => `{ "date": "2031-03-04",\n  "race_no": 1, "no": ${no} }`
    const list = (...rows: string[]): string => `[\n${rows.join(',\n')}\n]\n`
    for (const [line, text] of [
      [5, list(row(1), row(2).replace(',\n  "race_no"', ',\n  "race_no')).trim()],
      [4, list(row(1), '7')],
      [4, list(row(1), 'null', row(2))],
      [4, list(row(1), `{ "no" 2 }`)],
      [5, list(row(1), `{ "no": 2,\n  "date": 2031-03-04 }`)],
      [5, `[\n${row(1)},\n${row(2)}\n\n`],
      [4, list(`${row(1)}\n${row(2)}`)],
    ] as const)
      await expect(reader.read(text), text).rejects.toMatchObject({ details: { problem: 'json', line } })
    expect(await matched(list(row(1), row(2), row(99)))).toEqual([2, '6 no-horse'])
    // On one line, a row is known by its number.
    expect(await matched(`[${[1, 2, 99].map(row).join(',').replaceAll('\n', ' ')}]`)).toEqual([
      2,
      '3 no-horse',
    ])
  })
  test('JSON whose beginning is plain ASCII is read in the encoding that it has further on', async () => {
    const line = `{"date": "2031-03-04", "race_no": 1, "no": 2, "remark": "${'x'.repeat(200)}"}\n`
    // 夜香 in Big5
    const name = [0xa9, 0x5d, 0xad, 0xbb]
    const bytes = (...end: number[]): Uint8Array =>
      Buffer.concat([
        strToU8(`${line.repeat(5000)}{"date": "2031-03-04", "race_no": 1, "no": 1, "horse": "`),
        Uint8Array.from(end),
        strToU8('"}\n'),
      ])
    const { file, match } = await reader.match(bytes(...name))
    expect([file.encoding, file.rows, match.matched]).toEqual(['big5', 5001, 2])
    await expect(reader.read(bytes(...name), { encoding: 'utf-8' })).rejects.toMatchObject({
      details: { problem: 'encoding', line: 5001, encoding: 'utf-8' },
    })
  })
  test('the line of bytes that are not in an encoding, where a character goes on in the next part of the file', async () => {
    const PART = 4_000_000
    const row = '2031-03-04,1,1,x\n'
    const count = Math.floor((PART - 100) / row.length)
    const before = `date,race_no,no,horse\n${row.repeat(count)}2031-03-04,1,1,`
    const bytes = Buffer.concat([
      strToU8(before.padEnd(PART - 1, 'x')),
      // The two bytes of 香 are in two parts.
      Uint8Array.of(0xad, 0xbb, 10),
      strToU8(row.repeat(9)),
      Uint8Array.of(0xa9, 0x20, 10),
    ])
    await expect(reader.read(bytes, { encoding: 'big5' })).rejects.toMatchObject({
      details: { problem: 'encoding', line: count + 12, encoding: 'big5' },
    })
  })
  test('XLSX: days, numbers, lines above the names, and rows as lines', async () => {
    const { file, match, data } = await reader.match(
      sheetFile([
        ['My ratings', null, null, null],
        ['date', 'race_no', 'no', 'figure'],
        [{ day: 47_911 }, 1, 1, 0.25],
        [{ day: 47_911 }, 'R1', '#2', null],
        [{ day: 47_911 }, 1, 99, 3],
      ]),
    )
    expect(match.matched).toBe(2)
    expect(match.listed.map(({ line, reason }) => `${line} ${reason}`)).toEqual(['5 no-horse'])
    expect(data.map(({ figure }) => figure)).toEqual([0.25, null])
    expect(file.notes.map(({ note }) => note)).toEqual(['sheet', 'above'])
  })
  test('Parquet: days and times without a zone stay as they are', async () => {
    const at = new Date('2031-03-04T21:30:00Z')
    const bytes = parquetWriteBuffer({
      columnData: [
        { name: 'date', data: [at, at], type: 'TIMESTAMP' },
        { name: 'race_no', data: [1, 1] },
        { name: 'no', data: [1, 2] },
      ],
    })
    // The writer marks instants as UTC: 5 March in Hong Kong.
    expect(await matched(new Uint8Array(bytes))).toEqual([0, '1 no-race', '2 no-race'])
  })
})
