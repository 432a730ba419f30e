/** Hong Kong has UTC+8 all year; business days and months are counted in Hong Kong time. */
const HONG_KONG_OFFSET_MS = 8 * 3_600_000
const DAY_MS = 86_400_000

/** Customer types: decisions section 3. The type remains when VIP ends, so use `isVipAt` to test for VIP. */
export const CUSTOMER_TYPES = { regular: 1, monthly: 2, quarterly: 3, halfYear: 4, yearly: 5 } as const

/** Business day of an instant, `yyyy-mm-dd` in Hong Kong. */
export function businessDay(instant: Date): string {
  return new Date(instant.getTime() + HONG_KONG_OFFSET_MS).toISOString().slice(0, 10)
}

/** `date` (`yyyy-mm-dd`) moved by whole months; a day that the month lacks becomes its last day. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 + months, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(day, last))
  return first.toISOString().slice(0, 10)
}

/** An instant moved by whole months of Hong Kong's calendar, at the same time of day. */
export function addMonthsToInstant(instant: Date, months: number): Date {
  const local = instant.getTime() + HONG_KONG_OFFSET_MS
  const timeOfDay = ((local % DAY_MS) + DAY_MS) % DAY_MS
  const day = addMonths(businessDay(instant), months)
  return new Date(Date.parse(`${day}T00:00:00Z`) + timeOfDay - HONG_KONG_OFFSET_MS)
}

/**
 * Start and end of VIP bought now: from now or the current end, whichever is later, by
 * months (decisions section 6).
 */
export function extendVip(now: Date, presentEnd: Date | null, months: number): { start: Date; end: Date } {
  const start = presentEnd !== null && presentEnd > now ? presentEnd : now
  return { start, end: addMonthsToInstant(start, months) }
}

/** VIP depends only on its end date, never on the customer type. */
export function isVipAt(now: Date, vipEnd: Date | string | null): boolean {
  return vipEnd !== null && new Date(vipEnd) > now
}
