import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { flag, raceId } from './fields.ts'

export const raceSubscribe = endpoint('customer', 'GET /race/api/raceSubscribe', {
  summary:
    'Subscribes to a race: a daily voucher first, then a no-expiry one; VIP spends none. A race without a prediction is refused to members (not-predicted)',
  query: z.object({ raceId, account: z.string().max(64).optional() }),
  result: z.strictObject({
    raceId,
    paidWith: z.enum(['daily', 'no_expiry', 'vip']),
    everyDayFreeNum: z.number().int(),
    subscribeFreeNum: z.number().int(),
  }),
})

export const subscribeCheck = endpoint('customer', 'GET /sys/api/subscribeCheck', {
  summary: '1 when the customer subscribed to the race, else 0',
  query: z.object({ goodsId: raceId, account: z.string().max(64).optional() }),
  result: flag,
})
