// @module-tag rest
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { OwnReader, type OwnRace } from '../support/own-reader.ts'

/** Files of other people's making, which are no part of the project, on the real races of their year. */
const CASES = fileURLToPath(new URL('../../../shared/cases', import.meta.url))
const REAL = fileURLToPath(new URL('../../../shared/data/hk', import.meta.url))

const STADIUMS: Readonly<Record<string, string>> = { 沙田: 'HKSHT', 跑馬地: 'HKHAV' }

function racesOf(year: number): OwnRace[] {
  const rows = parse<Record<string, string>>(readFileSync(`${REAL}/results-${year}.csv`), {
    columns: true,
    bom: true,
  })
  const races = new Map<string, { no: number; brand: string; hant: string }[]>()
  for (const row of rows) {
    const stadium = STADIUMS[row['venue']!]
    const [, hant = '', brand = ''] = /^(.*?) \((.*)\)$/.exec(row['horse_name']!) ?? []
    if (stadium === undefined || brand === '' || !/^\d+$/.test(row['horse_no']!)) continue
    const id = `${stadium}${row['date']!.replaceAll('-', '')}${row['race_no']!.padStart(2, '0')}`
    const runners = races.get(id) ?? []
    // The source repeats some rows.
    if (runners.every((runner) => runner.brand !== brand))
      runners.push({ no: Number(row['horse_no']), brand, hant })
    races.set(id, runners)
  }
  return [...races].map(([id, runners]) => ({ id, runners }))
}

const isHere = existsSync(CASES) && existsSync(REAL)

describe.skipIf(!isHere)(
  'files of others (skipped where ../shared/cases or ../shared/data is missing)',
  () => {
    let reader: OwnReader
    beforeAll(async () => {
      reader = await OwnReader.open(racesOf(2024))
    })
    const matchCase = (path: string, choices = {}) => reader.match(readFileSync(`${CASES}/${path}`), choices)
    const matchedOf = async (path: string): Promise<string> => {
      const { match, data } = await matchCase(path)
      const days = new Set(data.map((row) => new Date(Number(row['race_date'])).toISOString().slice(0, 10)))
      return `${match.matched} of ${match.rows}, ${match.races}, ${[...days].join(' ')}`
    }

    test('01: the id of another source does not switch off the other keys', async () => {
      for (const file of ['foreign', 'half-ours'])
        expect(await matchedOf(`01-own-foreign-race-id/${file}.csv`)).toBe('26 of 26, 2, 2024-09-08')
    })
    test('02: the order of day and month with which the horses agree', async () => {
      const path = '02-own-us-date/us-july.csv'
      expect(await matchedOf(path)).toBe('28 of 28, 2, 2024-07-01')
      expect((await matchCase(path)).match.days).toMatchObject({
        order: 'mdy',
        by: 'matched',
        day: '2024-07-01',
      })
      const wrong = (await matchCase(path, { dayOrder: 'dmy' })).match
      expect(wrong.unmatched['horse-disagrees']).toBeGreaterThan(20)
      expect(wrong.matched).toBe(0)
    })
    test.each([
      ['day-first-time', 14, '2024-12-08'],
      ['offset', 13, '2024-09-08'],
      ['pandas', 13, '2024-09-08'],
      ['short-year', 13, '2024-09-08'],
      ['utc', 13, '2024-09-08'],
      ['words', 13, '2024-09-08'],
    ])('03: days in the form of %s', async (file, rows, day) => {
      const found = await matchedOf(`03-own-date-forms/${file}.csv`)
      expect(found).toMatch(new RegExp(`^(\\d+) of \\1, 1, ${day}$`))
      expect(Number.parseInt(found, 10)).toBeGreaterThanOrEqual(rows - 1)
    })
    test('04: blemishes of the header', async () => {
      for (const file of ['counters', 'index', 'same-names', 'trailing'])
        expect(await matchedOf(`04-own-header-blemishes/${file}.csv`)).toBe('13 of 13, 1, 2024-09-08')
      const { data } = await matchCase('04-own-header-blemishes/same-names.csv')
      expect(data[0]).toMatchObject({ pay: 1, pay_2: 2, pay_3: 3 })
      const { file } = await matchCase('04-own-header-blemishes/counters.csv')
      const keys = Object.values(file.roles).filter((at) => at !== file.roles.probability)
      const slots = file.columns.filter(
        ({ kind, filled, counts }, at) => kind === 'number' && filled > 0 && !counts && !keys.includes(at),
      )
      expect(slots.slice(0, 2).map(({ name }) => name)).toEqual(['probability', 'figure'])
    })
    test('05: encodings', async () => {
      const encodings = { 'big5.csv': 'big5', 'utf16le.txt': 'utf-16le', 'utf8.csv': 'utf-8' }
      for (const [file, encoding] of Object.entries(encodings)) {
        const { file: read, match } = await matchCase(`05-own-encodings/${file}`)
        expect(read.columns.map(({ name }) => name)).toEqual(['日期', '馬場', '場次', '馬號', '馬名', '勝率'])
        expect(match.matched).toBe(13)
        expect(read.encoding).toBe(encoding)
      }
    })
    test('06: decimal signs', async () => {
      const thousands = await matchCase('06-own-decimal-signs/thousands-semicolon.csv')
      expect(thousands.data[0]).toMatchObject({ turnover: 2289, probability: 0.0158 })
      const line = await matchCase('06-own-decimal-signs/sep-line.csv')
      expect(line.match.matched).toBe(line.match.rows)
      expect(line.data[0]).toMatchObject({ turnover: 1234.5, probability: 0.0158 })
    })
    test('07: numbers as people write them', async () => {
      const { match, data } = await matchCase('07-own-money/money.csv')
      expect(match).toMatchObject({ rows: 13, matched: 13 })
      expect(data[0]!['probability']).toBeCloseTo(0.0158, 3)
      expect(data[0]).toMatchObject({ dividend: 1289, stake: 10, profit: -1.5 })
      expect(data[1]).toMatchObject({ profit: -2.5 })
    })
    test('08: numbers in words', async () => {
      for (const file of ['R1', 'full-width'])
        expect(await matchedOf(`08-own-numbers-in-words/${file}.csv`)).toBe('26 of 26, 2, 2024-09-08')
      const { match } = await matchCase('08-own-numbers-in-words/words.csv')
      expect(match.matched).toBe(25)
      expect(match.listed.map(({ line, reason }) => [line, reason])).toEqual([[2, 'unread-number']])
    })
    test('09: missing values', async () => {
      const { file, match } = await matchCase('09-own-missing-values/half-blank.csv')
      expect(match.matched).toBe(26)
      const sectional = file.columns.find(({ name }) => name === 'sectional')!
      expect(sectional).toMatchObject({ filled: 6, kind: 'number' })
      expect(Number(sectional.example)).not.toBeNaN()
    })
  },
)
