-- Customers, vouchers, orders and promotion. Keys are UUIDv7 made by the server, or natural; money is whole cents of HK$.

create table customer (
  id uuid primary key,
  -- null once the account is deleted, like every personal column
  account text unique,
  phone text unique,
  password_hash text,
  nickname text,
  real_name text,
  gender smallint not null default 0 check (gender in (0, 1, 2)),
  head_file uuid,
  -- 1 regular, 2 monthly, 3 quarterly, 4 half-year, 5 yearly; kept when VIP ends, so only vip_end decides
  customer_type smallint not null default 1 check (customer_type between 1 and 5),
  vip_start timestamptz,
  vip_end timestamptz,
  inviter_id uuid references customer,
  -- the provider who earns from this customer
  provider_id uuid references customer,
  provider_since timestamptz,
  -- simulated: goes with the demonstration season
  demonstration boolean not null default false,
  created_at timestamptz not null,
  deleted_at timestamptz
);
create index customer_by_provider on customer (provider_id, created_at) where provider_id is not null;

create table access_token (
  token_hash text primary key,
  customer_id uuid not null references customer,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  revoked_at timestamptz
);
create index access_token_by_customer on access_token (customer_id);

create table verification_code (
  phone text primary key,
  purpose text not null check (purpose in ('register', 'login', 'reset')),
  code_hash text not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  tries smallint not null default 0,
  used_at timestamptz
);

-- One row an attempt that counts against a limit; `subject` is a keyed hash, never an address or a name.
create table attempt (
  id uuid primary key,
  kind text not null,
  subject text not null,
  at timestamptz not null
);
create index attempt_by_subject on attempt (kind, subject, at);

create table stored_file (
  id uuid primary key,
  customer_id uuid not null references customer,
  media_type text not null,
  content bytea not null,
  created_at timestamptz not null
);
create index stored_file_by_customer on stored_file (customer_id);

create table voucher_wallet (
  customer_id uuid primary key references customer,
  balance integer not null check (balance >= 0)
);

-- Made at the first spend of a Hong Kong day, so nothing has to reset it; a day without one has its whole quota.
create table daily_voucher (
  customer_id uuid not null references customer,
  day date not null,
  balance integer not null check (balance >= 0),
  primary key (customer_id, day)
);

create table voucher_ledger (
  id uuid primary key,
  customer_id uuid not null references customer,
  -- null: the no-expiry balance; else the balance of that day
  day date,
  reason text not null check (reason in ('register', 'daily', 'subscribe', 'share', 'operator')),
  amount integer not null check (amount <> 0),
  balance_before integer not null,
  balance_after integer not null check (balance_after = balance_before + amount),
  reference text not null,
  created_at timestamptz not null,
  unique (customer_id, reason, reference)
);

create table subscription (
  customer_id uuid not null references customer,
  race_id text not null,
  paid_with text not null check (paid_with in ('daily', 'no_expiry', 'vip')),
  created_at timestamptz not null,
  primary key (customer_id, race_id)
);
create index subscription_by_race on subscription (race_id);

create table share_log (
  id uuid primary key,
  customer_id uuid not null references customer,
  recipient_id uuid not null references customer,
  reward_type smallint not null,
  reward_amount integer not null,
  before_num integer not null,
  after_num integer not null,
  created_at timestamptz not null,
  unique (customer_id, recipient_id)
);

-- Keyed hashes of phones whose registration was rewarded: nobody is rewarded twice for one person.
create table rewarded_person (
  phone_hash text primary key
);

create table vip_plan (
  id text primary key,
  category smallint not null default 1,
  customer_type smallint not null check (customer_type between 2 and 5),
  name_en text not null,
  name_hant text not null,
  name_hans text not null,
  months smallint not null check (months between 1 and 120),
  price_cents bigint not null check (price_cents > 0),
  selling_cents bigint not null check (selling_cents > 0 and selling_cents <= price_cents),
  active boolean not null default true
);
insert into vip_plan (id, customer_type, name_en, name_hant, name_hans, months, price_cents, selling_cents) values
  ('1', 2, 'Monthly', '月度會員', '月度会员', 1, 12800, 9800),
  ('2', 3, 'Quarterly', '季度會員', '季度会员', 3, 38400, 26800),
  ('3', 4, 'Half-year', '半年會員', '半年会员', 6, 76800, 49800),
  ('4', 5, 'Yearly', '年度會員', '年度会员', 12, 153600, 89800);

