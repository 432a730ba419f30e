-- Horses, people, races and meetings that customers follow; a followed view is a column of `saved_view`.
-- `target` is the id of a horse, jockey, trainer or race; of a meeting, the id of its races without their number.
-- It is no foreign key: a card may remove a race and bring it back, and whoever follows it still does.
create table follow (
  customer_id uuid not null references customer on delete cascade,
  kind text not null check (kind in ('horse', 'jockey', 'trainer', 'race', 'meeting')),
  target text not null check (length(target) between 4 and 200),
  created_at timestamptz not null,
  primary key (customer_id, kind, target)
);
create index if not exists follow_by_target on follow (kind, target);
