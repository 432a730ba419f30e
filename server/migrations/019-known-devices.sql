-- Devices on which a customer has signed in: strangers cannot use up what is allowed to them. Only a hash is stored.
create table known_device (
  customer_id uuid not null references customer,
  device_hash text not null,
  last_used_at timestamptz not null,
  primary key (customer_id, device_hash)
);
create index if not exists known_device_by_use on known_device (last_used_at);

-- The newest code of each purpose for a phone: one that devices which its owner is not known by share (their
-- `device_hash` is empty), and one for each known device. It replaces verification_code, which the previous build
-- still reads while both run.
create table texted_code (
  phone text not null,
  purpose text not null check (purpose in ('register', 'login', 'reset')),
  device_hash text not null,
  code_hash text not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  tries smallint not null default 0,
  used_at timestamptz,
  primary key (phone, purpose, device_hash)
);
create index if not exists texted_code_by_expiry on texted_code (expires_at);
