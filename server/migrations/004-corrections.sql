-- What the second edition's corrections need.

-- A coupled entry runs as one betting interest: its horses carry the entry's number, the lowest of their saddle numbers.
alter table runner add column entry_no smallint;

-- The published dividends contradict the official places: the result was amended after the pools had paid.
alter table race add column amended boolean not null default false;

-- Settlements, prediction types and the models' settings changed: models are fitted and races are scored again. What was
-- locked before the off stays as it is and is only settled again.
delete from feature_state;
delete from model_version;
update race set scoring = 'stale';

-- The demonstration wrote odds of the future.
delete from odds_tick where seen_at > now();

-- Payments that went back, so that a notice of them counts whichever comes first.
create table refunded_payment (
  gateway text not null,
  payment_reference text not null,
  at timestamptz not null,
  primary key (gateway, payment_reference)
);

-- Keyed hashes of phones that had an account, also after its deletion: who comes back is welcomed once, and has what was
-- left of the day's vouchers.
create table known_person (
  phone_hash text primary key,
  -- the day of the last deletion, and what was left of its daily vouchers
  day date,
  daily_left integer
);

-- Failed sign-ins and changes of credentials, shown to the owner of the account.
create table security_event (
  id uuid primary key,
  customer_id uuid not null references customer,
  kind text not null,
  at timestamptz not null
);
create index security_event_by_customer on security_event (customer_id, at);

-- Hits and misses of the selected predictions of each race's first model, by day: what the home page asks for.
create table daily_hits (
  region_id text not null references region,
  race_date date not null,
  gameplay_class smallint not null,
  origin text not null check (origin in ('locked', 'backtest', 'changed')),
  hits integer not null,
  misses integer not null,
  primary key (region_id, race_date, gameplay_class, origin)
);
