-- A customer's ledger was found by reading the whole table backwards once it was large.
create index if not exists voucher_ledger_by_customer on voucher_ledger (customer_id, id);
-- What a provider earned by one customer.
create index if not exists instalment_by_customer on instalment (customer_id);
-- Old rows are swept every minute.
create index if not exists visit_by_time on visit (at);
create index if not exists attempt_by_time on attempt (at);
create index if not exists verification_code_by_expiry on verification_code (expires_at);
create index if not exists access_token_by_use on access_token (last_used_at);
create index if not exists security_event_by_time on security_event (at);
create index if not exists vip_order_open on vip_order (expires_at) where state = 'obligation';
-- Figures over all regions.
create index if not exists daily_hits_by_day on daily_hits (race_date, gameplay_class);
create index if not exists race_by_date on race (race_date);
-- How many predictions of its first model each day's races have, counted where they are written (daily-hits-store.ts).
create table daily_predictions (
  region_id text not null references region,
  race_date date not null,
  predictions integer not null,
  primary key (region_id, race_date)
);
insert into daily_predictions
  select race.region_id, race.race_date, count(*)
  from race join prediction p on p.race_id = race.id and p.model_id = race.headline_model
  group by 1, 2;
