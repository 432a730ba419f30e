import { addDays, seasonOf } from '../../domain/region.ts'
import type { Filter } from '../filter.ts'

/** What a question's words about time refer to. */
export interface Calendar {
  /** The region's day, `yyyy-mm-dd`. */
  today: string
  /** Month in which its seasons begin. */
  seasonStartMonth: number
}

/** Days, or a condition on a season or month; several for a year that may be a season or a calendar year. */
export type Time = { days: { from?: string; to?: string } } | { clause: Filter }

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
/** Years that racing data may have; the distance 2000 is none. */
const YEAR = '(200[5-9]|20[1-9]\\d)'
const SEASON = `(20\\d\\d|\\d\\d) [/-] (\\d\\d|20\\d\\d)`
const COUNT = '(\\d+|[一二三四五六七八九十两])'
const HAN_DIGITS = '零一二三四五六七八九十'

/**
 * A number of digits or of Chinese numerals up to 99.
 *
 * ```ts
 * numeral('十四') // => 14
 * numeral('12.5') // => 12.5
 * ```
 */
export function numeral(text: string): number {
  if (/^[\d.]/.test(text)) return Number(text)
  const plain = text.replaceAll(' ', '').replaceAll('两', '二')
  const [tens, ones] = plain.includes('十') ? plain.split('十') : ['', plain]
  const digit = (of: string | undefined, none: number): number => (of ? HAN_DIGITS.indexOf(of) : none)
  return plain.includes('十') ? digit(tens, 1) * 10 + digit(ones, 0) : digit(ones, 0)
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')
const monthIndex = (name: string): string => twoDigits(MONTHS.indexOf(name.slice(0, 3)) + 1)
const seasons = (from: number, to?: number): Time => ({
  clause: {
    dim: 'season',
    ...(from === to ? { in: [from] } : { from, ...(to === undefined ? {} : { to }) }),
  } as Filter,
})
const years = (from: string | undefined, to?: string): Time => ({
  days: { ...(from ? { from: `${from}-01-01` } : {}), ...(to ? { to: `${to}-12-31` } : {}) },
})
const month = (year: string | number, number: string): Time => ({
  clause: { dim: 'month', in: [`${year}-${number}`] },
})

/** The first year of a season written `2022/23`; `null` where the second does not follow it. */
function seasonIn(first: string, second: string): number | null {
  const year = Number(first.length === 2 ? `20${first}` : first)
  return (year + 1) % 100 === Number(second) % 100 ? year : null
}

function monthsBack(today: string, count: number): string {
  const [year = 0, of = 1, day = 1] = today.split('-').map(Number)
  const at = year * 12 + of - 1 - count
  const last = new Date(Date.UTC(Math.floor(at / 12), (at % 12) + 1, 0)).getUTCDate()
  return addDays(`${Math.floor(at / 12)}-${twoDigits((at % 12) + 1)}-${twoDigits(Math.min(day, last))}`, 1)
}

function lastSpan(count: number, unit: string, { today }: Calendar): Time {
  if (/^(?:day|日|天)/.test(unit)) return { days: { from: addDays(today, 1 - count) } }
  if (/^(?:week|周|星)/.test(unit)) return { days: { from: addDays(today, 1 - 7 * count) } }
  return { days: { from: monthsBack(today, /^(?:year|年)/.test(unit) ? 12 * count : count) } }
}

type Rule = readonly [
  pattern: string,
  read: (groups: readonly (string | undefined)[], calendar: Calendar) => Time | readonly Time[] | null,
]

const SEASON_WORD = '(?:seasons?|(?:个 )?(?:马 季|赛 季|季))'
const thisSeason = ({ today, seasonStartMonth }: Calendar): number => seasonOf({ seasonStartMonth }, today)

const seasonRules: readonly Rule[] = [
  [
    '(?:this|current|the current) season|今 (?:个 )?(?:马 )?季|本 (?:个 )?(?:马 季|赛 季|季)|今 (?:个 )?赛 季',
    (_, at) => seasons(thisSeason(at), thisSeason(at)),
  ],
  [
    '(?:last|previous) season|上 (?:个 |一 |一 个 )?(?:马 季|赛 季|季)|去 季',
    (_, at) => seasons(thisSeason(at) - 1, thisSeason(at) - 1),
  ],
  [
    `(?:last|past|the last|the past) ${COUNT} seasons|(?:最 近|近|过 去) ${COUNT} (?:个 )?(?:马 季|赛 季|季)`,
    ([a, b], at) => seasons(thisSeason(at) - numeral((a ?? b)!) + 1, thisSeason(at)),
  ],
  [
    `(?:seasons? )?${SEASON} (?:-|to|至|到) ${SEASON}(?: ${SEASON_WORD})?`,
    ([a, b, c, d]) => between(seasonIn(a!, b!), seasonIn(c!, d!)),
  ],
  [
    `(?:since|from|自|由|从) (?:season )?${SEASON}(?: ${SEASON_WORD})?(?: (?:onwards?|起|开 始|以 来))?`,
    ([a, b]) => openSeason(seasonIn(a!, b!)),
  ],
  [`${SEASON}(?: ${SEASON_WORD})? (?:onwards?|起|开 始|以 来)`, ([a, b]) => openSeason(seasonIn(a!, b!))],
  [`(?:season )?${SEASON}(?: ${SEASON_WORD})?`, ([a, b]) => between(seasonIn(a!, b!), seasonIn(a!, b!))],
  [
    `season ${YEAR}|${YEAR} season|${YEAR} (?:年 )?(?:马 季|赛 季)`,
    ([a, b, c]) => seasons(Number(a ?? b ?? c), Number(a ?? b ?? c)),
  ],
]

const between = (from: number | null, to: number | null): Time | null =>
  from === null || to === null || to < from ? null : seasons(from, to)
const openSeason = (from: number | null): Time | null => (from === null ? null : seasons(from))

const dayRules: readonly Rule[] = [
  [`${YEAR} (?:-|年|/) (\\d{1,2}) (?:-|月|/) (\\d{1,2})(?: [日号])?`, ([y, m, d]) => dayOf(y!, m!, d!)],
  [
    `(?:since|from|自|由|从) ${YEAR}(?: 年)?(?: (?:onwards?|起|开 始|以 来|以 后|至 今))?(?! (?:-|to|至|到))`,
    ([y]) => years(y),
  ],
  [`${YEAR}(?: 年)? (?:onwards?|起|开 始|以 来|以 后|至 今)`, ([y]) => years(y)],
  [`(?:until|till|up to|through|截 至|直 至|至) ${YEAR}(?: 年)?`, ([y]) => years(undefined, y)],
  [
    `before ${YEAR}|${YEAR} (?:年 )?(?:之 前|以 前|前)`,
    ([a, b]) => years(undefined, String(Number(a ?? b) - 1)),
  ],
  [`after ${YEAR}|${YEAR} (?:年 )?(?:之 后|后)`, ([a, b]) => years(String(Number(a ?? b) + 1))],
  [
    `(?:between |from |由 )?${YEAR}(?: 年)? (?:-|to|and|至|到) ${YEAR}(?: 年)?`,
    ([a, b]) => (a! <= b! ? years(a, b) : null),
  ],
]

const monthRules: readonly Rule[] = [
  [`${MONTH} ${YEAR}|${YEAR} ${MONTH}`, ([a, b, c, d]) => month((b ?? c)!, monthIndex((a ?? d)!))],
  [
    `${YEAR} (?:-|年) (0?[1-9]|1[0-2]|[一二三四五六七八九十]|十 [一二])(?: 月(?: 份)?)`,
    ([y, m]) => month(y!, twoDigits(numeral(m!))),
  ],
  [`${YEAR} - (0[1-9]|1[0-2])(?! [-\\d])`, ([y, m]) => month(y!, m!)],
  ['this month|本 月|今 个 月|这 个 月', (_, { today }) => month(today.slice(0, 4), today.slice(5, 7))],
  ['(?:last|previous) month|上 (?:个 )?月', (_, { today }) => monthBefore(today)],
  [`${MONTH}(?! \\d)`, ([name]) => ({ clause: { dim: 'calendar_month', in: [Number(monthIndex(name!))] } })],
  [
    '(1[0-2]|[1-9]|十 [一二]|[一二三四五六七八九十]) 月(?: 份)?',
    ([m]) => ({ clause: { dim: 'calendar_month', in: [numeral(m!)] } }),
  ],
]

const spanRules: readonly Rule[] = [
  [
    `(?:the )?(?:last|past) ${COUNT} (days?|weeks?|months?|years?)`,
    ([n, unit], at) => lastSpan(numeral(n!), unit!, at),
  ],
  [
    `(?:最 近|近|过 去) ${COUNT} (?:个 )?(日|天|周|星 期|月|年)`,
    ([n, unit], at) => lastSpan(numeral(n!), unit!, at),
  ],
  ['this year|今 年|本 年', (_, { today }) => years(today.slice(0, 4), today.slice(0, 4))],
  [
    '(?:last|previous) year|去 年|上 年',
    (_, { today }) => years(String(Number(today.slice(0, 4)) - 1), String(Number(today.slice(0, 4)) - 1)),
  ],
  [`in ${YEAR}|${YEAR} 年`, ([a, b]) => years(a ?? b, a ?? b)],
  [YEAR, ([y], at) => bareYear(y!, at)],
]

/** A year alone is the calendar year, or the season that begins in it. */
const bareYear = (year: string, { seasonStartMonth }: Calendar): readonly Time[] =>
  seasonStartMonth === 1
    ? [seasons(Number(year), Number(year))]
    : [years(year, year), seasons(Number(year), Number(year))]

function dayOf(year: string, of: string, day: string): Time | null {
  const date = `${year}-${twoDigits(Number(of))}-${twoDigits(Number(day))}`
  return Number.isNaN(Date.parse(date)) ? null : { days: { from: date, to: date } }
}

function monthBefore(today: string): Time {
  const [year = 0, of = 1] = today.split('-').map(Number)
  return of === 1 ? month(year - 1, '12') : month(year, twoDigits(of - 1))
}

const RULES = [
  ...dayRules.slice(0, 1),
  ...seasonRules,
  ...monthRules,
  ...dayRules.slice(1),
  ...spanRules,
].map(([pattern, read]) => ({ pattern: new RegExp(`^(?:${pattern})(?![^ ])`, 'u'), read }))

/** The words about time at the beginning of units joined by spaces: how many units, and what they may mean. */
export function readTime(text: string, calendar: Calendar): { units: number; times: readonly Time[] } | null {
  for (const { pattern, read } of RULES) {
    const match = pattern.exec(text)
    const found = match ? read(match.slice(1), calendar) : null
    if (match && found)
      return { units: match[0].split(' ').length, times: Array.isArray(found) ? found : [found as Time] }
  }
  return null
}
