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
