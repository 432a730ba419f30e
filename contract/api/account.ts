import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  captcha,
  flag,
  gender,
  instant,
  line,
  money,
  newPassword,
  nickname,
  page,
  paging,
  password,
  phone,
  uuid,
} from './fields.ts'

const membership = { isVip: flag, vipEndTime: instant.nullable() }

export const AccountInfo = z.strictObject({
  id: z.string(),
  account: z.string(),
  nickname: z.string(),
  realName: z.string().nullable(),
  phone: z.string(),
  gender: z.number().int(),
  headUrl: z.string().nullable(),
  currency: z.literal('HKD'),
  /** Settled promotion fees. */
  income: money,
  /** Last four digits of the first bank card. */
  settlementAccount: z.string().nullable(),
  /** Remaining free vouchers of today; the day is in Hong Kong time. */
  everyDayFreeNum: z.number().int(),
  subscribeFreeNum: z.number().int(),
  isPromotionServiceProvider: flag,
  customerType: z.number().int(),
  vipStartTime: instant.nullable(),
  ...membership,
})
export type AccountInfo = z.infer<typeof AccountInfo>

export const SignedIn = z.strictObject({
  /** Sent as `X-Access-Token`; expires 30 days after its last use. */
  token: z.string(),
  userInfo: z.strictObject({
    id: z.string(),
    username: z.string(),
    realname: z.string().nullable(),
    avatar: z.string().nullable(),
  }),
})
export type SignedIn = z.infer<typeof SignedIn>

const nothing = z.null()
const agreed = z.literal(true, 'field.agreement')

const passwords = { password: newPassword, confirmPassword: z.string().max(256) }
const same = (value: { password?: unknown; confirmPassword?: unknown }): boolean =>
  value.password === value.confirmPassword
/** Reported even when other fields are invalid, so that a form shows all its errors at once. */
const DIFFER = {
  path: ['confirmPassword'],
  error: 'field.passwordsDiffer',
  when: ({ value }: { value: unknown }): boolean => typeof value === 'object' && value !== null,
}

export const sendCode = endpoint('open', 'POST /sys/sms', {
  summary: 'Sends a verification code to a phone, one a minute',
  body: z.object({ mobile: phone, purpose: z.enum(['register', 'login', 'reset']) }),
  result: z.strictObject({
    /** Seconds until another code may be requested. */
    seconds: z.number().int(),
    /** In development only. */
    code: captcha.optional(),
  }),
})

export const queryInviter = endpoint('open', 'GET /sys/api/queryInviter', {
  summary: 'Nickname of the customer whose share link led here, by the id in the link',
  query: z.object({ id: uuid }),
  result: z.strictObject({ nickname: z.string() }),
})

export const register = endpoint('open', 'POST /sys/register', {
  summary: 'Registers a customer and signs in',
  body: z
    .object({
      inviter: line(64, 0).optional(),
      phone,
      captcha,
      nickname,
      gender,
      ...passwords,
      agreement: agreed,
    })
    .refine(same, DIFFER),
  result: SignedIn,
})

const credentials = z.object({ username: line(64), password })

export const mLogin = endpoint('open', 'POST /sys/mLogin', {
  summary: 'Signs in by account or phone and password',
  body: credentials,
  result: SignedIn,
})

export const uniAppLogin = endpoint('open', 'POST /sys/uniAppLogin', {
  summary: 'Signs in a customer by account or phone and password',
  query: z.object({ login: z.literal('customer') }),
  body: credentials,
  result: SignedIn,
})

export const phoneLogin = endpoint('open', 'POST /sys/phoneLogin', {
  summary: 'Signs in by phone and verification code',
  body: z.object({ mobile: phone, captcha }),
  result: SignedIn,
})

export const linkSignIn = endpoint('open', 'POST /sys/api/linkSignIn', {
  summary: 'Signs in by the code of a one-time link that the operator made',
  body: z.object({ code: z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'field.invalid') }),
  result: SignedIn,
})

export const logout = endpoint('open', 'POST /sys/logout', {
  summary: 'Ends the token that is sent; succeeds without one',
  result: nothing,
})

export const changePassword = endpoint('customer', 'POST /sys/changePassword', {
  summary: 'Changes the password and ends every other sign-in',
  body: z.object({ oldPassword: password, ...passwords }).refine(same, DIFFER),
  result: nothing,
})

export const forgotPassword = endpoint('open', 'POST /sys/forgotPassword', {
  summary: 'Sets a new password by verification code and ends every sign-in',
  body: z.object({ mobile: phone, captcha, ...passwords }).refine(same, DIFFER),
  result: nothing,
})

export const querySession = endpoint('customer', 'GET /sys/api/session', {
  summary: 'Who the token belongs to, and whether that is a VIP',
  result: z.strictObject({
    id: z.string(),
    account: z.string(),
    nickname: z.string(),
    ...membership,
  }),
})

export const checkVip = endpoint('customer', 'GET /sys/api/customer/checkVip', {
  summary: 'Whether the customer is VIP now',
  result: z.strictObject(membership),
})

export const userInfo = endpoint('customer', 'GET /sys/api/customer/userInfo', {
  summary: 'The customer’s own account; another’s id is refused',
  query: z.object({ id: uuid.optional() }),
  result: AccountInfo,
})

export const editProfile = endpoint('customer', 'POST /sys/api/customer/edit', {
  summary: 'Changes what is given of nickname, real name and gender',
  body: z.object({
    nickname: nickname.optional(),
    realName: line(40, 0).optional(),
    gender: gender.optional(),
  }),
  result: AccountInfo,
})

export const deleteAccount = endpoint('customer', 'POST /sys/api/customer/delete', {
  summary: 'Deletes the account: personal fields at once, orders and ledger rows stay without a name',
  body: z.object({ password }),
  result: nothing,
})

export const exportData = endpoint('customer', 'GET /sys/api/customer/export', {
  summary: 'Everything that is kept about the customer',
  result: z.record(
    z.string(),
    z.union([z.array(z.record(z.string(), z.unknown())), z.record(z.string(), z.unknown())]),
  ),
})

export const shareLogPage = endpoint('customer', 'GET /sys/api/customer/shareLogPage', {
  summary: 'Who registered through the customer’s link, and what that gave',
  query: z.object(paging),
  result: page(
    z.strictObject({
      recipient: z.string(),
      createTime: instant,
      rewardType: z.number().int(),
      rewardAmount: z.number().int(),
      beforeNum: z.number().int(),
      afterNum: z.number().int(),
    }),
  ),
})

export const voucherPage = endpoint('customer', 'GET /sys/api/customer/voucherPage', {
  summary: 'Every change of the customer’s voucher balances, newest first',
  query: z.object(paging),
  result: page(
    z.strictObject({
      id: z.string(),
      kind: z.enum(['daily', 'no_expiry']),
      day: z.string().nullable(),
      reason: z.string(),
      amount: z.number().int(),
      before: z.number().int(),
      after: z.number().int(),
      reference: z.string(),
      createTime: instant,
    }),
  ),
})

export const uploadAvatar = endpoint('customer', 'POST /sys/api/uploadAvatar', {
  summary: 'Replaces the customer’s picture; the file’s content decides, not its name; 5 MB at most',
  query: z.object({ userid: uuid.optional() }),
  multipart: true,
  result: z.strictObject({ avatarUrl: z.string() }),
})

export const uploadFile = endpoint('customer', 'POST /sys/common/upload', {
  summary: 'Stores a picture under a random name; 5 MB at most',
  multipart: true,
  result: z.strictObject({ obj: z.string() }),
})
