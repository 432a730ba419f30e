import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { FurlongError } from '../../domain/errors.ts'
import { LANGUAGES } from '../../domain/languages.ts'
import { DOUBLE } from '../../domain/gameplay.ts'
import { isMissing } from '../../domain/reading/clean-text.ts'
import { FURLONG_FORMAT } from '../../server/ingest/furlong/furlong-format.ts'
import { formatOfMap } from '../../server/ingest/mapping/mapped-format.ts'
import {
  parseMapping,
  type KindFields,
  type Mapping,
  type Source,
} from '../../server/ingest/mapping/mapping.ts'
import { proposeFor } from '../../server/ingest/mapping/propose.ts'
import { ColumnSummaries } from '../../server/ingest/mapping/column-summary.ts'
import { openCsv, readRows, type CsvRow, type Encoding } from '../../server/ingest/reading/csv-file.ts'
import type { FileKind, ImportFormat } from '../../server/ingest/reading/format.ts'
import { errorMessage } from '../../server/process/messages.ts'

/** Files of another layout that are read as a mapping says. */

const FOLDER = mkdtempSync(join(tmpdir(), 'furlong-mapping-'))
afterAll(() => rmSync(FOLDER, { recursive: true }))

const RUNNERS: KindFields = {
  stadium: { constant: 'HKSHT' },
  date: 'Day',
  race_no: 'Race',
  race_status: { constant: 'final' },
  horse_no: 'No',
  brand: 'Horse',
  status: { column: 'Pos', words: { PU: 'unfinished' }, otherwise: 'finished' },
  place: { column: 'Pos', words: { PU: '' } },
  win_odds: 'Odds',
}
const HEADER = 'Day,Race,No,Horse,Pos,Odds'

