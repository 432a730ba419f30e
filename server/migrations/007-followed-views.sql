-- A followed view is marked when a coming prediction begins to match it.
alter table saved_view add column followed boolean not null default false;
