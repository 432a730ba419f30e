import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const sheets = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.css'),
)
const modules = sheets.filter((name) => name.endsWith('.module.css'))
const TOKENS = join('ui', 'tokens.css')

/** Class names of the unconditional rules whose selector is exactly one class. */
function plainRules(css: string): string[] {
  const lines = css.split('\n')
  return lines.flatMap((line, index) => {
    const name = /^\.([a-zA-Z]\w*) \{$/.exec(line)?.[1]
    return name === undefined || lines[index - 1]?.endsWith(',') ? [] : [name]
  })
}

/** Declarations whose size, weight, space or colour does not come from the tokens. */
function strays(css: string): string[] {
  const bare = css.replaceAll(/\/\*[\s\S]*?\*\//g, '')
  return [...bare.matchAll(/^\s+([a-z-]+): ([^;]+);/gm)].flatMap(([, property, value]) =>
    isStray(property!, value!) ? [`${property}: ${value}`] : [],
  )
}

const SPACE = /^(padding|margin|gap|row-gap|column-gap)(-[a-z-]+)?$/
/** What a space may contain besides tokens: zero, a hairline, the device's safe areas, and multiples. */
const OF_TOKENS = /^(0|auto|1px|var\(--space-\d+\)|env\([a-z-]+\)|calc|[()*+-]|-?\d+)$/

function isStray(property: string, value: string): boolean {
  // A brand without room has font size 0, so that screen readers still read its name.
  if (property === 'font-size') return !/^(var\(--text-\d+\)|0|inherit)$/.test(value)
  if (property === 'font-weight') return !/^(400|600)$/.test(value)
  if (property === 'font') return value !== 'inherit'
  if (/#[0-9a-f]{3,8}\b|\b(rgba?|hsla?|oklch|light-dark)\(/i.test(value)) return true
  if (!SPACE.test(property)) return false
  const parts = value.match(/var\([^)]*\)|env\([^)]*\)|calc|[()]|[^\s()]+/g) ?? []
  return parts.some((part) => !OF_TOKENS.test(part))
}

// A second rule of the same name also changes the first one's users, on screens that nobody checks.
test.each(modules)('%s has one rule a class', (name) => {
  const rules = plainRules(readFileSync(join('src', name), 'utf8'))
  expect(rules.filter((rule, index) => rules.indexOf(rule) !== index)).toEqual([])
})

test('the rules are found', () => {
  expect(modules.length).toBeGreaterThan(10)
  expect(plainRules('.a {\n}\n.b,\n.c {\n}\n@media x {\n  .a {\n}\n}\n.a {')).toEqual(['a', 'a'])
})

describe('sizes, weights, spaces and colours come from the tokens', () => {
  test.each(sheets.filter((name) => name !== TOKENS))('%s', (name) => {
    expect(strays(readFileSync(join('src', name), 'utf8'))).toEqual([])
  })

  test('what does not is found', () => {
    const of = (declaration: string): string[] => strays(`.a {\n  ${declaration};\n}`)
    for (const stray of [
      'font-size: 14px',
      'font-size: clamp(1rem, 5vw, 2rem)',
      'font-weight: 500',
      'padding: var(--space-8) 6px',
      'margin: -1rem',
      'gap: calc(var(--space-8) + 3px)',
      'color: #fff',
      'background: linear-gradient(120deg, var(--ink), rgb(0 0 0 / 35%))',
    ])
      expect(of(stray)).toEqual([stray])
    for (const fine of [
      'font-size: var(--text-13)',
      'padding: 0 var(--space-8) calc(-1 * var(--space-4)) auto',
      'padding-bottom: calc(var(--space-16) + env(safe-area-inset-bottom))',
      'border: 1px solid var(--line)',
    ])
      expect(of(fine)).toEqual([])
  })

  // It is drawn before any stylesheet has loaded, so it repeats token values instead of naming tokens.
  test('the page’s own style has no size, weight or colour that no token has', () => {
    const [, own] = /<style>([\s\S]*?)<\/style>/.exec(readFileSync('index.html', 'utf8'))!
    const tokens = readFileSync(join('src', TOKENS), 'utf8')
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
    const tokens = readFileSync(join('src', TOKENS), 'utf8')
    expect(tokens.match(/--text-\d+(?=:)/g)).toHaveLength(5)
    expect(tokens.match(/--space-\d+(?=:)/g)).toHaveLength(7)
  })
})
