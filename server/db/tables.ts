// Written by tests/service/tables.test.ts from the migrations: `npx vitest run tests/service/tables.test.ts -u`.
import type { ColumnType, Generated } from 'kysely'

/** Read as ISO 8601 in UTC. */
type Instant = ColumnType<string, string | Date, string | Date>
type GeneratedInstant = ColumnType<string, string | Date | undefined, string | Date>

/** The tables of the database and their columns: what reading returns, what an insert needs and an update takes. */
export interface Tables {
  accessToken: {
    tokenHash: string
    customerId: string
    createdAt: Instant
    lastUsedAt: Instant
    revokedAt: Instant | null
  }
  ad: {
    id: string
    position: string
    type: string
    url: string
    link: string | null
    sort: Generated<number>
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
  brokenLock: {
    raceId: string
    modelId: string
    foundAt: Instant
  }
  configItem: {
    code: string
    value: string
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
  dailyHits: {
    regionId: string
    raceDate: string
    gameplayClass: number
    origin: 'locked' | 'backtest' | 'changed'
    hits: number
    misses: number
  }
  dailyPredictions: {
    regionId: string
    raceDate: string
    predictions: number
  }
  dailyVoucher: {
    customerId: string
    day: string
    balance: number
  }
  dividend: {
    raceId: string
    pool: string
    gameplayClass: number | null
    combination: string
    status: 'paid' | 'refund' | 'unknown'
    dividendCents: number | null
  }
  featureState: {
    regionId: string
    day: string
    season: number | null
    content: Uint8Array
  }
  feedBatch: {
    source: string
    key: string
    kind: string
    sha256: string
    receivedAt: Instant
    report: string
  }
  formLine: {
    regionId: string
    brand: string
    raceDate: string
    raceIndex: number
    stadiumId: string | null
    placeCode: string | null
    track: string | null
    course: string | null
    distanceM: number | null
    going: string | null
    raceClass: string | null
    draw: number | null
    rating: number | null
    trainer: string | null
    jockey: string | null
    margin: string | null
    winOdds: number | null
    actualWeightLb: number | null
    declaredWeightLb: number | null
    runningPosition: string | null
    finishTimeMs: number | null
    gear: string | null
  }
  frozenBet: {
    ruleId: string
    raceId: string
    gameplayClass: number
    combination: string
    rank: number
    probability: number
    marketProbability: number | null
    openingOdds: number | null
    odds: number | null
  }
  frozenCheck: {
    ruleId: string
    raceId: string
    checkedAt: Instant
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
  horse: {
    id: string
    key: number
    regionId: string
    brand: string
    nameEn: string | null
    nameHant: string | null
    nameHans: string | null
    status: string | null
    origin: string | null
    sex: string | null
    colour: string | null
    importType: string | null
    owner: string | null
    sire: string | null
    dam: string | null
    damSire: string | null
    seasonPrizeCents: number | null
    totalPrizeCents: number | null
    lastRating: number | null
    age: number | null
    ageOn: string | null
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
  job: {
    id: string
    kind: string
    lane: string
    payload: unknown
    state: 'waiting' | 'running' | 'done' | 'dead' | 'cancelled'
    attempts: Generated<number>
    failures: Generated<number>
    createdAt: GeneratedInstant
    dueAt: GeneratedInstant
    startedAt: Instant | null
    finishedAt: Instant | null
    worker: string | null
    leaseUntil: Instant | null
    progress: string | null
    result: unknown
    next: Generated<unknown>
    error: unknown
  }
  jockey: {
    id: string
    key: number
    regionId: string
    nameEn: string | null
    nameHant: string | null
    nameHans: string | null
  }
  knownPerson: {
    phoneHash: string
    day: string | null
    dailyLeft: number | null
  }
  migration: {
    name: string
    appliedAt: Instant
  }
  model: {
    id: string
    key: number
  }
  modelCard: {
    regionId: string
    content: string
  }
  modelVersion: {
    regionId: string
    season: number
    sha256: string
    content: string
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
  oddsTick: {
    raceId: string
    horseNo: number
    seenAt: Instant
    odds: number
  }
  oneTimeLink: {
    codeHash: string
    customerId: string
    expiresAt: Instant
    usedAt: Instant | null
  }
  operatorToken: {
    id: string
    name: string
    tokenHash: string
    scopes: string[]
    createdAt: Instant
    lastUsedAt: Instant | null
    revokedAt: Instant | null
  }
  partitionRevision: {
    regionId: string
    season: number
    revision: number
  }
  paymentNotice: {
    gateway: string
    noticeId: string
    receivedAt: Instant
  }
  prediction: {
    raceId: string
    modelId: string
    gameplayClass: number
    rank: number
    combination: string
    probability: number
    selected: boolean
    cautious: boolean
    upsetGuard: boolean
    oddsSeen: number | null
  }
  predictionLock: {
    regionId: string
    number: number
    raceId: string
    modelId: string
    raceDate: string
    sha256: string
    lockedAt: Instant
    chain: string
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
  pushEvent: {
    id: string
    kind: 'odds' | 'result' | 'tip' | 'order'
    raceId: string | null
    customerId: string | null
    body: string
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
  }
  refundedPayment: {
    gateway: string
    paymentReference: string
    at: Instant
  }
  region: {
    id: string
    code: string
    nameEn: string
    nameHant: string
    nameHans: string
    timeZone: string
    currency: string
    seasonStartMonth: number
  }
  rewardedPerson: {
    phoneHash: string
  }
  runner: {
    raceId: string
    horseId: string
    horseNo: number | null
    jockeyId: string | null
    trainerId: string | null
    draw: number | null
    actualWeightLb: number | null
    declaredWeightLb: number | null
    rating: number | null
    gear: string | null
    status: 'declared' | 'finished' | 'unfinished' | 'withdrawn'
    place: number | null
    placeCode: string | null
    deadHeat: Generated<boolean>
    margin: string | null
    runningPosition: string | null
    finishTimeMs: number | null
    winOdds: number | null
    entryNo: number | null
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
  }
  securityEvent: {
    id: string
    customerId: string
    kind: string
    at: Instant
  }
  setting: {
    name: string
    value: string
  }
  settlement: {
    raceId: string
    modelId: string
    gameplayClass: number
    rank: number
    outcome: 'hit' | 'miss' | 'void'
    profitCents: number | null
    paidOdds: number | null
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
  stadium: {
    id: string
    key: number
    regionId: string
    nameEn: string | null
    nameHant: string | null
    nameHans: string | null
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
  trainer: {
    id: string
    key: number
    regionId: string
    nameEn: string | null
    nameHant: string | null
    nameHans: string | null
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
  winChance: {
    raceId: string
    modelId: string
    horseNo: number
    probability: number
    reasons: string
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
