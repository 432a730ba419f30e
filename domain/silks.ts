/**
 * A jockey's colours, written as the British and Irish racing calendars print them: “Red, white sash, yellow cap”. The
 * eighteen colours and the patterns are those that the British Horseracing Authority registers.
 */

export const COLOURS = [
  'white',
  'grey',
  'pink',
  'red',
  'maroon',
  'dark green',
  'emerald green',
  'light green',
  'dark blue',
  'royal blue',
  'light blue',
  'mauve',
  'purple',
  'yellow',
  'orange',
  'beige',
  'brown',
  'black',
] as const
export type Colour = (typeof COLOURS)[number]

const PARTS = ['body', 'sleeves', 'cap'] as const
export type SilksPart = (typeof PARTS)[number]

/** Each pattern, and the parts that can have it. */
const PARTS_OF = {
  braces: ['body'],
  check: PARTS,
  chevron: ['body'],
  chevrons: ['body', 'sleeves'],
  'cross belts': ['body'],
  'cross of lorraine': ['body'],
  diabolo: ['body', 'sleeves'],
  diamond: ['body', 'cap'],
  diamonds: PARTS,
  disc: ['body'],
  epaulets: ['body'],
  halved: ['body', 'sleeves'],
  'hollow box': ['body'],
  hoop: ['body'],
  hoops: PARTS,
  'inverted triangle': ['body'],
  panel: ['body'],
  quartered: ['body', 'cap'],
  sash: ['body'],
  seams: ['body', 'sleeves'],
  spots: PARTS,
  star: ['body', 'cap'],
  stars: PARTS,
  stripe: ['body'],
  stripes: PARTS,
  'triple diamond': ['body'],
  armlets: ['sleeves'],
} as const satisfies Readonly<Record<string, readonly SilksPart[]>>
export type Pattern = keyof typeof PARTS_OF
export const PATTERNS = Object.keys(PARTS_OF) as Pattern[]

export const canHave = (part: SilksPart, pattern: Pattern): boolean =>
  (PARTS_OF[pattern] as readonly SilksPart[]).includes(part)

/** A plain part has neither pattern nor second colour; `colour` is that of the pattern. */
export type PartColours = { base: Colour } & (
  | { pattern: null; colour: null }
  | { pattern: Pattern; colour: Colour }
)

export type Silks = Readonly<Record<SilksPart, PartColours>>

/** What a text says: all of the silks, or the words of it that mean nothing here. */
export type SilksReading = { kind: 'silks'; silks: Silks } | { kind: 'unknown'; words: string[] }

const plain = (base: Colour): PartColours => ({ base, pattern: null, colour: null })

/** Other forms of the words. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['armlet', 'armlets'],
  ['checked', 'check'],
  ['checks', 'check'],
  ['crossbelts', 'cross belts'],
  ['epaulettes', 'epaulets'],
  ['gray', 'grey'],
  ['hooped', 'hoops'],
  ['quarters', 'quartered'],
  ['seamed', 'seams'],
  ['sleeve', 'sleeves'],
  ['spotted', 'spots'],
  ['striped', 'stripes'],
])

/** A kind of word as one letter: colour, pattern, part, “and”, “on”. */
type Kind = 'C' | 'P' | 'T' | '&' | '@'

/** Every phrase that has a meaning, the longest first, so that “triple diamond” is not read as “diamond”. */
const PHRASES = (
  [
    ...COLOURS.map((word) => [word, 'C']),
    ...PATTERNS.map((word) => [word, 'P']),
    ['sleeves', 'T'],
    ['cap', 'T'],
    ['and', '&'],
    ['on', '@'],
  ] as [string, Kind][]
).toSorted(([a], [b]) => b.length - a.length)

/** A section between commas: the kinds of its words, and the words of each kind in order. */
interface Section {
  form: string
  colours: Colour[]
  patterns: Pattern[]
  parts: SilksPart[]
}

/** Words without a meaning are added to `unknown`. */
function sectionOf(text: string, unknown: string[]): Section {
  const found: Record<Kind, string[]> = { C: [], P: [], T: [], '&': [], '@': [] }
  let form = ''
  let left = text
    .split(' ')
    .map((word) => SPELLINGS.get(word) ?? word)
    .join(' ')
  while (left !== '') {
    const known = PHRASES.find(([phrase]) => `${left} `.startsWith(`${phrase} `))
    const phrase = known?.[0] ?? left.split(' ', 1)[0]!
    if (known === undefined) unknown.push(phrase)
    else {
      form += known[1]
      found[known[1]].push(phrase)
    }
    left = left.slice(phrase.length + 1)
  }
  return {
    form,
    colours: found.C as Colour[],
    patterns: found.P as Pattern[],
    parts: found.T as SilksPart[],
  }
}

/** What the sections so far said, and the part that a pattern without one belongs to. */
interface Said {
  parts: Partial<Record<SilksPart, PartColours>>
  last: SilksPart
}

/** The part that a section's pattern is on: the last one that was named, or the only one that can have the pattern. */
function partFor(pattern: Pattern, last: SilksPart): SilksPart | null {
  if (canHave(last, pattern)) return last
  const possible = PARTS_OF[pattern]
  return possible.length === 1 ? possible[0] : null
}

