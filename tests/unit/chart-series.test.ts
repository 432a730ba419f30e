import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { endsOf, spread, withRange } from '../../src/widgets/chart/ends.ts'
import { labelStep, withEvery } from '../../src/widgets/chart/frame.ts'
import type { Series } from '../../src/widgets/chart/series.ts'
import { STYLES, type Tone } from '../../src/widgets/chart/marks.ts'
import { contrastOf } from '../support/contrast.ts'

const TOKENS = readFileSync(new URL('../../src/ui/tokens.css', import.meta.url), 'utf8')
const TONES = Object.keys(STYLES).filter((tone) => tone.startsWith('series')) as Tone[]

/** A colour token in each theme. */
function coloursOf(token: string): Record<'light' | 'dark', string> {
  const [, light, dark] = new RegExp(`--${token}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(TOKENS)!
  return { light: light!, dark: dark! }
}

const pairs = TONES.flatMap((a, at) => TONES.slice(at + 1).map((b) => [a, b] as const))

describe('series of a chart', () => {
  test.each(['light', 'dark'] as const)(
    'in the %s theme they differ in lightness, and stand out from the ground',
    (theme) => {
      const of = (token: string): string => coloursOf(token)[theme]
      for (const [a, b] of pairs) expect(contrastOf(of(a), of(b)), `${a} and ${b}`).toBeGreaterThan(1.3)
      for (const tone of TONES) expect(contrastOf(of(tone), of('surface')), tone).toBeGreaterThan(3)
    },
  )

  test('each has a dash and a shape of its own', () => {
    expect(new Set(TONES.map((tone) => STYLES[tone].dash.join(' '))).size).toBe(TONES.length)
    expect(new Set(TONES.map((tone) => STYLES[tone].symbol)).size).toBe(TONES.length)
    // The reference is dotted beside the solid main series.
    expect(STYLES.soft.dash).not.toEqual(STYLES.accent.dash)
  })
})

const line = (name: string, y: readonly number[]): Series => ({
  kind: 'line',
  name,
  tone: 'series-1',
  x: y.map((_, at) => at),
  y,
  end: String(y.at(-1)),
  hover: y.map(() => ''),
})

describe('labels beside the ends of lines', () => {
  const place = (series: readonly Series[]) => {
    const x = { title: '' }
    const y = withRange({ series, y: { title: '', zero: true } })
    return endsOf({ series, x, y, height: 320 })
  }

  test('stand beside the ends, and never over each other', () => {
    const ends = place([line('a', [0, -100]), line('b', [0, -99]), line('c', [0, -98]), line('d', [0, 50])])
    const inOrder = ends.toSorted((a, b) => a.top - b.top)
    expect(inOrder.map(({ names }) => names[0])).toEqual(['d', 'c', 'b', 'a'])
    for (const [at, end] of inOrder.entries())
      expect(end.top).toBeGreaterThanOrEqual(at === 0 ? 0 : inOrder[at - 1]!.top + inOrder[at - 1]!.height)
    expect(inOrder.at(-1)!.top + inOrder.at(-1)!.height).toBeLessThanOrEqual(320)
  })

  test('a line that another covers exactly shares its label, and one that nearly does has its own', () => {
    const ends = place([line('Market', [0, 5, -7]), line('Favourite', [0, 5, -7]), line('Form', [0, 5, -6])])
    expect(ends.map(({ names, text }) => [...names, text])).toEqual([
      ['Market', '= Favourite', '-7'],
      ['Form', '-6'],
    ])
  })

  test('a name too long for its line has the height of two', () => {
    const [short, long] = ['Calibrated market', 'Network on the form model (no odds)'].map(
      (name) => place([line(name, [0, 1])])[0]!.height,
    )
    expect(long! - short!).toBe(16)
  })

  test('where there is room each stays at its own middle', () => {
    expect(spread([20, 100], [32, 32], 200)).toEqual([4, 84])
  })
})

describe('labels of the horizontal axis', () => {
  const months = ['Oct 2020', 'Jul 2021', 'Apr 2022', 'Jan 2023', 'Oct 2023', 'Jul 2024', 'Apr 2025']
  const x = { title: '', ticks: { at: months, text: months } }
  const shown = (width: number): readonly string[] =>
    withEvery(labelStep({ x, y: { title: '' } }, width), x).ticks!.text

  test('are as many as have room beside each other', () => {
    expect(shown(700)).toEqual(months)
    expect(shown(360)).toEqual(['Oct 2020', 'Apr 2022', 'Oct 2023', 'Apr 2025'])
    expect(shown(0)).toEqual(months)
  })

  test('of categories are all there', () => {
    expect(labelStep({ x: { ...x, category: true }, y: { title: '' } }, 100)).toBe(1)
  })
})
