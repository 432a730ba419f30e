import pg from 'pg'

/** Maximum number of regions: their codes are two letters, beginning with Y or Z. */
export const MAX_REGIONS = 52

/** Size of a large installation. */
export interface Scale {
  customers: number
  subscriptions: number
  regions: number
  seasons: number
}

/** Ids of customers with long lists. */
export interface Busy {
  reader: string
  provider: string
}

const PROVIDERS = 1000
/** Number of customers of the busy provider, and of races that the busy reader opened. */
const BUSY_CUSTOMERS = 20_000
const BUSY_RACES = 5000
/** The demonstration region that is copied. */
const REGION = '100000'

/** Names of the region's copies: the first is the region itself, copied only to earlier seasons. */
const MAPS = `
  create table scale_place as
    select n, case when n = 0 then '${REGION}' else lpad((200000 + n)::text, 6, '0') end as region_id,
      case when n = 0 then 'HK' else chr(89 + n / 26) || chr(65 + n % 26) end as code
    from generate_series(0, $1::int - 1) as n;
  create table scale_season as select k, 364 * k as days from generate_series(0, $2::int - 1) as k;
  create function scale_name(id text, n int, code text) returns text immutable language sql as
    $$ select case when n = 0 then id else code || substr(id, 3) end $$;
  create function scale_uuid(at timestamptz, i bigint) returns uuid immutable language sql as
    $$ select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000' || lpad(to_hex(i), 12, '0'))::uuid $$;
  create table scale_race as
    select r.id as old, p.n, s.k, s.days,
      scale_name(r.stadium_id, p.n, p.code) || to_char(r.race_date - s.days, 'YYYYMMDD') || right(r.id, 2) as id,
      r.key + (p.n * $2::int + s.k) * (select max(key) from race) as key
    from race r, scale_place p, scale_season s
    where r.region_id = '${REGION}' and (s.k = 0 or r.status = 'final') and not (p.n = 0 and s.k = 0);
  create index on scale_race (n, old);
  analyze scale_race;
`

/** Copies of a region's rows that belong to no race. */
const PLACES = `
  insert into region select p.region_id, p.code, r.name_en || ' ' || p.n, r.name_hant || p.n, r.name_hans || p.n,
      r.time_zone, r.currency, r.season_start_month
    from region r, scale_place p where r.id = '${REGION}' and p.n > 0;
  insert into stadium select scale_name(s.id, p.n, p.code), s.key + p.n * (select max(key) from stadium), p.region_id,
      s.name_en, s.name_hant, s.name_hans
    from stadium s, scale_place p where s.region_id = '${REGION}' and p.n > 0;
  insert into horse (id, key, region_id, brand, name_en, name_hant, name_hans, status, origin, sex, colour, import_type, owner,
      sire, dam, dam_sire, season_prize_cents, total_prize_cents, last_rating, age, age_on)
    select scale_name(h.id, p.n, p.code), h.key + p.n * (select max(key) from horse), p.region_id, h.brand, h.name_en,
      h.name_hant, h.name_hans, h.status, h.origin, h.sex, h.colour, h.import_type, h.owner, h.sire, h.dam, h.dam_sire,
      h.season_prize_cents, h.total_prize_cents, h.last_rating, h.age, h.age_on
    from horse h, scale_place p where h.region_id = '${REGION}' and p.n > 0;
  insert into jockey select scale_name(j.id, p.n, p.code), j.key + p.n * (select max(key) from jockey), p.region_id,
      j.name_en, j.name_hant, j.name_hans
    from jockey j, scale_place p where j.region_id = '${REGION}' and p.n > 0;
  insert into trainer select scale_name(t.id, p.n, p.code), t.key + p.n * (select max(key) from trainer), p.region_id,
      t.name_en, t.name_hant, t.name_hans
    from trainer t, scale_place p where t.region_id = '${REGION}' and p.n > 0;
  insert into model_card select p.region_id, c.content from model_card c, scale_place p
    where c.region_id = '${REGION}' and p.n > 0;
  insert into daily_hits select p.region_id, d.race_date - s.days, d.gameplay_class, 'backtest', sum(d.hits), sum(d.misses)
    from daily_hits d, scale_place p, scale_season s where d.region_id = '${REGION}' and not (p.n = 0 and s.k = 0)
    group by 1, 2, 3;
`

