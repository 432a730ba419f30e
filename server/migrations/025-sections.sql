-- Sectional times: for each runner its position, margin and time at the end of each section, the first one from the start.
-- Sections of Hong Kong end every 400 m before the post; the first has what is left of the distance.
create table section (
  race_id text not null references race on delete cascade,
  horse_no smallint not null,
  section_no smallint not null check (section_no between 1 and 20),
  position smallint check (position > 0),
  -- as it is published: behind the leader; of the leader, ahead of the second
  margin text,
  time_ms integer check (time_ms > 0),
  primary key (race_id, horse_no, section_no)
);

-- The field's median time of each section, from which pars are computed: `section` has fourteen times as many rows.
create table race_section (
  race_id text not null references race on delete cascade,
  section_no smallint not null,
  runners smallint not null,
  median_ms double precision not null,
  primary key (race_id, section_no)
);
