/**
 * Paths of every screen except home, by the specification (notes, vouchers and help are our own);
 * `src/app/pages.ts` maps them to screens.
 */
export const PAGE_PATHS = [
  '/pages/race/racehome',
  '/pages/race/PredictionResults',
  '/pages/race/Subscribe',
  '/pages/race/HorseRace',
  '/pages/race/HorseDetail',
  '/pages/race/ReportView',
  '/pages/race/WinLossRecord',
  '/pages/race/ModelCard',
  '/pages/race/viplist',
  '/pages/race/vippay',
  '/pages/race/vippayresult',
  '/pages/race/viporderlist',
  '/pages/user/fyorder',
  '/pages/race/vipactivationlog',
  '/pages/login/login',
  '/pages/login/fylogin',
  '/pages/login/loginResult',
  '/pages/login/fyregister',
  '/pages/login/register',
  '/pages/login/fyregisterResult',
  '/pages/login/forgot',
  '/pages/login/protocal',
  '/pages/login/protocal2',
  '/pages/common/exit',
  '/pages/user/userexit',
  '/pages/common/success',
  '/pages/common/webviewPage',
  '/pages/common/preview-image',
  '/pages/common/choose-location',
  '/pages/common/open-location',
  '/pages/user/fypeople',
  '/pages/user/fychpwd',
  '/pages/user/fyuseredit',
  '/pages/user/fyuserdetail',
  '/pages/user/share',
  '/pages/user/shareLog',
  '/pages/user/notes',
  '/pages/user/vouchers',
  '/pages/foot/foothome',
  '/pages/user/contactUs',
  '/pages/user/apply',
  '/pages/user/bankCard',
  '/pages/user/withdrawal',
  '/pages/user/promotionServiceProvider',
  '/pages/user/delete',
  '/pages/help/:topic',
] as const

export type PagePath = (typeof PAGE_PATHS)[number]

/** The screen's path in `PAGE_PATHS` for the path of an address: the topic of a help page is a parameter. */
export const pagePathOf = (path: string): string => path.replace(/^(\/pages\/help\/)[a-z]+$/, '$1:topic')
