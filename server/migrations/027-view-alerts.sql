-- What a saved view tells its owner of besides new matches, of which it tells while it is followed.
-- A figure over the last bets or days that has passed a limit; without a measure: none.
alter table saved_view add column if not exists threshold_measure text
  check (threshold_measure in ('return', 'hit_rate', 'ae_market'));
alter table saved_view add column if not exists threshold_length integer check (threshold_length between 1 and 10000);
alter table saved_view add column if not exists threshold_unit text
  check (threshold_unit in ('bets', 'race-days', 'days'));
alter table saved_view add column if not exists threshold_side text check (threshold_side in ('below', 'above'));
alter table saved_view add column if not exists threshold_value double precision;
-- The last race day after which the figure was looked at, and whether it had passed the limit.
alter table saved_view add column if not exists threshold_day date;
alter table saved_view add column if not exists threshold_passed boolean not null default false;
-- When its figures are sent; null: never. And the day of which they were last sent.
alter table saved_view add column if not exists digest text check (digest in ('weekly', 'meeting'));
alter table saved_view add column if not exists digest_day date;
create index if not exists saved_view_that_tells on saved_view (region_id)
  where followed or digest is not null or threshold_measure is not null;
-- Whether the kinds were chosen when those of views were among them; until then these are told as by default.
alter table alert_setting add column if not exists chose_views boolean not null default false;
