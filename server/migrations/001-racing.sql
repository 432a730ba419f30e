-- The racing half of the model. Keys are natural; `key` columns are the small integers that dataset files use,
-- given out inside the importing transaction. Money is whole cents; instants are UTC.

create table region (
  id text primary key check (id ~ '^[0-9]{6}$'),
  code text not null unique,
  name_en text not null,
  name_hant text not null,
  name_hans text not null,
  time_zone text not null,
  currency text not null,
  season_start_month smallint not null check (season_start_month between 1 and 12)
);

create table stadium (
  id text primary key check (id ~ '^[A-Z]{5}$'),
  key integer not null unique,
  region_id text not null references region,
  name_en text,
  name_hant text,
  name_hans text
);

create table horse (
  id text primary key,
  key integer not null unique,
  region_id text not null references region,
  brand text not null,
  name_en text,
  name_hant text,
  name_hans text,
  status text,
  origin text,
  sex text,
  colour text,
  import_type text,
  owner text,
  sire text,
  dam text,
  dam_sire text,
  season_prize_cents bigint,
  total_prize_cents bigint,
  last_rating smallint
);
create index horse_brand on horse (region_id, brand);

create table jockey (
  id text primary key,
  key integer not null unique,
  region_id text not null references region,
  name_en text,
  name_hant text,
  name_hans text
);

create table trainer (
  id text primary key,
  key integer not null unique,
  region_id text not null references region,
  name_en text,
  name_hant text,
  name_hans text
);

create table race (
  id text primary key check (id ~ '^[A-Z]{5}[0-9]{10}$'),
  key integer not null unique,
  region_id text not null references region,
  stadium_id text not null references stadium,
  race_date date not null,
  race_no smallint not null,
  season smallint not null,
  starts_at timestamptz,
  name_en text,
  name_hant text,
  name_hans text,
  race_class text,
  track text check (track in ('turf', 'awt', 'dirt')),
  course text,
  distance_m smallint check (distance_m > 0),
  going text,
  weather text,
  rating_range text,
  prize_cents bigint,
  winning_time_ms integer,
  declared_starters smallint not null,
  places smallint not null,
  -- scheduled: not run yet; final: places are official; abandoned: will never be run
  status text not null check (status in ('scheduled', 'final', 'abandoned')),
  -- stale: its rows changed since its market line and settlement were computed
  scoring text not null default 'stale' check (scoring in ('stale', 'done'))
);
create index race_by_day on race (region_id, race_date, race_no);
create index race_stale on race (region_id, season) where scoring = 'stale';

create table runner (
  race_id text not null references race on delete cascade,
  horse_id text not null references horse,
  horse_no smallint,
  jockey_id text references jockey,
  trainer_id text references trainer,
  draw smallint,
  actual_weight_lb smallint,
  declared_weight_lb smallint,
  rating smallint,
  gear text,
  status text not null check (status in ('declared', 'finished', 'unfinished', 'withdrawn')),
  place smallint,
  -- the published code of a horse without a place (WV, PU, DISQ …)
  place_code text,
  dead_heat boolean not null default false,
  margin text,
  running_position text,
  finish_time_ms integer,
  win_odds double precision check (win_odds > 0),
  primary key (race_id, horse_id)
);
create index runner_by_horse on runner (horse_id);

create table dividend (
  race_id text not null references race on delete cascade,
  -- the pool's own name where it is no gameplay class of ours (double, six up …)
  pool text not null,
  gameplay_class smallint,
  combination text not null,
  status text not null check (status in ('paid', 'refund', 'unknown')),
  -- per 10 units staked, stake included
  dividend_cents bigint check (dividend_cents >= 0),
  primary key (race_id, pool, combination)
);

create table odds_tick (
  race_id text not null references race on delete cascade,
  horse_no smallint not null,
  seen_at timestamptz not null,
  odds double precision not null check (odds > 0),
  primary key (race_id, horse_no, seen_at)
);

-- A horse's own record, also of races whose results are not here.
create table form_line (
  region_id text not null references region,
  brand text not null,
  race_date date not null,
  race_index integer not null,
  stadium_id text references stadium,
  place_code text,
  track text,
  course text,
  distance_m smallint,
  going text,
  race_class text,
  draw smallint,
  rating smallint,
  trainer text,
  jockey text,
  margin text,
  win_odds double precision,
  actual_weight_lb smallint,
  declared_weight_lb smallint,
  running_position text,
  finish_time_ms integer,
  gear text,
  primary key (region_id, brand, race_date, race_index)
);

create table model (
  id text primary key,
  key smallint not null unique
);
insert into model (id, key) values ('market-baseline', 1);

create table prediction (
  race_id text not null references race on delete cascade,
  model_id text not null references model,
  gameplay_class smallint not null check (gameplay_class between 1 and 9),
  rank smallint not null,
  combination text not null,
  probability double precision not null check (probability > 0 and probability <= 1),
  selected boolean not null,
  cautious boolean not null,
  upset_guard boolean not null,
  odds_seen double precision,
  primary key (race_id, model_id, gameplay_class, rank)
);

create table settlement (
  race_id text not null,
  model_id text not null,
  gameplay_class smallint not null,
  rank smallint not null,
  outcome text not null check (outcome in ('hit', 'miss', 'void')),
  -- null: the published dividends cannot tell
  profit_cents bigint,
  paid_odds double precision,
  primary key (race_id, model_id, gameplay_class, rank),
  foreign key (race_id, model_id, gameplay_class, rank) references prediction on delete cascade
);

-- Grows with every change of a dataset partition; a dataset file is built anew when it lags behind.
-- Season 0 is the region's reference partition (stadiums, horses, jockeys, trainers).
create table partition_revision (
  region_id text not null references region,
  season smallint not null,
  revision bigint not null,
  primary key (region_id, season)
);

-- `identity`: tells this database from others that the same data folder may have served.
-- `demonstration`: the day it was made for, present while the database holds the demonstration season.
create table setting (
  name text primary key,
  value text not null
);
insert into setting (name, value) values ('identity', gen_random_uuid()::text);

create table one_time_link (
  code_hash text primary key,
  role text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
