import { randomInt } from 'node:crypto'
import { randomToken, tokenHash } from '../../server/db/keys.ts'
import { hashPassword } from '../../server/services/passwords.ts'
import { insertCustomer } from '../../server/store/accounts/customer-store.ts'
import type { Database } from '../../server/db/database.ts'
import { newId } from '../../server/db/id.ts'
import { makeProvider } from '../../server/store/accounts/promotion-store.ts'
import { insertToken } from '../../server/store/accounts/token-store.ts'
import { openWallet } from '../../server/store/accounts/voucher-store.ts'

export interface Seeded {
  id: string
  account: string
  token: string
}

/** The password of every seeded customer. */
export const SEED_PASSWORD = 'grazing-9-horses'
let seedHash: Promise<string> | null = null

/**
 * Creates a signed-in customer with the rows that registration writes, without a code and with one shared password
 * hash.
 */
export async function seedCustomer(
  database: Database,
  options: { vouchers?: number; providerId?: string; inviterId?: string; provider?: boolean; at?: Date } = {},
): Promise<Seeded> {
  const id = newId()
  const account = `c${id.slice(-10)}`
  const token = randomToken()
  const at = options.at ?? new Date()
  seedHash ??= hashPassword(SEED_PASSWORD, { address: '127.0.0.1' })
  const passwordHash = await seedHash
  await database.transaction(async (queries) => {
    await insertCustomer(
      queries,
      {
        id,
        account,
        phone: `+8526${id.slice(-6)}${randomInt(1000)}`,
        passwordHash,
        nickname: `N${id.slice(-6)}`,
        gender: 0,
        inviterId: options.inviterId ?? options.providerId ?? null,
        providerId: options.providerId ?? null,
        demonstration: false,
      },
      at,
    )
    await openWallet(queries, id, options.vouchers ?? 3, at)
    await insertToken(queries, tokenHash(token), id, at)
    if (options.provider) await makeProvider(queries, id, at)
  })
  return { id, account, token }
}