/** Copies of all rows of the races of place `n`, with the predictions of one model. */
const RACES_OF_PLACE = [
  `insert into race (id, key, region_id, stadium_id, race_date, race_no, season, starts_at, name_en, name_hant, name_hans,
      race_class, track, course, distance_m, going, weather, rating_range, prize_cents, winning_time_ms, declared_starters,
      places, status, scoring, headline_model, amended)
    select m.id, m.key, p.region_id, left(m.id, 5), r.race_date - m.days, r.race_no, r.season - m.k,
      r.starts_at - m.days * interval '1 day', r.name_en, r.name_hant, r.name_hans, r.race_class, r.track, r.course,
      r.distance_m, r.going, r.weather, r.rating_range, r.prize_cents, r.winning_time_ms, r.declared_starters, r.places,
      r.status, 'done', 'market-baseline', r.amended
    from scale_race m join race r on r.id = m.old join scale_place p using (n) where m.n = $1`,
  `insert into runner (race_id, horse_id, horse_no, jockey_id, trainer_id, draw, actual_weight_lb, declared_weight_lb,
      rating, gear, status, place, place_code, dead_heat, margin, running_position, finish_time_ms, win_odds, entry_no)
    select m.id, scale_name(r.horse_id, m.n, p.code), r.horse_no, scale_name(r.jockey_id, m.n, p.code),
      scale_name(r.trainer_id, m.n, p.code), r.draw, r.actual_weight_lb, r.declared_weight_lb, r.rating, r.gear, r.status,
      r.place, r.place_code, r.dead_heat, r.margin, r.running_position, r.finish_time_ms, r.win_odds, r.entry_no
    from scale_race m join runner r on r.race_id = m.old join scale_place p using (n) where m.n = $1`,
  `insert into dividend select m.id, d.pool, d.gameplay_class, d.combination, d.status, d.dividend_cents
    from scale_race m join dividend d on d.race_id = m.old where m.n = $1`,
  `insert into odds_tick select m.id, t.horse_no, t.seen_at, t.odds
    from scale_race m join odds_tick t on t.race_id = m.old where m.n = $1 and m.k = 0`,
  `insert into win_chance select m.id, w.model_id, w.horse_no, w.probability, w.reasons
    from scale_race m join win_chance w on w.race_id = m.old where m.n = $1`,
  `insert into prediction select m.id, f.model_id, f.gameplay_class, f.rank, f.combination, f.probability, f.selected,
      f.cautious, f.upset_guard, f.odds_seen
    from scale_race m join prediction f on f.race_id = m.old and f.model_id = 'market-baseline' where m.n = $1`,
  `insert into settlement select m.id, s.model_id, s.gameplay_class, s.rank, s.outcome, s.profit_cents, s.paid_odds
    from scale_race m join settlement s on s.race_id = m.old and s.model_id = 'market-baseline' where m.n = $1`,
  // Only earlier seasons: a build compares the locks of recent days with the predictions.
  `insert into prediction_lock
    select p.region_id, row_number() over (order by m.id), m.id, 'market-baseline', r.race_date - m.days, repeat('0', 64),
      r.starts_at - m.days * interval '1 day', repeat('0', 64)
    from scale_race m join race r on r.id = m.old join scale_place p using (n) where m.n = $1 and m.n > 0 and m.k > 0`,
]

/** Registration time of customer `i` of `$1`. */
const SINCE = `now() - ($1::bigint - i) * (interval '730 days' / $1::bigint)`
const ID = `scale_uuid(${SINCE}, i)`

