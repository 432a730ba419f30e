-- Personal access tokens for the analytics API: only their hashes are stored.
create table analytics_token (
  id uuid primary key,
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  customer_id uuid not null references customer on delete cascade,
  name text not null check (length(name) between 1 and 60),
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index analytics_token_by_customer on analytics_token (customer_id);
