import { BOX_ORDERS, LAB_UNIVERSES, type LabBox, type LabUniverse } from '../../../analytics/lab-api.ts'
import { OWN_SLOTS, type OwnSlot } from '../../../analytics/own-slots.ts'
import { ANY_BET, BETTING_ODDS, type BetRules } from '../../../domain/bet-table.ts'
import { fewestLegs, mostBankers, MOST_BOX_HORSES } from '../../../domain/boxes.ts'
import { SHAPE_RANGE } from '../../../domain/gamma-field.ts'
import { GAMEPLAYS, gameplayOf } from '../../../domain/gameplay.ts'
import { USUAL_SHAPE } from '../../../domain/order-rule.ts'
import { EVERY } from '../../../analytics/view/dimension-of.ts'
import { LEVEL_TEN, type StakePlan, type StakeRule } from '../../../domain/staking.ts'

/** Settings of the strategy lab: which bets, by which rules, and how much on each. */
export interface LabSettings extends ComparedPlan {
  universe: LabUniverse
  /** Another plan over the same bets; `null`: none is compared. */
  against: ComparedPlan | null
  /** The dimension that the result is broken down by. */
  by: string
}

/** A plan: which of the bets, how much on each, and by which probabilities. */
export interface ComparedPlan {
  rules: BetRules
  plan: StakePlan
  /** How the user's own probabilities are derived; `null`: the predicted ones are used. */
  own: OwnSettings | null
  /** The box of each race, if boxes are what is bet on. */
  box: LabBox
}

export interface OwnSettings {
  /** Share of the market in the mixture with the model. */
  share: number
  /** Shape of the finishing times, from which the places behind the winner follow. */
  shape: number
  /** Whether probabilities that the user stored on race pages replace those of their races. */
  saved: boolean
}

export const FIRST_OWN: OwnSettings = { share: 0.5, shape: USUAL_SHAPE, saved: false }

/** A quartet box of four. */
const FIRST_BOX: LabBox = { pool: 9, bankers: 0, legs: 4, by: 'chances' }

export const FIRST_SETTINGS: LabSettings = {
  universe: 'kept',
  rules: ANY_BET,
  plan: LEVEL_TEN,
  own: null,
  box: FIRST_BOX,
  against: null,
  by: 'season',
}

/** The plan of the settings, without what it is applied to and compared with. */
export const planOf = ({ rules, plan, own, box }: LabSettings): ComparedPlan => ({ rules, plan, own, box })

/** A box that its pool allows: the nearest one to what was asked for. */
export function fittingBox({ pool, bankers, legs, by }: LabBox): LabBox {
  const allowed = Math.min(bankers, mostBankers(pool))
  const least = fewestLegs(pool, allowed)
  return { pool, bankers: allowed, legs: Math.min(Math.max(legs, least), MOST_BOX_HORSES - allowed), by }
}

/** Rules that boxes have no figure for: odds, value, edge and rank are of single bets. */
const NOT_OF_BOXES = {
  minValue: null,
  maxValue: null,
  minEdge: null,
  minOdds: null,
  maxOdds: null,
  maxRank: null,
  perRace: null,
} as const satisfies Partial<BetRules>

/** Stakes that need no odds. */
export const BOX_STAKES: readonly StakeKind[] = ['level', 'share']

/** A plan without what boxes have not. */
function fittingBoxes<Plan extends ComparedPlan>(compared: Plan): Plan {
  const { rules, plan } = compared
  const rule = BOX_STAKES.includes(plan.rule.kind) ? plan.rule : stakeRuleOf('level', FIRST_STAKE.level)
  return { ...compared, rules: { ...rules, ...NOT_OF_BOXES }, plan: { ...plan, rule, pool: null } }
}

/** Settings without what their universe has not. */
export function settingsOf(settings: LabSettings): LabSettings {
  const { universe, against } = settings
  return universe === 'boxes'
    ? { ...fittingBoxes(settings), against: against && fittingBoxes(against) }
    : settings
}

export const withRules = (settings: LabSettings, changed: Partial<BetRules>): LabSettings => ({
  ...settings,
  rules: { ...settings.rules, ...changed },
})

export const STAKE_KINDS = ['level', 'share', 'target', 'kelly', 'column'] as const
export type StakeKind = (typeof STAKE_KINDS)[number]

/** Initial value of each kind of stake, in cents or as a share. */
export const FIRST_STAKE: Readonly<Record<StakeKind, number>> = {
  level: 1000,
  share: 0.02,
  target: 10_000,
  kelly: 0.25,
  column: 100,
}
/** Shares and Kelly need a bankroll. */
export const FIRST_BANKROLL = 1_000_000