/** Rows of `$1` customers. */
const CUSTOMERS = [
  `create table scale_customer as select i, ${ID} as id, ${SINCE} as since from generate_series(1, $1::bigint) as i`,
  `alter table scale_customer add primary key (i)`,
  `insert into customer (id, account, phone, nickname, customer_type, vip_start, vip_end, provider_id, provider_since, created_at)
    select c.id, 's' || c.i, '+8525' || lpad(c.i::text, 7, '0'), 'N' || c.i, case when c.i % 20 = 0 then 2 else 1 end,
      case when c.i % 20 = 0 then c.since end,
      case when c.i % 20 = 0 then now() + (c.i % 60 - 20) * interval '1 day' end,
      case when c.i <= ${BUSY_CUSTOMERS} then $2::uuid when c.i % 50 = 0 then p.id end,
      case when c.i <= ${PROVIDERS} then c.since end, c.since
    from scale_customer c left join scale_customer p on p.i = 1 + c.i / 50 % ${PROVIDERS}`,
  `insert into voucher_wallet select id, 3 from scale_customer`,
  `insert into daily_voucher select id, current_date - d, 1 from scale_customer, generate_series(0, 2) as d`,
  `insert into voucher_ledger select scale_uuid(since, i), id, null, 'register', 3, 0, 3, '', since from scale_customer`,
  `insert into voucher_ledger select scale_uuid(now() - d * interval '1 day', i + d * 10000000000), id, current_date - d,
      'daily', 3, 0, 3, (current_date - d)::text, now() - d * interval '1 day' from scale_customer, generate_series(0, 2) as d`,
  `insert into access_token select encode(sha256(('t' || i || d)::bytea), 'hex'), id, now() - d * interval '80 days',
      now() - d * interval '80 days', case when d = 1 then now() - interval '79 days' end
    from scale_customer, generate_series(0, 1) as d where d = 0 or i % 5 = 0`,
  `insert into security_event select scale_uuid(now() - d * interval '1 day', i + d * 10000000000), id, 'signed-in',
      now() - d * interval '1 day' from scale_customer, generate_series(1, 151, 75) as d`,
  `insert into visit select scale_uuid(now() - (s % 399) * interval '1 day', s), 'c' || s % 300000, 'Home', 'h5',
      case when s % 5 = 0 then c.id end, now() - (s % 399) * interval '1 day'
    from generate_series(1, 5 * $1::bigint) as s join scale_customer c on c.i = 1 + s % $1::bigint`,
  `insert into attempt select scale_uuid(now(), i), 'sms', 'x' || i, now() - (i % 86400) * interval '1 second'
    from scale_customer where i % 10 = 0`,
  `insert into known_device select id, encode(sha256(('d' || i || d)::bytea), 'hex'), now() - d * interval '30 days'
    from scale_customer, generate_series(0, 1) as d`,
  `insert into texted_code select '+8525' || lpad(i::text, 7, '0'), 'login', '', repeat('0', 64),
      now() - (i % 86400) * interval '1 second', now() - (i % 86400 - 600) * interval '1 second'
    from scale_customer where i % 50 = 0`,
  `insert into push_event select scale_uuid(now() - (i % 86400) * interval '1 second', i), 'order', null, id, '{}',
      now() - (i % 86400) * interval '1 second' from scale_customer where i % 10 = 0`,
  `insert into vip_order (id, customer_id, plan_id, customer_type, months, original_cents, amount_cents, state, gateway,
      gateway_reference, payment_reference, created_at, expires_at, paid_at, closed_at)
    select scale_uuid(since, i), id, '1', 2, 1, 12800, 9800, case when i % 3 = 0 then 'closed' else 'accountPaid' end,
      'sandbox', 'r' || i, 'p' || i, since, since + interval '30 minutes', case when i % 3 > 0 then since end,
      case when i % 3 = 0 then since end
    from scale_customer where i % 10 < 3`,
  `insert into payment_notice select 'sandbox', 'n' || i, since from scale_customer where i % 10 < 3`,
  `insert into vip_activation select scale_uuid(since, i), customer_id, id, 2, 1, paid_at, paid_at, paid_at + interval '1 month', null
    from (select o.*, c.i, c.since from vip_order o join scale_customer c on c.id = o.customer_id) as paid where paid_at is not null`,
  `insert into instalment select c.provider_id, o.id, d, c.id, 500, (o.paid_at + d * interval '1 month')::date, null
    from vip_order o join customer c on c.id = o.customer_id, generate_series(1, 3) as d
    where c.provider_id is not null and o.paid_at is not null`,
  `insert into share_log select scale_uuid(c.since, c.i), p.id, c.id, 1, 20, 0, 20, c.since
    from scale_customer c join scale_customer p on p.i = 1 + c.i % 50000 where c.i % 3 = 0`,
  `insert into saved_view (id, customer_id, region_id, name, address, code, position, created_at, updated_at, followed)
    select scale_uuid(since, i), id, '${REGION}', 'View', 'period=year', lpad(i::text, 10, '0'), 1, since, since, i % 20 = 0
    from scale_customer where i % 2 = 0`,
  `insert into note (id, customer_id, region_id, horse_id, content, created_at, updated_at)
    select scale_uuid(c.since, c.i), c.id, h.region_id, h.id, 'Ran on well ' || c.i, c.since, c.since
    from scale_customer c join (select row_number() over (order by id) as number, id, region_id from horse) as h
      on h.number = 1 + c.i % (select count(*) from horse) where c.i % 2 = 0`,
  `insert into analytics_token select scale_uuid(since, i), encode(sha256(('a' || i)::bytea), 'hex'), id, 'notebook', since, since, null
    from scale_customer where i % 50 = 0`,
  `insert into provider_application select scale_uuid(since, i), id, 'a', 'b', 'c', '1', 'approved', since, since
    from scale_customer where i <= ${PROVIDERS}`,
  `insert into bank_card select scale_uuid(since, i), id, 'Chan', 'A Bank', null, '4242', 'h' || i, since, null
    from scale_customer where i <= ${PROVIDERS}`,
  `insert into withdrawal select scale_uuid(c.since, c.i + d * 10000000000), c.id, b.id, 10000, 'paid', c.since, c.since
    from scale_customer c join bank_card b on b.customer_id = c.id, generate_series(1, 24) as d`,
  `insert into known_person select 'k' || i, null, null from scale_customer where i % 100 = 0`,
  `insert into feed_batch select 'bench', 'b' || i, 'odds', repeat('0', 64), now() - (i % 2592000) * interval '1 second', '{}'
    from scale_customer where i % 3 = 0`,
  `insert into job (id, kind, lane, payload, state, attempts, created_at, due_at, started_at, finished_at, result)
    select scale_uuid(now(), i), 'score', 'score', '{}', 'done', 1, at, at, at, at, '{}'
    from (select i, now() - (i % 2592000) * interval '1 second' as at from scale_customer where i % 10 = 0) as done`,
]

