import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { PagePath } from '../data/page-paths.ts'
import { prefetchRace } from '../data/race-queries.ts'
import type { ExtraPart } from '../i18n/extra-parts.ts'

/** A screen behind the hash: its path by the specification, its title, and how it is loaded. */
export interface Page {
  path: PagePath
  /** Message id of its title. */
  title: string
  /** Messages that it needs in addition to those of every screen. */
  texts?: readonly ExtraPart[]
  /** Its figures come from the dataset: the manifest is prefetched while the screen's code loads. */
  figures?: true
  /**
   * Prefetches the screen's data while its code loads, if it is the first screen; receives
   * the address's parameters.
   */
  ask?: (client: QueryClient, address: URLSearchParams) => void
  /** Only for signed-in users. */
  signedIn?: true
  load(): Promise<ComponentType>
}

const ACCOUNT = ['account'] as const
const WORKSPACE = ['workspace'] as const
const RESULTS = ['results'] as const
const PROMOTION = ['account', 'promotion'] as const

const login = async (): Promise<ComponentType> =>
  (await import('../screens/account/login-screen.tsx')).LoginScreen
const registration = async (): Promise<ComponentType> =>
  (await import('../screens/account/register-screen.tsx')).RegisterScreen
const orders = async (): Promise<ComponentType> =>
  (await import('../screens/membership/orders-screen.tsx')).OrdersScreen
const exit = async (): Promise<ComponentType> =>
  (await import('../screens/common/exit-screen.tsx')).ExitScreen

