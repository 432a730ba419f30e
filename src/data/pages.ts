import type { ExtraPart } from '../i18n/extra-parts.ts'

/** A screen behind the hash. */
export interface Page {
  /** Its path by the specification (notes, vouchers and help are our own). */
  path: string
  /** Message id of its title. */
  title: string
  /** Its file below `src/screens/`, without the extension; the component is named after it. */
  screen: string
  /** Messages that it needs in addition to those of every screen. */
  texts?: readonly ExtraPart[]
  /** Its figures come from the dataset: the manifest is prefetched while the screen's code loads. */
  figures?: true
  /** Only for signed-in users. */
  signedIn?: true
  /** The search offers it; a text is the value of its path's parameter. */
  search?: true | string
}

/**
 * Every screen except home, which is in the first chunk. Routes, titles, the search, the way back after sign-in, the
 * pictures and the tests of all routes follow from it; the search offers screens in this order.
 */
export const PAGES = [
  {
    path: '/pages/race/racehome',
    title: 'title.raceHome',
    screen: 'race-home/race-home-screen',
    search: true,
  },
  {
    path: '/pages/race/PredictionResults',
    title: 'title.results',
    screen: 'race-lists/prediction-results-screen',
    texts: ['results'],
    figures: true,
    search: true,
  },
  {
    path: '/pages/race/WinLossRecord',
    title: 'record.title',
    screen: 'win-loss-record/win-loss-record-screen',
    texts: ['workspace'],
    figures: true,
    search: true,
  },
  {
    path: '/pages/race/ModelCard',
    title: 'model.title',
    screen: 'model-card/model-card-screen',
    search: true,
  },
  {
    path: '/pages/help/:topic',
    title: 'title.help',
    screen: 'help/help-screen',
    texts: ['help'],
    search: 'record',
  },
  {
    path: '/pages/race/viplist',
    title: 'title.vipList',
    screen: 'membership/vip-list-screen',
    texts: ['account'],
    search: true,
  },
  {
    path: '/pages/user/fypeople',
    title: 'title.centre',
    screen: 'account/personal-centre-screen',
    texts: ['account'],
    search: true,
  },
  {
    path: '/pages/user/notes',
    title: 'title.notes',
    screen: 'notebook/notebook-screen',
    texts: ['notes'],
    signedIn: true,
    search: true,
  },
  {
    path: '/pages/user/vouchers',
    title: 'title.vouchers',
    screen: 'account/vouchers-screen',
    texts: ['account'],
    signedIn: true,
    search: true,
  },
  {
    path: '/pages/race/Subscribe',
    title: 'title.subscriptions',
    screen: 'race-lists/subscriptions-screen',
    signedIn: true,
    search: true,
  },
  {
    path: '/pages/race/viporderlist',
    title: 'title.orders',
    screen: 'membership/orders-screen',
    texts: ['account'],
    signedIn: true,
    search: true,
  },
  {
    path: '/pages/user/share',
    title: 'title.share',
    screen: 'sharing/share-screen',
    signedIn: true,
    search: true,
  },
  {
    path: '/pages/user/fyuserdetail',
    title: 'title.personalInfo',
    screen: 'account/personal-info-screen',
    texts: ['account'],
    signedIn: true,
    search: true,
  },
  {
    path: '/pages/race/HorseRace',
    title: 'title.race',
    screen: 'horse-race/horse-race-screen',
    figures: true,
  },
  { path: '/pages/race/HorseDetail', title: 'title.horse', screen: 'horse-detail/horse-detail-screen' },
  { path: '/pages/race/ReportView', title: 'title.report', screen: 'report-view/report-view-screen' },
  {
    path: '/pages/race/vippay',
    title: 'title.vipPay',
    screen: 'membership/vip-pay-screen',
    texts: ['account'],
    signedIn: true,
  },
  {
    path: '/pages/race/vippayresult',
    title: 'title.payResult',
    screen: 'membership/pay-result-screen',
    texts: ['account'],
    signedIn: true,
  },
  {
    path: '/pages/user/fyorder',
    title: 'title.orders',
    screen: 'membership/orders-screen',
    texts: ['account'],
    signedIn: true,
  },
  {
    path: '/pages/race/vipactivationlog',
    title: 'title.activations',
    screen: 'membership/activation-log-screen',
    texts: ['account'],
    signedIn: true,
  },
  { path: '/pages/login/login', title: 'title.login', screen: 'account/login-screen', texts: ['account'] },
  { path: '/pages/login/fylogin', title: 'title.login', screen: 'account/login-screen', texts: ['account'] },
  { path: '/pages/login/loginResult', title: 'title.login', screen: 'account/login-result-screen' },
  {
    path: '/pages/login/fyregister',
    title: 'title.register',
    screen: 'account/register-screen',
    texts: ['account'],
  },
  {
    path: '/pages/login/register',
    title: 'title.register',
    screen: 'account/register-screen',
    texts: ['account'],
  },
  {
    path: '/pages/login/fyregisterResult',
    title: 'title.registered',
    screen: 'account/register-result-screen',
    texts: ['account'],
  },
  { path: '/pages/login/forgot', title: 'title.forgot', screen: 'account/forgot-screen', texts: ['account'] },
  { path: '/pages/login/protocal', title: 'legal.terms', screen: 'common/terms-screen' },
  { path: '/pages/login/protocal2', title: 'legal.privacy', screen: 'common/privacy-screen' },
  { path: '/pages/common/exit', title: 'title.exit', screen: 'common/exit-screen', texts: ['account'] },
  { path: '/pages/user/userexit', title: 'title.exit', screen: 'common/exit-screen', texts: ['account'] },
  { path: '/pages/common/success', title: 'title.success', screen: 'common/success-screen' },
  {
    path: '/pages/common/webviewPage',
    title: 'title.webview',
    screen: 'common/webview-screen',
    texts: ['account'],
  },
  {
    path: '/pages/common/preview-image',
    title: 'title.previewImage',
    screen: 'common/preview-image-screen',
    texts: ['account'],
  },
  {
    path: '/pages/common/choose-location',
    title: 'title.chooseLocation',
    screen: 'common/choose-location-screen',
  },
  { path: '/pages/common/open-location', title: 'title.openLocation', screen: 'common/open-location-screen' },
  {
    path: '/pages/user/fychpwd',
    title: 'title.changePassword',
    screen: 'account/change-password-screen',
    texts: ['account'],
    signedIn: true,
  },
  {
    path: '/pages/user/fyuseredit',
    title: 'title.editProfile',
    screen: 'account/edit-profile-screen',
    texts: ['account'],
    signedIn: true,
  },
  {
    path: '/pages/user/shareLog',
    title: 'title.shareLog',
    screen: 'sharing/share-log-screen',
    texts: ['account'],
    signedIn: true,
  },
  {
    path: '/pages/foot/foothome',
    title: 'title.landing',
    screen: 'sharing/landing-screen',
    texts: ['account'],
  },
  {
    path: '/pages/user/contactUs',
    title: 'title.contact',
    screen: 'promotion/contact-screen',
    texts: ['account'],
  },
  {
    path: '/pages/user/apply',
    title: 'title.apply',
    screen: 'promotion/apply-screen',
    texts: ['account', 'promotion'],
    signedIn: true,
  },
  {
    path: '/pages/user/bankCard',
    title: 'title.bankCard',
    screen: 'promotion/bank-card-screen',
    texts: ['account', 'promotion'],
    signedIn: true,
  },
  {
    path: '/pages/user/withdrawal',
    title: 'title.withdrawal',
    screen: 'promotion/withdrawal-screen',
    texts: ['account', 'promotion'],
    signedIn: true,
  },
  {
    path: '/pages/user/promotionServiceProvider',
    title: 'title.promotion',
    screen: 'promotion/promotion-screen',
    texts: ['account', 'promotion'],
    signedIn: true,
  },
  {
    path: '/pages/user/delete',
    title: 'title.deleteAccount',
    screen: 'account/delete-account-screen',
    texts: ['account'],
  },
] as const satisfies readonly Page[]

export type PagePath = (typeof PAGES)[number]['path']

/** The path of a screen for the path of an address: the topic of a help page is a parameter. */
const pagePathOf = (path: string): string => path.replace(/^(\/pages\/help\/)[a-z]+$/, '$1:topic')

/** The screen of an address's path; `undefined` for home and for a path that no screen has. */
export const pageAt = (path: string): Page | undefined => PAGES.find((page) => page.path === pagePathOf(path))

/** What the search offers: the address of a screen and the message id of its title. */
export const searchEntries = (isSignedIn: boolean): { to: string; title: string }[] =>
  PAGES.flatMap(({ path, title, search, signedIn }: Page) =>
    search === undefined || (signedIn && !isSignedIn)
      ? []
      : [{ to: search === true ? path : path.replace(/:\w+$/, search), title }],
  )
