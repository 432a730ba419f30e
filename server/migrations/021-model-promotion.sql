-- Which model without odds a region's races show first: appended, never changed or removed. It counts for the races whose
-- predictions are locked from `promoted_at` on, so that what earlier races showed stays. Without a row: `fundamental`.
create table model_promotion (
  region_id text not null references region,
  number integer not null check (number > 0),
  model_id text not null references model,
  promoted_at timestamptz not null,
  primary key (region_id, number)
);
-- A demonstration that was made before shows the network from now on; a new one does from its first race.
insert into model_promotion (region_id, number, model_id, promoted_at)
  select id, 1, 'network', now() from region where exists (select from setting where name = 'demonstration');
