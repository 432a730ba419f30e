import { setTimeout as pause } from 'node:timers/promises'
import { allOf, type Filter } from '../../analytics/filter.ts'
import { ANALYTICS_PATH } from '../../contract/api/analytics.ts'
import { addDays } from '../../domain/region.ts'

/** Floods of questions against a server with dataset files of Hong Kong, and what others notice of them. */

const REGION = '100000'
const of = (...filters: Filter[]): Filter =>
  allOf({ dim: 'model', in: ['market-baseline'] }, { dim: 'origin', in: ['backtest'] }, ...filters)!

/** Ten figures that visitors may see; with intervals there are 15. */
const PUBLIC_FIGURES = [
  'predictions',
  'hits',
  'voids',
  'unknown',
  'unknown_hits',
  'staked',
  'profit',
  'hit_rate',
  'return',
  'impact',
]

/** Groups of visitors' figures, each panel of its own period, so that no two questions have one answer. */
export const panelsOf = (count: number, index: number, figures = PUBLIC_FIGURES): object => ({
  linked: {
    model: 'predictions',
    measures: figures,
    panels: Array.from({ length: count }, (_, panel) => ({
      by: ['month'],
      where: of({ dim: 'day', from: addDays('2015-09-01', index), to: addDays('2090-01-01', panel) }),
    })),
    intervals: true,
  },
})

/** Everything of every horse on every day: seconds of work on ten seasons. */
export const heavyOf = (index: number): object => ({
  linked: {
    model: 'predictions',
    measures: ['races', 'meetings', 'log_loss', 'brier', 'ae', 'r2'],
    panels: Array.from({ length: 48 }, (_, panel) => ({
      by: ['horse', 'month'],
      where: of({ dim: 'distance', from: panel }, { dim: 'day', from: addDays('2015-09-01', index) }),
    })),
    intervals: true,
  },
})

/** A simple question of a VIP, on the rows. */
const simpleOf = (index: number): object => ({
  aggregate: {
    model: 'predictions',
    by: ['going'],
    measures: ['predictions', 'hits', 'profit'],
    where: of({ dim: 'distance', from: 1000 + index }),
  },
})

/** A simple question of a visitor, on daily totals. */
const publicOf = (index: number): object => ({
  aggregate: {
    model: 'predictions',
    by: ['season'],
    measures: ['predictions', 'hits', 'profit'],
    where: of({ dim: 'day', from: addDays('2015-09-01', index) }),
  },
})

export interface Flood {
  name: string
  /** The largest question that is asked, by its number. */
  question: (index: number) => object
  /** Questions that are asked at the same time, and asked again as soon as they are answered. */
  inAir: number
  /** The sender of a question by its number: an address, or a token. */
  from: (index: number) => { address?: string; token?: string }
}

/** Of each question of somebody else, from asking to its answer. */
interface Waits {
  milliseconds: number[]
  /** Questions of the flood that were answered meanwhile: it does not depend on how fast the machine is. */
  answered: number[]
}

export interface Noticed {
  /** Answers of the flood by status. */
  flood: Record<number, number>
  vip: Waits
  visitor: Waits
  /** Statuses other than 200 that others got. */
  refused: number[]
}

/** The value that 95 of 100 do not exceed. */
export const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1]!

let asked = 0

/** Asks simple questions, of a VIP and of a visitor from another network, while a flood goes on. */
export async function underFlood(
  base: string,
  flood: Flood,
  { vip, seconds }: { vip: string; seconds: number },
): Promise<Noticed> {
  const waits = (): Waits => ({ milliseconds: [], answered: [] })
  const noticed: Noticed = { flood: {}, vip: waits(), visitor: waits(), refused: [] }
  const stop = new AbortController()
  const ask = async (
    request: object,
    { address, token }: { address?: string; token?: string },
    signal: AbortSignal | null = null,
  ): Promise<number> => {
    const response = await fetch(new URL(ANALYTICS_PATH, base), {
      method: 'POST',
      signal,
      headers: {
        'content-type': 'application/json',
        ...(address === undefined ? {} : { 'x-forwarded-for': address }),
        ...(token === undefined ? {} : { 'x-access-token': token }),
      },
      body: JSON.stringify({ regionId: REGION, request }),
    })
    await response.arrayBuffer()
    return response.status
  }
  const sender = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      asked += 1
      const status = await ask(flood.question(asked), flood.from(asked), stop.signal).catch(() => 0)
      if (status === 0) continue
      noticed.flood[status] = (noticed.flood[status] ?? 0) + 1
      // Refusals come at once: as fast as the limit of requests a minute lets one address ask.
      if (status !== 200) await pause(1200)
    }
  }
  const senders = Array.from({ length: flood.inAir }, sender)
  const reader = async (
    question: (index: number) => object,
    who: { address?: string; token?: string },
    { milliseconds, answered }: Waits,
  ): Promise<void> => {
    await pause(500)
    while (!stop.signal.aborted) {
      asked += 1
      const started = performance.now()
      const before = noticed.flood[200] ?? 0
      const status = await ask(question(asked), who)
      milliseconds.push(performance.now() - started)
      answered.push((noticed.flood[200] ?? 0) - before)
      if (status !== 200) noticed.refused.push(status)
      await pause(50)
    }
  }
  const readers = [
    reader(simpleOf, { token: vip, address: '192.0.2.1' }, noticed.vip),
    reader(publicOf, { address: '198.51.100.7' }, noticed.visitor),
  ]
  await pause(seconds * 1000)
  stop.abort()
  await Promise.all([...senders, ...readers])
  return noticed
}
