// @module-tag rest
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { explainFiles, explanationLines } from '../../server/ingest/explain.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { formatOfMap } from '../../server/ingest/mapping/mapped-format.ts'
import type { ImportReport } from '../../server/drafts/report.ts'
import { AUTO } from '../../server/ingest/formats.ts'
import { furlong } from '../support/command.ts'
import { newDataFolder, newFolder, type TestDatabase } from '../support/databases.ts'
import { csv, HK_HEADER, hkRace, rejectLines, withDatabase, writeFiles } from '../support/import-files.ts'

/** The layout that the guide makes up, imported by the steps of the guide. */

const GUIDE = readFileSync('docs/import-mapping.md', 'utf8')
const [RESULTS, POOLS] = [...GUIDE.matchAll(/```csv\n(.+?)```/gs)].map(([, text]) => text!)
const MAPPING = /```json\n(.+?)```/s.exec(GUIDE)![1]!
const FILES = { 'results.csv': RESULTS!, 'pools.csv': POOLS! }

async function importWith({ database }: TestDatabase, files: Record<string, string>, text = MAPPING) {
  const paths = [writeFiles(files)]
  const { format, why } = await formatOfMap({ file: 'club.json', text }, paths)
  return importFiles(database, { format, recognised: why, paths, replaceDemonstration: false })
}

/** The proposal for the files of the guide, with what its reader fills in. */
async function edited(): Promise<string> {
  const { format, mapping } = await explainFiles([writeFiles(FILES)], AUTO, null)
  expect(format).toBeNull()
  const proposed = JSON.stringify(mapping)
  expect(proposed.match(/"\?"/g)).toHaveLength(3)
  return proposed
    .replaceAll('"Randwick":"?"', '"Randwick":"AURWK"')
    .replace('"Early Quaddie":"?"', '"Early Quaddie":null')
    .replace('"dividend":"Pays"', '"dividend":{"column":"Pays","unit":"for-1"}')
}

test('the proposed mapping is that of the guide once it is filled in', async () => {
  expect(JSON.parse(await edited())).toEqual(JSON.parse(MAPPING))
})

test('the proposal is refused before it is filled in, and imports the files afterwards, twice without change', () =>
  withDatabase(async (place) => {
    const { mapping } = await explainFiles([writeFiles(FILES)], AUTO, null)
    await expect(importWith(place, FILES, JSON.stringify(mapping))).rejects.toMatchObject({
      code: 'bad-map',
      details: { problem: 'unfilled' },
    })
    const text = await edited()
    const first = await importWith(place, FILES, text)
    expect([first.rejects, first.unknown, first.noted]).toEqual([[], [], []])
    expect(first).toMatchObject({
      format: 'map',
      rowsRead: 14,
      nonStarters: 1,
      passedOver: { 'gameplay_class: Early Quaddie': 1 },
      recognised: 'as club.json says; dates dmy as their cells prove; decimal sign , as cells prove',
    })
    expect(
      await place.database.rows(
        `select race_id as race, horse_no as no, status, place, dead_heat as tied, win_odds as odds,
           actual_weight_lb as lb, finish_time_ms as ms
         from runner order by race_id, horse_no`,
      ),
    ).toEqual(
      [
        ...[
          [1, 'finished', 2, false, 3.5, 129, 70_200],
          [2, 'finished', 1, false, 4.5, 126, 70_000],
          [3, 'finished', 3, false, 6, 125, 70_900],
          [4, 'unfinished', null, false, 11, 121, null],
          [5, 'withdrawn', null, false, null, 120, null],
        ].map((runner) => ['AURWK2026052301', ...runner]),
        ...[
          [1, 'finished', 1, true, 2.6, 130, 96_100],
          [2, 'finished', 1, true, 5.5, 127, 96_100],
          [3, 'finished', 3, false, 3.2, 123, 96_500],
          [4, 'finished', 4, false, 8, 119, 97_000],
        ].map((runner) => ['AURWK2026052302', ...runner]),
      ].map(([race, no, status, at, tied, odds, lb, ms]) => ({
        race,
        no,
        status,
        place: at,
        tied,
        odds,
        lb,
        ms,
      })),
    )
    expect(
      await place.database.rows(
        'select race_id as race, pool, combination as of, dividend_cents as cents from dividend order by 1, 2, 3',
      ),
    ).toEqual([
      { race: 'AURWK2026052301', pool: 'quinella', of: '1-2', cents: 6800 },
      { race: 'AURWK2026052301', pool: 'win', of: '2', cents: 4500 },
      { race: 'AURWK2026052302', pool: 'win', of: '1', cents: 1300 },
      { race: 'AURWK2026052302', pool: 'win', of: '2', cents: 2700 },
    ])
    const second = await importWith(place, FILES, text)
    const changes = ({ tables }: ImportReport): number =>
      Object.values(tables).reduce((sum, { inserted, updated }) => sum + inserted + updated, 0)
    expect([changes(first) > 0, changes(second)]).toEqual([true, 0])
  }))

