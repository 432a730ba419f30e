/**
 * Probabilities that only the dataset files have, computed again from the database's rows: the market's probability of a
 * combination, and the probability of a combination drawn at random. SQL over joins, without the code of `domain/`.
 */
export const REGION = '100000'
const FINAL = `race.region_id = '${REGION}' and race.status = 'final'`

const exponent = (stage: 'second' | 'third' | 'fourth'): string =>
  `(select (content::json #>> '{market,exponents,${stage}}')::float8 from model_version v
    where v.region_id = race.region_id and v.season = race.season)`

/** The market's win probability of each starter, and its weight for second, third and fourth. */
const LINE = `create table reference_line as
  with weighed as (
    select c.race_id, c.horse_no, race.places, c.probability as first, c.probability ^ ${exponent('second')} as second,
      c.probability ^ ${exponent('third')} as third, c.probability ^ ${exponent('fourth')} as fourth
    from win_chance c join race on race.id = c.race_id
    where ${FINAL} and c.model_id = 'market-baseline'
  )
  select *, sum(first) over race as all_first, sum(second) over race as all_second, sum(third) over race as all_third,
    sum(fourth) over race as all_fourth
  from weighed window race as (partition by race_id);
  create index on reference_line (race_id, horse_no);
  analyze reference_line;`

/**
 * The probability of every order of the first three horses, and the weight for fourth of all others together.
 */
const FIRST_THREE = `create table first_three as
  select a.race_id, a.places, a.horse_no as a, b.horse_no as b, c.horse_no as c,
    a.first / a.all_first * b.second / (b.all_second - a.second) * c.third / (c.all_third - a.third - b.third) as chance,
    a.all_fourth - a.fourth - b.fourth - c.fourth as other_fourth
  from reference_line a
  join reference_line b on b.race_id = a.race_id and b.horse_no <> a.horse_no
  join reference_line c on c.race_id = a.race_id and c.horse_no not in (a.horse_no, b.horse_no);
  create index on first_three (race_id, a, b, c);
  analyze first_three;`

const TWO_OF = `(values (o.a, o.b), (o.a, o.c), (o.b, o.c)) as pair (one, other)`

/** A combination is each set of saddle numbers that some model predicted, in the order of its text. */
const MARKET = `create table predicted as
  select distinct p.race_id, p.gameplay_class, p.combination, string_to_array(p.combination, '-')::int[] as horses
  from prediction p join race on race.id = p.race_id where ${FINAL};
  analyze predicted;
  create table market_chance as
  with placed as (
    select race_id, horse_no, sum(chance) as chance
    from first_three o cross join lateral unnest((array[a, b, c])[1:places]) as horse_no group by 1, 2
  ), first_two as (
    select race_id, a, b, sum(chance) as chance from first_three group by 1, 2, 3
  ), two_of_three as (
    select race_id, least(one, other) as low, greatest(one, other) as high, sum(chance) as chance
    from first_three o cross join lateral ${TWO_OF} group by 1, 2, 3
  ), first_four as (
    select p.race_id, p.gameplay_class, p.combination, sum(o.chance * last.fourth / o.other_fourth) as chance
    from predicted p
    cross join lateral (
      select a, b, c, d from unnest(horses) a, unnest(horses) b, unnest(horses) c, unnest(horses) d
      where b <> a and c not in (a, b) and d not in (a, b, c)
        -- First four in any order, quartet in its own.
        and (p.gameplay_class = 8 or array[a, b, c, d] = horses)
    ) as ordered
    join first_three o on o.race_id = p.race_id and o.a = ordered.a and o.b = ordered.b and o.c = ordered.c
    join reference_line last on last.race_id = p.race_id and last.horse_no = ordered.d
    where p.gameplay_class in (8, 9) group by 1, 2, 3
  )
  select p.race_id, p.gameplay_class, p.combination, case p.gameplay_class
    when 1 then (select first / all_first from reference_line l where l.race_id = p.race_id and l.horse_no = horses[1])
    when 2 then placed.chance
    when 3 then forward.chance + back.chance
    when 4 then two_of_three.chance
    when 5 then forward.chance
    when 6 then (select sum(o.chance) from first_three o where o.race_id = p.race_id and o.a = any (horses)
      and o.b = any (horses) and o.c = any (horses))
    when 7 then (select o.chance from first_three o where o.race_id = p.race_id and o.a = horses[1] and o.b = horses[2]
      and o.c = horses[3])
    else first_four.chance end as chance
  from predicted p
  left join placed on placed.race_id = p.race_id and placed.horse_no = horses[1]
  left join first_two forward on forward.race_id = p.race_id and forward.a = horses[1] and forward.b = horses[2]
  left join first_two back on back.race_id = p.race_id and back.a = horses[2] and back.b = horses[1]
  left join two_of_three on two_of_three.race_id = p.race_id and low = horses[1] and high = horses[2]
  left join first_four on first_four.race_id = p.race_id and first_four.gameplay_class = p.gameplay_class
    and first_four.combination = p.combination;`

