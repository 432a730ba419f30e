import type { FastifyInstance } from 'fastify'
import * as calls from '../../contract/api/site.ts'
import { FurlongError } from '../../domain/errors.ts'
import { BUILD_VERSION } from '../process/version.ts'
import { GAMEPLAYS } from '../../domain/gameplay.ts'
import { REGIONS } from '../../domain/region.ts'
import type { Language } from '../process/messages.ts'
import { CONFIG_CODES, loadConfig } from '../store/operation/config.ts'
import { languageOfCountry } from '../services/country.ts'
import { attempt, networkOf } from '../services/limits.ts'
import { Paces, type PaceRule } from '../services/pace.ts'
import { updateKind } from '../services/app-update.ts'
import { insertVisit, listAds } from '../store/operation/site-store.ts'
import { REGION_NAMES } from '../db/region-names.ts'
import { answerCall } from './answer.ts'
import type { Context } from './context.ts'

/** Reported engine errors of one network; counted in memory, so that no address is stored. */
const ENGINE_ERROR_PACE: PaceRule = { burst: 10, perSecond: 1 / 60 }

const COUNTRY = /^[A-Z]{2}$/

type Labels = Readonly<Record<Language, string>>
const labels = (en: string, hant: string, hans: string): Labels => ({ en, 'zh-Hant': hant, 'zh-Hans': hans })

/** Dictionaries: value and label in the three languages. */
const DICTIONARIES: Readonly<Record<string, readonly (readonly [string, Labels])[]>> = {
  gender: [
    ['1', labels('Male', '男', '男')],
    ['2', labels('Female', '女', '女')],
    ['0', labels('Prefer not to say', '保密', '保密')],
  ],
  gameplay_class: [
    ['1', labels('Win', '獨贏', '独赢')],
    ['2', labels('Place', '位置', '位置')],
    ['3', labels('Quinella', '連贏', '连赢')],
    ['4', labels('Quinella Place', '位置Q', '位置Q')],
    ['5', labels('Forecast', '二重彩', '二重彩')],
    ['6', labels('Trio', '單T', '单T')],
    ['7', labels('Tierce', '三重彩', '三重彩')],
    ['8', labels('First 4', '四連環', '四连环')],
    ['9', labels('Quartet', '四重彩', '四重彩')],
    ['10', labels('Double', '孖寶', '孖宝')],
  ],
  prediction_type: [
    ['1', labels('Main pick', '精選', '精选')],
    ['2', labels('Cautious', '穩健', '稳健')],
    ['3', labels('Upset cover', '防冷門', '防冷门')],
  ],
  order_state: [
    ['obligation', labels('To pay', '待付款', '待付款')],
    ['accountPaid', labels('Paid', '已付款', '已付款')],
    ['closed', labels('Closed', '已關閉', '已关闭')],
    ['refunded', labels('Refunded', '已退款', '已退款')],
  ],
  region: REGIONS.map(({ id }) => {
    const names = REGION_NAMES[id]!
    return [id, labels(names.en, names.hant, names.hans)] as const
  }),
}

// The double is published but never predicted, hence the additional item.
if (DICTIONARIES['gameplay_class']!.length !== GAMEPLAYS.length + 1)
  throw new Error('a bet type has no dictionary item')

export function siteCalls(app: FastifyInstance, context: Context): void {
  settingCalls(app, context)
  visitCalls(app, context)
}

/** What an operator configures, the same for everybody. */
function settingCalls(app: FastifyInstance, context: Context): void {
  const { database } = context.service

  answerCall(
    app,
    context,
    calls.adlist,
    async ({ query }) => (await listAds(database, query.position)).map((ad) => ({ ...ad, adUrl: ad.url })),
    {
      keep: 'everybody',
    },
  )

  answerCall(
    app,
    context,
    calls.config,
    async ({ query }) => {
      const config = await loadConfig(database)
      const code = CONFIG_CODES.find((each) => each === query.code)
      return code === undefined ? null : { code, codeValue: config[code] }
    },
    { keep: 'everybody' },
  )

  answerCall(
    app,
    context,
    calls.configAll,
    async () => {
      const config = await loadConfig(database)
      return CONFIG_CODES.map((code) => ({ code, codeValue: config[code] }))
    },
    { keep: 'everybody' },
  )

  answerCall(
    app,
    context,
    calls.getDictItems,
    async ({ request, language }) => {
      const { dictCode } = request.params as { dictCode: string }
      const items = Object.hasOwn(DICTIONARIES, dictCode) ? DICTIONARIES[dictCode] : undefined
      if (!items) throw new FurlongError('not-found')
      return items.map(([value, names]) => ({ value, label: names[language] }))
    },
    { keep: 'everybody' },
  )
}

/** What a browser reports, and the country and version that apply to it. */
function visitCalls(app: FastifyInstance, context: Context): void {
  const { service, country } = context
  const { database, now } = service

  answerCall(app, context, calls.visitLog, async ({ body, viewer, address }) => {
    await attempt(database, service.keys, now(), { 'visit address': address })
    const { clientId, page, channel } = body
    await insertVisit(database, { clientId, page, channel, customerId: viewer?.id ?? null }, now())
    return null
  })

  const engineErrors = new Paces(ENGINE_ERROR_PACE)
  answerCall(app, context, calls.engineError, async ({ body, address }) => {
    if (!engineErrors.take(networkOf(address), Date.now()))
      throw new FurlongError('too-many', { seconds: 60 })
    context.metrics.engineErrors.inc({ code: body.code })
    app.log.info({ code: body.code, version: body.version }, 'a browser reported an engine error')
    return null
  })

  answerCall(app, context, calls.location, async ({ request, address }) => {
    const header = request.headers[context.countryHeader]
    const given = typeof header === 'string' ? header.toUpperCase() : ''
    const found = COUNTRY.test(given) ? given : country(address)
    return { country: found, language: languageOfCountry(found) }
  })

  answerCall(app, context, calls.appUpdate, async ({ query }) => ({
    update: updateKind(query.version, BUILD_VERSION),
    version: BUILD_VERSION,
    versionCode: versionCode(BUILD_VERSION),
    note: '',
    url: `${service.siteUrl()}/`,
    wgtUrl: `${service.siteUrl()}/`,
  }))
}

const versionCode = (version: string): number => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return (major * 1000 + minor) * 1000 + patch
}
