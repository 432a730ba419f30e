import { loadavg } from 'node:os'
import { heavyOf, p95, panelsOf, underFlood, type Flood } from '../tests/support/analytics-flood.ts'
import { serveData } from './serve-data.ts'

/** Panels of a question that is let through, and of one that is not. */
const LARGEST = 15
const TOO_LARGE = 48

const ADDRESS = { address: '203.0.113.9' }

const floodsOf = (vip: string): Flood[] => [
  { name: 'none', question: () => ({}), inAir: 0, from: () => ADDRESS },
  { name: 'too large', question: (index) => panelsOf(TOO_LARGE, index), inAir: 60, from: () => ADDRESS },
  { name: 'one address', question: (index) => panelsOf(LARGEST, index), inAir: 60, from: () => ADDRESS },
  {
    name: 'one network',
    question: (index) => panelsOf(LARGEST, index),
    inAir: 60,
    from: (index) => ({ address: `203.0.113.${1 + (index % 250)}` }),
  },
  {
    name: 'many networks',
    question: (index) => panelsOf(LARGEST, index),
    inAir: 60,
    from: (index) => ({ address: `10.${index % 200}.7.1` }),
  },
  { name: 'slow ones of a VIP', question: heavyOf, inAir: 30, from: () => ({ token: vip }) },
]

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Milliseconds of simple questions, of a VIP and of a visitor, under floods of others' questions. */
export async function benchFlood(dataFolder: string, seconds: number) {
  const served = await serveData(dataFolder, { FURLONG_TRUST_PROXY: 'loopback' })
  const lines: Record<string, object> = {}
  try {
    const none = floodsOf(served.token)[0]!
    // The files of the questions' model are opened meanwhile.
    await underFlood(served.baseUrl, none, { vip: served.token, seconds: 10 })
    for (const flood of floodsOf(await served.newVip())) {
      const { vip, visitor, ...noticed } = await underFlood(served.baseUrl, flood, {
        vip: served.token,
        seconds,
      })
      lines[flood.name] = {
        vipMedian: median(vip.milliseconds),
        vipP95: p95(vip.milliseconds),
        vipAnswered: p95(vip.answered),
        vips: vip.milliseconds.length,
        visitorP95: p95(visitor.milliseconds),
        visitorAnswered: p95(visitor.answered),
        load: loadavg()[0],
        ...noticed,
      }
    }
  } finally {
    await served.close()
  }
  return lines
}
