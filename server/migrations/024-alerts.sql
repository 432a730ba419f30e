-- What readers may be told of: each row once, in the transaction that stores what it says.
create table alert_event (
  id uuid primary key,
  kind text not null,
  race_id text not null,
  -- The horse; empty: the whole race.
  horse_id text not null,
  -- Tells one event from the next of the same kind, race and horse, such as another jockey.
  state text not null,
  created_at timestamptz not null,
  unique (kind, race_id, horse_id, state)
);
create index if not exists alert_event_by_time on alert_event (created_at);

-- How a customer wants to be told; without a row, only on the site, of everything.
create table alert_setting (
  customer_id uuid primary key references customer on delete cascade,
  language text not null,
  site_kinds text[] not null,
  push_kinds text[] not null,
  email_kinds text[] not null,
  -- Minutes after midnight in the time zone of the race's region; both or neither.
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_to smallint check (quiet_to between 0 and 1439),
  price_percent smallint check (price_percent between 5 and 90),
  price_below double precision check (price_below between 1 and 1000),
  check ((quiet_from is null) = (quiet_to is null))
);

-- The address of a customer who agreed to e-mail; nothing but the confirmation is sent before it is confirmed.
create table alert_email (
  customer_id uuid primary key references customer on delete cascade,
  address text not null check (length(address) between 3 and 254),
  agreed_at timestamptz not null,
  confirmed_at timestamptz,
  -- Hash of the token of the confirmation's link.
  token_hash text not null unique,
  token_ends_at timestamptz not null,
  -- Ends the link in each message; it can only end the messages.
  unsubscribe_token text not null unique
);

-- The browsers of customers who agreed to be told there.
create table push_device (
  id uuid primary key,
  customer_id uuid not null references customer on delete cascade,
  endpoint text not null unique check (length(endpoint) <= 1000),
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null
);
create index if not exists push_device_by_customer on push_device (customer_id);

-- The outbox: one row for each customer, channel and event, written in the transaction of the event.
create table alert (
  id uuid primary key,
  customer_id uuid not null references customer on delete cascade,
  channel text not null check (channel in ('site', 'push', 'email')),
  -- null: of no browser, or of one that has left
  device_id uuid references push_device on delete set null,
  language text not null,
  kind text not null,
  -- null: a test
  race_id text,
  horse_id text,
  facts jsonb not null,
  dedupe_key text not null,
  -- withheld: the customer may not see it; limited: enough were sent that day; expired: too late to be of use
  state text not null check (state in ('waiting', 'delivered', 'dead', 'withheld', 'limited', 'expired')),
  attempts integer not null default 0,
  created_at timestamptz not null,
  due_at timestamptz not null,
  expires_at timestamptz not null,
  lease_until timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  -- Why the last attempt failed; never what was sent, or where.
  error text,
  unique (customer_id, channel, dedupe_key)
);
create index if not exists alert_due on alert (due_at) where state = 'waiting';
create index if not exists alert_by_customer on alert (customer_id, channel, created_at desc);
create index if not exists alert_by_time on alert (created_at);
create index if not exists alert_by_device on alert (device_id);
