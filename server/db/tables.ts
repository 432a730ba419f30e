// Written by tests/service/tables.test.ts from the migrations: `npx vitest run tests/service/tables.test.ts -u`.
import type { ColumnType, Generated } from 'kysely'

/** Read as ISO 8601 in UTC. */
type Instant = ColumnType<string, string | Date, string | Date>

/** The tables that statements of Kysely name, and their columns: what reading returns, what an insert needs and an update takes. */
export interface Tables {
  accessToken: {
    tokenHash: string
    customerId: string
    createdAt: Instant
    lastUsedAt: Instant
    revokedAt: Instant | null
  }
  alert: {
    id: string
    customerId: string
    channel: 'site' | 'push' | 'email'
    deviceId: string | null
    language: string
    kind: string
    raceId: string | null
    horseId: string | null
    facts: unknown
    dedupeKey: string
    state: 'waiting' | 'delivered' | 'dead' | 'withheld' | 'limited' | 'expired'
    attempts: Generated<number>
    createdAt: Instant
    dueAt: Instant
    expiresAt: Instant
    leaseUntil: Instant | null
    deliveredAt: Instant | null
    readAt: Instant | null
    error: string | null
  }
  alertEmail: {
    customerId: string
    address: string
    agreedAt: Instant
    confirmedAt: Instant | null
    tokenHash: string
    tokenEndsAt: Instant
    unsubscribeToken: string
  }
  alertSetting: {
    customerId: string
    language: string
    siteKinds: string[]
    pushKinds: string[]
    emailKinds: string[]
    quietFrom: number | null
    quietTo: number | null
    pricePercent: number | null
    priceBelow: number | null
    choseViews: Generated<boolean>
  }
  analyticsToken: {
    id: string
    tokenHash: string
    customerId: string
    name: string
    createdAt: Instant
    lastUsedAt: Instant | null
    revokedAt: Instant | null
  }
  attempt: {
    id: string
    kind: string
    subject: string
    at: Instant
  }
  bankCard: {
    id: string
    customerId: string
    name: string | null
    bank: string | null
    numberSealed: string | null
    lastFour: string | null
    numberHash: string | null
    createdAt: Instant
    removedAt: Instant | null
  }
  customer: {
    id: string
    account: string | null
    phone: string | null
    passwordHash: string | null
    nickname: string | null
    realName: string | null
    gender: Generated<number>
    headFile: string | null
    customerType: Generated<number>
    vipStart: Instant | null
    vipEnd: Instant | null
    inviterId: string | null
    providerId: string | null
    providerSince: Instant | null
    demonstration: Generated<boolean>
    createdAt: Instant
    deletedAt: Instant | null
  }
  dailyVoucher: {
    customerId: string
    day: string
    balance: number
  }
  follow: {
    customerId: string
    kind: 'horse' | 'jockey' | 'trainer' | 'race' | 'meeting'
    target: string
    createdAt: Instant
  }
  frozenRule: {
    id: string
    customerId: string
    regionId: string
    name: string
    address: string
    universe: 'kept' | 'starters'
    filter: string
    rules: string
    plan: string
    frozenAt: Instant
    endedAt: Instant | null
  }
  instalment: {
    providerId: string
    orderId: string
    number: number
    customerId: string
    cents: number
    settlesOn: string
    cancelledAt: Instant | null
  }
  knownDevice: {
    customerId: string
    deviceHash: string
    lastUsedAt: Instant
  }
  knownPerson: {
    phoneHash: string
    day: string | null
    dailyLeft: number | null
  }
  message: {
    id: string
    customerId: string
    content: string
    answerTo: string | null
    createdAt: Instant
    answeredAt: Instant | null
  }
  note: {
    id: string
    customerId: string
    regionId: string
    horseId: string | null
    raceId: string | null
    savedViewId: string | null
    content: string
    createdAt: Instant
    updatedAt: Instant
  }
  oneTimeLink: {
    codeHash: string
    customerId: string
    expiresAt: Instant
    usedAt: Instant | null
  }
  paymentNotice: {
    gateway: string
    noticeId: string
    receivedAt: Instant
  }
  providerApplication: {
    id: string
    customerId: string
    account: string | null
    nickname: string | null
    name: string | null
    phone: string | null
    status: 'pending' | 'approved' | 'refused'
    createdAt: Instant
    decidedAt: Instant | null
  }
  pushDevice: {
    id: string
    customerId: string
    endpoint: string
    p256dh: string
    auth: string
    createdAt: Instant
  }
  race: {
    id: string
    key: number
    regionId: string
    stadiumId: string
    raceDate: string
    raceNo: number
    season: number
    startsAt: Instant | null
    nameEn: string | null
    nameHant: string | null
    nameHans: string | null
    raceClass: string | null
    track: 'turf' | 'awt' | 'dirt' | null
    course: string | null
    distanceM: number | null
    going: string | null
    weather: string | null
    ratingRange: string | null
    prizeCents: number | null
    winningTimeMs: number | null
    declaredStarters: number
    places: number
    status: 'scheduled' | 'final' | 'abandoned'
    scoring: Generated<'stale' | 'done'>
    headlineModel: Generated<string>
    amended: Generated<boolean>
    numbersByName: Generated<boolean>
  }
  refundedPayment: {
    gateway: string
    paymentReference: string
    at: Instant
  }
  rewardedPerson: {
    phoneHash: string
  }
  runnerMark: {
    customerId: string
    raceId: string
    horseId: string
    rating: number | null
    odds: number | null
    shortlisted: boolean
    updatedAt: Instant
  }
  savedView: {
    id: string
    customerId: string
    regionId: string
    name: string
    address: string
    code: string
    position: number
    createdAt: Instant
    updatedAt: Instant
    followed: Generated<boolean>
    thresholdMeasure: 'return' | 'hit_rate' | 'ae_market' | null
    thresholdLength: number | null
    thresholdUnit: 'bets' | 'race-days' | 'days' | null
    thresholdSide: 'below' | 'above' | null
    thresholdValue: number | null
    thresholdDay: string | null
    thresholdPassed: Generated<boolean>
    digest: 'weekly' | 'meeting' | null
    digestDay: string | null
  }
  securityEvent: {
    id: string
    customerId: string
    kind: string
    at: Instant
  }
  shareLog: {
    id: string
    customerId: string
    recipientId: string
    rewardType: number
    rewardAmount: number
    beforeNum: number
    afterNum: number
    createdAt: Instant
  }
  storedFile: {
    id: string
    customerId: string
    mediaType: string
    content: Uint8Array
    createdAt: Instant
  }
  subscription: {
    customerId: string
    raceId: string
    paidWith: 'daily' | 'no_expiry' | 'vip'
    createdAt: Instant
  }
  textedCode: {
    phone: string
    purpose: 'register' | 'login' | 'reset'
    deviceHash: string
    codeHash: string
    sentAt: Instant
    expiresAt: Instant
    tries: Generated<number>
    usedAt: Instant | null
  }
  verificationCode: {
    phone: string
    purpose: 'register' | 'login' | 'reset'
    codeHash: string
    sentAt: Instant
    expiresAt: Instant
    tries: Generated<number>
    usedAt: Instant | null
  }
  vipActivation: {
    id: string
    customerId: string
    orderId: string | null
    customerType: number
    months: number
    activatedAt: Instant
    vipStart: Instant
    vipEnd: Instant
    cancelledAt: Instant | null
  }
  vipOrder: {
    id: string
    customerId: string
    planId: string
    customerType: number
    months: number
    originalCents: number
    amountCents: number
    state: 'obligation' | 'accountPaid' | 'closed' | 'refunded'
    gateway: string
    gatewayReference: string | null
    paymentReference: string | null
    payUrl: string | null
    createdAt: Instant
    expiresAt: Instant
    paidAt: Instant | null
    closedAt: Instant | null
    refundedAt: Instant | null
  }
  vipPlan: {
    id: string
    category: Generated<number>
    customerType: number
    nameEn: string
    nameHant: string
    nameHans: string
    months: number
    priceCents: number
    sellingCents: number
    active: Generated<boolean>
  }
  visit: {
    id: string
    clientId: string
    page: string
    channel: string
    customerId: string | null
    at: Instant
  }
  voucherLedger: {
    id: string
    customerId: string
    day: string | null
    reason: 'register' | 'daily' | 'subscribe' | 'share' | 'operator'
    amount: number
    balanceBefore: number
    balanceAfter: number
    reference: string
    createdAt: Instant
  }
  voucherWallet: {
    customerId: string
    balance: number
  }
  withdrawal: {
    id: string
    customerId: string
    cardId: string
    cents: number
    state: 'waiting' | 'paid' | 'refused'
    createdAt: Instant
    decidedAt: Instant | null
  }
}