function fileOf(name: string, ...lines: string[]): string {
  const path = join(FOLDER, name)
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

const mapOf = (mapping: unknown) => ({ file: 'mine.json', text: JSON.stringify(mapping) })

async function refusalOf(work: () => unknown): Promise<FurlongError> {
  const error = await Promise.resolve()
    .then(work)
    .catch((thrown: unknown) => thrown)
  if (!(error instanceof FurlongError)) throw new Error('no refusal', { cause: error })
  return error
}

/** What a kind of a format reads of each row of a file, with what it notes; a rejected row as its reason. */
async function readAll(format: ImportFormat, name: string, path: string): Promise<unknown[]> {
  const kind = format.kinds.find((each) => each.name === name)!
  const rows = await rowsOf(path)
  return rows.map((row) => readOne(kind, row))
}

function readOne(kind: FileKind, row: CsvRow): unknown {
  const notes: string[] = []
  try {
    return [kind.read(row, (problem, detail) => notes.push(`${problem} ${detail}`)), notes]
  } catch (error) {
    return `${(error as { kind: string }).kind} ${(error as Error).message}`
  }
}

async function rowsOf(path: string, encoding: Encoding = 'utf8'): Promise<CsvRow[]> {
  const rows: CsvRow[] = []
  const wrong = (line: number): void => {
    throw new Error(`line ${line}`)
  }
  for await (const { row } of readRows(await openCsv(path, encoding), wrong)) rows.push(row)
  return rows
}

describe('a mapping with a mistake is refused in the language of the reader', () => {
  const cases: [string, string, string][] = [
    ['{"runners": {"date" "Day"}}', 'json', 'line 1, character 21'],
    ['{\n  "runners": {},\n}', 'json', 'line 3, character 1'],
    ['', 'json', 'line 1, character 1'],
    ['{}', 'empty', 'runners, dividends, odds, sections'],
    ['[]', 'value', '{ … }'],
    ['{"race": {}}', 'setting', 'race'],
    ['{"dates": "iso", "runners": {}}', 'value', 'dates must be one of: dmy, mdy, ymd'],
    ['{"runners": {"place": 3}}', 'value', 'runners.place must be one of: "COLUMN"'],
    ['{"runners": {"place": {"colunm": "Pos"}}}', 'value', 'runners.place must be one of: "COLUMN"'],
    [
      '{"runners": {"place": {"column": "Pos", "words": {"PU": 3}}}}',
      'value',
      'runners.place must be one of: "COLUMN"',
    ],
    ['{"runners": {"finish": "Pos"}}', 'field', 'runners.finish'],
    ['{"runners": {"place": "Pos"}}', 'required', 'stadium, date, race_no'],
    [
      JSON.stringify({ runners: { ...RUNNERS, win_odds: { column: 'Odds', unit: 'kg' } } }),
      'unit',
      'runners.win_odds: kg',
    ],
    [
      JSON.stringify({ runners: { ...RUNNERS, finish_time: { column: 'Time', unit: 'minutes' } } }),
      'unit',
      'Units: clock, seconds',
    ],
    [
      JSON.stringify({
        runners: { ...RUNNERS, stadium: { column: 'Track', words: { Randwick: '?' } }, brand: '?' },
      }),
      'unfilled',
      'runners.stadium (Randwick), runners.brand',
    ],
  ]
  test.each(cases)('%s', async (text, problem, shown) => {
    const error = await refusalOf(() => parseMapping({ file: 'mine.json', text }))
    expect(error).toMatchObject({ code: 'bad-map', details: { problem, file: 'mine.json' } })
    const messages = LANGUAGES.map((language) => errorMessage(language, error))
    expect(messages[0]).toContain(shown)
    expect(new Set(messages).size).toBe(LANGUAGES.length)
    for (const message of messages) expect(message).not.toMatch(/undefined|bad-map|\{problem/)
  })
})

describe('a file that a mapping does not fit is refused', () => {
  test('a column that it lacks is named, with those that it has', async () => {
    const path = fileOf('lacking.csv', 'Day,Race,Horse,Pos', '2026-03-08,1,A,1')
    const error = await refusalOf(() => formatOfMap(mapOf({ runners: RUNNERS }), [path]))
    expect(errorMessage('en', error)).toContain('lacking.csv, runners: No, Odds: the file has no such column')
    expect(errorMessage('en', error)).toContain('Day, Race, Horse, Pos')
  })

  test.each([
    ['03/04/2026', '2.5', '', 'dates', '03/04/2026'],
    ['2026-04-03', '"1,000"', '', 'decimal', '1,000'],
    ['2026-04-03', '2.5', '2026-04-03,1,2,B,2,"3,5"', 'decimal', '3,5'],
  ])('%s and %s have two readings', async (day, odds, more, problem, known) => {
    const path = fileOf('either.csv', HEADER, `${day},1,1,A,1,${odds}`, ...(more === '' ? [] : [more]))
    const error = await refusalOf(() => formatOfMap(mapOf({ runners: RUNNERS }), [path]))
    expect(error).toMatchObject({ code: 'bad-map', details: { problem } })
    expect(errorMessage('en', error)).toContain(known)
  })

  test('days that contradict each other leave those with two readings open, however few they are', async () => {
    const runner = (day: string, at: number): string => `${day},1,${at + 1},A,1,2.5`
    const days = ['23/04/2026', '24/04/2026', '25/04/2026', '04/26/2026']
    const single = fileOf('single.csv', HEADER, ...days.map(runner))
    const { format } = await formatOfMap(mapOf({ runners: RUNNERS }), [single])
    expect(await readAll(format, 'runners', single)).toMatchObject(
      ['23', '24', '25', '26'].map((day) => [{ race: { date: `2026-04-${day}` } }, []]),
    )
    const path = fileOf('open.csv', HEADER, ...[...days, '03/04/2026'].map(runner))
    const error = await refusalOf(() => formatOfMap(mapOf({ runners: RUNNERS }), [path]))
    expect(error).toMatchObject({ code: 'bad-map', details: { problem: 'dates', known: '03/04/2026' } })
    const said = await formatOfMap(mapOf({ dates: 'dmy', runners: RUNNERS }), [path])
    expect(await readAll(said.format, 'runners', path)).toMatchObject([
      ...[1, 2, 3].map((no) => [{ runner: { horseNo: no } }, []]),
      expect.stringContaining('bad-date'),
      [{ race: { date: '2026-04-03' } }, []],
    ])
  })

  test('what the mapping says decides between two readings', async () => {
    const path = fileOf('said.csv', HEADER, '03/04/2026,1,1,A,1,"1,000"')
    const odds = async (settings: Partial<Mapping>) => {
      const { format } = await formatOfMap(mapOf({ ...settings, runners: RUNNERS }), [path])
      const [[draft]] = (await readAll(format, 'runners', path)) as [[{ race: object; runner: object }]]
      return draft
    }
    expect(await odds({ dates: 'dmy', decimal: ',' })).toMatchObject({
      race: { date: '2026-04-03' },
      runner: { winOdds: 1 },
    })
    expect(await odds({ dates: 'mdy', decimal: '.' })).toMatchObject({
      race: { date: '2026-03-04' },
      runner: { winOdds: 1000 },
    })
  })

  test('a day of another file decides', async () => {
    const either = fileOf('one.csv', HEADER, '03/04/2026,1,1,A,1,2.5')
    const proof = fileOf('two.csv', HEADER, '23/04/2026,1,1,A,1,2.5')
    const { format, why } = await formatOfMap(mapOf({ runners: RUNNERS }), [either, proof])
    expect(why).toContain('dates dmy')
    expect(await readAll(format, 'runners', either)).toMatchObject([[{ race: { date: '2026-04-03' } }, []]])
  })
})

describe('the header of a file says what divides its cells', () => {
  test.each([
    ['tabs', 'Date\tHorse\tWeight, kg', ['Date', 'Horse', 'Weight, kg']],
    ['semicolons beside a comma', 'Date;Horse;Weight, kg', ['Date', 'Horse', 'Weight, kg']],
    ['commas beside quoted semicolons', 'Date,"Horse; sire; dam"', ['Date', 'Horse; sire; dam']],
    ['after blank lines', '\uFEFF\n\nDate;Horse', ['Date', 'Horse']],
    ['with a quoted line break', '"Race, day,\nlocal";Horse;No', ['Race, day,\nlocal', 'Horse', 'No']],
    ['one column', 'Date', ['Date']],
  ])('%s', async (_, text, header) => {
    const path = fileOf('header.csv', text, '2026-03-08')
    expect((await openCsv(path, 'utf8')).header).toEqual(header)
  })

  test('a file that the system does not let us read is told as such', async () => {
    // Everybody may not read its first byte, an administrator neither.
    const error = await refusalOf(() => openCsv('/proc/self/mem', 'utf8'))
    expect(error).toMatchObject({ code: 'file-unreadable', details: { file: 'mem' } })
  })

  test('latin1 is what Windows writes', async () => {
    const path = join(FOLDER, 'windows.csv')
    writeFileSync(path, Buffer.from('Horse\nO\x92Reilly\xE9 \x80\n', 'latin1'))
    expect(await rowsOf(path, 'latin1')).toEqual([{ Horse: 'O’Reillyé €' }])
  })
})

describe('rows of another layout', () => {
  test('what cannot be read names the column and the field', async () => {
    const path = fileOf(
      'wrong.csv',
      HEADER,
      '2026-03-08,1,1,A,1,EvensF',
      '2026-03-08,1,6,F,6,5/2J',
      '2026-03-08,1,2,B,2,dear',
      '2026-03-08,1,3,C,third,4.5',
      '2026-02-30,1,4,D,4,5.5',
      '2026-03-08,1,5,E,,6.5',
    )
    const { format } = await formatOfMap(mapOf({ runners: RUNNERS }), [path])
    expect(await readAll(format, 'runners', path)).toMatchObject([
      [{ runner: { winOdds: 2 } }, []],
      [{ runner: { winOdds: 3.5 } }, []],
      [{ runner: { winOdds: null } }, [expect.stringContaining('column "Odds" (win_odds): dear')]],
      expect.stringContaining('column "Pos" (place): third'),
      'bad-date column "Day" (date): 2026-2-30',
      'missing-field column "Pos" (status)',
    ])
  })

  test('units, words and numbers in words are ours afterwards', async () => {
    const fields: KindFields = {
      ...RUNNERS,
      stadium: { column: 'Where', words: { 沙田: 'HKSHT', Elsewhere: null } },
      actual_weight_lb: { column: 'Wt', unit: 'kg' },
      distance_m: { column: 'Dist', unit: 'furlongs' },
      win_odds: { column: 'Odds', unit: 'to-one' },
      finish_time: { column: 'Time', unit: 'seconds' },
    }
    const path = fileOf(
      'units.csv',
      `${HEADER},Where,Wt,Dist,Time`,
      '2026年3月8日,R2,#4,A,1.0,2.5,沙田,58.5,6,102.27',
      '2026-03-08,第2場,5,B,2,5/2,沙田,NA,6,84',
      '2026-03-08,1,6,C,3,2.5,Elsewhere,55,6,60',
      ...['59.999', '59.9999', '0', '0.00', '-1'].map(
        (time, at) => `2026-03-08,3,${at + 1},D,${at + 1},2.5,沙田,55,6,${time}`,
      ),
    )
    const { format } = await formatOfMap(mapOf({ runners: fields }), [path])
    const read = await readAll(format, 'runners', path)
    expect(read).toMatchObject([
      [
        {
          race: { date: '2026-03-08', raceNo: 2, distanceM: 1207 },
          runner: { horseNo: 4, place: 1, actualWeightLb: 129, winOdds: 3.5, finishTimeMs: 102_270 },
        },
        [],
      ],
      [
        {
          race: { raceNo: 2 },
          runner: { horseNo: 5, actualWeightLb: null, winOdds: 3.5, finishTimeMs: 84_000 },
        },
        [],
      ],
      [{ kind: 'passed-over', what: 'stadium: Elsewhere' }, []],
      ...[59_999, 60_000, null, null, null].map((finishTimeMs) => [{ runner: { finishTimeMs } }, []]),
    ])
  })

  test('odds to one are so behind the mark of a favourite too', async () => {
    const cells = ['2.5F', '5F', '5/2JF', '1.57', 'EvensF', '4 C']
    const path = fileOf(
      'favourites.csv',
      HEADER,
      ...cells.map((cell, at) => `2026-03-08,1,${at + 1},A,1,${cell}`),
    )
    const winOdds = async (odds: Source) => {
      const { format } = await formatOfMap(mapOf({ runners: { ...RUNNERS, win_odds: odds } }), [path])
      const read = (await readAll(format, 'runners', path)) as [{ runner: { winOdds: number } }][]
      return read.map(([{ runner }]) => runner.winOdds)
    }
    expect(await winOdds({ column: 'Odds', unit: 'to-one' })).toEqual([3.5, 6, 3.5, 2.57, 2, 5])
    expect(await winOdds('Odds')).toEqual([2.5, 5, 3.5, 1.57, 2, 4])
  })

  test('combinations are divided in any way', async () => {
    const quinellas = ['1-2', '1 - 2', '1 2', '1, 2', '1+2', '1 – 2']
    const doubles = ['2 / 1', '2/1']
    const path = fileOf(
      'pools.csv',
      'Day;Pool;Numbers',
      ...quinellas.map((text) => `2026-03-08;3;${text}`),
      ...doubles.map((text) => `2026-03-08;${DOUBLE.class};${text}`),
    )
    const dividends: KindFields = {
      stadium: { constant: 'HKSHT' },
      date: 'Day',
      race_no: { constant: '2' },
      gameplay_class: 'Pool',
      combination: 'Numbers',
      status: { constant: 'paid' },
      dividend: { constant: '25' },
    }
    const { format } = await formatOfMap(mapOf({ dividends }), [path])
    expect(await readAll(format, 'dividends', path)).toMatchObject([
      ...quinellas.map(() => [{ dividend: { combination: '1-2' } }, []]),
      ...doubles.map(() => [{ dividend: { combination: '2/1' } }, []]),
    ])
  })

  test('margins have the decimal sign of the file, which they prove too', async () => {
    const margins = ['2,5', '1-3/4', '頸位', '1,25', '-']
    const path = fileOf(
      'margins.csv',
      `${HEADER},Behind`.replaceAll(',', ';'),
      ...margins.map((margin, at) => `2026-03-08;1;${at + 1};A;1;3;${margin}`),
    )
    const { format, why } = await formatOfMap(mapOf({ runners: { ...RUNNERS, margin: 'Behind' } }), [path])
    expect(why).toContain('decimal sign , as cells prove')
    const read = (await readAll(format, 'runners', path)) as [{ runner: { margin: string | null } }][]
    expect(read.map(([{ runner }]) => runner.margin)).toEqual(['2.5', '1-3/4', '頸位', '1.25', null])
  })

  test('a time of nothing is unknown on a clock too', async () => {
    const times = ['0:00.00', '0', '00:00:00', '1:10.20']
    const path = fileOf(
      'clock.csv',
      `${HEADER},Time`,
      ...times.map((time, at) => `2026-03-08,1,${at + 1},A,1,3,${time}`),
    )
    const { format } = await formatOfMap(mapOf({ runners: { ...RUNNERS, finish_time: 'Time' } }), [path])
    expect(await readAll(format, 'runners', path)).toMatchObject(
      [null, null, null, 70_200].map((finishTimeMs) => [{ runner: { finishTimeMs } }, []]),
    )
  })

  test('a person has the name of its row in the language of its characters only', async () => {
    const path = fileOf(
      'people.csv',
      `${HEADER},Rider`,
      '2026-03-08,1,1,A,1,2.5,潘頓',
      '2026-03-08,1,2,B,2,3,Z Purton',
    )
    const { format } = await formatOfMap(mapOf({ runners: { ...RUNNERS, jockey: 'Rider' } }), [path])
    expect(await readAll(format, 'runners', path)).toMatchObject([
      [{ runner: { jockey: { name: '潘頓', en: null, hant: '潘頓' } } }, []],
      [{ runner: { jockey: { name: 'Z Purton', en: 'Z Purton', hant: null } } }, []],
    ])
  })

  test('any row of our own layout, written in another one, is read as it is in our own', async () => {
    const runners = FURLONG_FORMAT.kinds.find(({ name }) => name === 'runners')!
    const day = fc.date({ min: new Date('2000-01-01'), max: new Date('2026-01-01'), noInvalidDate: true })
    // A horse named Na is none.
    const name = fc.stringMatching(/^[A-Z][a-z]{1,8}( [A-Z][a-z]{1,8})?$/).filter((each) => !isMissing(each))
    const arbitrary = fc.record({
      date: day.map((at) => at.toISOString().slice(0, 10)),
      race_no: fc.integer({ min: 1, max: 99 }).map(String),
      horse_no: fc.integer({ min: 1, max: 30 }).map(String),
      brand: name,
      place: fc.oneof(fc.integer({ min: 1, max: 30 }).map(String), fc.constant('')),
      win_odds: fc.oneof(fc.integer({ min: 11, max: 9999 }).map((tenths) => (tenths / 10).toFixed(1))),
      draw: fc.oneof(fc.integer({ min: 1, max: 24 }).map(String), fc.constantFrom('', '0', 'x')),
      finish_time: fc.oneof(fc.integer({ min: 5500, max: 9999 }).map((at) => (at / 100).toFixed(2))),
    })
    const rows = fc.sample(arbitrary, 300).map((row) => ({
      stadium: 'HKSHT',
      race_status: 'final',
      status: row.place === '' ? 'unfinished' : 'finished',
      ...row,
    }))
    const lines = rows.map((row) =>
      [
        row.date.split('-').toReversed().join('/'),
        `Race ${row.race_no}`,
        row.horse_no,
        row.brand,
        row.place || 'PU',
        row.win_odds.replace('.', ','),
        row.draw,
        row.finish_time.replace('.', ','),
      ].join(';'),
    )
    const path = fileOf('round.csv', `${HEADER},Gate,Time`.replaceAll(',', ';'), ...lines)
    const fields = { ...RUNNERS, draw: 'Gate', finish_time: 'Time' }
    const { format } = await formatOfMap(mapOf({ runners: fields }), [path])
    const own = rows.map((row) => readOne(runners, row))
    const plain = JSON.stringify(await readAll(format, 'runners', path))
      .replaceAll('column \\"Gate\\" (draw)', 'draw')
      .replaceAll('column \\"Pos\\" (place)', 'place')
    expect(JSON.parse(plain)).toEqual(JSON.parse(JSON.stringify(own)))
  })
})

describe('a proposed mapping', () => {
  const proposed = (text: string) => {
    const [header = '', ...lines] = text.split('\n')
    const columns = header.split(',')
    const summaries = new ColumnSummaries(columns)
    for (const line of lines) {
      const cells = line.split(',')
      summaries.add(Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ''])))
    }
    return proposeFor(summaries.columns)
  }

  test('of a Chinese results file', () => {
    expect(
      proposed('日期,馬場,場次,名次,馬號,馬名,騎師,獨贏賠率\n2026-03-08,沙田,1,WV,3,紙馬,某人,2.5'),
    ).toEqual({
      kind: 'runners',
      fields: {
        stadium: { column: '馬場', words: { 沙田: 'HKSHT' } },
        date: '日期',
        race_no: '場次',
        race_status: { constant: 'final' },
        horse_no: '馬號',
        brand: '馬名',
        horse_name_hant: '馬名',
        jockey: '騎師',
        status: { column: '名次', words: { WV: 'withdrawn' }, otherwise: 'finished' },
        place: { column: '名次', words: { WV: '' } },
        win_odds: '獨贏賠率',
      },
    })
  })

  test('of a Japanese results file without a racecourse', () => {
    const { kind, fields } = proposed('着順,馬番,馬名,斤量,騎手,タイム,単勝\n中,1,ペーパー,57,某,1:10.2,2.5')
    expect(kind).toBe('runners')
    expect(fields).toMatchObject({
      stadium: { constant: '?' },
      date: { constant: '?' },
      horse_no: '馬番',
      horse_name_hant: '馬名',
      actual_weight_lb: { column: '斤量', unit: 'kg' },
      status: { column: '着順', words: { 中: 'unfinished' } },
      win_odds: '単勝',
      finish_time: 'タイム',
    })
  })

  test('of results that have a fact in several units', () => {
    const { fields } = proposed(
      'Date,Course,Dist,Dist_M,Num,Pos,Wgt,Lbs,SP,Dec,Time\n2026-03-08,York,6f,1207,1,1,9-4,130,2/1F,3,102.27',
    )
    expect(fields).toMatchObject({
      stadium: { column: 'Course', words: { York: '?' } },
      distance_m: 'Dist_M',
      actual_weight_lb: 'Lbs',
      win_odds: 'Dec',
      finish_time: { column: 'Time', unit: 'seconds' },
      status: { column: 'Pos', otherwise: 'finished' },
      place: 'Pos',
    })
  })

  test('of goings in our own words, which are those of most places', () => {
    const { fields } = proposed('Horse,Going\nA,Fast\nB,Slow\nC,Wet Fast\nD,GOOD TO FIRM\nE,constructor')
    expect(fields['going']).toEqual({
      column: 'Going',
      words: { Fast: 'fast', Slow: 'slow', 'Wet Fast': 'wet_fast', 'GOOD TO FIRM': 'good_to_firm' },
    })
  })

  test.each([
    ['btn', undefined],
    ['着差', undefined],
    ['ovr_btn', 'ovr_btn'],
    ['LBW', 'LBW'],
  ])('of margins: %s', (column, margin) => {
    expect(proposed(`Horse,${column}\nA,2.5`).fields['margin']).toBe(margin)
  })

  test('of dividends, whose unknown pools only a person knows', () => {
    expect(
      proposed(
        'Date,Venue,Race,Pool,Combination,Dividend\n2026-03-08,ST,1,WIN,3,25\n2026-03-08,ST,1,Jackpot,3,9',
      ),
    ).toMatchObject({
      kind: 'dividends',
      fields: {
        stadium: { column: 'Venue', words: { ST: 'HKSHT' } },
        gameplay_class: { column: 'Pool', words: { WIN: '1', Jackpot: '?' } },
        status: { constant: 'paid' },
      },
    })
  })
})

test('the guide lists the fields that each kind needs', () => {
  const guide = readFileSync('docs/import-mapping.md', 'utf8')
  for (const { name, columns } of FURLONG_FORMAT.kinds) {
    const row = new RegExp(String.raw`^\| \x60${name}\x60 +\| (\x60.+?) +\|$`, 'm').exec(guide)?.[1]
    expect(row).toBe(columns.map((column) => `\`${column}\``).join(', '))
  }
})

test('the mapping of the guide is one', () => {
  const guide = readFileSync('docs/import-mapping.md', 'utf8')
  const text = /```json\n(.+?)```/s.exec(guide)![1]!
  expect(Object.keys(parseMapping({ file: 'club.json', text }))).toEqual(['runners', 'dividends'])
})
