-- A reader's private notes on horses, races and saved views.
create table note (
  id uuid primary key,
  customer_id uuid not null references customer on delete cascade,
  region_id text not null references region,
  -- exactly one of the three
  horse_id text references horse on delete cascade,
  race_id text references race on delete cascade,
  saved_view_id uuid references saved_view on delete cascade,
  content text not null check (length(content) between 1 and 2000),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (num_nonnulls(horse_id, race_id, saved_view_id) = 1)
);
create index on note (customer_id, region_id, created_at desc, id);
create index on note (horse_id);
create index on note (race_id);
create index on note (saved_view_id);
