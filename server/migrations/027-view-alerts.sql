-- What a saved view tells its owner of besides new matches, of which it tells while it is followed.
alter table saved_view
  -- A figure over the last bets or days that has passed a limit; null: none.
  add column if not exists threshold_measure text check (threshold_measure in ('return', 'hit_rate', 'ae_market')),
  add column if not exists threshold_length integer check (threshold_length between 1 and 10000),
  add column if not exists threshold_unit text check (threshold_unit in ('bets', 'race-days', 'days')),
  add column if not exists threshold_side text check (threshold_side in ('below', 'above')),
  add column if not exists threshold_value double precision,
  -- When its figures are sent; null: never.
  add column if not exists digest text check (digest in ('weekly', 'meeting')),
  -- The last race day after which the figure was looked at, and whether it had passed the limit.
  add column if not exists threshold_day date,
  add column if not exists threshold_passed boolean not null default false,
  -- The day of which the figures were last sent.
  add column if not exists digest_day date;
create index if not exists saved_view_that_tells on saved_view (region_id)
  where followed or digest is not null or threshold_measure is not null;
-- Each view tells by the wish of its owner, so whoever has chosen kinds before gets these, too. A release that does not know
-- them shows the settings without harm to them, and delivers none.
update alert_setting set site_kinds = site_kinds || '{match,threshold,digest}',
  push_kinds = push_kinds || '{match,threshold}', email_kinds = email_kinds || '{match,threshold,digest}'
  where not site_kinds && '{match,threshold,digest}';
