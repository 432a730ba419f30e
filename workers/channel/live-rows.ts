import { z } from 'zod'
import { number, text } from '../../analytics/sql.ts'

const row = {
  raceId: z.string().regex(/^[A-Z]{5}\d{10}$/),
  at: z.iso.datetime(),
  horseNumber: z.number().int().min(1).max(99),
}

/** Validates live rows posted to the worker. */
export const LiveRows = z
  .array(
    z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('odds'), ...row, odds: z.number().positive() }),
      z.strictObject({ kind: z.literal('result'), ...row, place: z.number().int().min(1).max(99) }),
      z.strictObject({
        kind: z.literal('tip'),
        ...row,
        rank: z.number().int().min(1).max(99),
        probability: z.number().min(0).max(1),
      }),
    ]),
  )
  .max(5000)
type Rows = z.output<typeof LiveRows>

const VALUE = {
  odds: (news: Extract<Rows[number], { kind: 'odds' }>) => number(news.odds),
  result: (news: Extract<Rows[number], { kind: 'result' }>) => number(news.place),
  tip: (news: Extract<Rows[number], { kind: 'tip' }>) => `${number(news.rank)}, ${number(news.probability)}`,
}

/** Statements that write live rows, one INSERT per kind. */
export function liveStatements(rows: Rows): string[] {
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
