-- A saved view may hold the statement of the SQL console.
alter table saved_view drop constraint saved_view_address_check;
alter table saved_view add constraint saved_view_address_check check (length(address) <= 8000);
