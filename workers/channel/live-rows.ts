import type { LiveRow } from '../../analytics/engine-api.ts'
import { number, text } from '../../analytics/sql.ts'
import { FurlongError } from '../../domain/errors.ts'
import { isInstant, isListOf, isMatch, isNumberWithin, isObjectOf, isOneOf, isWholeNumber } from './guards.ts'
import type { Guard } from './guards.ts'

const MAX_ROWS = 5000

const isCount: Guard = (value) => isWholeNumber(value) && isNumberWithin(1, 99)(value)
const row = {
  raceId: isMatch(/^[A-Z]{5}\d{10}$/),
  at: isInstant,
  horseNumber: isCount,
}
const KINDS: readonly Guard[] = [
  isObjectOf(
    { kind: isOneOf(['odds']), ...row, odds: isNumberWithin(Number.MIN_VALUE, Number.MAX_VALUE) },
    true,
  ),
  isObjectOf({ kind: isOneOf(['result']), ...row, place: isCount }, true),
  isObjectOf({ kind: isOneOf(['tip']), ...row, rank: isCount, probability: isNumberWithin(0, 1) }, true),
]
const areLiveRows = isListOf((value) => KINDS.some((isKind) => isKind(value)), MAX_ROWS)

/** Rows that the socket delivered, as the page posted them. Throws `bad-parameters` if one is not a live row. */
export function checkLiveRows(value: unknown): readonly LiveRow[] {
  if (!areLiveRows(value)) throw new FurlongError('bad-parameters', { reason: 'live rows' })
  return value as readonly LiveRow[]
}

const VALUE = {
  odds: (news: Extract<LiveRow, { kind: 'odds' }>) => number(news.odds),
  result: (news: Extract<LiveRow, { kind: 'result' }>) => number(news.place),
  tip: (news: Extract<LiveRow, { kind: 'tip' }>) => `${number(news.rank)}, ${number(news.probability)}`,
}

/** Statements that write live rows, one INSERT per kind. */
export function liveStatements(rows: readonly LiveRow[]): string[] {
  return (['odds', 'result', 'tip'] as const).flatMap((kind) => {
    const values = rows
      .filter((each) => each.kind === kind)
      .map((each) => {
        const value = VALUE[kind](each as never)
        return `(${text(each.raceId)}, ${text(each.at)}::TIMESTAMP, ${number(each.horseNumber)}, ${value})`
      })
    return values.length === 0 ? [] : [`INSERT OR REPLACE INTO live_${kind} VALUES ${values.join(', ')}`]
  })
}
