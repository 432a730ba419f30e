-- A race that frozen rules were checked against: its table was named after a look.
alter table frozen_look rename to frozen_check;
alter table frozen_check rename column looked_at to checked_at;
