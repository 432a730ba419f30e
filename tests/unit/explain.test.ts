import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { explainFiles, explanationLines, type Explanation } from '../../server/ingest/explain.ts'
import { AUTO } from '../../server/ingest/formats.ts'

/** How the files of a stranger are explained, without a database. */

const FOLDER = mkdtempSync(join(tmpdir(), 'furlong-explain-'))
afterAll(() => rmSync(FOLDER, { recursive: true }))

const RUNNERS = {
  stadium: { column: 'Where', words: { 'Sha Tin': 'HKSHT' } },
  date: 'Day',
  race_no: 'Race',
  race_status: { constant: 'final' },
  horse_no: 'No',
  brand: 'Horse',
  status: { constant: 'finished' },
  place: 'Pos',
  win_odds: 'Odds',
}
const DIVIDENDS = {
  stadium: { column: 'Where', words: { 'Sha Tin': 'HKSHT' } },
  date: 'Day',
  race_no: 'Race',
  gameplay_class: 'Pool',
  combination: 'Numbers',
  status: { constant: 'paid' },
  dividend: 'Pays',
}
const HEADER = 'Where,Day,Race,No,Horse,Pos,Odds'
const POOLS = 'Where,Day,Race,Pool,Numbers,Pays'

function explain(files: Record<string, string[]>, mapping: unknown): Promise<Explanation> {
  const folder = mkdtempSync(join(FOLDER, 'files-'))
  for (const [name, lines] of Object.entries(files))
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
  const map = mapping === null ? null : { file: 'mine.json', text: JSON.stringify(mapping) }
  return explainFiles([folder], AUTO, map)
}

const unreadableOf = ({ files }: Explanation): Record<string, number> =>
  Object.fromEntries(
    files[0]!.columns.flatMap(({ column, unreadable }) => (unreadable > 0 ? [[column, unreadable]] : [])),
  )

test('a cell that cannot be read is counted at its own column', async () => {
  const rows = [
    'Sha Tin,2026-03-08,1,1,A,1,2.5',
    'Sha Tin,2026-13-08,1,2,B,2,2.5',
    'Sha Tin,soon,1,3,C,3,2.5',
    'Sha Tin,2026-03-08,1,4,D,4,dear',
  ]
  const explanation = await explain({ 'runners.csv': [HEADER, ...rows] }, { runners: RUNNERS })
  expect(unreadableOf(explanation)).toEqual({ Day: 2, Odds: 1 })
})

test('what a constant says wrongly is no fault of the column before it', async () => {
  const explanation = await explain(
    { 'runners.csv': [HEADER, 'Sha Tin,2026-03-08,1,1,A,1,2.5'] },
    { runners: { ...RUNNERS, race_status: { constant: 'ended' } } },
  )
  expect(explanation.lines.join('\n')).toContain('race_status: ended')
  expect(unreadableOf(explanation)).toEqual({})
})

test('dividends of another race than the runners are told, those without any runners are not', async () => {
  const pools = [POOLS, 'Sha Tin,2026-03-08,7,1,1,25']
  const runners = [HEADER, 'Sha Tin,2026-03-08,1,1,A,1,2.5', 'Sha Tin,2026-03-08,1,2,B,2,3.5']
  const both = await explain(
    { 'pools.csv': pools, 'runners.csv': runners },
    { runners: RUNNERS, dividends: DIVIDENDS },
  )
  expect(both.lines.join('\n')).toContain('no-such-race')
  const alone = await explain({ 'pools.csv': pools }, { dividends: DIVIDENDS })
  expect(alone.lines.join('\n')).not.toContain('no-such-race')
})

test('cells and names of columns are shown without what a terminal obeys, and not at any length', async () => {
  const lines = explanationLines(
    await explain(
      { 'strange.csv': [`Ho\u001B[2Jrse,${'x'.repeat(500)}`, `\u202Eabc\u009B31m,${'y'.repeat(500)}`] },
      null,
    ),
  )
  const text = lines.join('\n')
  for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(text).toContain(String.raw`Ho\u001b[2Jrse: "\u202eabc\u009b31m"`)
  expect(text).toContain(`${'x'.repeat(60)}…: "${'y'.repeat(60)}…"`)
  const start = lines.indexOf('{')
  expect(JSON.parse(lines.slice(start).join('\n'))).toMatchObject({ runners: expect.any(Object) })
})
