-- What each import changed, so that the last one can be undone.
create table if not exists import_run (
  number integer primary key check (number > 0),
  format text not null,
  -- its files and folders, as they were named
  paths text[] not null,
  started_at timestamptz not null,
  -- null: it writes, or was interrupted
  ended_at timestamptz,
  -- rows inserted, updated and unchanged by table, as its report says; null until its end
  counts jsonb,
  -- of `import_change`, also after these rows were deleted; null until its end
  changed_rows integer,
  undone_at timestamptz
);

-- The rows of racing tables that one statement of an import changed, as JSON. Without `before` they were inserted, without
-- `after` deleted. Kept for the last few imports only.
create table if not exists import_change (
  run integer not null references import_run on delete cascade,
  -- in the order of the statements
  number integer not null,
  table_name text not null,
  row_count integer not null,
  before json,
  after json,
  primary key (run, number)
);

-- The triggers below run these for statements of a transaction that names an import; all others are not logged, and any
-- build before this one names none. The first argument of a trigger lists the columns that are derived from others.
-- Instants are written in UTC, because rows are compared with what was written here.
create or replace function log_inserted_rows() returns trigger language plpgsql set timezone = 'UTC' as $$
declare
  log_import integer := current_setting('furlong.import_run');
  log_number integer := (select coalesce(max(number), 0) + 1 from import_change where run = log_import);
  log_without text[] := tg_argv[0];
begin
  -- Without derived columns, rows become JSON without another form in between.
  if log_without is null then
    insert into import_change (run, number, table_name, row_count, before, after)
    select log_import, log_number, tg_table_name, count(*), null, json_agg(new_row) from new_rows as new_row having count(*) > 0;
  else
    insert into import_change (run, number, table_name, row_count, before, after)
    select log_import, log_number, tg_table_name, count(*), null, json_agg(to_jsonb(new_row) - log_without) from new_rows as new_row having count(*) > 0;
  end if;
  return null;
end
$$;

create or replace function log_deleted_rows() returns trigger language plpgsql set timezone = 'UTC' as $$
declare
  log_import integer := current_setting('furlong.import_run');
  log_number integer := (select coalesce(max(number), 0) + 1 from import_change where run = log_import);
  log_without text[] := tg_argv[0];
begin
  -- Without derived columns, rows become JSON without another form in between.
  if log_without is null then
    insert into import_change (run, number, table_name, row_count, before, after)
    select log_import, log_number, tg_table_name, count(*), json_agg(old_row), null from old_rows as old_row having count(*) > 0;
  else
    insert into import_change (run, number, table_name, row_count, before, after)
    select log_import, log_number, tg_table_name, count(*), json_agg(to_jsonb(old_row) - log_without), null from old_rows as old_row having count(*) > 0;
  end if;
  return null;
end
$$;

create or replace function log_updated_rows() returns trigger language plpgsql set timezone = 'UTC' as $$
declare
  log_import integer := current_setting('furlong.import_run');
  log_number integer := (select coalesce(max(number), 0) + 1 from import_change where run = log_import);
  log_without text[] := tg_argv[0];
begin
  if log_without is null then
    insert into import_change (run, number, table_name, row_count, before, after)
    select log_import, log_number, tg_table_name, before.n, before.cells, after.cells
    from (select count(*) as n, json_agg(old_row) as cells from old_rows as old_row) as before,
      (select json_agg(new_row) as cells from new_rows as new_row) as after
    where before.n > 0;
  else
    -- Pairs a row with itself, to leave out rows of which only derived columns changed.
    insert into import_change (run, number, table_name, row_count, before, after)
    select log_import, log_number, tg_table_name, count(*), json_agg(old_cells), json_agg(new_cells)
    from (
      select row_number() over () as nth, to_jsonb(old_row) - log_without as old_cells from old_rows as old_row) as earlier
    join (
      select row_number() over () as nth, to_jsonb(new_row) - log_without as new_cells from new_rows as new_row) as later using (nth)
    where old_cells <> new_cells having count(*) > 0;
  end if;
  return null;
end
$$;

create or replace trigger import_insert after insert on stadium referencing new table as new_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_inserted_rows();
create or replace trigger import_update after update on stadium referencing old table as old_rows new table as new_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_updated_rows();
create or replace trigger import_delete after delete on stadium referencing old table as old_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_deleted_rows();
create or replace trigger import_insert after insert on horse referencing new table as new_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_inserted_rows();
create or replace trigger import_update after update on horse referencing old table as old_rows new table as new_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_updated_rows();
create or replace trigger import_delete after delete on horse referencing old table as old_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_deleted_rows();
create or replace trigger import_insert after insert on jockey referencing new table as new_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_inserted_rows();
create or replace trigger import_update after update on jockey referencing old table as old_rows new table as new_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_updated_rows();
create or replace trigger import_delete after delete on jockey referencing old table as old_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_deleted_rows();
create or replace trigger import_insert after insert on trainer referencing new table as new_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_inserted_rows();
create or replace trigger import_update after update on trainer referencing old table as old_rows new table as new_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_updated_rows();
create or replace trigger import_delete after delete on trainer referencing old table as old_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_deleted_rows();
create or replace trigger import_insert after insert on race referencing new table as new_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_inserted_rows('{scoring,headline_model,amended}');
create or replace trigger import_update after update on race referencing old table as old_rows new table as new_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_updated_rows('{scoring,headline_model,amended}');
create or replace trigger import_delete after delete on race referencing old table as old_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_deleted_rows('{scoring,headline_model,amended}');
create or replace trigger import_insert after insert on runner referencing new table as new_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_inserted_rows();
create or replace trigger import_update after update on runner referencing old table as old_rows new table as new_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_updated_rows();
create or replace trigger import_delete after delete on runner referencing old table as old_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_deleted_rows();
create or replace trigger import_insert after insert on dividend referencing new table as new_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_inserted_rows();
create or replace trigger import_update after update on dividend referencing old table as old_rows new table as new_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_updated_rows();
create or replace trigger import_delete after delete on dividend referencing old table as old_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_deleted_rows();
create or replace trigger import_insert after insert on odds_tick referencing new table as new_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_inserted_rows();
create or replace trigger import_update after update on odds_tick referencing old table as old_rows new table as new_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_updated_rows();
create or replace trigger import_delete after delete on odds_tick referencing old table as old_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_deleted_rows();
create or replace trigger import_insert after insert on form_line referencing new table as new_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_inserted_rows();
create or replace trigger import_update after update on form_line referencing old table as old_rows new table as new_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_updated_rows();
create or replace trigger import_delete after delete on form_line referencing old table as old_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_deleted_rows();
create or replace trigger import_insert after insert on section referencing new table as new_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_inserted_rows();
create or replace trigger import_update after update on section referencing old table as old_rows new table as new_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_updated_rows();
create or replace trigger import_delete after delete on section referencing old table as old_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_deleted_rows();
create or replace trigger import_insert after insert on race_section referencing new table as new_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_inserted_rows();
create or replace trigger import_update after update on race_section referencing old table as old_rows new table as new_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_updated_rows();
create or replace trigger import_delete after delete on race_section referencing old table as old_rows
  for each statement when (current_setting('furlong.import_run', true) <> '') execute function log_deleted_rows();
