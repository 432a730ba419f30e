import type { Database } from '../../server/db/database.ts'
import { insertToken } from '../../server/store/accounts/token-store.ts'
import { randomToken, tokenHash } from '../../server/db/keys.ts'

/** Signs a customer in once more, at a given time. */
export async function newTokenOf(database: Database, customerId: string, at: Date): Promise<string> {
  const token = randomToken()
  await insertToken(database, tokenHash(token), customerId, at)
  return token
}

/**
 * Balances that differ from the sum of their ledger rows, and rows that do not form a chain: from zero to the balance,
 * the value after each row must be the value before another.
 */
export async function ledgerFaults(database: Database): Promise<object[]> {
  return database.rows(
    `with sums as (select customer_id, day, sum(amount) as total from voucher_ledger group by 1, 2)
     select w.customer_id, null as day, w.balance, s.total from voucher_wallet w
       left join sums s on s.customer_id = w.customer_id and s.day is null where w.balance <> coalesce(s.total, 0)
     union all
     select d.customer_id, d.day::text, d.balance, s.total from daily_voucher d
       left join sums s on s.customer_id = d.customer_id and s.day = d.day where d.balance <> coalesce(s.total, 0)
     union all
     select customer_id, 'chain', value, sum(step) from (
       select customer_id, day, balance_after as value, 1 as step from voucher_ledger
       union all select customer_id, day, balance_before, -1 from voucher_ledger
       union all select customer_id, null, balance, -1 from voucher_wallet
       union all select customer_id, day, balance, -1 from daily_voucher
       union all select customer_id, null, 0, 1 from voucher_wallet
       union all select customer_id, day, 0, 1 from daily_voucher) steps
     group by customer_id, day, value having sum(step) <> 0`,
  )
}