/** `column`: of stakes by one; by default the first one. */
export function stakeRuleOf(kind: StakeKind, amount: number, column: OwnSlot = OWN_SLOTS[0]): StakeRule {
  switch (kind) {
    case 'level':
      return { kind, stake: amount }
    case 'share':
      return { kind, share: amount }
    case 'target':
      return { kind, win: amount }
    case 'column':
      return { kind, column, each: amount }
    default:
      return { kind, fraction: amount }
  }
}

export function stakeAmountOf(rule: StakeRule): number {
  switch (rule.kind) {
    case 'level':
      return rule.stake
    case 'share':
      return rule.share
    case 'target':
      return rule.win
    case 'column':
      return rule.each
    default:
      return rule.fraction
  }
}

/** Keywords of the rules in the address, with the maximum of each. */
const RULES = {
  'value-from': ['minValue', 100],
  'value-to': ['maxValue', 100],
  // Of a box several combinations may win.
  'chance-from': ['minProbability', 3],
  'chance-to': ['maxProbability', 3],
  'odds-from': ['minOdds', 10_000],
  'odds-to': ['maxOdds', 10_000],
  rank: ['maxRank', 50],
  edge: ['minEdge', 1],
  race: ['perRace', 50],
  meeting: ['perMeeting', 500],
} as const satisfies Record<string, readonly [Exclude<keyof BetRules, 'odds'>, number]>

const MAX_CENTS = 100_000_000_000
/** Keywords of the plan in the address, with the maximum of each. */
const PLAN = {
  bank: ['bankroll', MAX_CENTS],
  'cap-bet': ['maxBet', MAX_CENTS],
  'cap-race': ['maxRace', MAX_CENTS],
  'cap-share': ['maxShare', 1],
  pool: ['pool', MAX_CENTS],
  unit: ['unit', 1_000_000],
  commission: ['commission', 10_000],
  rebate: ['rebate', 10_000],
  'rebate-from': ['rebateFrom', MAX_CENTS],
} as const satisfies Record<string, readonly [keyof StakePlan, number]>

/** Numbers of the plan that have no fractions. */
const WHOLE: ReadonlySet<string> = new Set(['unit', 'commission', 'rebate', 'rebateFrom'])

const isOneOf = <Word extends string>(words: readonly Word[], word: string): word is Word =>
  words.some((each) => each === word)

/**
 * Serialises settings for the address, `starters~value-from:1.1~kelly:0.25~bank:1000000`;
 * initial values are omitted.
 */
export function writeSettings({ universe, by, against, ...plan }: LabSettings): string {
  const words = [
    ...(universe === FIRST_SETTINGS.universe ? [] : [universe]),
    ...planWords(plan),
    ...(by === FIRST_SETTINGS.by ? [] : [`by:${by}`]),
    ...(against === null ? [] : [AGAINST, ...planWords(against)]),
  ]
  return words.join('~')
}

/** The word after which the other plan follows. */
const AGAINST = 'against'

/** What two plans that are the same have in common. */
export const planText = (plan: ComparedPlan): string => planWords(plan).join('~')

function boxWords({ pool, bankers, legs, by }: LabBox): string[] {
  const words: string[] = []
  if (pool !== FIRST_BOX.pool) words.push(`box:${gameplayOf(pool).key}`)
  if (bankers !== FIRST_BOX.bankers) words.push(`bankers:${bankers}`)
  if (legs !== FIRST_BOX.legs) words.push(`legs:${legs}`)
  if (by !== FIRST_BOX.by) words.push(`order:${by}`)
  return words
}

function planWords({ rules, plan, own, box }: ComparedPlan): string[] {
  const words = boxWords(box)
  if (rules.odds !== FIRST_SETTINGS.rules.odds) words.push(rules.odds)
  for (const [word, [name]] of Object.entries(RULES))
    if (rules[name] !== null) words.push(`${word}:${rules[name]}`)
  const amount = stakeAmountOf(plan.rule)
  const { rule } = plan
  if (rule.kind === 'column') words.push(`${rule.column}:${amount}`)
  else if (rule.kind !== 'level' || amount !== FIRST_STAKE.level) words.push(`${rule.kind}:${amount}`)
  for (const [word, [name]] of Object.entries(PLAN))
    if (plan[name] !== LEVEL_TEN[name]) words.push(`${word}:${plan[name]}`)
  if (own !== null) {
    words.push(`mix:${own.share}`)
    if (own.shape !== USUAL_SHAPE) words.push(`shape:${own.shape}`)
    if (own.saved) words.push('saved')
  }
  return words
}

