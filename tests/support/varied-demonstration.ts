import { ensureDemonstration } from '../../server/ingest/demo/demonstration.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { copyOf, type Kind, type TestDatabase } from './databases.ts'
import { DEMO_DAY } from './demo-data.ts'
import { REGION } from './reference-chances.ts'

/** Of two seasons and six months; more would only take longer. */
const DAYS = 160

/**
 * The demonstration with what real data have and it has not: gear, positions in running, missing facts, coupled entries, dividends that were
 * never published, refunds, late odds, horses withdrawn after the prediction, locked predictions, a second model, races
 * without a market line, and fitted exponents. Without them a wrong figure would agree with a right one, because both are 0 or empty. Only the
 * region `REGION` is changed.
 */
export const newVariedDemonstration = (kind: Kind): Promise<TestDatabase> =>
  copyOf(kind, 'varied_demonstration', async ({ database, dataFolder }) => {
    await ensureDemonstration(database, DEMO_DAY, DAYS)
    await database.script(COUPLED)
    await database.script(SOURCES)
    await scoreStaleRaces(database, undefined, () => DEMO_DAY)
    await database.script(RESULTS)
    await buildDataset(database, dataFolder, DEMO_DAY)
  })

/** A number from 0 to 99 that depends only on the text. */
const percent = (text: string): string => `((hashtext(${text}) & 2147483647) % 100)`
const FINAL = `select id from race where region_id = '${REGION}' and status = 'final'`
const runnerKey = (salt: string): string => `'${salt}' || race_id || horse_id`
const sectionKey = (salt: string): string => `'${salt}' || race_id || horse_no || ' ' || section_no`
const poolKey = (salt: string): string => `'${salt}' || race_id || gameplay_class`

/** The text of a set of saddle numbers. */
const sorted = (interests: string): string =>
  `(select string_agg(no::text, '-' order by no) from unnest(${interests}) as no)`
/**
 * Two or three horses of some races run as one entry, mostly some of the first four. The entry has one price, and the
 * dividends are those of the order without its later horses.
 */
const COUPLED = `
  create temporary table coupled as
  with able as (
    select race_id, ${percent(`'first' || race_id`)} as one, ${percent(`'second' || race_id`)} as two,
      ${percent(`'third' || race_id`)} as three
    from runner where race_id in (${FINAL}) and ${percent(`'entry' || race_id`)} < 20
    group by race_id having count(place) > 7 and count(place) = count(distinct place)
  )
  select race_id, min(horse_no) as entry_no, array_agg(horse_no) as horses
  from able join runner using (race_id)
  where place in (1 + one % 4, 1 + two % 5, case when three < 30 then 1 + three % 8 end)
  group by race_id having count(*) > 1;
  update runner set entry_no = coupled.entry_no, win_odds = head.win_odds
  from coupled join runner head on head.race_id = coupled.race_id and head.horse_no = coupled.entry_no
  where runner.race_id = coupled.race_id and runner.horse_no = any (coupled.horses);

  create temporary table finish as
  select race_id, array_agg(no order by place) as no
  from (
    select race_id, coalesce(entry_no, horse_no) as no, min(place) as place from runner
    where race_id in (select race_id from coupled) and place is not null group by 1, 2
  ) as interest
  group by race_id;
  update dividend set combination = case gameplay_class
    when 1 then no[1]::text when 3 then ${sorted('no[1:2]')} when 5 then array_to_string(no[1:2], '-')
    when 6 then ${sorted('no[1:3]')} when 7 then array_to_string(no[1:3], '-')
    when 8 then ${sorted('no[1:4]')} else array_to_string(no[1:4], '-') end
  from finish where finish.race_id = dividend.race_id and gameplay_class in (1, 3, 5, 6, 7, 8, 9);
  -- Place and quinella place go by the official places: an entry has one line for its horses.
  create temporary table of_places as
  select distinct on (race_id, pool, changed) race_id, pool, gameplay_class, changed, status, dividend_cents
  from (
    select dividend.*, ${sorted(`array(select distinct coalesce(entry_no, horse_no) from runner
      where runner.race_id = dividend.race_id and horse_no::text = any (string_to_array(combination, '-')))`)} as changed
    from dividend where race_id in (select race_id from coupled) and gameplay_class in (2, 4)
  ) as line
  where gameplay_class = 2 or changed like '%-%' order by race_id, pool, changed, combination;
  delete from dividend where race_id in (select race_id from coupled) and gameplay_class in (2, 4);
  insert into dividend (race_id, pool, gameplay_class, combination, status, dividend_cents) select * from of_places;
  drop table coupled, finish, of_places;
`

