import { impliedValues } from '../../analytics/filter.ts'
import type { Plan } from '../../analytics/plan.ts'
import { planRequest } from '../../analytics/plan-request.ts'
import { checkRequest } from '../../analytics/request.ts'
import { MAX_PAGE } from '../../analytics/rows.ts'
import type { FrozenBet } from '../../contract/api/frozen.ts'
import { chooseBets, type BetRules, type BetTable } from '../../domain/bet-table.ts'
import { asFurlongError, FurlongError } from '../../domain/errors.ts'
import { groupBy } from '../../domain/group-by.ts'
import { settle } from '../../domain/settlement.ts'
import { readManifest } from './dataset-index.ts'
import { OPERATOR, type Analytics } from '../analytics/analytics-service.ts'
import type { Service } from '../services/service.ts'
import type { Queries } from '../db/database.ts'
import { ALL_COMING, comingSet, type ComingFiles } from './coming-files.ts'
import { steadyTime } from '../db/clock-store.ts'
import {
  betsOfMeetings,
  dueFrozenRules,
  recordCheck,
  type DueRule,
  type FrozenBetRow,
  type RecordedBet,
} from '../store/accounts/frozen-store.ts'
import { readOutcomes } from '../store/racing/outcome-store.ts'

/**
 * Bets are recorded this long before post time: late enough for the odds, early enough for customers to
 * follow them.
 */
export const RECORD_BEFORE_MS = 3 * 60_000

const SHARED = ['race_id', 'probability', 'market_probability', 'win_odds', 'opening_odds']
const COLUMNS = {
  kept: [...SHARED, 'bet_type', 'rank', 'combination'],
  starters: [...SHARED, 'horse_no', 'model_rank'],
} as const

/** The query plan of rules for upcoming races. Throws `bad-parameters` for an invalid filter. */
export function frozenPlan(universe: DueRule['universe'], filter: unknown): Plan {
  const request = checkRequest({
    rows: {
      model: universe === 'kept' ? 'predictions' : 'runners',
      columns: COLUMNS[universe],
      where: filter,
      sort: [{ by: universe === 'kept' ? 'rank' : 'model_rank', descending: false }],
      offset: 0,
      limit: MAX_PAGE,
    },
  })
  const models = 'rows' in request ? impliedValues(request.rows.where, 'model') : null
  // Predictions of several models would give the same bet twice.
  if (models?.length !== 1) throw new FurlongError('bad-parameters', { reason: 'filter: one model' })
  return planRequest(request, ALL_COMING)
}

interface Recorder {
  service: Service
  coming: ComingFiles
  analytics: Analytics
  settings: { dataFolder: string }
}

/**
 * Checks frozen rules against the races that start within minutes, and records their bets with the current
 * odds. A race is checked once; a race not checked before post time stays without bets. Returns the number of
 * recorded checks.
 */
export async function recordFrozenBets(
  context: Recorder,
  onError: (error: FurlongError) => void = (error) => {
    throw error
  },
): Promise<number> {
  const { database, now } = context.service
  const at = await steadyTime(database, now())
  const due = await dueFrozenRules(database, at, new Date(at.getTime() + RECORD_BEFORE_MS))
  let checked = 0
  for (const rule of due) {
    try {
      checked += await recordRule(context, rule)
    } catch (error) {
      // A failing rule must not keep the others from being checked.
      onError(asFurlongError(error))
    }
  }
  return checked
}

/** Checks one rule against its races that start soon. Returns the number of recorded checks. */
async function recordRule(context: Recorder, rule: DueRule): Promise<number> {
  const { database, now } = context.service
  const found = await candidatesOf(context, rule)
  // Nothing can be decided before the first dataset files are built; a later check may succeed.
  if (found === null) return 0
  let checked = 0
  const candidates = groupBy(found, ({ raceId }) => raceId)
  const meetings = await betsOfMeetings(database, rule.id, rule.raceIds)
  const rules = JSON.parse(rule.rules) as BetRules
  const before = new Map([...meetings.values()].map(({ meeting, bets }) => [meeting, bets]))
  for (const raceId of rule.raceIds) {
    const { meeting } = meetings.get(raceId)!
    const left = rules.perMeeting === null ? null : Math.max(0, rules.perMeeting - before.get(meeting)!)
    const bets = chosenOf(candidates.get(raceId) ?? [], { ...rules, perMeeting: left })
    const at = await steadyTime(database, now())
    const recorded = await database.transaction((queries) => recordCheck(queries, rule.id, raceId, bets, at))
    if (!recorded) continue
    checked += 1
    before.set(meeting, before.get(meeting)! + bets.length)
  }
  return checked
}

