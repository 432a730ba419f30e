// @module-tag rest
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { planRequest } from '../../analytics/plan-request.ts'
import { WasmEngine } from '../support/wasm-engine.ts'
import { breakdown, figuresReady, filterWords, openRecord, tile } from './record.tsx'
import { cellsOf } from './render.tsx'

/**
 * Facts that others published, read off the record itself: the browser's engine answers it from the files of real races.
 * `real-seasons.test.ts` has more of them without the screen.
 */

const HONG_KONG = '100000'
const REAL = join(import.meta.dirname, '../../../shared/data/hk')
/** The files of results of the seasons from 2021/22 to 2024/25; the other files would take ten times as long. */
const RESULTS = [2021, 2022, 2023, 2024, 2025].map((year) => join(REAL, `results-${year}.csv`))

describe.skipIf(!existsSync(REAL))('four real seasons (skipped where ../shared/data/hk is missing)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'furlong-results-'))
  let wasm: WasmEngine
  beforeAll(async () => {
    const built = spawn(
      process.execPath,
      ['--import', 'tsx', 'tests/support/real-results.ts', folder, ...RESULTS],
      { cwd: join(import.meta.dirname, '../..'), stdio: 'inherit' },
    )
    const [code] = await once(built, 'exit')
    expect(code).toBe(0)
    wasm = await WasmEngine.open(folder, HONG_KONG, ['market-baseline'])
  }, 600_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const openRunners = (filter: string, by: string) =>
    openRecord({
      words: `s=runners&p=bars:${by}&${filterWords(filter)}`,
      tables: { instead: (request) => wasm.rows(planRequest(request, { scope: 'all' }).sql) },
    })
  const percent = (text: string): number => Number(text.replace('%', '')) / 100
  const stadium = (name: string): number =>
    Number(wasm.rows(`SELECT stadium_key FROM stadium WHERE name_en = '${name}'`)[0]!['stadium_key'])
  /** The win rate of a row of a breakdown. */
  const rateOf = (table: HTMLElement, key: string | number): number => percent(cellsOf(table, key)[1]!)

  test('how often favourites win', async () => {
    // "How Often Do HKJC Favourites Actually Win?", renavon.com: 31.2% of 3,955 races from September 2021 to April 2026; equal
    // favourites are two runners each.
    await openRunners(`season:2021,2022,2023,2024~favourite_rank:1`, 'season')
    expect(Math.abs(percent(tile('Win rate').value) - 0.312)).toBeLessThan(0.01)
  })

  test('the draw: high on the straight 1,000 m of Sha Tin, low over 1,650 m at Happy Valley', async () => {
    // "Course Guides", attheraces.com: the straight hands an edge to those close to the stand rail, from middle to high draws.
    const { unmount } = await openRunners(
      `racecourse:${stadium('Sha Tin')}~distance:1000~track:turf`,
      'draw_third',
    )
    const straight = await breakdown('draw_third')
    for (const third of ['middle', 'high'])
      expect(rateOf(straight, third)).toBeGreaterThan(1.2 * rateOf(straight, 'low'))
    unmount()
    // Richard Young, "A punter's guide to Hong Kong's Happy Valley", racingpost.com, article 429800: the inner half of the draw
    // has the edge over this distance.
    await openRunners(`racecourse:${stadium('Happy Valley')}~distance:1650`, 'draw_third')
    const turns = await breakdown('draw_third')
    expect(rateOf(turns, 'low')).toBeGreaterThan(1.5 * rateOf(turns, 'high'))
  })

  test('Zac Purton’s wins in the season that began in 2021', async () => {
    // "Purton sails past magical 100 winners", The New Paper, tnp.straitstimes.com, 2 March 2023.
    const { user } = await openRunners('season:2021', 'jockey')
    await user.click(within(await breakdown('jockey')).getByRole('button', { name: '潘頓' }))
    await waitFor(() =>
      expect(screen.getByRole('list', { name: 'Filters in use' }).textContent).toContain('潘頓'),
    )
    await figuresReady()
    expect(tile('A/E (hits ÷ expected)').note).toContain('136 of')
  })
})