/** Changes of what is imported, made before the races are predicted and settled. */
const SOURCES = `
  update runner set
    gear = (array[null, '', 'B', 'B1', 'TT/B2', 'B1/TT-', 'CP-', 'H/P1/XB'])[1 + ${percent(runnerKey('gear'))} % 8],
    -- In the order of a style of each horse, beyond the field now and then; some have no calls.
    running_position = case when ${percent(runnerKey('calls'))} >= 8
      then (1 + ${percent(`'style' || horse_id`)} / 8 + ${percent(runnerKey('early'))} / 30)::text || ' 5 6' end,
    rating = case when ${percent(runnerKey('rating'))} >= 3 then rating end,
    declared_weight_lb = case when ${percent(runnerKey('weight'))} >= 3 then declared_weight_lb end,
    jockey_id = case when ${percent(runnerKey('jockey'))} >= 2 then jockey_id end,
    trainer_id = case when ${percent(runnerKey('trainer'))} >= 2 then trainer_id end
  where race_id in (${FINAL});
  -- Runners without sections, and sections without a time or a position.
  delete from section where race_id in (${FINAL}) and ${percent(`'sections' || race_id || horse_no`)} < 15;
  update section set time_ms = case when ${percent(sectionKey('time'))} >= 3 then time_ms end,
    position = case when ${percent(sectionKey('position'))} >= 4 then position end
  where race_id in (${FINAL});
  -- A line without its figure, a pool without any line, and a refunded pool.
  update dividend set status = 'unknown', dividend_cents = null
  where race_id in (${FINAL}) and ${percent(`${poolKey('line')} || combination`)} < 6;
  delete from dividend where race_id in (${FINAL}) and ${percent(poolKey('pool'))} < 3;
  with refunded as (
    delete from dividend where race_id in (${FINAL}) and gameplay_class < 10 and ${percent(poolKey('refund'))} < 2
    returning race_id, pool, gameplay_class
  )
  insert into dividend (race_id, pool, gameplay_class, combination, status)
  select distinct race_id, pool, gameplay_class, '-', 'refund' from refunded;
  delete from odds_tick where race_id in (${FINAL}) and ${percent(`'tick' || race_id`)} < 10;
  -- Odds at the last instant of the late odds and a second after it; odds first seen only then; an unknown post time.
  insert into odds_tick (race_id, horse_no, seen_at, odds)
  select race_id, horse_no, starts_at - case which when 1 then interval '120 seconds' else interval '119 seconds' end,
    win_odds + which
  from runner join race on race.id = race_id, generate_series(1, 2) as which
  where race_id in (${FINAL}) and horse_no is not null and win_odds is not null
    and ${percent(`'late' || which || race_id || horse_no`)} < 30 and exists (
      select 1 from odds_tick t where t.race_id = race.id and t.horse_no = runner.horse_no)
  on conflict (race_id, horse_no, seen_at) do update set odds = excluded.odds;
  delete from odds_tick using race where race.id = race_id and race_id in (${FINAL})
    and seen_at <= starts_at - interval '2 minutes' and ${percent(`'board' || race_id || horse_no`)} < 5;
  update race set starts_at = null where id in (${FINAL}) and ${percent(`'off' || id`)} < 4;
`

