import { addMonths } from './membership.ts'
import { addDays } from './region.ts'

const FEE_PERCENT = 30

/** A provider's fee for a payment: 30%, half a cent rounded up (decisions section 7). Both in cents. */
export function promotionFeeCents(paidCents: number): number {
  return Math.floor((paidCents * FEE_PERCENT + 50) / 100)
}

export interface Instalment {
  /** Starts at 1. */
  number: number
  cents: number
  /** Business day from which it counts as settled, `yyyy-mm-dd`. */
  settlesOn: string
}

/**
 * A fee in equal monthly instalments, the remaining cents on the last; instalment k settles on the day after
 * k months from the start of VIP. The instalments always add up to the fee.
 */
export function instalmentsOf(feeCents: number, months: number, openedOn: string): Instalment[] {
  const each = Math.floor(feeCents / months)
  return Array.from({ length: months }, (_, index) => ({
    number: index + 1,
    cents: index === months - 1 ? feeCents - each * (months - 1) : each,
    settlesOn: addDays(addMonths(openedOn, index + 1), 1),
  }))
}
