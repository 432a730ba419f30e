import { expect, test } from 'vitest'
import { HONG_KONG } from '../../domain/region.ts'
import { beginRun, logChangesOf } from '../../server/store/operation/import-log.ts'
import { ensureRegion } from '../../server/store/racing/racing-statements.ts'
import { withDatabase } from '../support/import-files.ts'

const RACES = 3000

test(
  'thousands of updated races are logged in pairs and in seconds, although none were updated before',
  () =>
    withDatabase(async ({ database }) => {
      await ensureRegion(database, HONG_KONG)
      await database.rows(
        `insert into stadium (id, key, region_id, name_en) values ('HKSHT', 1, $1, 'Sha Tin')`,
        [HONG_KONG.id],
      )
      await database.rows(
        `insert into race (id, key, region_id, stadium_id, race_date, race_no, season, declared_starters, places, status, scoring)
       select 'HKSHT' || to_char(day, 'YYYYMMDD') || '01', n, $1, 'HKSHT', day, 1, 2010, 8, 3, 'final', 'done'
       from (select n, date '2010-01-01' + n as day from generate_series(1, $2::int) as n) as days`,
        [HONG_KONG.id, RACES],
      )
      await database.transaction(async (queries) => {
        const number = await beginRun(queries, { format: 'hk', paths: [] }, new Date())
        await logChangesOf(queries, number)
        await queries.rows('update race set distance_m = 1000 where false')
        await queries.rows(
          `update race set scoring = 'stale', distance_m = case when key % 2 = 0 then 1000 + key % 7 end`,
        )
      })
      const pairs = await database.rows<{ count: number; wrong: number; logged: number }>(
        `select count(*)::int as count, max(row_count) as logged, count(*) filter (where
         pair.earlier->>'id' <> pair.later->>'id' or pair.earlier->'distance_m' <> 'null'
         or (pair.later->>'distance_m')::int <> 1000 + (pair.later->>'key')::int % 7 or pair.later ? 'scoring')::int as wrong
       from import_change, rows from (jsonb_array_elements(before::jsonb), jsonb_array_elements(after::jsonb))
         as pair (earlier, later) where table_name = 'race'`,
      )
      // Races of which only the scoring changed are left out.
      expect(pairs).toEqual([{ count: RACES / 2, logged: RACES / 2, wrong: 0 }])
    }),
  60_000,
)