/** Parts that a section states anew; `null` if it has no meaning after what was said. */
type Reader = (section: Section, said: Said) => Partial<Record<SilksPart, PartColours>> | null

const each = (parts: readonly SilksPart[], colours: PartColours) =>
  Object.fromEntries(parts.map((part) => [part, colours]))

const readPattern = ({ colours, patterns }: Section, { parts, last }: Said) => {
  const [colour, pattern] = [colours[0]!, patterns[0]!]
  const part = partFor(pattern, last)
  if (part === null) return null
  const before = parts[part] ?? plain(parts.body!.base)
  return before.pattern === null ? { [part]: { base: before.base, pattern, colour } } : null
}

/** The forms of the sections after the first. */
const READERS: readonly (readonly [form: RegExp, read: Reader])[] = [
  // “yellow cap”, “yellow sleeves and cap”
  [/^CT(&T)?$/, ({ colours, parts }) => each(parts, plain(colours[0]!))],
  // “red and white quartered cap”
  [
    /^C&CPT(&T)?$/,
    ({ colours, patterns, parts }) =>
      each(parts, { base: colours[0]!, pattern: patterns[0]!, colour: colours[1]! }),
  ],
  // “striped sleeves”: in the two colours of the body
  [
    /^PT(&T)?$/,
    ({ patterns, parts }, { parts: { body } }) =>
      body!.pattern === null
        ? null
        : each(parts, { base: body!.base, pattern: patterns[0]!, colour: body!.colour }),
  ],
  // “white star on cap”
  [
    /^CP@T(&T)?$/,
    ({ colours, patterns, parts }, { parts: { body } }) =>
      each(parts, { base: body!.base, pattern: patterns[0]!, colour: colours[0]! }),
  ],
  // “white sash”
  [/^CP$/, readPattern],
  // “white sash and cap”
  [
    /^CP&T(&T)?$/,
    (section, said) => {
      const patterned = readPattern(section, said)
      return patterned && { ...patterned, ...each(section.parts, plain(section.colours[0]!)) }
    },
  ],
]

/** The first section states the body: “red”, or “red and white stripes”. */
const readBody: Reader = ({ form, colours, patterns }) => {
  if (form === 'C') return { body: plain(colours[0]!) }
  if (form !== 'C&CP') return null
  return { body: { base: colours[0]!, pattern: patterns[0]!, colour: colours[1]! } }
}

/** Adds what a section states. Returns whether it has a meaning, and contradicts nothing that was said. */
function add(section: Section, said: Said): boolean {
  const read =
    said.parts.body === undefined ? readBody : READERS.find(([form]) => form.test(section.form))?.[1]
  const stated = Object.entries(read?.(section, said) ?? {}) as [SilksPart, PartColours][]
  const isNew = ([part, { base, pattern }]: (typeof stated)[number]): boolean => {
    const before = said.parts[part]
    const isPattern = before?.pattern === null && pattern !== null && before.base === base
    return (before === undefined || isPattern) && (pattern === null || canHave(part, pattern))
  }
  if (stated.length === 0 || !stated.every(isNew)) return false
  Object.assign(said.parts, Object.fromEntries(stated))
  said.last = section.parts.at(-1) ?? stated[0]![0]
  return true
}

/**
 * Reads a text such as “Red, white sash, yellow cap”. Sleeves and cap of which it says nothing have the body's first
 * colour. Nothing is guessed: if a word or a section has no meaning, the answer is a list of those, as they are written.
 */
export function readSilks(text: string): SilksReading {
  const unknown: string[] = []
  const said: Said = { parts: {}, last: 'body' }
  for (const written of text
    .toLowerCase()
    .replaceAll(/[().;]/g, ' ')
    .split(',')) {
    const words = written.split(/\s+/).filter(Boolean).join(' ')
    if (words === '') continue
    const section = sectionOf(words, unknown)
    // What a section means depends on those before it.
    if (unknown.length === 0 && !add(section, said)) unknown.push(words)
  }
  const { body, sleeves, cap } = said.parts
  if (unknown.length > 0 || body === undefined) return { kind: 'unknown', words: unknown }
  const rest = plain(body.base)
  return { kind: 'silks', silks: { body, sleeves: sleeves ?? rest, cap: cap ?? rest } }
}

/** Patterns whose two colours are equal partners. */
const EQUAL: readonly Pattern[] = ['check', 'halved', 'quartered']

/** `noun` is empty for the body. */
function partText({ base, pattern, colour }: PartColours, noun: string): string {
  if (pattern === null) return `${base}${noun}`
  return EQUAL.includes(pattern)
    ? `${base} and ${colour} ${pattern}${noun}`
    : `${base}${noun}, ${colour} ${pattern}`
}

/** The text that `readSilks` reads as these silks. */
export function silksText({ body, sleeves, cap }: Silks): string {
  const isPlain = ({ base, pattern }: PartColours): boolean => pattern === null && base === body.base
  const text = [
    partText(body, ''),
    ...(isPlain(sleeves) ? [] : [partText(sleeves, ' sleeves')]),
    ...(isPlain(cap) ? [] : [partText(cap, ' cap')]),
  ].join(', ')
  return `${text[0]!.toUpperCase()}${text.slice(1)}`
}
