import { z } from 'zod'
import { endpoint, type ResultOf } from './endpoint.ts'
import { day, instant, line, paging, raceId, regionId } from './fields.ts'
import { viewAddress } from './view.ts'

/** Maximum frozen rules that a customer can have active in a region. */
export const MAX_FROZEN = 10
/** Maximum ended rules that a customer has in a region; those of which nothing was recorded make room for others. */
export const MAX_ENDED = 500
/** Maximum bets of one rule in a response; the newest are returned. */
export const MAX_FROZEN_BETS = 5000

const amount = (maximum: number) => z.number().min(-maximum).max(maximum).nullable()
const cents = z.number().int().min(0).max(100_000_000_000)

const FrozenBetRules = z.strictObject({
  odds: z.enum(['final', 'opening', 'late']),
  minValue: amount(100),
  maxValue: amount(100),
  minProbability: amount(1),
  maxProbability: amount(1),
  minOdds: amount(10_000),
  maxOdds: amount(10_000),
  maxRank: amount(50),
  minEdge: amount(1),
  perRace: amount(50),
  perMeeting: amount(500),
})

const FrozenPlan = z.strictObject({
  rule: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('level'), stake: cents }),
    z.strictObject({ kind: z.literal('share'), share: z.number().min(0).max(1) }),
    z.strictObject({ kind: z.literal('target'), win: cents }),
    z.strictObject({ kind: z.literal('kelly'), fraction: z.number().min(0).max(1) }),
  ]),
  bankroll: cents.nullable(),
  maxBet: cents.nullable(),
  maxRace: cents.nullable(),
  maxShare: z.number().min(0).max(1).nullable(),
  unit: z.number().int().min(1).max(1_000_000),
  commission: z.number().min(0).max(10_000),
  rebate: z.number().min(0).max(10_000),
  /** Of rules that were frozen before there was such a limit, every lost bet has the rebate. */
  rebateFrom: cents.default(0),
  pool: cents.nullable(),
  takeout: z.number().min(0).max(1),
})

const FrozenRule = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  address: z.string(),
  universe: z.enum(['kept', 'starters']),
  rules: FrozenBetRules,
  plan: FrozenPlan,
  frozenAt: instant,
  endedAt: instant.nullable(),
  /** Races that the rules were checked against before post time. */
  races: z.number().int(),
  /**
   * Races that started while the rules were active but were not checked, because the server was not running.
   */
  missed: z.number().int(),
  bets: z.number().int(),
})

export const FrozenBet = z.strictObject({
  raceId,
  date: day,
  stadiumName: z.string(),
  stadiumId: z.string(),
  raceNo: z.number().int(),
  gameplayClass: z.number().int(),
  combination: z.string(),
  rank: z.number().int(),
  probability: z.number(),
  marketProbability: z.number().nullable(),
  openingOdds: z.number().nullable(),
  odds: z.number().nullable(),
  recordedAt: instant,
  /** `null` until settled. */
  outcome: z.enum(['hit', 'miss', 'void']).nullable(),
  /** Profit in cents of the region’s currency for a stake of 10; `null` if not settled, or if the dividend is unknown. */
  profitCents: z.number().int().nullable(),
})
export type FrozenBet = z.infer<typeof FrozenBet>

export const freezeRules = endpoint('customer', 'POST /race/api/freezeRules', {
  summary:
    'Freezes rules of the strategy lab: their bets on coming races are recorded before the off; for VIP',
  body: z.strictObject({
    countryRegionId: regionId,
    name: line(60),
    address: viewAddress,
    universe: z.enum(['kept', 'starters']),
    /** A filter of the semantic model, checked by the server. */
    filter: z.unknown(),
    rules: FrozenBetRules,
    plan: FrozenPlan,
  }),
  result: FrozenRule,
})

export const queryFrozenRules = endpoint('customer', 'GET /race/api/queryFrozenRules', {
  summary: 'The customer’s frozen rules of a region, active ones first, then the newest',
  query: z.strictObject({ ...paging, countryRegionId: regionId }),
  result: z.array(FrozenRule),
})
export type FrozenRule = ResultOf<typeof queryFrozenRules>[number]

export const queryFrozenBets = endpoint('customer', 'GET /race/api/queryFrozenBets', {
  summary:
    'Recorded bets of frozen rules in the order of their races, settled by the official dividends; for VIP',
  query: z.strictObject({ id: z.uuid() }),
  result: z.array(FrozenBet),
})

export const endFrozenRules = endpoint('customer', 'POST /race/api/endFrozenRules', {
  summary: 'Ends frozen rules: nothing more is recorded, and what was recorded stays',
  body: z.strictObject({ id: z.uuid() }),
  result: z.strictObject({ ended: z.boolean() }),
})
