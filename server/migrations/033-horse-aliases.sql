-- What other sources call a horse: a number of theirs, or its name spelt otherwise. Their files mean the stored horse.
create table if not exists horse_alias (
  region_id text not null references region,
  brand text not null,
  horse_id text not null references horse,
  primary key (region_id, brand)
);
create index if not exists horse_alias_horse on horse_alias (horse_id);
create or replace trigger import_insert after insert on horse_alias referencing new table as new_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_inserted_rows();
create or replace trigger import_update after update on horse_alias referencing old table as old_rows new table as new_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_updated_rows();
create or replace trigger import_delete after delete on horse_alias referencing old table as old_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_deleted_rows();
-- What the source of the race calls the horse, where that is not its brand.
alter table runner add column if not exists source_brand text;
