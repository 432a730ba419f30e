import type * as account from '../../../contract/api/account.ts'
import type { ResultOf } from '../../../contract/api/endpoint.ts'
import type {
  endOtherSessions as endOtherSessionsCall,
  querySessions,
} from '../../../contract/api/session.ts'
import type * as analytics from '../../../contract/api/analytics.ts'
import { FurlongError } from '../../../domain/errors.ts'
import { get, post, remove, upload } from '../client/api-client.ts'

/** Calls about the signed-in user; errors are those of `get` and `post`. */

export type SignedIn = account.SignedIn

export const fetchAccount = (signal?: AbortSignal): Promise<account.AccountInfo> =>
  get('sys/api/customer/userInfo', {}, signal)

/** Ends the session on the server; the device discards the token whatever the response. */
export const signOut = (): Promise<null> => post('sys/logout', {})

export const signInByLink = (code: string): Promise<SignedIn> => post('sys/api/linkSignIn', { code })

export const signInByPassword = (body: { username: string; password: string }): Promise<SignedIn> =>
  post('sys/uniAppLogin?login=customer', body)

export const signInByCode = (body: { mobile: string; captcha: string }): Promise<SignedIn> =>
  post('sys/phoneLogin', body)

export const sendCode = (body: {
  mobile: string
  purpose: 'register' | 'login' | 'reset'
}): Promise<ResultOf<typeof account.sendCode>> => post('sys/sms', body)

export const fetchInviter = (
  id: string,
  signal: AbortSignal,
): Promise<ResultOf<typeof account.queryInviter>> => get('sys/api/queryInviter', { id }, signal)

type Gender = 0 | 1 | 2

/** Converts the form's choice to the contract's value; 0: not specified. */
export const genderOf = (value: string | number): Gender =>
  Number(value) === 1 ? 1 : Number(value) === 2 ? 2 : 0

export interface Registration {
  inviter?: string
  phone: string
  captcha: string
  nickname: string
  gender: Gender
  password: string
  confirmPassword: string
  agreement: boolean
}

/**
 * Registers a user who agrees to the terms; the form requires agreement first. Throws
 * `bad-parameters` without it.
 */
export async function register({ agreement, ...body }: Registration): Promise<SignedIn> {
  if (!agreement) throw new FurlongError('bad-parameters', { reason: 'agreement' })
  return post('sys/register', { ...body, agreement })
}

export const changePassword = (body: {
  oldPassword: string
  password: string
  confirmPassword: string
}): Promise<null> => post('sys/changePassword', body)

export const forgotPassword = (body: {
  mobile: string
  captcha: string
  password: string
  confirmPassword: string
}): Promise<null> => post('sys/forgotPassword', body)

export const editProfile = (body: {
  nickname?: string
  realName?: string
  gender?: Gender
}): Promise<account.AccountInfo> => post('sys/api/customer/edit', body)

export const deleteAccount = (password: string): Promise<null> =>
  post('sys/api/customer/delete', { password })

export const exportData = (): Promise<unknown> => get('sys/api/customer/export', {})

export const uploadAvatar = (file: Blob): Promise<ResultOf<typeof account.uploadAvatar>> =>
  upload('sys/api/uploadAvatar', file)

export const uploadPicture = (file: Blob): Promise<ResultOf<typeof account.uploadFile>> =>
  upload('sys/common/upload', file)

export const fetchShareLog = (
  pageNo: number,
  signal?: AbortSignal,
): Promise<ResultOf<typeof account.shareLogPage>> => get('sys/api/customer/shareLogPage', { pageNo }, signal)

export const fetchVouchers = (
  pageNo: number,
  signal?: AbortSignal,
): Promise<ResultOf<typeof account.voucherPage>> => get('sys/api/customer/voucherPage', { pageNo }, signal)

export const fetchSessions = (signal?: AbortSignal): Promise<ResultOf<typeof querySessions>> =>
  get('sys/api/customer/sessions', {}, signal)

export const endOtherSessions = (): Promise<ResultOf<typeof endOtherSessionsCall>> =>
  post('sys/api/customer/endOtherSessions', {})

export const fetchAnalyticsTokens = (
  signal?: AbortSignal,
): Promise<ResultOf<typeof analytics.queryAnalyticsTokens>> =>
  get('sys/api/customer/analyticsTokens', {}, signal)

/** Only this response contains the token: the server stores its hash. */
export const createAnalyticsToken = (
  name: string,
): Promise<ResultOf<typeof analytics.createAnalyticsToken>> =>
  post('sys/api/customer/analyticsTokens', { name })

export const revokeAnalyticsToken = (id: string): Promise<ResultOf<typeof analytics.revokeAnalyticsToken>> =>
  remove('sys/api/customer/analyticsTokens', { id })
