-- Tokens of systems that send what happens on a race day; hashes only.
create table operator_token (
  id uuid primary key,
  name text not null,
  token_hash text not null unique,
  scopes text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);

-- What they sent: the same batch again answers the same report, and changes nothing.
create table feed_batch (
  source text not null,
  key text not null,
  kind text not null,
  sha256 text not null,
  received_at timestamptz not null,
  report text not null,
  primary key (source, key)
);
create index feed_batch_received on feed_batch (received_at);
