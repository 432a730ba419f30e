-- Results and dividends of the feed that can hardly be true wait here for an operator; the newest of a race and kind.
create table held_result (
  race_id text not null references race on delete cascade,
  kind text not null check (kind in ('results', 'dividends')),
  reason text not null,
  detail text not null,
  -- the race's part of its batch, as JSON
  body text not null,
  -- the token that sent it, or another source of batches
  source text not null,
  received_at timestamptz not null,
  primary key (race_id, kind)
);
