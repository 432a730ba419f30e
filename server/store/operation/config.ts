import { FurlongError } from '../../../domain/errors.ts'
import type { Queries } from '../../db/database.ts'
import { readConfig } from './site-store.ts'

const WHOLE = /^\d{1,6}$/

/** All settings, with their default and allowed format. All of them are public. */
const CONFIG = {
  /** Free vouchers per day (Hong Kong time). */
  everyDayFreeNum: { fallback: '1', shape: WHOLE },
  /** No-expiry vouchers that a new account starts with. */
  registerFreeNum: { fallback: '3', shape: WHOLE },
  /** No-expiry vouchers for each person who registers through a share link. */
  shareReward: { fallback: '20', shape: WHOLE },
  /** `1` shows contact and promotion. */
  showContactUs: { fallback: '1', shape: /^[01]$/ },
  /** Bet type of which non-VIPs see only two races a day; empty: no limit. */
  limitedGameplayClass: { fallback: '', shape: /^[1-9]?$/ },
  /** Hosts besides our own that the webview page may open, comma separated. */
  webviewHosts: { fallback: '', shape: /^([a-z0-9.-]+(,[a-z0-9.-]+)*)?$/ },
  /** The operator's contact email address. */
  contactEmail: { fallback: '', shape: /^([^@\s]{1,64}@[^@\s]{1,190})?$/ },
} as const satisfies Record<string, { fallback: string; shape: RegExp }>

export type ConfigCode = keyof typeof CONFIG
export const CONFIG_CODES = Object.keys(CONFIG) as ConfigCode[]

/** All settings: the stored values, and defaults for the others. */
export async function loadConfig(database: Queries): Promise<Record<ConfigCode, string>> {
  const stored = await readConfig(database)
  return Object.fromEntries(
    CONFIG_CODES.map((code) => [code, stored.get(code) ?? CONFIG[code].fallback]),
  ) as Record<ConfigCode, string>
}

/** The value of a numeric setting. */
export const numberOf = (config: Record<ConfigCode, string>, code: ConfigCode): number => Number(config[code])

/** Validates a setting to be written. Throws `bad-arguments` for an unknown code or an invalid value. */
export function checkConfig(code: string, value: string): { code: ConfigCode; value: string } {
  const known = CONFIG_CODES.find((each) => each === code)
  if (!known)
    throw new FurlongError('bad-arguments', { reason: `${code}: one of ${CONFIG_CODES.join(', ')}` })
  if (!CONFIG[known].shape.test(value))
    throw new FurlongError('bad-arguments', { reason: `${code}: ${value}` })
  return { code: known, value }
}
