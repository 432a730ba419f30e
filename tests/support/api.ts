import { randomBytes, randomInt } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { register, sendCode, type SignedIn } from '../../contract/api/account.ts'
import type { Endpoint, ResultOf } from '../../contract/api/endpoint.ts'
import { RefusalBody } from '../../contract/api/envelope.ts'
import { createOrder } from '../../contract/api/trade.ts'
import { addRoutes, newApp } from '../../server/serving/app.ts'
import { assemble, type Assembled, type Effects } from '../../server/serving/assemble.ts'
import { readSettings } from '../../server/process/env.ts'
import type { SmsMessage } from '../../server/gateways/sms.ts'
import { ensureDemonstration } from '../../server/ingest/demo/demonstration.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { makeKeys } from '../../server/db/keys.ts'
import { dayIn } from '../../domain/region.ts'
import { UNLIMITED } from './server-process.ts'
import type { Database } from '../../server/db/database.ts'
import { copyOf, type Kind, type TestDatabase } from './databases.ts'
import { DEMO_DAY } from './demo-data.ts'

type Refused = z.infer<typeof RefusalBody>
export type Reply<Call extends Endpoint> =
  | { status: number; ok: true; result: ResultOf<Call>; headers: Headers }
  | { status: number; ok: false; refusal: Refused; error: string; headers: Headers }

export interface CallOptions {
  query?: Record<string, string | number>
  params?: Record<string, string>
  body?: unknown
  token?: string | undefined
  language?: string
  /** Client address as reported by the proxy in front. */
  address?: string
  /** The name of the client's device, as the site sends it; by default it has none. */
  device?: string
  headers?: Record<string, string>
}

