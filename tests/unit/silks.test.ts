import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canHave,
  COLOURS,
  PATTERNS,
  readSilks,
  silksText,
  type PartColours,
  type Silks,
  type SilksPart,
} from '../../domain/silks.ts'
import { DEMO_REGIONS } from '../../server/ingest/demo/regions.ts'

const plain = (base: PartColours['base']): PartColours => ({ base, pattern: null, colour: null })

const colour = fc.constantFrom(...COLOURS)
const partOf = (part: SilksPart): fc.Arbitrary<PartColours> =>
  fc.oneof(
    colour.map(plain),
    fc.record({
      base: colour,
      pattern: fc.constantFrom(...PATTERNS.filter((pattern) => canHave(part, pattern))),
      colour,
    }),
  )
const silks: fc.Arbitrary<Silks> = fc.record({
  body: partOf('body'),
  sleeves: partOf('sleeves'),
  cap: partOf('cap'),
})

test('all silks are read from their text as they are', () => {
  fc.assert(
    fc.property(silks, (given) => {
      expect(readSilks(silksText(given))).toEqual({ kind: 'silks', silks: given })
    }),
  )
})

test('any text is read, or its words are listed', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const reading = readSilks(text)
      if (reading.kind === 'unknown' && text.trim() !== '')
        for (const word of reading.words) expect(text.toLowerCase()).toContain(word.split(' ')[0])
    }),
  )
})

test.each<[string, Silks]>([
  [
    'Red, white sash, yellow cap',
    {
      body: { base: 'red', pattern: 'sash', colour: 'white' },
      sleeves: plain('red'),
      cap: plain('yellow'),
    },
  ],
  [
    'EMERALD GREEN and ROYAL BLUE (quartered), striped sleeves, white cap, black star',
    {
      body: { base: 'emerald green', pattern: 'quartered', colour: 'royal blue' },
      sleeves: { base: 'emerald green', pattern: 'stripes', colour: 'royal blue' },
      cap: { base: 'white', pattern: 'star', colour: 'black' },
    },
  ],
  [
    'White, pink hoops and cap, pink armlets',
    {
      body: { base: 'white', pattern: 'hoops', colour: 'pink' },
      sleeves: { base: 'white', pattern: 'armlets', colour: 'pink' },
      cap: plain('pink'),
    },
  ],
  [
    'Black, grey triple diamond, orange sleeves and cap, mauve spots',
    {
      body: { base: 'black', pattern: 'triple diamond', colour: 'grey' },
      sleeves: plain('orange'),
      cap: { base: 'orange', pattern: 'spots', colour: 'mauve' },
    },
  ],
  [
    'Purple, white stars on sleeves, beige and brown checked cap',
    {
      body: plain('purple'),
      sleeves: { base: 'purple', pattern: 'stars', colour: 'white' },
      cap: { base: 'beige', pattern: 'check', colour: 'brown' },
    },
  ],
])('“%s”', (text, expected) => {
  expect(readSilks(text)).toEqual({ kind: 'silks', silks: expected })
})

describe('what is not known is listed, and nothing is guessed', () => {
  test.each([
    // Words that are no colour or pattern of the register; the others are no problem.
    ['Scarlet, white zigzag, yellow cap', ['scarlet', 'zigzag']],
    ['Blue, green cap', ['blue', 'green']],
    ['Red, gold tassel on cap', ['gold', 'tassel']],
    ['constructor', ['constructor']],
    // Sections whose words are known, but say nothing together.
    ['Red, yellow', ['yellow']],
    ['White sash', ['white sash']],
    ['Red, striped sleeves', ['striped sleeves']],
    ['Red, white sash, yellow star', ['yellow star']],
    ['Red, blue cap, yellow cap', ['blue']],
    ['Red, pink cap, yellow cap', ['yellow cap']],
    // A sash is for the body only.
    ['Red, white and black sash cap', ['white and black sash cap']],
    ['', []],
    [' , ', []],
  ])('“%s”', (text, words) => {
    expect(readSilks(text)).toEqual({ kind: 'unknown', words })
  })
})

test('every horse of the demonstration has silks; those of one owner share the body and the sleeves', () => {
  const bodies = new Map<string | null, string>()
  const caps = new Set<string>()
  for (const { profile, silks: text } of DEMO_REGIONS.flatMap(({ horses }) => horses)) {
    const reading = readSilks(text)
    if (reading.kind === 'unknown') throw new Error(`${text}: ${reading.words.join('; ')}`)
    const { body, sleeves, cap } = reading.silks
    const own = JSON.stringify({ body, sleeves })
    expect(bodies.get(profile.owner) ?? own).toBe(own)
    bodies.set(profile.owner, own)
    caps.add(JSON.stringify(cap))
  }
  expect(new Set(bodies.values()).size).toBeGreaterThan(20)
  expect(caps.size).toBeGreaterThan(20)
})
