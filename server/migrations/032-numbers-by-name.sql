-- Whether the numbers of the race's horses are ours, in the order of their names, because the source has no saddle numbers.
alter table race add column if not exists numbers_by_name boolean not null default false;
