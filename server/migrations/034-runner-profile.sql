-- What the source tells of a horse on the day of a race: its profile, which is read later, may tell something else by then.
alter table runner add column age smallint check (age between 1 and 40);
alter table runner add column sex text check (sex in ('colt', 'filly', 'gelding', 'horse', 'mare', 'rig'));
alter table runner add column owner text;
