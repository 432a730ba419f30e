import { numeral } from './times.ts'

/** Numbers as a question writes them: a list, or a range whose ends count unless `over` or `under` says otherwise. */
export interface Numbers {
  /** How many units they take. */
  units: number
  values?: readonly number[]
  from?: number
  to?: number
  /** The end is not a part of the range: `over 20`. */
  isOpen?: true
  /** The range is said in words such as `or above`: of a class, whose first is the best, they mean better ones. */
  isInWords?: true
  /** A number with a sign or in per cent, which are shares of 1. */
  isPercent: boolean
}

const NUMBER =
  '([-+]? ?\\d+(?:\\.\\d+)?|[一二三四五六七八九](?: 十(?: [一二三四五六七八九])?)?|十(?: [一二三四五六七八九])?|两)'
/** A unit may be said with both numbers of a range, `1000m to 1200m`; only the last one counts. */
const UNIT = '(?: (?:m|metres?|meters?|lbs?|days?|%|米|档|磅|班|分|日|天|倍|岁|号|场|匹))?'
const OF = `${NUMBER}(?: (%))?`
const ONE = `${NUMBER}${UNIT}`

const RULES: readonly (readonly [RegExp, 'range' | 'over' | 'atLeast' | 'under' | 'atMost' | 'list'])[] = [
  [`(?:between |from |介 乎 |介 于 |由 |从 )?${ONE} (?:-|~|to|至|到) ${OF}(?: 之 间)?`, 'range'],
  [`(?:between |介 乎 |介 于 )${ONE} (?:and|与|和|及) ${OF}(?: 之 间)?`, 'range'],
  [
    `(?:over|above|more than|longer than|greater than|higher than|exceeding|>|高 于|超 过|多 于|大 于|长 于|重 于) ${OF}`,
    'over',
  ],
  [
    `(?:at least|min|minimum|no less than|from|>=|≥|至 少|最 少|不 少 于|不 低 于|由) ${OF}(?: (?:up|起))?`,
    'atLeast',
  ],
  [
    `(?:under|below|less than|fewer than|shorter than|lower than|<|低 于|少 于|小 于|短 于|轻 于|不 足) ${OF}`,
    'under',
  ],
  [`(?:at most|max|maximum|up to|no more than|<=|≤|最 多|至 多|不 超 过|不 多 于|不 高 于) ${OF}`, 'atMost'],
].map(([pattern, kind]) => [new RegExp(`^(?:${pattern})(?![^ ])`, 'u'), kind] as const) as never

/** After a number, its unit included. */
const AFTER: readonly (readonly [RegExp, 'atLeast' | 'atMost'])[] = [
  [
    /^(?:\+|or more|or above|or over|or longer|or higher|and over|and above|and up|up|plus|或 以 上|及 以 上|以 上|起)(?![^ ])/u,
    'atLeast',
  ],
  [
    /^(?:or less|or fewer|or below|or under|or shorter|or lower|and under|and below|或 以 下|及 以 下|以 下|以 内)(?![^ ])/u,
    'atMost',
  ],
]

const LIST = new RegExp(`^${NUMBER}((?: (?:,|/|or|and|或|和|及|与) ${NUMBER})*)(?: (%))?(?![^ ])`, 'u')
const unitsIn = (text: string): number => text.trim().split(' ').length
const read = (text: string): number => {
  const plain = text.trim()
  return plain.startsWith('-') ? -numeral(plain.slice(1).trim()) : numeral(plain.replace(/^\+ ?/, ''))
}

/** Numbers at the beginning of units joined by spaces; `null` if it is none. */
export function readNumbers(text: string): Numbers | null {
  for (const [pattern, kind] of RULES) {
    const match = pattern.exec(text)
    if (match) return compared(match, kind)
  }
  const list = LIST.exec(text)
  if (list === null) return null
  const all = [list[1]!, ...[...list[2]!.matchAll(new RegExp(NUMBER, 'gu'))].map(([each]) => each)]
  return {
    units: unitsIn(list[0]),
    values: all.map(read),
    isPercent: list.at(-1) === '%',
  }
}

function compared(match: RegExpExecArray, kind: string): Numbers {
  const units = unitsIn(match[0])
  const groups = match.slice(1)
  const isPercent = groups.includes('%')
  const [first = 0, second = 0] = groups
    .filter((each) => each !== undefined && each !== '%')
    .map((each) => read(each))
  const common = { units, isPercent }
  if (kind === 'range') return { ...common, from: Math.min(first, second), to: Math.max(first, second) }
  const words = /^[<>]/.test(match[0]) ? {} : { isInWords: true as const }
  if (kind === 'over') return { ...common, ...words, from: first, isOpen: true }
  if (kind === 'under') return { ...common, ...words, to: first, isOpen: true }
  return kind === 'atLeast' ? { ...common, from: first } : { ...common, to: first }
}

/** What makes a number the end of a range: how many units it takes, and which end. */
export interface Bound {
  units: number
  kind: 'atLeast' | 'atMost'
  isInWords: boolean
}

/** What follows a number and makes it the end of a range. */
export function readBound(text: string): Bound | null {
  for (const [pattern, kind] of AFTER) {
    const match = pattern.exec(text)
    if (match) return { units: unitsIn(match[0]), kind, isInWords: !/^(?:\+|plus)$/.test(match[0]) }
  }
  return null
}