/** A random address of a private network, so that calls do not share rate limits. */
export const newAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`
/** The name of a new device. */
export const newDevice = (): string => randomBytes(32).toString('base64url')
export const newPhone = (): string => `6${String(randomInt(10_000_000)).padStart(7, '0')}`
export const PASSWORD = 'horse4course'

/** Adds each route that is registered from now on, such as `GET /healthz`, to `routes`. */
export function collectRoutes(app: FastifyInstance, routes: Set<string>): void {
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat())
      if (each !== 'HEAD' && each !== 'OPTIONS') routes.add(`${each} ${url}`)
  })
}

/** The real service over HTTP on its own port; text messages are recorded for the test to read. */
export class TestServer {
  readonly texts: SmsMessage[] = []
  /** The server's clock, which a test can move. */
  time: () => Date
  app!: FastifyInstance
  context!: Assembled
  base = ''
  /** Every registered route, such as `GET /healthz`, except `HEAD` and `OPTIONS`. */
  readonly routes = new Set<string>()

  readonly place: TestDatabase

  private constructor(place: TestDatabase, time: () => Date) {
    this.place = place
    this.time = time
  }

  static async start(
    place: TestDatabase,
    { settings = {}, time = () => new Date(), effects = {}, siteFolder = null }: StartOptions = {},
  ): Promise<TestServer> {
    const server = new TestServer(place, time)
    server.context = assemble(
      readSettings({
        FURLONG_DATA: place.dataFolder,
        FURLONG_TRUST_PROXY: 'loopback',
        ...UNLIMITED,
        ...settings,
      }),
      place.database,
      siteFolder,
      {
        now: () => server.time(),
        // The servers of one test share secrets, like the processes of one installation.
        keys: makeKeys('test secret of thirty-two letters', 'test card key of thirty-two letter'),
        sms: {
          name: 'console',
          send: async (message) => void server.texts.push(message),
        },
        siteUrl: () => server.base,
        ...effects,
      },
    )
    server.app = newApp(server.context)
    collectRoutes(server.app, server.routes)
    await addRoutes(server.app, server.context)
    server.base = await server.app.listen({ host: '127.0.0.1', port: 0 })
    return server
  }

  get database(): TestDatabase['database'] {
    return this.place.database
  }

  async close(): Promise<void> {
    await this.app.close()
    await this.context.settled()
  }

  /** Makes a call and checks its response against the contract. */
  async call<Call extends Endpoint>(endpoint: Call, options: CallOptions = {}): Promise<Reply<Call>> {
    const response = await this.fetch(endpoint, options)
    const { status, headers } = response
    const body = (await response.json()) as { success?: unknown }
    if (status === 200 && body.success === true) {
      const { result } = endpoint.response.parse(body) as { result: ResultOf<Call> }
      return { status, ok: true, result, headers }
    }
    const refusal = RefusalBody.parse(body)
    return { status, ok: false, refusal, error: refusal.result.error, headers }
  }

  /** A call that must succeed. */
  async ask<Call extends Endpoint>(endpoint: Call, options: CallOptions = {}): Promise<ResultOf<Call>> {
    const reply = await this.call(endpoint, options)
    if (!reply.ok)
      throw new Error(`${endpoint.path} answered ${reply.status} ${JSON.stringify(reply.refusal)}`)
    return reply.result
  }

  fetch(endpoint: Pick<Endpoint, 'method' | 'path'>, options: CallOptions = {}): Promise<Response> {
    let path: string = endpoint.path
    for (const [name, value] of Object.entries(options.params ?? {})) path = path.replace(`:${name}`, value)
    const url = new URL(path, this.base)
    for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, String(value))
    const form = options.body instanceof FormData
    return fetch(url, {
      method: endpoint.method,
      redirect: 'manual',
      headers: {
        ...(options.token === undefined ? {} : { 'x-access-token': options.token }),
        ...(options.body === undefined || form ? {} : { 'content-type': 'application/json' }),
        ...(options.address === undefined ? {} : { 'x-forwarded-for': options.address }),
        ...(options.device === undefined ? {} : { 'x-device': options.device }),
        'accept-language': options.language ?? 'en',
        ...options.headers,
      },
      ...(options.body === undefined
        ? {}
        : { body: options.body instanceof FormData ? options.body : JSON.stringify(options.body) }),
    })
  }

  /** Requests a code and reads it from the recorded text message. */
  async codeFor(
    mobile: string,
    purpose: 'register' | 'login' | 'reset',
    address = newAddress(),
  ): Promise<string> {
    await this.ask(sendCode, { body: { mobile, purpose }, address })
    await this.context.settled()
    return this.texts.findLast(({ phone }) => phone.endsWith(mobile))!.code
  }

  /** Registers a member through the regular calls: code, form, token. */
  async register(
    form: { phone?: string; inviter?: string; nickname?: string; device?: string } = {},
  ): Promise<SignedIn> {
    const phone = form.phone ?? newPhone()
    const address = newAddress()
    const captcha = await this.codeFor(phone, 'register', address)
    return this.ask(register, {
      address,
      ...(form.device === undefined ? {} : { device: form.device }),
      body: {
        phone,
        captcha,
        nickname: form.nickname ?? 'Reader',
        gender: 0,
        password: PASSWORD,
        confirmPassword: PASSWORD,
        agreement: true,
        ...(form.inviter === undefined ? {} : { inviter: form.inviter }),
      },
    })
  }

  /** Buys a plan and approves the sandbox payment. Returns the order's id. */
  async buy(token: string, planId = '1'): Promise<string> {
    const order = await this.ask(createOrder, { token, body: { planId } })
    const page = await this.decide(order.payUrl, 'approve')
    if (page.status !== 303) throw new Error(`the sandbox answered ${page.status}`)
    return order.orderId
  }

  decide(payUrl: string, decision: string): Promise<Response> {
    return fetch(new URL(payUrl, this.base), {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ decision }).toString(),
    })
  }
}

export interface StartOptions {
  settings?: NodeJS.ProcessEnv
  time?: () => Date
  effects?: Partial<Effects>
  siteFolder?: string | null
}

/** Race days are within this many days, also if a test brings the demonstration up to a later time. */
export const SMALL_SEASON_DAYS = 30

/** A database with a month of demonstration races, scored; dataset files are not built. */
export async function newSmallSeason(kind: Kind, day: Date = DEMO_DAY): Promise<TestDatabase> {
  const bring = async (database: Database): Promise<void> => {
    await ensureDemonstration(database, day, SMALL_SEASON_DAYS)
    await scoreStaleRaces(database, undefined, () => day)
  }
  const name = `season_${day === DEMO_DAY ? 'fixed' : dayIn('Asia/Hong_Kong', day).replaceAll('-', '')}`
  const place = await copyOf(kind, name, ({ database }) => bring(database))
  // The template may be minutes old, so its races are brought up to date.
  if (day !== DEMO_DAY) await bring(place.database)
  return place
}

export const randomUuid = (): string => {
  const hex = randomBytes(16).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
