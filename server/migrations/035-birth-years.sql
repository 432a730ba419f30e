-- The years of birth that the known ages of a horse mean (domain/birth-year.ts), before any lock on horses is taken.
create temporary table told_years on commit drop as
select horse.id, min(born.year)::smallint as year, min(born.year) <> max(born.year) as is_two
from runner join race on race.id = race_id join horse on horse.id = horse_id
cross join lateral (
  select extract(year from case race.region_id when '100036' then race_date - interval '7 months' else race_date end)
    - runner.age as year
) as born
where runner.age is not null and race.region_id in ('100036', '100250', '100372', '100392', '100826', '100840')
  and coalesce(horse.name_en, '') ~ '\((ARG|AUS|BRZ|CHI|NZ|PER|SAF|URU|ZIM)\)$'
    = (race.region_id = '100036' and coalesce(horse.name_en, '') ~ '\([A-Z]{2,3}\)$')
group by horse.id;
-- It tells two horses of one name apart: of a horse that is two by now, the first's.
alter table horse add column birth_year smallint check (birth_year between 1900 and 2200);
update horse set birth_year = told_years.year from told_years where told_years.id = horse.id;
-- Nobody knows whose parents are stored with a horse that is two. Its files tell them again.
update horse set sire = null, dam = null, dam_sire = null from told_years where told_years.id = horse.id and is_two;
