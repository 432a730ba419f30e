import { createContext } from 'react'
import { currencySymbol, dividendStake } from '../../domain/money.ts'
import { createStore } from '../data/client/create-store.ts'
import type { Messages } from './likely-language.ts'

const HONG_KONG = 'HKD'

/** The currency of the reader's region, and those of screens about another one, the newest last. */
const shown = createStore<{ ofRegion: string; ofScreens: readonly string[] }>({
  ofRegion: HONG_KONG,
  ofScreens: [],
})

/** Says amounts of bets and dividends in the currency of the reader's region. */
export function showCurrency(ofRegion: string): void {
  const now = shown.now()
  if (now.ofRegion !== ofRegion) shown.set({ ...now, ofRegion })
}

/** Says them in the currency of a screen's own region. Returns what ends that. */
export function showScreenCurrency(currency: string): () => void {
  const { ofRegion, ofScreens } = shown.now()
  shown.set({ ofRegion, ofScreens: [...ofScreens, currency] })
  return () => {
    const now = shown.now()
    const at = now.ofScreens.lastIndexOf(currency)
    shown.set({ ...now, ofScreens: now.ofScreens.filter((_, index) => index !== at) })
  }
}

export const useShownCurrency = (): string =>
  shown.use(({ ofRegion, ofScreens }) => ofScreens.at(-1) ?? ofRegion)

/** The currency of the region on screen. */
export const CurrencyContext = createContext(HONG_KONG)

/** Texts about the site's own prices, which are of Hong Kong whichever region is shown, and about Hong Kong's pools. */
const ALWAYS_HONG_KONG = /^(?:error\.|withdrawal\.|lab\.rebateHint$)/

/** The text about published dividends, which are for the stake of their region. */
const DIVIDENDS = 'report.dividends'

const known = new WeakMap<Messages, Map<string, Messages>>()

/** Messages in which amounts are of a currency: they are written for Hong Kong, the first region. The same object for the same. */
export function inCurrency(messages: Messages, currency: string): Messages {
  if (currency === HONG_KONG) return messages
  const ofMessages = known.get(messages) ?? new Map<string, Messages>()
  known.set(messages, ofMessages)
  const found = ofMessages.get(currency) ?? replaced(messages, currency)
  ofMessages.set(currency, found)
  return found
}

function replaced(messages: Messages, currency: string): Messages {
  const amounts = [HONG_KONG, currency].map(currencySymbol)
  const stakes = [HONG_KONG, currency].map((each) => currencySymbol(each) + dividendStake(each))
  return Object.fromEntries(
    Object.entries(messages).map(([id, parts]) => {
      const [written, said] = (id === DIVIDENDS ? stakes : amounts) as [string, string]
      const text = JSON.stringify(parts)
      return text.includes(written) && !ALWAYS_HONG_KONG.test(id)
        ? [id, JSON.parse(text.replaceAll(written, said)) as Messages[string]]
        : [id, parts]
    }),
  )
}
