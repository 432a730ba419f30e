-- A horse's age in years on the day that its profile told it. Birthdays differ by hemisphere, so an age is never
-- reckoned forward from that day.
alter table horse add column age smallint check (age between 1 and 30);
alter table horse add column age_on date;
alter table horse add constraint horse_age_has_day check ((age is null) = (age_on is null));
