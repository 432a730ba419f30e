import { LANGUAGES, type Language } from '../../domain/languages.ts'
import { coveringRows } from '../support/covering.ts'
import { ROUTES } from '../support/page-routes.ts'

/** Routes that a provider sees differently from other users; the rest is as for a member. */
const PROVIDER_ROUTES: readonly string[] = [
  '/pages/user/fypeople',
  '/pages/user/share',
  '/pages/user/apply',
  '/pages/user/bankCard',
  '/pages/user/withdrawal',
  '/pages/user/promotionServiceProvider',
]
/** The record's other tabs, which a VIP has filled; their layout is the same in every language. */
const VIP_ROUTES: readonly string[] = ['calibration', 'models', 'seasons', 'console', 'own', 'verify'].map(
  (tab) => `/pages/race/WinLossRecord?tab=${tab}`,
)

export interface RouteVisit {
  route: string
  language: Language
  size: 'phone' | 'desktop'
  role: 'visitor' | 'member' | 'VIP' | 'provider'
  colours: 'light' | 'dark'
}

export const FACTORS = {
  route: [...ROUTES, ...VIP_ROUTES],
  language: LANGUAGES,
  size: ['phone', 'desktop'],
  role: ['visitor', 'member', 'VIP', 'provider'],
  colours: ['light', 'dark'],
} as const satisfies { [Name in keyof RouteVisit]: readonly RouteVisit[Name][] }

/** Whether a visit can find something that the others do not. */
export const isPossible = ({ route, language, role }: RouteVisit): boolean =>
  VIP_ROUTES.includes(route)
    ? role === 'VIP' && language === 'en'
    : role !== 'provider' || PROVIDER_ROUTES.includes(route)

/**
 * Every route once, as somebody who may see it: the visits of `npm test`, half of them on a phone, and half of those of
 * each size in dark colours.
 */
export const FIRST_VISITS: readonly RouteVisit[] = FACTORS.route.map((route, at) => ({
  route,
  language: 'en',
  size: at % 2 === 0 ? 'phone' : 'desktop',
  role: 'VIP',
  colours: at % 4 < 2 ? 'light' : 'dark',
}))

/** The further visits of `npm run test:rest`: with the first ones, every pair of two factors’ values. */
export const FURTHER_VISITS: readonly RouteVisit[] = coveringRows<RouteVisit>(FACTORS, {
  given: FIRST_VISITS,
  isPossible,
}).slice(FIRST_VISITS.length)
