import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { randomToken, tokenHash } from '../server/db/keys.ts'
import { openDatabase } from '../server/db/open.ts'
import { buyPlanAt } from '../server/demo/demo-accounts.ts'
import { readSettings } from '../server/process/env.ts'
import { assemble } from '../server/serving/assemble.ts'
import { storeCard } from '../server/services/promotion.ts'
import { insertToken } from '../server/store/accounts/token-store.ts'
import { seedCustomer } from '../tests/support/seed-customer.ts'
import { startServerProcess, WITHOUT_WORKER } from '../tests/support/server-process.ts'

const SITE = fileURLToPath(new URL('../dist/site', import.meta.url))
/** The region whose screens are looked at and measured. */
export const REGION = '100000'
const DAY_MS = 86_400_000
/** How long ago the provider's customer bought, so that a part of the fee can be withdrawn. */
const BOUGHT_DAYS = 130
const TEST_CARD = '4242424242424242'

export type SignedInRole = 'VIP' | 'member' | 'provider'

export interface ServedSite {
  /** With a trailing slash. */
  baseUrl: string
  tokens: Readonly<Record<SignedInRole, string>>
  close(): Promise<void>
}

/**
 * The server as `npm start` runs it, with somebody of each role: on a new data folder with the demonstration season, or on
 * a copy of `data`, a folder with an operator's own seasons in the embedded database. The site must be built.
 */
export async function startSite(data: string | null): Promise<ServedSite> {
  const folder = mkdtempSync(join(tmpdir(), 'furlong-site-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const seeded = data === null ? null : await copyWithAccounts(data, folder)
    const server = await startServerProcess(
      { FURLONG_DATA: folder, ...(data === null ? {} : WITHOUT_WORKER) },
      /^ready$/m,
      ['--site', SITE],
    )
    const close = async (): Promise<void> => {
      await server.stop()
      remove()
    }
    const baseUrl = server.base.replace(/\/?$/, '/')
    try {
      return { baseUrl, tokens: seeded ?? (await demonstrationTokens(server.printed(), baseUrl)), close }
    } catch (error) {
      await close()
      throw error
    }
  } catch (error) {
    remove()
    throw error
  }
}

/** Copies a data folder to `to`, and adds a member, a VIP and a provider with a customer to the copy. */
async function copyWithAccounts(from: string, to: string): Promise<ServedSite['tokens']> {
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.lock') })
  const database = await openDatabase({ dataFolder: to, databaseUrl: undefined })
  const context = assemble(readSettings({ FURLONG_DATA: to }), database, null)
  try {
    const { service } = context
    const now = new Date()
    const bought = new Date(now.getTime() - BOUGHT_DAYS * DAY_MS)
    const member = await seedCustomer(database)
    const vip = await seedCustomer(database)
    await buyPlanAt(service, vip.id, '4', now)
    const provider = await seedCustomer(database, { provider: true, at: bought })
    const customer = await seedCustomer(database, { providerId: provider.id, at: bought })
    await buyPlanAt(service, customer.id, '4', bought)
    await storeCard(service, provider.id, { name: 'Provider', bank: 'A bank', cardNumber: TEST_CARD })
    // The provider's own token ended long ago.
    const providerToken = randomToken()
    await database.transaction((queries) => insertToken(queries, tokenHash(providerToken), provider.id, now))
    return { member: member.token, VIP: vip.token, provider: providerToken }
  } finally {
    await context.settled()
    await database.close()
  }
}

/** Signs in with the links that a demonstration prints; each works once. */
async function demonstrationTokens(printed: string, baseUrl: string): Promise<ServedSite['tokens']> {
  const tokens: Partial<Record<string, string>> = {}
  for (const [, role, code] of printed.matchAll(/as its (\w+): http\S+link=(\S+)/g)) {
    const answer = await fetch(new URL('sys/api/linkSignIn', baseUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    })
    tokens[role!] = ((await answer.json()) as { result: { token: string } }).result.token
  }
  const { VIP, member, provider } = tokens
  if (!VIP || !member || !provider) throw new Error(`no links in what the server printed:\n${printed}`)
  return { VIP, member, provider }
}

/** Ids that addresses of screens need; `coming` is `null` between meetings. */
export interface Places {
  race: string
  coming: string | null
  horse: string
  other: string
}

export async function placesOf(baseUrl: string): Promise<Places> {
  const today = new Date().toISOString().slice(0, 10)
  const ask = async <Result>(path: string): Promise<Result> =>
    ((await (await fetch(new URL(path, baseUrl))).json()) as { result: Result }).result
  const [coming] = await ask<{ id: string }[]>(`race/api/queryRace?countryRegionId=${REGION}&today=${today}`)
  const races = await ask<{ id: string; status: string }[]>(
    `race/api/queryRacePageDesc?countryRegionId=${REGION}&today=${today}&pageNo=1&pageSize=100`,
  )
  const { records } = await ask<{ records: { id: string }[] }>(
    `race/api/queryRaceHorse?countryRegionId=${REGION}`,
  )
  return {
    race: races.find(({ status }) => status === 'final')!.id,
    coming: coming?.id ?? null,
    horse: records[0]!.id,
    other: records[1]!.id,
  }
}

/** An address with its ids; `null` where nothing has such an id now. */
export function addressWith(route: string, places: Places): string | null {
  let address = route
  for (const [name, id] of Object.entries(places)) {
    if (!address.includes(`{${name}}`)) continue
    if (id === null) return null
    address = address.replace(`{${name}}`, id)
  }
  return address
}