/** Every screen except home, which is in the first chunk. */
export const PAGES: readonly Page[] = [
  {
    path: '/pages/race/racehome',
    title: 'title.raceHome',
    load: async () => (await import('../screens/race-home/race-home-screen.tsx')).RaceHomeScreen,
  },
  {
    path: '/pages/race/PredictionResults',
    title: 'title.results',
    texts: RESULTS,
    figures: true,
    load: async () =>
      (await import('../screens/race-lists/prediction-results-screen.tsx')).PredictionResultsScreen,
  },
  {
    path: '/pages/race/Subscribe',
    title: 'title.subscriptions',
    signedIn: true,
    load: async () => (await import('../screens/race-lists/subscriptions-screen.tsx')).SubscriptionsScreen,
  },
  {
    path: '/pages/race/HorseRace',
    title: 'title.race',
    figures: true,
    ask: (client, address) => {
      const raceId = address.get('id')
      if (raceId !== null && /^[A-Z]{5}\d{10}$/.test(raceId)) prefetchRace(client, raceId)
    },
    load: async () => (await import('../screens/horse-race/horse-race-screen.tsx')).HorseRaceScreen,
  },
  {
    path: '/pages/race/HorseDetail',
    title: 'title.horse',
    load: async () => (await import('../screens/horse-detail/horse-detail-screen.tsx')).HorseDetailScreen,
  },
  {
    path: '/pages/race/ReportView',
    title: 'title.report',
    load: async () => (await import('../screens/report-view/report-view-screen.tsx')).ReportViewScreen,
  },
  {
    path: '/pages/race/WinLossRecord',
    title: 'record.title',
    texts: WORKSPACE,
    figures: true,
    load: async () =>
      (await import('../screens/win-loss-record/win-loss-record-screen.tsx')).WinLossRecordScreen,
  },
  {
    path: '/pages/race/ModelCard',
    title: 'model.title',
    load: async () => (await import('../screens/model-card/model-card-screen.tsx')).ModelCardScreen,
  },
  {
    path: '/pages/race/viplist',
    title: 'title.vipList',
    texts: ACCOUNT,
    load: async () => (await import('../screens/membership/vip-list-screen.tsx')).VipListScreen,
  },
  {
    path: '/pages/race/vippay',
    title: 'title.vipPay',
    texts: ACCOUNT,
    signedIn: true,
    load: async () => (await import('../screens/membership/vip-pay-screen.tsx')).VipPayScreen,
  },
  {
    path: '/pages/race/vippayresult',
    title: 'title.payResult',
    texts: ACCOUNT,
    signedIn: true,
    load: async () => (await import('../screens/membership/pay-result-screen.tsx')).PayResultScreen,
  },
  { path: '/pages/race/viporderlist', title: 'title.orders', texts: ACCOUNT, signedIn: true, load: orders },
  { path: '/pages/user/fyorder', title: 'title.orders', texts: ACCOUNT, signedIn: true, load: orders },
  {
    path: '/pages/race/vipactivationlog',
    title: 'title.activations',
    texts: ACCOUNT,
    signedIn: true,
    load: async () => (await import('../screens/membership/activation-log-screen.tsx')).ActivationLogScreen,
  },
  { path: '/pages/login/login', title: 'title.login', texts: ACCOUNT, load: login },
  { path: '/pages/login/fylogin', title: 'title.login', texts: ACCOUNT, load: login },
  {
    path: '/pages/login/loginResult',
    title: 'title.login',
    load: async () => (await import('../screens/account/login-result-screen.tsx')).LoginResultScreen,
  },
  { path: '/pages/login/fyregister', title: 'title.register', texts: ACCOUNT, load: registration },
  { path: '/pages/login/register', title: 'title.register', texts: ACCOUNT, load: registration },
  {
    path: '/pages/login/fyregisterResult',
    title: 'title.registered',
    texts: ACCOUNT,
    load: async () => (await import('../screens/account/register-result-screen.tsx')).RegisterResultScreen,
  },
  {
    path: '/pages/login/forgot',
    title: 'title.forgot',
    texts: ACCOUNT,
    load: async () => (await import('../screens/account/forgot-screen.tsx')).ForgotScreen,
  },
  {
    path: '/pages/login/protocal',
    title: 'legal.terms',
    load: async () => (await import('../screens/common/legal-screen.tsx')).TermsScreen,
  },
  {
    path: '/pages/login/protocal2',
    title: 'legal.privacy',
    load: async () => (await import('../screens/common/legal-screen.tsx')).PrivacyScreen,
  },
  { path: '/pages/common/exit', title: 'title.exit', texts: ACCOUNT, load: exit },
  { path: '/pages/user/userexit', title: 'title.exit', texts: ACCOUNT, load: exit },
  {
    path: '/pages/common/success',
    title: 'title.success',
    load: async () => (await import('../screens/common/success-screen.tsx')).SuccessScreen,
  },
  {
    path: '/pages/common/webviewPage',
    title: 'title.webview',
    texts: ACCOUNT,
    load: async () => (await import('../screens/common/webview-screen.tsx')).WebviewScreen,
  },
  {
    path: '/pages/common/preview-image',
    title: 'title.previewImage',
    texts: ACCOUNT,
    load: async () => (await import('../screens/common/preview-image-screen.tsx')).PreviewImageScreen,
  },
  {
    path: '/pages/common/choose-location',
    title: 'title.chooseLocation',
    load: async () => (await import('../screens/common/choose-location-screen.tsx')).ChooseLocationScreen,
  },
  {
    path: '/pages/common/open-location',
    title: 'title.openLocation',
    load: async () => (await import('../screens/common/open-location-screen.tsx')).OpenLocationScreen,
  },
  {
    path: '/pages/user/fypeople',
    title: 'title.centre',
    texts: ACCOUNT,
    load: async () => (await import('../screens/account/personal-centre-screen.tsx')).PersonalCentreScreen,
  },
  {
    path: '/pages/user/fychpwd',
    title: 'title.changePassword',
    texts: ACCOUNT,
    signedIn: true,
    load: async () => (await import('../screens/account/change-password-screen.tsx')).ChangePasswordScreen,
  },
  {
    path: '/pages/user/fyuseredit',
    title: 'title.editProfile',
    texts: ACCOUNT,
    signedIn: true,
    load: async () => (await import('../screens/account/edit-profile-screen.tsx')).EditProfileScreen,
  },
  {
    path: '/pages/user/fyuserdetail',
    title: 'title.personalInfo',
    texts: ACCOUNT,
    signedIn: true,
    load: async () => (await import('../screens/account/personal-info-screen.tsx')).PersonalInfoScreen,
  },
  {
    path: '/pages/user/share',
    title: 'title.share',
    signedIn: true,
    load: async () => (await import('../screens/sharing/share-screen.tsx')).ShareScreen,
  },
  {
    path: '/pages/user/shareLog',
    title: 'title.shareLog',
    texts: ACCOUNT,
    signedIn: true,
    load: async () => (await import('../screens/sharing/share-log-screen.tsx')).ShareLogScreen,
  },
  {
    path: '/pages/user/notes',
    title: 'title.notes',
    signedIn: true,
    load: async () => (await import('../screens/notebook/notebook-screen.tsx')).NotebookScreen,
  },
  {
    path: '/pages/user/vouchers',
    title: 'title.vouchers',
    texts: ACCOUNT,
    signedIn: true,
    load: async () => (await import('../screens/account/vouchers-screen.tsx')).VouchersScreen,
  },
  {
    path: '/pages/foot/foothome',
    title: 'title.landing',
    texts: ACCOUNT,
    load: async () => (await import('../screens/sharing/landing-screen.tsx')).LandingScreen,
  },
  {
    path: '/pages/user/contactUs',
    title: 'title.contact',
    texts: ACCOUNT,
    load: async () => (await import('../screens/promotion/contact-screen.tsx')).ContactScreen,
  },
  {
    path: '/pages/user/apply',
    title: 'title.apply',
    texts: PROMOTION,
    signedIn: true,
    load: async () => (await import('../screens/promotion/apply-screen.tsx')).ApplyScreen,
  },
  {
    path: '/pages/user/bankCard',
    title: 'title.bankCard',
    texts: PROMOTION,
    signedIn: true,
    load: async () => (await import('../screens/promotion/bank-card-screen.tsx')).BankCardScreen,
  },
  {
    path: '/pages/user/withdrawal',
    title: 'title.withdrawal',
    texts: PROMOTION,
    signedIn: true,
    load: async () => (await import('../screens/promotion/withdrawal-screen.tsx')).WithdrawalScreen,
  },
  {
    path: '/pages/user/promotionServiceProvider',
    title: 'title.promotion',
    texts: PROMOTION,
    signedIn: true,
    load: async () => (await import('../screens/promotion/promotion-screen.tsx')).PromotionScreen,
  },
  {
    path: '/pages/user/delete',
    title: 'title.deleteAccount',
    texts: ACCOUNT,
    load: async () => (await import('../screens/account/delete-account-screen.tsx')).DeleteAccountScreen,
  },
  {
    path: '/pages/help/:topic',
    title: 'title.help',
    texts: ['help'],
    load: async () => (await import('../screens/help/help-screen.tsx')).HelpScreen,
  },
]
