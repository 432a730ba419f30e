import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// It is drawn before any stylesheet has loaded, so it repeats token values instead of naming tokens.
test('the page’s own style has no size, weight or colour that no token has', () => {
  const [, own] = /<style>([\s\S]*?)<\/style>/.exec(readFileSync('index.html', 'utf8'))!
  const tokens = readFileSync('src/ui/tokens.css', 'utf8')
  const strayIn = (css: string): string[] => [
    ...[...css.matchAll(/light-dark\([^)]*\)|#[0-9a-f]{3,8}\b/gi)]
      .map(([colour]) => colour)
      .filter((colour) => !tokens.includes(`: ${colour};`)),
    ...[...css.matchAll(/(?:font-size: |font:\s+\d+ )([\d.]+rem)/g)]
      .map(([, size]) => size!)
      .filter((size) => !new RegExp(`--text-\\d+: ${size};`).test(tokens)),
    ...[...css.matchAll(/(?:font-weight: |font:\s+)(\d+)\b/g)]
      .map(([, weight]) => weight!)
      .filter((weight) => !/^(400|600)$/.test(weight)),
  ]
  expect(own!.match(/light-dark\(/g)!.length).toBeGreaterThan(2)
  expect(strayIn(own!)).toEqual([])
  expect(strayIn('a { font: 700 1.1rem x; color: #fff; background: light-dark(#000, #111) }')).toEqual([
    '#fff',
    'light-dark(#000, #111)',
    '1.1rem',
    '700',
  ])
})

test('there are no more sizes than the design has', () => {
  const tokens = readFileSync('src/ui/tokens.css', 'utf8')
  expect(tokens.match(/--text-\d+(?=:)/g)).toHaveLength(7)
  expect(tokens.match(/--space-\d+(?=:)/g)).toHaveLength(7)
})
