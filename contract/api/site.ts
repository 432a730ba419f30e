import { z } from 'zod'
import { ENGINE_ERROR_CODES } from '../engine-errors.ts'
import { LANGUAGES } from '../../domain/languages.ts'
import { endpoint } from './endpoint.ts'
import { line, plainCode } from './fields.ts'

export const adlist = endpoint('open', 'GET /sys/api/adlist', {
  summary: 'Banners of a position',
  query: z.object({ position: plainCode }),
  result: z.array(
    z.strictObject({
      id: z.string(),
      type: z.string(),
      url: z.string(),
      /** Same as `url`: both names are in use. */
      adUrl: z.string(),
      link: z.string().nullable(),
    }),
  ),
})

const ConfigItem = z.strictObject({ code: z.string(), codeValue: z.string() })

export const config = endpoint('open', 'GET /sys/api/config', {
  summary: 'One public setting; null when there is none of that code',
  query: z.object({ code: plainCode }),
  result: ConfigItem.nullable(),
})

export const configAll = endpoint('open', 'GET /sys/api/configAll', {
  summary: 'All public settings',
  result: z.array(ConfigItem),
})

export const getDictItems = endpoint('open', 'GET /sys/dict/getDictItems/:dictCode', {
  summary:
    'Items of a dictionary (gender, gameplay_class, prediction_type, order_state, region) in the reader’s language',
  result: z.array(z.strictObject({ label: z.string(), value: z.string() })),
})

export const visitLog = endpoint('viewer', 'POST /sys/api/customer/visitLog', {
  summary: 'Notes a visit of a page; who visited is taken from the token, never from the body',
  body: z.object({
    clientId: line(64),
    page: line(200),
    channel: line(16),
    accountId: z.string().max(64).nullish(),
    account: z.string().max(64).nullish(),
  }),
  result: z.null(),
})

export const engineError = endpoint('open', 'POST /sys/api/engineError', {
  summary: 'Counts an engine error of a browser whose reader agreed to report it; nothing else is stored',
  body: z.strictObject({
    code: z.enum(ENGINE_ERROR_CODES),
    /** Version of the engine, `1.32.0`. */
    version: z.string().regex(/^\d{1,3}\.\d{1,3}\.\d{1,3}$/),
  }),
  result: z.null(),
})

export const location = endpoint('open', 'GET /sys/api/location', {
  summary: 'Country of the request’s address and the language that follows from it',
  result: z.strictObject({
    country: z.string().nullable(),
    language: z.enum(LANGUAGES),
  }),
})

export const appUpdate = endpoint('open', 'GET /sys/api/appUpdate', {
  summary:
    'Whether a build is older than this one: another major or minor asks for a full update, a lower patch for a silent one',
  query: z.object({
    appid: line(64),
    version: z.string().regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/, 'field.invalid'),
    imei: z.string().max(64).optional(),
  }),
  result: z.strictObject({
    update: z.enum(['none', 'silent', 'full']),
    version: z.string(),
    versionCode: z.number().int(),
    note: z.string(),
    url: z.string(),
    wgtUrl: z.string(),
  }),
})