/** Frozen rules of the first customers, written like those in the lab; each has checked races of its region. */
const FROZEN = [
  `insert into frozen_rule (id, customer_id, region_id, name, address, universe, filter, rules, plan, frozen_at, ended_at)
    select scale_uuid(since, i), id, '${REGION}', 'Rules', 'tab=lab', 'kept', $1, $2, $3, now() - interval '1 year',
      case when i > 1000 then now() end from scale_customer where i <= 5000`,
  `insert into frozen_check select f.id, r.id, r.starts_at
    from frozen_rule f, (select id, starts_at from race where region_id = '${REGION}' and status = 'final'
      order by race_date desc limit 100) as r`,
  `insert into frozen_bet select c.rule_id, c.race_id, 1, '1', 1, 0.2, 0.2, 5, 5 from frozen_check c`,
]

/** Ten races per customer for `$1` customers and `$2` subscriptions, and the vouchers that paid for them. */
const SUBSCRIPTIONS = [
  `create table scale_opened as select row_number() over (order by race_date desc, id) - 1 as number, id
    from race where status = 'final'`,
  `alter table scale_opened add primary key (number)`,
  `insert into subscription select c.id, r.id, 'daily', now() - (s % 400) * interval '1 day'
    from generate_series(0, $2::bigint - 1) as s
      join scale_customer c on c.i = 1 + s / ($2::bigint / $1::bigint)
      join scale_opened r on r.number = s * 7919 % (select count(*) from scale_opened)
    on conflict do nothing`,
  `insert into voucher_ledger select scale_uuid(created_at, 20000000000000 + row_number() over ()), customer_id,
      created_at::date, 'subscribe', -1, 3, 2, race_id, created_at from subscription`,
]

