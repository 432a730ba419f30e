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

const page = <Path extends string>(
  path: Path,
  title: string,
  screen: string,
  rest: Omit<Page, 'path' | 'title' | 'screen'> = {},
) => ({ path, title, screen, ...rest })

const ACCOUNT = { texts: ['account'] } as const
const MEMBER = { ...ACCOUNT, signedIn: true } as const
const PROMOTION = { texts: ['account', 'promotion'], signedIn: true } as const

/**
 * Every screen except home, which is in the first chunk. Routes, titles, the search, the way back after sign-in, the
 * pictures and the tests of all routes follow from it; the search offers screens in this order.
 */
export const PAGES = [
  page('/pages/race/racehome', 'title.raceHome', 'race-home/race-home-screen', {
    texts: ['tips'],
    search: true,
  }),
  page('/pages/race/PredictionResults', 'title.results', 'race-lists/prediction-results-screen', {
    texts: ['results'],
    figures: true,
    search: true,
  }),
  page('/pages/race/WinLossRecord', 'record.title', 'win-loss-record/win-loss-record-screen', {
    texts: ['workspace'],
    figures: true,
    search: true,
  }),
  page('/pages/race/ModelCard', 'model.title', 'model-card/model-card-screen', { search: true }),
  page('/pages/help/:topic', 'title.help', 'help/help-screen', { texts: ['help'], search: 'record' }),
  page('/pages/race/viplist', 'title.vipList', 'membership/vip-list-screen', { ...ACCOUNT, search: true }),
  page('/pages/user/fypeople', 'title.centre', 'account/personal-centre-screen', {
    texts: ['account', 'promotion'],
    search: true,
  }),
  page('/pages/user/stable', 'title.stable', 'stable/stable-screen', {
    texts: ['follow'],
    signedIn: true,
    search: true,
  }),
  page('/pages/user/notes', 'title.notes', 'notebook/notebook-screen', {
    texts: ['notes'],
    signedIn: true,
    search: true,
  }),
  page('/pages/user/alerts', 'title.alerts', 'account/alerts-screen', {
    texts: ['account', 'alerts'],
    signedIn: true,
    search: true,
  }),
  page('/pages/user/alertSettings', 'title.alertSettings', 'account/alert-settings-screen', {
    texts: ['account', 'alerts'],
    signedIn: true,
    search: true,
  }),
  page('/pages/user/vouchers', 'title.vouchers', 'account/vouchers-screen', { ...MEMBER, search: true }),
  page('/pages/race/Subscribe', 'title.subscriptions', 'race-lists/subscriptions-screen', {
    signedIn: true,
    search: true,
  }),
  page('/pages/race/viporderlist', 'title.orders', 'membership/orders-screen', { ...MEMBER, search: true }),
  page('/pages/user/share', 'title.share', 'sharing/share-screen', { signedIn: true, search: true }),
  page('/pages/user/fyuserdetail', 'title.personalInfo', 'account/personal-info-screen', {
    ...MEMBER,
    search: true,
  }),
  page('/pages/user/dataApi', 'title.dataApi', 'account/data-api-screen', { ...MEMBER, search: true }),
  page('/pages/race/HorseRace', 'title.race', 'horse-race/horse-race-screen', { figures: true }),
  page('/pages/race/HorseDetail', 'title.horse', 'horse-detail/horse-detail-screen', { texts: ['horse'] }),
  page('/pages/race/HeadToHead', 'title.headToHead', 'head-to-head/head-to-head-screen', {
    texts: ['head-to-head', 'race'],
  }),
  page('/pages/race/ReportView', 'title.report', 'report-view/report-view-screen', { texts: ['report'] }),
  page('/pages/race/vippay', 'title.vipPay', 'membership/vip-pay-screen', MEMBER),
  page('/pages/race/vippayresult', 'title.payResult', 'membership/pay-result-screen', MEMBER),
  page('/pages/user/fyorder', 'title.orders', 'membership/orders-screen', MEMBER),
  page('/pages/race/vipactivationlog', 'title.activations', 'membership/activation-log-screen', MEMBER),
  page('/pages/login/login', 'title.login', 'account/login-screen', ACCOUNT),
  page('/pages/login/fylogin', 'title.login', 'account/login-screen', ACCOUNT),
  page('/pages/login/loginResult', 'title.login', 'account/login-result-screen'),
  page('/pages/login/fyregister', 'title.register', 'account/register-screen', ACCOUNT),
  page('/pages/login/register', 'title.register', 'account/register-screen', ACCOUNT),
  page('/pages/login/fyregisterResult', 'title.registered', 'account/register-result-screen', ACCOUNT),
  page('/pages/login/forgot', 'title.forgot', 'account/forgot-screen', ACCOUNT),
  page('/pages/login/protocal', 'legal.terms', 'common/terms-screen'),
  page('/pages/login/protocal2', 'legal.privacy', 'common/privacy-screen'),
  page('/pages/common/exit', 'title.exit', 'common/exit-screen', ACCOUNT),
  page('/pages/user/userexit', 'title.exit', 'common/exit-screen', ACCOUNT),
  page('/pages/common/success', 'title.success', 'common/success-screen'),
  page('/pages/common/webviewPage', 'title.webview', 'common/webview-screen', ACCOUNT),
  page('/pages/common/preview-image', 'title.previewImage', 'common/preview-image-screen', ACCOUNT),
  page('/pages/common/choose-location', 'title.chooseLocation', 'common/choose-location-screen'),
  page('/pages/common/open-location', 'title.openLocation', 'common/open-location-screen'),
  page('/pages/user/fychpwd', 'title.changePassword', 'account/change-password-screen', MEMBER),
  page('/pages/user/fyuseredit', 'title.editProfile', 'account/edit-profile-screen', MEMBER),
  page('/pages/user/shareLog', 'title.shareLog', 'sharing/share-log-screen', MEMBER),
  page('/pages/foot/foothome', 'title.landing', 'sharing/landing-screen', ACCOUNT),
  page('/pages/user/contactUs', 'title.contact', 'promotion/contact-screen', ACCOUNT),
  page('/pages/user/apply', 'title.apply', 'promotion/apply-screen', PROMOTION),
  page('/pages/user/bankCard', 'title.bankCard', 'promotion/bank-card-screen', PROMOTION),
  page('/pages/user/withdrawal', 'title.withdrawal', 'promotion/withdrawal-screen', PROMOTION),
  page('/pages/user/promotionServiceProvider', 'title.promotion', 'promotion/promotion-screen', PROMOTION),
  page('/pages/user/delete', 'title.deleteAccount', 'account/delete-account-screen', ACCOUNT),
]

export type PagePath = (typeof PAGES)[number]['path']

/** The path of a screen for the path of an address: the topic of a help page is a parameter. */
const pagePathOf = (path: string): string => path.replace(/^(\/pages\/help\/)[a-z]+$/, '$1:topic')

/** The screen of an address's path; `undefined` for home and for a path that no screen has. */
export const pageAt = (path: string): Page | undefined => PAGES.find((each) => each.path === pagePathOf(path))

/** What a visit of an address's path is called: the last fixed part of its screen's path, `home` or `notFound`. */
export const pageLabel = (path: string): string =>
  path === '/'
    ? 'home'
    : (pageAt(path)
        ?.path.replace(/\/:\w+$/, '')
        .split('/')
        .at(-1) ?? 'notFound')

/** What the search offers: the address of a screen and the message id of its title. */
export const searchEntries = (isSignedIn: boolean): { to: string; title: string }[] =>
  PAGES.flatMap(({ path, title, search, signedIn }: Page) =>
    search === undefined || (signedIn && !isSignedIn)
      ? []
      : [{ to: search === true ? path : path.replace(/:\w+$/, search), title }],
  )
