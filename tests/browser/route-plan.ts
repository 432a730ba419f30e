import { coveringRows } from '../support/covering.ts'

/** The specification's route table (section 2) with decisions section 9; `{race}` and `{horse}` are replaced by ids. */
export const ROUTES = [
  '/',
  '/pages/index/index',
  '/pages/race/racehome',
  '/pages/login/login',
  '/pages/login/fylogin',
  '/pages/login/loginResult',
  '/pages/login/fyregister',
  '/pages/login/fyregisterResult',
  '/pages/login/register',
  '/pages/login/forgot',
  '/pages/login/protocal',
  '/pages/login/protocal2',
  '/pages/common/exit',
  '/pages/common/success',
  '/pages/common/webviewPage?url=.%2Flegal%2Fterms.en.html&title=Terms',
  '/pages/user/userexit',
  '/pages/race/PredictionResults',
  '/pages/race/Subscribe',
  '/pages/race/HorseRace?id={race}',
  '/pages/race/HorseRace?id={race}&source=pr&tab=1',
  '/pages/race/HorseDetail?id={horse}',
  '/pages/race/WinLossRecord',
  '/pages/race/WinLossRecord?tab=lab',
  '/pages/race/ReportView?id={race}',
  '/pages/race/ModelCard',
  '/pages/race/viplist',
  '/pages/race/vippay?id=4',
  '/pages/race/vippayresult',
  '/pages/race/viporderlist',
  '/pages/race/vipactivationlog',
  '/pages/user/fypeople',
  '/pages/user/fychpwd',
  '/pages/user/fyuseredit',
  '/pages/user/fyuserdetail',
  '/pages/user/share',
  '/pages/user/shareLog',
  '/pages/user/notes',
  '/pages/user/vouchers',
  '/pages/user/contactUs',
  '/pages/user/apply',
  '/pages/user/bankCard',
  '/pages/user/withdrawal',
  '/pages/user/promotionServiceProvider',
  '/pages/user/delete',
  '/pages/foot/foothome',
  '/pages/user/fyorder?detail=%7B%22tag%22%3A%22obligation%22%7D',
  '/pages/foot/vipactivationlog',
  '/pages/common/preview-image?urls=.%2Ficon-512.png',
  '/pages/common/choose-location',
  '/pages/common/open-location?id=HKSHT',
  '/pages/help/record',
  '/pages/help/lab',
  '/pages/help/chances',
  '/pages/no/such/page',
] as const

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
  language: 'en' | 'zh-Hant' | 'zh-Hans'
  size: 'phone' | 'desktop'
  role: 'visitor' | 'member' | 'VIP' | 'provider'
}

export const FACTORS = {
  route: [...ROUTES, ...VIP_ROUTES],
  language: ['en', 'zh-Hant', 'zh-Hans'],
  size: ['phone', 'desktop'],
  role: ['visitor', 'member', 'VIP', 'provider'],
} as const satisfies { [Name in keyof RouteVisit]: readonly RouteVisit[Name][] }

/** Whether a visit can find something that the others do not. */
export const isPossible = ({ route, language, role }: RouteVisit): boolean =>
  VIP_ROUTES.includes(route)
    ? role === 'VIP' && language === 'en'
    : role !== 'provider' || PROVIDER_ROUTES.includes(route)

/** Every route once, as somebody who may see it: the visits of `npm test`, half of them on a phone. */
export const FIRST_VISITS: readonly RouteVisit[] = FACTORS.route.map((route, at) => ({
  route,
  language: 'en',
  size: at % 2 === 0 ? 'phone' : 'desktop',
  role: 'VIP',
}))

/** The further visits of `npm run test:rest`: with the first ones, every pair of route, language, size and role. */
export const FURTHER_VISITS: readonly RouteVisit[] = coveringRows<RouteVisit>(FACTORS, {
  given: FIRST_VISITS,
  isPossible,
}).slice(FIRST_VISITS.length)
