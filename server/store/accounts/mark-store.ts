import type { Mark, MarkedRunner, MarkRecord } from '../../../contract/api/mark.ts'
import { isAny, type Queries } from '../../db/database.ts'

const MARK_JSON = `'rating', rating, 'odds', odds, 'shortlisted', shortlisted`

/** The runners of a race that a customer marked there or, in their last marked race, before it. */
export const listMarks = ({ rows }: Queries, customerId: string, raceId: string): Promise<MarkedRunner[]> =>
  rows(
    `select runner.horse_id,
       (select json_build_object(${MARK_JSON}) from runner_mark
        where customer_id = $1::uuid and race_id = $2 and horse_id = runner.horse_id) as own,
       (select json_build_object(${MARK_JSON}, 'raceId', earlier.id, 'date', earlier.race_date)
        from runner_mark join race earlier on earlier.id = race_id
        where customer_id = $1::uuid and horse_id = runner.horse_id and earlier.race_date < race.race_date
        order by earlier.race_date desc, earlier.id desc limit 1) as before
     from runner join race on race.id = runner.race_id
     where race.id = $2 and exists (select 1 from runner_mark
       where customer_id = $1::uuid and horse_id = runner.horse_id)
     order by runner.horse_no nulls last, runner.horse_id`,
    [customerId, raceId],
  )

/** Whether a race has such a runner and has not started: marks of later would know the result. */
export const isMarkable = (queries: Queries, raceId: string, horseId: string, now: Date): Promise<boolean> =>
  isAny(
    queries,
    `select 1 from runner join race on race.id = race_id where race_id = $1 and horse_id = $2
       and race.status = 'scheduled' and (starts_at is null or starts_at > $3)`,
    [raceId, horseId, now],
  )

/** Replaces a mark. Returns `null` if it is a new one and the customer already has `max`. */
export async function replaceMark(
  queries: Queries,
  of: { customerId: string; raceId: string; horseId: string; mark: Mark; max: number; now: Date },
): Promise<true | null> {
  const { customerId, raceId, horseId, mark, max, now } = of
  // Locks the customer's row, so that two concurrent requests cannot both pass the limit.
  await queries.rows('select 1 from customer where id = $1::uuid for no key update', [customerId])
  await queries.rows(
    'delete from runner_mark where customer_id = $1::uuid and race_id = $2 and horse_id = $3',
    [customerId, raceId, horseId],
  )
  if (mark.rating === null && mark.odds === null && !mark.shortlisted) return true
  const isStored = await isAny(
    queries,
    `insert into runner_mark (customer_id, race_id, horse_id, rating, odds, shortlisted, updated_at)
     select $1::uuid, $2, $3, $4::smallint, $5::float8, $6::boolean, $7 from runner_mark
     where customer_id = $1::uuid having count(*) < $8 returning 1`,
    [customerId, raceId, horseId, mark.rating, mark.odds, mark.shortlisted, now, max],
  )
  return isStored ? true : null
}

/** The market's chance of a runner: its inverse odds, scaled so that those of the race's starters sum to 1. */
const MARKET_CHANCE = `1 / runner.win_odds / (select case when bool_and(other.win_odds is not null) then sum(1 / other.win_odds) end
  from runner other where other.race_id = runner.race_id and other.status <> 'withdrawn')`

/** Marked starters of finished races with what came of HK$10 to win on each, by group. */
export const readMarkRecord = (
  { rows }: Queries,
  customerId: string,
  regionId: string,
): Promise<MarkRecord[]> =>
  rows(
    `with marked as (
       select mark.*, runner.place, runner.win_odds, ${MARKET_CHANCE} as chance,
         max(mark.rating) over (partition by mark.race_id) as highest,
         count(mark.rating) over (partition by mark.race_id) as rated,
         case when runner.place is distinct from 1 then -1000 else (select dividend_cents - 1000 from dividend
           where dividend.race_id = mark.race_id and gameplay_class = 1 and status = 'paid'
             and combination = coalesce(runner.entry_no, runner.horse_no)::text) end as profit
       from runner_mark mark join race on race.id = mark.race_id
       join runner on runner.race_id = mark.race_id and runner.horse_id = mark.horse_id
       where mark.customer_id = $1::uuid and race.region_id = $2 and race.status = 'final'
         and runner.status in ('finished', 'unfinished')),
     grouped as (
       select 1 as position, 'shortlisted' as "group", marked.* from marked where shortlisted
       union all select 2, 'highest-rated', marked.* from marked where rating = highest and rated > 1
       union all select 3, 'value', marked.* from marked where odds < win_odds)
     select "group", count(*)::int as runs, (count(*) filter (where place = 1))::int as wins,
       (count(*) filter (where place <= 3))::int as placed,
       case when bool_and(chance is not null) then sum(chance) end as expected,
       case when bool_and(profit is not null) then sum(profit)::int end as profit_cents
     from grouped group by position, "group" order by position`,
    [customerId, regionId],
  )
