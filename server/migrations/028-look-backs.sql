-- What the features of a race to come look back on, with its card as it was predicted, packed: for trials with another
-- card. Written with the predictions of a model without odds, and kept with them when they are locked.
create table if not exists race_look_back (
  race_id text primary key references race on delete cascade,
  -- the version by which it was predicted
  season smallint not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  content bytea not null
);
