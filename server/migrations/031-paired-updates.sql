-- Each updated row is paired with itself by its position, without a join: a join was planned for as many rows as the first
-- statement of the session had updated, often none, and then compared every row with every other.
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
    -- Leaves out rows of which only derived columns changed.
    insert into import_change (run, number, table_name, row_count, before, after)
    select log_import, log_number, tg_table_name, count(*), json_agg(old_cells), json_agg(new_cells)
    from unnest(
      (select array_agg(to_jsonb(old_row) - log_without) from old_rows as old_row),
      (select array_agg(to_jsonb(new_row) - log_without) from new_rows as new_row)) as pair (old_cells, new_cells)
    where old_cells <> new_cells having count(*) > 0;
  end if;
  return null;
end
$$;
