import type { FrozenBet, FrozenRule } from '../../../contract/api/frozen.ts'
import type { GameplayClass } from '../../../domain/gameplay.ts'
import { isAny, type Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import type { Language } from '../../../domain/languages.ts'
import { nameIn } from '../racing/schedule.ts'

type StoredRule = Omit<FrozenRule, 'rules' | 'plan'> & { rules: string; plan: string }

/**
 * Number of races that were run or abandoned since the rules were frozen without being checked before post
 * time.
 */
const MISSED = `(select count(*)::int from race where race.region_id = f.region_id and race.status <> 'scheduled'
  and race.starts_at > f.frozen_at and race.starts_at <= coalesce(f.ended_at, $2)
  and not exists (select 1 from frozen_check l where l.rule_id = f.id and l.race_id = race.id))`

const COLUMNS = `f.id, f.name, f.address, f.universe, f.rules, f.plan, f.frozen_at, f.ended_at,
  (select count(*)::int from frozen_check l where l.rule_id = f.id) as races, ${MISSED} as missed,
  (select count(*)::int from frozen_bet b where b.rule_id = f.id) as bets`

const parsed = (rule: StoredRule): FrozenRule => ({
  ...rule,
  rules: JSON.parse(rule.rules) as FrozenRule['rules'],
  // Rules that were frozen before there was a limit of the rebate are stored without one.
  plan: { rebateFrom: 0, ...JSON.parse(rule.plan) } as FrozenRule['plan'],
})

/** A page of a customer's frozen rules of a region, active ones first, then the newest. */
export async function listFrozenRules(
  { rows }: Queries,
  customerId: string,
  regionId: string,
  now: Date,
  { limit, offset }: { limit: number; offset: number },
): Promise<FrozenRule[]> {
  const found = await rows<StoredRule>(
    `select ${COLUMNS} from (
       select * from frozen_rule where customer_id = $1::uuid and region_id = $3
       order by ended_at is not null, frozen_at desc, id desc limit $4 offset $5
     ) f order by f.ended_at is not null, f.frozen_at desc, f.id desc`,
    [customerId, now, regionId, limit, offset],
  )
  return found.map(parsed)
}

/**
 * Freezes rules. Returns `null` if the customer already has `max` active rules in the region, or an active
 * one with this name, or `maxEnded` ended ones with a record.
 */
export async function insertFrozenRule(
  { rows }: Queries,
  rule: Pick<FrozenRule, 'name' | 'address' | 'universe' | 'rules' | 'plan'> & {
    customerId: string
    regionId: string
    filter: unknown
    max: number
    maxEnded: number
    now: Date
  },
): Promise<FrozenRule | null> {
  // Locks the customer's row, so that two concurrent requests cannot both pass the limit.
  await rows('select 1 from customer where id = $1::uuid for no key update', [rule.customerId])
  await rows(
    `delete from frozen_rule where id in (
       select id from frozen_rule f where customer_id = $1::uuid and region_id = $2 and ended_at is not null
         and not exists (select 1 from frozen_check where rule_id = f.id)
       order by ended_at, id
       limit (select greatest(0, count(*) - $3 + 1) from frozen_rule
         where customer_id = $1::uuid and region_id = $2 and ended_at is not null))`,
    [rule.customerId, rule.regionId, rule.maxEnded],
  )
  const [made] = await rows<{ id: string }>(
    `insert into frozen_rule (id, customer_id, region_id, name, address, universe, filter, rules, plan, frozen_at)
     select $1::uuid, $2::uuid, $3, $4, $5, $6, $7, $8, $9, $10 from frozen_rule
     where customer_id = $2::uuid and region_id = $3 and ended_at is null having count(*) < $11 and count(*) filter (where name = $4) = 0
       and (select count(*) from frozen_rule
         where customer_id = $2::uuid and region_id = $3 and ended_at is not null) < $12
     returning id`,
    [
      newId(),
      rule.customerId,
      rule.regionId,
      rule.name,
      rule.address,
      rule.universe,
      JSON.stringify(rule.filter),
      JSON.stringify(rule.rules),
      JSON.stringify(rule.plan),
      rule.now,
      rule.max,
      rule.maxEnded,
    ],
  )
  if (!made) return null
  const [frozen] = await rows<StoredRule>(`select ${COLUMNS} from frozen_rule f where f.id = $1::uuid`, [
    made.id,
    rule.now,
  ])
  return parsed(frozen!)
}

/** Ends active rules. Returns whether the customer had such rules. */
export const endFrozenRule = (
  queries: Queries,
  customerId: string,
  id: string,
  now: Date,
): Promise<boolean> =>
  isAny(
    queries,
    `update frozen_rule set ended_at = $3 where id = $2::uuid and customer_id = $1::uuid and ended_at is null returning id`,
    [customerId, id, now],
  )

/** Active rules of VIP customers, with the unchecked races that start within a time window. */
export interface DueRule {
  id: string
  regionId: string
  universe: 'kept' | 'starters'
  filter: string
  rules: string
  raceIds: string[]
}

export const dueFrozenRules = ({ rows }: Queries, now: Date, until: Date): Promise<DueRule[]> =>
  rows(
    `select f.id, f.region_id, f.universe, f.filter, f.rules, array_agg(race.id order by race.race_no) as race_ids
     from frozen_rule f
     join customer c on c.id = f.customer_id and c.vip_end > $1
     join race on race.region_id = f.region_id and race.status = 'scheduled'
       and race.starts_at > $1 and race.starts_at <= $2
     where f.ended_at is null
       and not exists (select 1 from frozen_check l where l.rule_id = f.id and l.race_id = race.id)
     group by f.id order by f.id`,
    [now, until],
  )

export type RecordedBet = Pick<
  FrozenBet,
  | 'raceId'
  | 'gameplayClass'
  | 'combination'
  | 'rank'
  | 'probability'
  | 'marketProbability'
  | 'openingOdds'
  | 'odds'
>

/** Number of bets that the rules recorded at the meeting of each race, by race id. */
export async function betsOfMeetings(
  { rows }: Queries,
  ruleId: string,
  raceIds: readonly string[],
): Promise<Map<string, { meeting: string; bets: number }>> {
  const found = await rows<{ raceId: string; meeting: string; bets: number }>(
    `select race.id as race_id, race.stadium_id || ' ' || race.race_date as meeting, (
       select count(*)::int from frozen_bet b join race other on other.id = b.race_id
       where b.rule_id = $1::uuid and other.stadium_id = race.stadium_id and other.race_date = race.race_date
     ) as bets from race where race.id = any($2::text[])`,
    [ruleId, [...raceIds]],
  )
  return new Map(found.map(({ raceId, meeting, bets }) => [raceId, { meeting, bets }]))
}

/**
 * Records that rules were checked against a race, with their bets. Does nothing if that was already recorded
 * or the race has started. Returns whether it was recorded.
 */
export async function recordCheck(
  { rows }: Queries,
  ruleId: string,
  raceId: string,
  bets: readonly RecordedBet[],
  now: Date,
): Promise<boolean> {
  const checked = await rows(
    `insert into frozen_check (rule_id, race_id, checked_at)
     select $1::uuid, id, $3 from race where id = $2 and status = 'scheduled' and starts_at > $3
     on conflict do nothing returning race_id`,
    [ruleId, raceId, now],
  )
  if (checked.length === 0) return false
  for (const bet of bets) {
    await rows(
      `insert into frozen_bet (rule_id, race_id, gameplay_class, combination, rank, probability, market_probability,
         opening_odds, odds) values ($1::uuid, $2, $3::smallint, $4, $5::smallint, $6, $7, $8, $9)`,
      [
        ruleId,
        raceId,
        bet.gameplayClass,
        bet.combination,
        bet.rank,
        bet.probability,
        bet.marketProbability,
        bet.openingOdds,
        bet.odds,
      ],
    )
  }
  return true
}

/** A recorded bet before it is settled, with what decides how. */
export type FrozenBetRow = Omit<FrozenBet, 'outcome' | 'profitCents' | 'gameplayClass'> & {
  gameplayClass: GameplayClass
  status: 'scheduled' | 'final' | 'abandoned'
  places: number
}

/** The newest recorded bets of a customer's rules, in race order; `null` if there are no such rules. */
export async function readFrozenBets(
  { rows }: Queries,
  customerId: string,
  id: string,
  language: Language,
  max: number,
): Promise<FrozenBetRow[] | null> {
  const [rule] = await rows('select 1 from frozen_rule where id = $2::uuid and customer_id = $1::uuid', [
    customerId,
    id,
  ])
  if (!rule) return null
  const found = await rows<FrozenBetRow>(
    `select b.race_id, race.race_date::text as date, race.stadium_id,
       coalesce(${nameIn(language, 'stadium')}, stadium.id) as stadium_name, race.race_no,
       b.gameplay_class, b.combination, b.rank, b.probability,
       b.market_probability, b.opening_odds, b.odds,
       l.checked_at as recorded_at, race.status, coalesce(race.places, 0) as places
     from frozen_bet b join frozen_check l on l.rule_id = b.rule_id and l.race_id = b.race_id
     join race on race.id = b.race_id join stadium on stadium.id = race.stadium_id
     where b.rule_id = $1::uuid
     order by race.race_date desc, race.stadium_id desc, race.race_no desc, b.gameplay_class desc, b.rank desc limit $2`,
    [id, max],
  )
  return found.toReversed()
}
