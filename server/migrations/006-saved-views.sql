-- Views of the analysis workspace that customers saved: a name, and the words of an address.
create table saved_view (
  id uuid primary key,
  customer_id uuid not null references customer on delete cascade,
  region_id text not null references region,
  name text not null check (length(name) between 1 and 60),
  address text not null check (length(address) <= 2000),
  -- Ends a short link; whoever has the link may read the view.
  code text not null unique check (code ~ '^[a-z0-9]{10}$'),
  position integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (customer_id, region_id, name)
);
