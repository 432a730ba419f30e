-- Rules of the strategy lab that a reader froze: from then on their bets on coming races are recorded before the off.
create table frozen_rule (
  id uuid primary key,
  customer_id uuid not null references customer on delete cascade,
  region_id text not null references region,
  name text not null check (length(name) between 1 and 60),
  -- words of the workspace's address that show the rules and their backtest
  address text not null check (length(address) <= 8000),
  -- which predictions, by which rules, at which stakes, as JSON: never changed
  universe text not null check (universe in ('kept', 'starters')),
  filter text not null,
  rules text not null,
  plan text not null,
  frozen_at timestamptz not null,
  ended_at timestamptz
);
create index on frozen_rule (customer_id, region_id);
create index on frozen_rule (region_id) where ended_at is null;
create unique index on frozen_rule (customer_id, region_id, name) where ended_at is null;

-- A race that the rules were held against before its off, whether they bet on it or not.
create table frozen_look (
  rule_id uuid not null references frozen_rule on delete cascade,
  race_id text not null references race on delete cascade,
  looked_at timestamptz not null,
  primary key (rule_id, race_id)
);

create table frozen_bet (
  rule_id uuid not null,
  race_id text not null,
  gameplay_class smallint not null check (gameplay_class between 1 and 9),
  combination text not null,
  rank smallint not null,
  probability double precision not null,
  market_probability double precision,
  -- the first odds seen and those of the moment; null for a bet on several horses
  opening_odds double precision,
  odds double precision,
  primary key (rule_id, race_id, gameplay_class, combination),
  foreign key (rule_id, race_id) references frozen_look on delete cascade
);