/** Settings of which one word after another is read; `share`: `null` without probabilities of the user's own. */
type ReadSettings = Omit<LabSettings, 'own' | 'against'> &
  Omit<OwnSettings, 'share'> & { share: number | null }

/** Whether a word's number is at most `most`; none is, where it is missing or negative. */
const isWithin = (value: number, most: number): boolean =>
  Number.isFinite(value) && value >= 0 && value <= most

/** A word without a number, such as `starters`. */
function readFlag(into: ReadSettings, word: string): void {
  if (isOneOf(LAB_UNIVERSES, word)) into.universe = word
  else if (isOneOf(BETTING_ODDS, word)) into.rules.odds = word
  else if (word === 'saved') into.saved = true
}

/** A limit of the rules or the plan, such as `value-from:1.1`. */
function readLimit({ rules, plan }: ReadSettings, word: string, value: number): void {
  if (Object.hasOwn(RULES, word)) {
    const [field, most] = RULES[word as keyof typeof RULES]
    if (isWithin(value, most)) rules[field] = value
  } else if (Object.hasOwn(PLAN, word)) {
    const [field, most] = PLAN[word as keyof typeof PLAN]
    if (isWithin(value, most) && (field !== 'unit' || value >= 1))
      plan[field] = WHOLE.has(field) ? Math.round(value) : value
  }
}

/** A word of the box, such as `legs:5`; whether it was one. */
function readBox({ box }: ReadSettings, word: string, written: string): boolean {
  const count = /^\d$/.test(written) ? Number(written) : null
  if (word === 'box') box.pool = GAMEPLAYS.find(({ key }) => key === written)?.class ?? box.pool
  else if (word === 'bankers') box.bankers = count ?? box.bankers
  else if (word === 'legs') box.legs = count ?? box.legs
  else if (word === 'order' && isOneOf(BOX_ORDERS, written)) box.by = written
  else return false
  return true
}

/** A word with a number, such as `kelly:0.25`. */
function readNumber(into: ReadSettings, word: string, value: number): void {
  if (word === 'mix') {
    if (isWithin(value, 1)) into.share = value
  } else if (word === 'shape') {
    if (isWithin(value, SHAPE_RANGE.most) && value >= SHAPE_RANGE.least) into.shape = Math.round(value)
  } else if (isOneOf(OWN_SLOTS, word)) {
    if (isWithin(value, MAX_CENTS) && value > 0) into.plan.rule = stakeRuleOf('column', value, word)
  } else if (word !== 'column' && isOneOf(STAKE_KINDS, word)) {
    const most = word === 'share' || word === 'kelly' ? 1 : MAX_CENTS
    if (isWithin(value, most) && value > 0) into.plan.rule = stakeRuleOf(word, value)
  } else readLimit(into, word, value)
}

/** Parses settings from an address; unknown words are ignored. */
export function readSettings(text: string | null): LabSettings {
  const parts = (text ?? '').split('~')
  const at = parts.indexOf(AGAINST)
  const read = readWords(at < 0 ? parts : parts.slice(0, at))
  const against = at < 0 ? null : planOf({ ...readWords(parts.slice(at + 1)), against: null })
  return settingsOf({ ...read, against })
}

const MAX_WORDS = 40

function readWords(parts: readonly string[]): Omit<LabSettings, 'against'> {
  const read: ReadSettings = {
    ...structuredClone(FIRST_SETTINGS),
    ...structuredClone(FIRST_OWN),
    share: null,
  }
  for (const part of parts.slice(0, MAX_WORDS)) {
    const [word = '', written = ''] = part.split(':')
    readFlag(read, word)
    if (word === 'by' && Object.hasOwn(EVERY.dimensions, written)) read.by = written
    if (!readBox(read, word, written)) readNumber(read, word, written === '' ? Number.NaN : Number(written))
  }
  const { universe, rules, plan, by, box, share, shape, saved } = read
  // Without a bankroll nothing could be staked.
  if (needsBankroll(plan.rule) && plan.bankroll === null) plan.bankroll = FIRST_BANKROLL
  const own = share === null ? null : { share, shape, saved }
  return { universe, rules, plan, by, own, box: fittingBox(box) }
}

export const needsBankroll = ({ kind }: StakeRule): boolean => kind === 'share' || kind === 'kelly'
