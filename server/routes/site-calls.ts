import * as calls from '../../contract/api/site.ts'
import { FurlongError } from '../../domain/errors.ts'
import { BUILD_VERSION, updateKind } from '../process/version.ts'
import { GAMEPLAYS } from '../../domain/gameplay.ts'
import { REGIONS } from '../../domain/region.ts'
import { nameColumn } from '../../domain/languages.ts'
import { serverMessage } from '../process/messages.ts'
import { CONFIG_CODES, loadConfig } from '../store/operation/config.ts'
import { languageOfCountry } from '../services/country.ts'
import { attempt, networkOf } from '../services/limits.ts'
import { Paces, type PaceRule } from '../services/pace.ts'
import { insertVisit, listAds } from '../store/operation/site-store.ts'
import { REGION_NAMES } from '../db/region-names.ts'
import { EVERYBODY, type Answer } from './answer.ts'
import type { Context } from './context.ts'

/** Reported engine errors of one network; counted in memory, so that no address is stored. */
const ENGINE_ERROR_PACE: PaceRule = { burst: 10, perSecond: 1 / 60 }

const COUNTRY = /^[A-Z]{2}$/

/** Values of the dictionaries in their order; the labels are messages, except the names of regions. */
const DICTIONARIES = {
  gender: ['1', '2', '0'],
  gameplay_class: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'],
  prediction_type: ['1', '2', '3'],
  order_state: ['obligation', 'accountPaid', 'closed', 'refunded'],
} as const

const isDictionary = (code: string): code is keyof typeof DICTIONARIES => Object.hasOwn(DICTIONARIES, code)

// The double is published but never predicted, hence the additional item.
if (DICTIONARIES.gameplay_class.length !== GAMEPLAYS.length + 1)
  throw new Error('a bet type has no dictionary item')

export function siteCalls(answer: Answer, context: Context): void {
  settingCalls(answer, context)
  visitCalls(answer, context)
}

/** What an operator configures, the same for everybody. */
function settingCalls(answer: Answer, context: Context): void {
  const { database } = context.service

  answer(calls.adlist, EVERYBODY, async ({ query }) =>
    (await listAds(database, query.position)).map((ad) => ({ ...ad, adUrl: ad.url })),
  )

  const configItems = async () => {
    const config = await loadConfig(database)
    return CONFIG_CODES.map((code) => ({ code, codeValue: config[code] }))
  }
  answer(calls.configAll, EVERYBODY, configItems)
  answer(calls.config, EVERYBODY, async ({ query }) => {
    return (await configItems()).find(({ code }) => code === query.code) ?? null
  })

  answer(calls.getDictItems, EVERYBODY, async ({ request, language }) => {
    const { dictCode } = request.params as { dictCode: string }
    if (dictCode === 'region')
      return REGIONS.map(({ id }) => ({ value: id, label: REGION_NAMES[id]![nameColumn(language)] }))
    if (!isDictionary(dictCode)) throw new FurlongError('not-found')
    const labelOf = (value: string): string => serverMessage(language, `dictionary.${dictCode}.${value}`)
    return DICTIONARIES[dictCode].map((value) => ({ value, label: labelOf(value) }))
  })
}

/** What a browser reports, and the country and version that apply to it. */
function visitCalls(answer: Answer, context: Context): void {
  const { service, country } = context
  const { database, now } = service

  answer(calls.visitLog, async ({ body, viewer, origin }) => {
    await attempt(service, { 'visit address': origin.address })
    const { clientId, page, channel } = body
    await insertVisit(database, { clientId, page, channel, customerId: viewer?.id ?? null }, now())
  })

  const engineErrors = new Paces(ENGINE_ERROR_PACE)
  answer(calls.engineError, async ({ body, origin }) => {
    if (!engineErrors.take(networkOf(origin.address), Date.now()))
      throw new FurlongError('too-many', { seconds: 60 })
    context.metrics.engineErrors.inc({ code: body.code })
    context.log.info({ code: body.code, version: body.version }, 'a browser reported an engine error')
  })

  answer(calls.location, async ({ request, origin }) => {
    const header = request.headers[context.settings.countryHeader]
    const given = typeof header === 'string' ? header.toUpperCase() : ''
    const found = COUNTRY.test(given) ? given : country(origin.address)
    return { country: found, language: languageOfCountry(found) }
  })

  answer(calls.appUpdate, async ({ query }) => ({
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