/**
 * Predictions for upcoming races that match a rule's filter, in the lab's order; `null` if there are no
 * dataset files yet.
 */
async function candidatesOf(
  { coming, analytics, settings }: Recorder,
  { regionId, universe, filter }: DueRule,
): Promise<RecordedBet[] | null> {
  const manifest = readManifest(settings.dataFolder)
  const region = manifest?.regions.find(({ id }) => id === regionId)
  if (!manifest || !region) return null
  const plan = frozenPlan(universe, JSON.parse(filter))
  const files = await comingSet(coming, manifest, region)
  const question = { files, sql: plan.sql, columns: plan.columns, format: 'json', cost: 0 } as const
  const { bytes } = await analytics.ask(question, OPERATOR)
  const rows = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, number | string | null>[]
  const numberOf = (value: number | string | null | undefined): number | null =>
    value === null || value === undefined ? null : Number(value)
  const bets = rows.map((row) => ({
    raceId: String(row['race_id']),
    gameplayClass: numberOf(row['bet_type']) ?? 1,
    combination: String(row['combination'] ?? row['horse_no']),
    rank: Number(row['rank'] ?? row['model_rank']),
    probability: Number(row['probability']),
    marketProbability: numberOf(row['market_probability']),
    openingOdds: numberOf(row['opening_odds']),
    odds: numberOf(row['win_odds']),
  }))
  return bets.toSorted((a, b) => a.gameplayClass - b.gameplayClass || a.rank - b.rank)
}

/**
 * The bets that rules choose for one race: the same choice as in the lab (`chooseBets`), with the current
 * odds as final odds.
 */
export function chosenOf(candidates: readonly RecordedBet[], rules: BetRules): RecordedBet[] {
  if (candidates.length === 0) return []
  const column = (of: (bet: RecordedBet) => number | null): Float64Array =>
    Float64Array.from(candidates, (bet) => of(bet) ?? Number.NaN)
  const size = candidates.length
  const bets: BetTable = {
    size,
    races: Int32Array.of(0, size),
    meetings: Int32Array.of(0, 1),
    days: [''],
    probability: column(({ probability }) => probability),
    market: column(({ marketProbability }) => marketProbability),
    finalOdds: column(({ odds }) => odds),
    openingOdds: column(({ openingOdds }) => openingOdds),
    // The odds of the moment are those at which a bet can be placed.
    lateOdds: column(({ odds }) => odds),
    rank: column(({ rank }) => rank),
    outcome: new Uint8Array(size),
    profit: new Float64Array(size),
    win: Uint8Array.from(candidates, ({ gameplayClass }) => (gameplayClass === 1 ? 1 : 0)),
  }
  const chosen = chooseBets(bets, rules)
  return candidates.filter((_, at) => chosen[at] === 1)
}

/** Recorded bets with their outcome: void for an abandoned race, unknown if the result is not available. */
export async function settledBets(
  queries: Queries,
  bets: readonly FrozenBetRow[],
): Promise<(typeof FrozenBet)['_output'][]> {
  const finals = new Map(
    bets.flatMap(({ raceId, status, places }) => (status === 'final' ? [[raceId, places]] : [])),
  )
  const races = [...finals].map(([id, places]) => ({ id, places }))
  const outcomes = await readOutcomes(queries, races)
  return bets.map(({ status, places: _places, ...bet }) => {
    const outcome = outcomes.get(bet.raceId)
    const settled =
      status === 'abandoned'
        ? ({ outcome: 'void', profitCents: 0 } as const)
        : outcome === undefined
          ? { outcome: null, profitCents: null }
          : settle(bet.gameplayClass, bet.combination.split('-').map(Number), outcome)
    return { ...bet, outcome: settled.outcome, profitCents: settled.profitCents }
  })
}