create table vip_order (
  id uuid primary key,
  customer_id uuid not null references customer,
  plan_id text not null references vip_plan,
  customer_type smallint not null,
  months smallint not null,
  original_cents bigint not null,
  amount_cents bigint not null check (amount_cents > 0),
  state text not null check (state in ('obligation', 'accountPaid', 'closed', 'refunded')),
  gateway text not null,
  gateway_reference text,
  -- of the money itself, for a refund
  payment_reference text,
  pay_url text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  paid_at timestamptz,
  closed_at timestamptz,
  refunded_at timestamptz,
  unique (gateway, gateway_reference)
);
create index vip_order_by_customer on vip_order (customer_id, created_at);
create index vip_order_by_payment on vip_order (payment_reference) where payment_reference is not null;

-- A gateway sends a notice more than once; the first one counts.
create table payment_notice (
  gateway text not null,
  notice_id text not null,
  received_at timestamptz not null,
  primary key (gateway, notice_id)
);

create table vip_activation (
  id uuid primary key,
  customer_id uuid not null references customer,
  -- null: given by the operator
  order_id uuid unique references vip_order,
  customer_type smallint not null,
  months smallint not null,
  activated_at timestamptz not null,
  vip_start timestamptz not null,
  vip_end timestamptz not null,
  cancelled_at timestamptz
);
create index vip_activation_by_customer on vip_activation (customer_id, activated_at);

create table provider_application (
  id uuid primary key,
  customer_id uuid not null references customer,
  account text,
  nickname text,
  name text,
  phone text,
  status text not null check (status in ('pending', 'approved', 'refused')),
  created_at timestamptz not null,
  decided_at timestamptz
);
create unique index one_open_application on provider_application (customer_id) where status = 'pending';

create table instalment (
  provider_id uuid not null references customer,
  order_id uuid not null references vip_order,
  number smallint not null,
  customer_id uuid not null references customer,
  cents bigint not null check (cents >= 0),
  settles_on date not null,
  cancelled_at timestamptz,
  primary key (provider_id, order_id, number)
);
create index instalment_by_order on instalment (order_id);
create index instalment_by_day on instalment (provider_id, settles_on);

create table bank_card (
  id uuid primary key,
  customer_id uuid not null references customer,
  name text,
  bank text,
  number_sealed text,
  last_four text,
  -- keyed hash, so that a card is not stored twice
  number_hash text,
  created_at timestamptz not null,
  removed_at timestamptz
);
create unique index one_card_once on bank_card (customer_id, number_hash) where removed_at is null;

create table withdrawal (
  id uuid primary key,
  customer_id uuid not null references customer,
  card_id uuid not null references bank_card,
  cents bigint not null check (cents > 0),
  state text not null check (state in ('waiting', 'paid', 'refused')),
  created_at timestamptz not null,
  decided_at timestamptz
);
create index withdrawal_by_customer on withdrawal (customer_id, created_at);

-- What an operator set; what is absent has the default of the code.
create table config_item (
  code text primary key,
  value text not null
);

create table ad (
  id uuid primary key,
  position text not null,
  type text not null,
  url text not null,
  link text,
  sort smallint not null default 0
);
create index ad_by_position on ad (position, sort);

create table visit (
  id uuid primary key,
  client_id text not null,
  page text not null,
  channel text not null,
  customer_id uuid,
  at timestamptz not null
);
create index visit_by_customer on visit (customer_id) where customer_id is not null;

-- What sockets push; every process reads it, and a reader who was away reads on from the last id that it had.
create table push_event (
  id uuid primary key,
  kind text not null check (kind in ('odds', 'result', 'tip', 'order')),
  race_id text,
  -- null: for everybody whom the gate lets see it
  customer_id uuid,
  body text not null,
  created_at timestamptz not null
);
create index push_event_by_time on push_event (created_at);

drop table one_time_link;
create table one_time_link (
  code_hash text primary key,
  customer_id uuid not null references customer,
  expires_at timestamptz not null,
  used_at timestamptz
);