/** Long lists of one user. */
const BUSY_READER = [
  `insert into subscription select $1::uuid, id, 'daily', now() - number * interval '1 hour' from scale_opened
    where number < ${BUSY_RACES} on conflict do nothing`,
  `insert into voucher_ledger select scale_uuid(created_at, 30000000000000 + row_number() over ()), customer_id,
      created_at::date, 'subscribe', -1, 3, 2, race_id, created_at from subscription where customer_id = $1::uuid`,
  `insert into note (id, customer_id, region_id, race_id, content, created_at, updated_at)
    select scale_uuid(now() - number * interval '1 hour', number), $1::uuid, r.region_id, r.id, 'A quick pace ' || number, now(), now()
    from scale_opened join race r using (id) where number < 2000`,
]

/**
 * Fills a database that holds the demonstration: copies its Hong Kong season to the given number of regions and
 * seasons, with the predictions of one model, and adds customers with their rows. SQL creates the rows without checking
 * foreign keys; simple rows have the form that the service writes. `frozen`: filter, rules and plan of frozen rules, as
 * JSON.
 */
export async function fillDatabase(
  url: string,
  { customers, subscriptions, regions, seasons }: Scale,
  { reader, provider }: Busy,
  frozen: readonly [string, string, string],
  onProgress: (text: string) => void,
): Promise<void> {
  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client(url)
    await client.connect()
    await client.query(
      `set session_replication_role = replica; set synchronous_commit = off; set work_mem = '512MB'`,
    )
    return client
  }
  const clients = [await open(), await open()]
  const [client] = clients as [pg.Client, pg.Client]
  const run = async (statements: readonly string[], values: readonly unknown[]): Promise<void> => {
    for (const statement of statements) {
      // PostgreSQL rejects parameters that a statement does not use.
      const named = [...new Set([...statement.matchAll(/\$(\d)/g)].map(([, number]) => Number(number)))]
      await client.query(
        statement.replaceAll(/\$(\d)/g, (_, number) => `$${named.indexOf(Number(number)) + 1}`),
        named.map((number) => values[number - 1]),
      )
    }
  }
  try {
    const maps = MAPS.replaceAll('$1::int', String(regions)).replaceAll('$2::int', String(seasons))
    await client.query(maps)
    await client.query(PLACES)
    let next = 0
    await Promise.all(
      clients.map(async (each) => {
        for (let place = next++; place < regions; place = next++) {
          for (const statement of RACES_OF_PLACE) await each.query(statement, [place])
          onProgress(`region ${place + 1} of ${regions}`)
        }
      }),
    )
    await client.query('vacuum analyze')
    onProgress('customers')
    await run(CUSTOMERS.slice(0, 2), [customers])
    await client.query('analyze scale_customer')
    await run(CUSTOMERS.slice(2), [customers, provider])
    await run(FROZEN, frozen)
    onProgress('subscriptions')
    await run(SUBSCRIPTIONS, [customers, subscriptions])
    await run(BUSY_READER, [reader])
    onProgress('analyzing')
    await client.query(
      'drop table scale_place, scale_season, scale_race, scale_opened; drop function scale_name',
    )
    await client.query('vacuum analyze')
  } finally {
    for (const each of clients) await each.end()
  }
}
