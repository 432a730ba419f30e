-- Messages of customers to the operator.
create table message (
  id uuid primary key,
  customer_id uuid not null references customer on delete cascade,
  content text not null check (length(content) between 1 and 2000),
  -- where the customer wants the answer; null: the phone of the account
  answer_to text check (length(answer_to) between 1 and 100),
  created_at timestamptz not null,
  -- when the operator marked it as answered
  answered_at timestamptz
);
create index if not exists message_by_customer on message (customer_id);
create index if not exists message_waiting on message (created_at) where answered_at is null;

create table message_picture (
  message_id uuid not null references message on delete cascade,
  file_id uuid not null references stored_file on delete cascade,
  primary key (message_id, file_id)
);
create index if not exists message_picture_by_file on message_picture (file_id);