test('what is wrong is reported with the file, the line and the column of the stranger', () =>
  withDatabase(async (place) => {
    const wrong = {
      ...FILES,
      'results.csv': RESULTS!.replace(';8;54;', ';dear;54;').replace(';3;6;', ';x;6;'),
    }
    const report = await importWith(place, wrong)
    expect(rejectLines(report.rejects)).toEqual([
      'results.csv:4 not-a-number',
      'results.csv:4 race-incomplete',
      'pools.csv:2 not-a-number',
      'pools.csv:3 not-a-number',
    ])
    expect(report.rejects[0]!.detail).toBe('column "Pos" (place): x (write it like 12)')
    expect(report.unknown).toMatchObject([
      { file: 'results.csv', line: 10, detail: 'column "Price" (win_odds): dear (write it like 1234.5)' },
    ])
  }))

test('an explanation shows each column, what it became, and what is assumed, blank or cannot be read', async () => {
  const folder = writeFiles({ ...FILES, 'results.csv': RESULTS!.replace(';8;54;', ';dear;54;') })
  const explanation = await explainFiles([folder], AUTO, { file: 'club.json', text: MAPPING })
  const lines = explanationLines(explanation)
  expect(lines).toContain('  Price: "3,5", "4,5", "6"; 1 of 9 blank; 1 cannot be read')
  expect(lines).toContain('    → win_odds: "3.5", "4.5", "6"')
  expect(lines).toContain('    → actual_weight_lb: "129", "126", "125"')
  expect(lines).toContain(
    '    → status: "finished", "finished", "finished"; 7 assumed, as the mapping says of other words',
  )
  expect(lines).toContain('  no column → race_status: final')
  expect(lines).toContain('  passed over: 1 (gameplay_class: Early Quaddie)')
  expect(lines).toContain('  stored as unknown: 1 × not-a-number')
})

test('an explanation of a known layout says which columns are read', async () => {
  const folder = writeFiles({ 'results.csv': csv(HK_HEADER, ...hkRace()) })
  const { format, files, mapping } = await explainFiles([folder], AUTO, null)
  expect([format, mapping]).toEqual(['hk', null])
  const columns = new Map(files[0]!.columns.map((column) => [column.column, column]))
  expect(columns.get('win_odds')).toMatchObject({ isRead: true, samples: ['3', '4', '5'], blank: 0 })
  expect(columns.get('sectional_times_header')).toMatchObject({ isRead: false, rows: 5 })
})

test('a file that is not UTF-8 is proposed and read in its encoding', async () => {
  // 日付,着順,馬番,馬名 and one row, in Shift JIS.
  const bytes = Buffer.from(
    '93fa95742c92858f872c946e94d42c946e96bc0a323032362d30332d30382c312c332c8ee60a',
    'hex',
  )
  const { files, mapping } = await explainFiles([writeFiles({ 'jra.csv': bytes })], AUTO, null)
  expect(mapping).toMatchObject({
    encoding: 'shift_jis',
    runners: { date: '日付', place: '着順', horse_no: '馬番', brand: '馬名' },
  })
  expect(files[0]!.columns.at(-1)).toMatchObject({ column: '馬名', samples: ['取'] })
})

test('the command explains, refuses and imports', async () => {
  const environment = { FURLONG_DATA: await newDataFolder(), DATABASE_URL: '' }
  const folder = writeFiles(FILES)
  const map = join(newFolder(), 'club.json')
  const run = (...words: string[]) => furlong(environment, 'import', ...words)
  const explained = await run('--explain', folder)
  expect([explained.code, explained.out]).toEqual([0, expect.stringContaining('A mapping to edit')])
  writeFileSync(map, MAPPING.replace('"runners":', '"runners"'))
  const broken = await run('--map', map, folder)
  expect([broken.code, broken.err]).toEqual([1, expect.stringContaining('line 2, character 13')])
  writeFileSync(map, MAPPING)
  const both = await run('--map', map, '--format', 'furlong', folder)
  expect([both.code, both.err]).toEqual([1, expect.stringContaining('cannot be used with option')])
  const done = await run('--map', map, '--no-train', '--json', folder)
  expect([done.code, done.err]).toEqual([0, expect.any(String)])
  expect(JSON.parse(done.out)).toMatchObject({ import: { format: 'map', rowsRead: 14, rejects: [] } })
})