/**
 * Winning combinations over all combinations of the interests that started: horses, and coupled entries, whose best horse
 * counts. Interests that dead-heated may each hold each of the positions that they share, so that several combinations
 * win. Place and quinella place go by the official places, among which an entry's later horses keep theirs: two that share the
 * third are placed too.
 */
const RANDOM = `create table random_chance as
  with interest as (
    select r.race_id, coalesce(r.entry_no, r.horse_no) as horse_no, min(r.place) as place
    from runner r join race on race.id = r.race_id
    where ${FINAL} and r.place is not null and r.status <> 'withdrawn' and r.horse_no is not null group by 1, 2
  ), placed as (
    select *, low + count(*) over (partition by race_id, place) - 1 as high
    from (select *, rank() over (partition by race_id order by place) as low from interest) as i
  ), three as (
    select a.race_id, a.horse_no as a, b.horse_no as b, c.horse_no as c
    from placed a
    join placed b on b.race_id = a.race_id and b.horse_no <> a.horse_no and 2 between b.low and b.high
    join placed c on c.race_id = a.race_id and c.horse_no not in (a.horse_no, b.horse_no) and 3 between c.low and c.high
    where 1 between a.low and a.high
  ), four as (
    select t.*, d.horse_no as d from three t
    join placed d on d.race_id = t.race_id and d.horse_no not in (a, b, c) and 4 between d.low and d.high
  ), winning as (
    select race_id, 1 as gameplay_class, count(distinct a) as many from three group by 1
    union all select p.race_id, 2, count(*) from placed p join race on race.id = p.race_id
      where p.place <= race.places group by 1
    union all select race_id, 3, count(distinct (least(a, b), greatest(a, b))) from three group by 1
    union all select one.race_id, 4, count(*)
      from placed one join placed two on two.race_id = one.race_id and two.horse_no > one.horse_no
      where greatest(one.place, two.place) <= 3 group by 1
    union all select race_id, 5, count(distinct (a, b)) from three group by 1
    union all select race_id, 6, count(distinct (select array_agg(h order by h) from unnest(array[a, b, c]) h))
      from three group by 1
    union all select race_id, 7, count(*) from three group by 1
    union all select race_id, 8, count(distinct (select array_agg(h order by h) from unnest(array[a, b, c, d]) h))
      from four group by 1
    union all select race_id, 9, count(*) from four group by 1
  ), field as (
    select race_id, count(distinct coalesce(entry_no, horse_no))::float8 as n from runner
    where horse_no is not null and status <> 'withdrawn' group by 1
  )
  select race_id, gameplay_class, many / case gameplay_class
      when 1 then n when 2 then n
      when 3 then n * (n - 1) / 2 when 4 then n * (n - 1) / 2 when 5 then n * (n - 1)
      when 6 then n * (n - 1) * (n - 2) / 6 when 7 then n * (n - 1) * (n - 2)
      when 8 then n * (n - 1) * (n - 2) * (n - 3) / 24 else n * (n - 1) * (n - 2) * (n - 3) end as chance
  from winning join field using (race_id);`

/** Creates the tables `market_chance` and `random_chance`. Compiling these statements would take longer than running them. */
export const REFERENCE_CHANCES = ['set local jit = off;', LINE, FIRST_THREE, MARKET, RANDOM].join('\n')
