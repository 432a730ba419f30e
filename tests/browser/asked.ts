import { expect, type Page } from '@playwright/test'
import type { Reference } from './reference.ts'
import { expectGroups, expectTiles, MODEL, numberIn, type workspaceOf } from './workspace-page.ts'

/** A row of SQL whose columns are compared with what is shown. */
type Row = Record<string, unknown>

/** Every starter of the market line's backtest as `s`, with what its horse had done before as `b`. */
export const RUNS = `starter s JOIN (
    SELECT race_key, horse_no,
      row_number() OVER (PARTITION BY horse_key, jockey_key ORDER BY race_date) - 1 AS rides,
      lag(race_class) OVER horse AS last_class, lag(place) OVER horse AS last_place,
      race_date - lag(race_date) OVER horse AS days
    FROM runner JOIN race USING (race_key, race_date)
    WHERE runner.status <> 'withdrawn' AND race.status = 'final'
    WINDOW horse AS (PARTITION BY horse_key ORDER BY race_date)
  ) b ON b.race_key = s.race_key AND b.horse_no = s.horse_no
  WHERE s.model = '${MODEL}' AND s.origin = 'backtest'`

/** The band of a value, named by its lower edge. */
export const bandOf = (value: string, edges: readonly number[]): string =>
  `(SELECT max(edge) FROM unnest([${edges.join(', ')}]) AS bands (edge) WHERE edge <= ${value})`

/** Half of the last digit that is shown, and a little for rounding: of a share with one decimal, of a ratio with two. */
export const SHARE = 0.00051
export const RATIO = 0.0051
export const SECONDS = 0.0051
/** Amounts are shown with their cents. */
export const MONEY = 0.0051

/** Requires that a text shows a number, or a dash where there is none. */
export function expectShown(text: string | null | undefined, value: unknown, within: number): void {
  const expected = value === null ? Number.NaN : Number(value)
  if (Number.isNaN(expected)) expect(text).toBe('–')
  else expect(Math.abs(numberIn(text ?? null) - expected), `${text}: ${expected}`).toBeLessThan(within)
}

interface Asked {
  page: Page
  reference: Reference
}

/** Questions about the page that tests share: what its panels show is compared with SQL of the test. */
export function askedOf(of: () => Asked, { groups }: Pick<ReturnType<typeof workspaceOf>, 'groups'>) {
  const rowsOf = async (sql: string, least = 2): Promise<Row[]> => {
    const rows = await of().reference.rows(sql)
    expect(rows.length, 'the question has an answer').toBeGreaterThanOrEqual(least)
    return rows
  }
  /** The shown cells of a heat map by `down across`, of those beside each other the one at a place. */
  const heatCells = async (by: string, at: number): Promise<Map<string, string>> => {
    const heat = of().page.locator(`[data-testid=heat][data-by="${by}"]`).nth(at)
    await expect(heat).toBeVisible()
    const cells = await heat
      .locator('button[data-cell]')
      .evaluateAll((all) =>
        all.map((cell): [string, string] => [
          (cell as HTMLElement).dataset['cell']!.replace('\n', ' '),
          cell.textContent,
        ]),
      )
    return new Map(cells)
  }
  return {
    /** Requires the number of rows, their hit rate and their return above the tabs. */
    expectTotals: async (
      sql: string,
      subject: 'predictions' | 'runners' | 'races' = 'runners',
    ): Promise<void> => {
      const expected = await of().reference.one(sql)
      expect(expected['n'], 'the question has an answer').toBeGreaterThan(20)
      await expectTiles(of().page, expected, subject)
    },
    /**
     * Requires the groups of a breakdown, all of them unless `only` names some; `further`: how near the last column shows
     * the column of that name.
     */
    expectAll: async (
      by: string,
      sql: string,
      { only, further }: { only?: readonly string[]; further?: { name: string; within: number } } = {},
    ): Promise<void> => {
      const expected = await rowsOf(sql)
      await expect(async () => {
        const shown = await groups(by)
        expectGroups(new Map([...shown].filter(([key]) => only?.includes(key) ?? true)), expected)
        if (further)
          for (const row of expected)
            expectShown(shown.get(String(row['key']))!.at(-1), row[further.name], further.within)
      }).toPass({ timeout: 30_000 })
    },
    /** Requires the cells that a heat map shows, at most the 24 largest lines and columns. */
    expectHeat: async (
      by: string,
      rows: readonly Row[],
      { name, within, at = 0 }: { name: string; within: number; at?: number },
    ): Promise<void> => {
      expect(rows.length).toBeGreaterThan(3)
      const [down = '', across = ''] = by.split('.')
      const expected = new Map(rows.map((row) => [`${String(row[down])} ${String(row[across])}`, row]))
      await expect(async () => {
        const shown = await heatCells(by, at)
        expect(shown.size).toBeGreaterThan(Math.min(rows.length, 40) - 1)
        for (const [key, text] of shown) expectShown(text, expected.get(key)?.[name] ?? null, within)
      }).toPass({ timeout: 30_000 })
    },
    rowsOf,
  }
}
