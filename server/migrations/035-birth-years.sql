-- The year of birth that the first known age of a horse means (domain/birth-year.ts): it tells two horses of one name apart.
alter table horse add column birth_year smallint check (birth_year between 1900 and 2200);
-- Of a horse that is two by now, the first.
update horse set birth_year = born.year
from (
  select horse.id, min(extract(year from
    case race.region_id when '100036' then race_date - interval '7 months' else race_date end) - runner.age)::smallint as year
  from runner join race on race.id = race_id join horse on horse.id = horse_id
  where runner.age is not null and race.region_id in ('100036', '100250', '100372', '100392', '100826', '100840')
    and coalesce(horse.name_en, '') ~ '\((ARG|AUS|BRZ|CHI|NZ|PER|SAF|URU|ZIM)\)$'
      = (race.region_id = '100036' and coalesce(horse.name_en, '') ~ '\([A-Z]{2,3}\)$')
  group by horse.id
) as born
where born.id = horse.id;
