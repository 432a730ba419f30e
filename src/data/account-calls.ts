import type * as account from '../../contract/api/account.ts'
import type { ResultOf } from '../../contract/api/endpoint.ts'
import type { endOtherSessions as endOtherSessionsCall, querySessions } from '../../contract/api/session.ts'
import { get, post, upload } from './api-client.ts'

/** Calls about who is signed in; errors are those of `get` and `post`. */

export type SignedIn = account.SignedIn

export const fetchAccount = (signal?: AbortSignal): Promise<account.AccountInfo> =>
  get('sys/api/customer/userInfo', {}, signal)

/** Ends the token on the server; the device forgets it whatever the answer. */
export const signOut = (): Promise<null> => post('sys/logout')

export const signInByLink = (code: string): Promise<SignedIn> => post('sys/api/linkSignIn', { code })

export const signInByPassword = (body: { username: string; password: string }): Promise<SignedIn> =>
  post('sys/uniAppLogin?login=customer', body)

export const signInByCode = (body: { mobile: string; captcha: string }): Promise<SignedIn> =>
  post('sys/phoneLogin', body)

export const sendCode = (body: {
  mobile: string
  purpose: 'register' | 'login' | 'reset'
}): Promise<ResultOf<typeof account.sendCode>> => post('sys/sms', body)

export interface Registration {
  inviter?: string
  phone: string
  captcha: string
  nickname: string
  gender: number
  password: string
  confirmPassword: string
  agreement: boolean
}

export const register = (body: Registration): Promise<SignedIn> => post('sys/register', body)

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
  gender?: number
}): Promise<account.AccountInfo> => post('sys/api/customer/edit', body)

export const deleteAccount = (password: string): Promise<null> =>
  post('sys/api/customer/delete', { password })

export const exportData = (): Promise<unknown> => get('sys/api/customer/export')

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
  post('sys/api/customer/endOtherSessions')
