-- What a customer thinks of a runner before its race: a rating, odds, and whether it is on the shortlist.
create table runner_mark (
  customer_id uuid not null references customer on delete cascade,
  race_id text not null references race on delete cascade,
  horse_id text not null references horse on delete cascade,
  rating smallint check (rating between 0 and 200),
  odds double precision check (odds between 1.01 and 999),
  shortlisted boolean not null,
  updated_at timestamptz not null,
  check (rating is not null or odds is not null or shortlisted),
  primary key (customer_id, race_id, horse_id)
);
create index if not exists runner_mark_by_race on runner_mark (race_id);
create index if not exists runner_mark_by_horse on runner_mark (horse_id);