/** Changes after the races were predicted and settled. */
const RESULTS = `
  -- Every fourth race was predicted before its start. The latest of these commitments do not hold and are found by the
  -- audit of the build, which looks back 60 days.
  insert into prediction_lock (region_id, number, race_id, model_id, race_date, sha256, locked_at, chain)
  select '${REGION}', 1000000 + row_number() over (order by id), id, 'market-baseline', race_date, repeat('0', 64),
    race_date, repeat('0', 64)
  from race where id in (${FINAL}) and ${percent(`'lock' || id`)} < 25;

  -- One horse behind the first four of some of these races was withdrawn after the prediction.
  create temporary table scratched as
  select distinct on (race_id) race_id, horse_no from runner
  where race_id in (select race_id from prediction_lock) and place > 4 and entry_no is null
    and ${percent(`'out' || race_id`)} < 30
  order by race_id, hashtext(horse_id);
  update runner set status = 'withdrawn', place = null, win_odds = null from scratched
  where runner.race_id = scratched.race_id and runner.horse_no = scratched.horse_no;
  update settlement set outcome = 'void', profit_cents = 0, paid_odds = null from prediction p, scratched
  where p.race_id = settlement.race_id and p.model_id = settlement.model_id
    and p.gameplay_class = settlement.gameplay_class and p.rank = settlement.rank and p.race_id = scratched.race_id
    and scratched.horse_no::text = any (string_to_array(p.combination, '-'));
  drop table scratched;

  update runner set win_odds = null where race_id in (${FINAL}) and ${percent(runnerKey('odds'))} < 2;

  -- The second model predicts the same combinations with other probabilities, in another order.
  insert into win_chance (race_id, model_id, horse_no, probability, reasons)
  select race_id, 'fundamental', horse_no, share / sum(share) over (partition by race_id), reasons
  from (
    select *, probability ^ 0.8 * (60 + ${percent(`'chance' || race_id || horse_no`)}) as share
    from win_chance where race_id in (${FINAL}) and model_id = 'market-baseline'
  ) as c;
  create temporary table moved as
  select *, row_number() over (partition by race_id, gameplay_class order by hashtext(race_id || combination)) as other
  from prediction where race_id in (${FINAL}) and model_id = 'market-baseline';
  insert into prediction
    (race_id, model_id, gameplay_class, rank, combination, probability, selected, cautious, upset_guard, odds_seen)
  select race_id, 'fundamental', gameplay_class, other, combination,
    least(1, probability ^ 0.9 * (60 + ${percent(`'bet' || race_id || combination`)}) / 100), other = 1,
    other <= 2 and ${percent(poolKey('cautious'))} < 70, other between 2 and 4, odds_seen
  from moved;
  insert into settlement (race_id, model_id, gameplay_class, rank, outcome, profit_cents, paid_odds)
  select s.race_id, 'fundamental', s.gameplay_class, moved.other, s.outcome, s.profit_cents, s.paid_odds
  from settlement s join moved using (race_id, model_id, gameplay_class, rank);
  drop table moved;
  -- Without the market model, a race has no probability by the market.
  create temporary table unpriced as
  select id from race where id in (${FINAL}) and id not in (select race_id from prediction_lock)
    and ${percent(`'market' || id`)} < 6;
  delete from prediction where race_id in (select id from unpriced) and model_id = 'market-baseline';
  delete from win_chance where race_id in (select id from unpriced) and model_id = 'market-baseline';
  drop table unpriced;

  -- Versions from before there was a shape of finishing times: the exponents that Benter fitted (domain notes, section 2)
  -- for one season, those of the refit on 2006–13 for the others.
  insert into model_version (region_id, season, sha256, content)
  select '${REGION}', season, repeat('0', 64), case season
    when 2026 then '{"market": {"exponents": {"second": 0.81, "third": 0.65, "fourth": 0.58}}}'
    else '{"market": {"exponents": {"second": 0.88, "third": 0.73, "fourth": 0.67}}}' end
  from (select distinct season from race where region_id = '${REGION}') as seasons;
`
