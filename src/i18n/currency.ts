import { createContext } from 'react'
import { currencySymbol } from '../../domain/money.ts'
import { createStore } from '../data/client/create-store.ts'
import type { Messages } from './likely-language.ts'

const HONG_KONG = 'HKD'

const shown = createStore(HONG_KONG)

/** Says from now on all amounts of bets and dividends in a currency: that of the region on screen. */
export const showCurrency = shown.set
export const useShownCurrency = (): string => shown.use()

/** The currency of the region on screen. */
export const CurrencyContext = createContext(HONG_KONG)

/** Texts about the site's own prices, which are of Hong Kong whichever region is shown, and about Hong Kong's pools. */
const ALWAYS_HONG_KONG = /^(?:error\.|withdrawal\.|lab\.rebateHint$)/

/** Messages in which amounts are of a currency: they are written for Hong Kong, the first region. */
export function inCurrency(messages: Messages, currency: string): Messages {
  if (currency === HONG_KONG) return messages
  const [written, symbol] = [HONG_KONG, currency].map(currencySymbol) as [string, string]
  return Object.fromEntries(
    Object.entries(messages).map(([id, parts]) => {
      const text = JSON.stringify(parts)
      return text.includes(written) && !ALWAYS_HONG_KONG.test(id)
        ? [id, JSON.parse(text.replaceAll(written, symbol)) as Messages[string]]
        : [id, parts]
    }),
  )
}
