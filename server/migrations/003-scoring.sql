-- Models that learn, their saved state, what they say of every starter, and the locks that prove when they said it.

insert into model (id, key) values ('fundamental', 2), ('blended', 3);

-- The model whose predictions of a race are shown first: the best that there is for it.
alter table race add column headline_model text not null default 'market-baseline' references model;

-- Everything is predicted anew, so that every starter has its chances.
update race set scoring = 'stale';

-- A season's model file: fitted to the seasons before it only.
create table model_version (
  region_id text not null references region,
  season smallint not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  content text not null,
  primary key (region_id, season)
);

-- What features look back on, as of the evening of `day`, packed; any row can be taken away and is made again.
create table feature_state (
  region_id text not null references region,
  day date not null,
  -- the season that begins after it; null: kept for the next race day
  season smallint,
  content bytea not null,
  primary key (region_id, day)
);

-- Figures of the model card as they were last computed.
create table model_card (
  region_id text primary key references region,
  content text not null
);

-- Win probability of every starter by a model, and what it owes to which group of features.
create table win_chance (
  race_id text not null references race on delete cascade,
  model_id text not null references model,
  horse_no smallint not null,
  probability double precision not null check (probability > 0 and probability <= 1),
  -- `jockey 0.31 draw -0.12 …`, log-odds against the mean of the race, largest first
  reasons text not null,
  primary key (race_id, model_id, horse_no)
);

-- Commitments made before the off: appended, never changed. A region's entries are one chain, in the order of `number`.
create table prediction_lock (
  region_id text not null references region,
  number integer not null check (number > 0),
  race_id text not null,
  model_id text not null references model,
  race_date date not null,
  -- of the predictions as they are serialised (docs/data-format.md)
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  locked_at timestamptz not null,
  chain text not null check (chain ~ '^[0-9a-f]{64}$'),
  primary key (region_id, number)
);
create index prediction_lock_by_race on prediction_lock (race_id, model_id, number);
create index prediction_lock_by_day on prediction_lock (region_id, race_date);

-- Locked predictions that are no longer what was locked: found by the audit, marked everywhere and never counted.
create table broken_lock (
  race_id text not null,
  model_id text not null references model,
  found_at timestamptz not null,
  primary key (race_id, model_id)
);
