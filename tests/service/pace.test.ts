import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { queryHorsePace, queryPaceMap, queryRaceSections } from '../../contract/api/pace.ts'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { HK_SECTIONALS_FORMAT } from '../../server/ingest/hk/hk-sectionals-format.ts'
import { importFiles } from '../../server/ingest/import.ts'
import type { ImportFormat } from '../../server/ingest/reading/format.ts'
import { FURLONG_FORMAT } from '../../server/ingest/furlong/furlong-format.ts'
import { measurePaceMaps } from '../../server/services/pace-record.ts'
import { readParSamples, readParSamplesOfMany } from '../../server/store/pace/section-store.ts'
import { TestServer } from '../support/api.ts'
import { newDatabase } from '../support/databases.ts'
import { csv, HK_HEADER, hkRace, importAs } from '../support/import-files.ts'

/**
 * Figures of every starter of a race, written separately from the server's: from the rows of sections alone, with the par
 * as a weighted sum over races.
 */
const REFERENCE = `
  with lap as (
    select race.id, stadium_id, track, course, going, distance_m, race_date, horse_no, section_no, time_ms,
      max(section_no) over (partition by race.id) as n
    from section join race on race.id = race_id where race.status = 'final'
  ), middle as (
    select id, section_no, (array_agg(time_ms order by time_ms))[(count(*) + 1) / 2] / 2.0
      + (array_agg(time_ms order by time_ms))[(count(*) + 2) / 2] / 2.0 as ms
    from lap where time_ms is not null group by id, section_no
  ), weighed as (
    select lap.section_no, count(distinct race.id) as races,
      sum(ms * (10.0 / every.n + case when a.alike then 1 else 0 end)) / (10 + every.alike) as par
    from (select distinct section_no from lap where id = $1) lap
    cross join (select * from race where id = $1) own
    join middle on middle.section_no = lap.section_no
    join race on race.id = middle.id and race.stadium_id = own.stadium_id and race.distance_m = own.distance_m
      and coalesce(race.track, '') = coalesce(own.track, '') and race.race_date < own.race_date
    cross join lateral (select coalesce(race.course, '') = coalesce(own.course, '')
      and coalesce(race.going, '') = coalesce(own.going, '') as alike) as a
    cross join lateral (select count(*) as n,
        count(*) filter (where coalesce(r.course, '') = coalesce(own.course, '')
          and coalesce(r.going, '') = coalesce(own.going, '')) as alike
      from race r join middle m on m.id = r.id and m.section_no = lap.section_no
      where r.stadium_id = own.stadium_id and r.distance_m = own.distance_m
        and coalesce(r.track, '') = coalesce(own.track, '') and r.race_date < own.race_date) every
    group by lap.section_no, every.alike
  ), par as (select section_no, case when races >= 5 then par end as par from weighed)
  select horse_no as "horseNumber",
    100 * (400 / (max(time_ms) filter (where section_no = n))::float8) / (max(distance_m) / sum(time_ms)::float8) as finishing,
    100 * (sum(par) filter (where section_no <= n - 2) / sum(time_ms) filter (where section_no <= n - 2) - 1)::float8 as early,
    100 * (max(par) filter (where section_no = n) / max(time_ms) filter (where section_no = n) - 1)::float8 as late
  from lap left join par using (section_no) where id = $1
  group by horse_no, n having count(time_ms) = n order by horse_no`

interface Figures {
  horseNumber: number
  finishing: number | null
  early: number | null
  late: number | null
}

const closeTo = (value: number | null): unknown =>
  value === null ? null : (expect.closeTo(value, 6) as unknown)

/** Compares the figures of these races, and of a horse of each, with those of the reference. */
async function needSameFigures(server: TestServer, raceIds: readonly string[]): Promise<void> {
  for (const raceId of raceIds) {
    const { runners, sections } = await server.ask(queryRaceSections, { query: { raceId } })
    const reference = await server.database.rows<Figures>(REFERENCE, [raceId])
    const complete = runners.filter(
      ({ sections: own }) => own.filter(({ timeMs }) => timeMs !== null).length === sections.length,
    )
    expect(
      complete.map(({ horseNumber, finishingSpeed, earlyPace, latePace }) => ({
        horseNumber,
        finishing: finishingSpeed,
        early: earlyPace,
        late: latePace,
      })),
      raceId,
    ).toEqual(
      reference.map(({ horseNumber, finishing, early, late }) => ({
        horseNumber,
        finishing: closeTo(finishing),
        early: closeTo(early),
        late: closeTo(late),
      })),
    )
    const [horse] = await server.database.rows<{ id: string }>(
      'select horse_id as id from runner where race_id = $1 and horse_no = $2',
      [raceId, complete[0]!.horseNumber],
    )
    const runs = await server.ask(queryHorsePace, { query: { id: horse!.id } })
    const run = runs.find((each) => each.raceId === raceId)!
    expect(run).toMatchObject({
      finishingSpeed: complete[0]!.finishingSpeed,
      earlyPace: complete[0]!.earlyPace,
      latePace: complete[0]!.latePace,
    })
    expect(run.positions).toEqual(complete[0]!.sections.map(({ position }) => position))
  }
}

/** Compares the samples of many races, read at once, with those that the page of each of them reads. */
async function needSameSamples({ database }: TestServer): Promise<void> {
  const races = await database.rows<{ id: string }>(
    `select id from race where status = 'final' and exists (select from section where race_id = race.id)`,
  )
  const inOrder = async (read: typeof readParSamples) =>
    (
      await read(
        database,
        races.map(({ id }) => id),
      )
    ).toSorted((a, b) => a.raceId.localeCompare(b.raceId) || a.sectionNo - b.sectionNo)
  const expected = await inOrder(readParSamples)
  expect(expected.length).toBeGreaterThan(10)
  expect(await inOrder(readParSamplesOfMany)).toEqual(expected)
}

/** Expected positions, written separately: the newest run counts 1, the one before 0.85, and two runs in the middle are added. */
const EXPECTED_POSITIONS = `
  select own.horse_no as "horseNumber", (1 + coalesce(sum(weight * early), 0)) / (2 + coalesce(sum(weight), 0)) as early,
    count(early) as runs
  from runner own join race on race.id = own.race_id left join lateral (
    select power(0.85, row_number() over (order by past.race_date desc, past.id desc) - 1) as weight,
      (split_part(run.running_position, ' ', 1)::float8 - 1) / (
        (select count(*) from runner f where f.race_id = past.id and f.status <> 'withdrawn') - 1) as early
    from runner run join race past on past.id = run.race_id
    where run.horse_id = own.horse_id and past.race_date < race.race_date and run.status <> 'withdrawn'
      and past.status = 'final' and run.running_position <> '' order by past.race_date desc, past.id desc limit 30
  ) runs on true
  where own.race_id = $1 and own.status <> 'withdrawn' and own.horse_no is not null
  group by own.horse_no order by own.horse_no`

const DAYS = Array.from({ length: 9 }, (_, day) => `2019-03-${String(day + 10)}`)

/** Invented races of one course, each with times of its own: others would be repeats. */
function inventedFiles() {
  const goings = ['好地', '黏地', '好地']
  const rows = DAYS.flatMap((date, day) =>
    hkRace({ date, going: goings[day % 3]! }).map((row, index) =>
      row
        .replace(/,(1:1\d)\.00,/, `,$1.0${day},`)
        .replace(',1 1,', `,${((index * ((day % 4) + 1)) % 5) + 1} ${index + 1},`),
    ),
  )
  const sections = DAYS.flatMap((date, day) =>
    [1, 2, 3, 4, 5].flatMap((no) => {
      const total = 70_000 + no * 1000 + day * 10
      const first = 23_500 + ((day * 37 + no * 53) % 90) * 10
      const second = 23_000 + ((day * 71 + no * 29) % 70) * 10
      return [first, second, total - first - second].map(
        (ms, index) => `HKSHT,${date},1,${no},${index + 1},${no},1,${(ms / 1000).toFixed(2)}`,
      )
    }),
  )
  return { rows, sections }
}

test('figures of invented races are those of separately written SQL', async () => {
  const place = await newDatabase('postgresql')
  const { rows, sections } = inventedFiles()
  await importAs(place, HK_FORMAT, { 'results.csv': csv(HK_HEADER, ...rows) })
  await importAs(place, FURLONG_FORMAT, {
    'sections.csv': csv('stadium,date,race_no,horse_no,section,position,margin,time', ...sections),
  })
  const server = await TestServer.start(place)
  try {
    const raceIds = DAYS.map((date) => `HKSHT${date.replaceAll('-', '')}01`)
    await needSameFigures(server, raceIds)
    await needSameSamples(server)
    const [first, last] = await Promise.all(
      [raceIds[0]!, raceIds.at(-1)!].map((raceId) => server.ask(queryRaceSections, { query: { raceId } })),
    )
    expect(first!.sections.map(({ parMs, parRaces }) => ({ parMs, parRaces }))).toEqual(
      Array.from({ length: 3 }, () => ({ parMs: null, parRaces: 0 })),
    )
    expect(last!.sections.map(({ lengthM }) => lengthM)).toEqual([400, 400, 400])
    expect(last!.sections[0]).toMatchObject({ parRaces: 8, parSameRaces: 5 })
    // The map is of the runs of earlier days, and has the real positions of a race that was run.
    const lastId = raceIds.at(-1)!
    const map = await server.ask(queryPaceMap, { query: { raceId: lastId } })
    const expected = await server.database.rows<{ horseNumber: number; early: number; runs: number }>(
      EXPECTED_POSITIONS,
      [lastId],
    )
    expect(map.starters.map(({ horseNumber, early, runs }) => ({ horseNumber, early, runs }))).toEqual(
      expected.map((each) => ({ ...each, early: expect.closeTo(each.early, 10) as unknown })),
    )
    expect(new Set(map.starters.map(({ early }) => early)).size).toBeGreaterThan(2)
    expect(map.calls).toEqual([400, 800, 1200])
    expect(map.starters.map(({ positions }) => positions)).toEqual([1, 2, 3, 4, 5].map((no) => [no, no, no]))
    expect(map.record).toEqual([])
    const measured = await measurePaceMaps(place.database, { again: false })
    expect(measured.map(({ regionId }) => regionId)).toEqual(['100000'])
    expect(await measurePaceMaps(place.database, { again: false })).toEqual([])
    expect(await measurePaceMaps(place.database, { again: true })).toEqual(measured)
    // Nothing of the race's own day, or of later ones, is in its map or in its par.
    await place.database.rows(
      `update runner set running_position = (6 - horse_no) || ' 1' from race
       where race.id = race_id and race_date >= $1`,
      [DAYS.at(-1)!],
    )
    const shuffled = await server.ask(queryPaceMap, { query: { raceId: lastId }, language: 'zh-Hans' })
    expect(shuffled.starters).toEqual(map.starters)
    expect(shuffled.record).toEqual([
      {
        season: 2018,
        races: DAYS.length - 1,
        correlation: expect.any(Number) as unknown,
        led: expect.any(Number) as unknown,
      },
    ])
    await place.database.rows(
      `update race_section set median_ms = 1 where race_id in (select id from race where race_date >= $1)`,
      [DAYS.at(-1)!],
    )
    expect(await server.ask(queryRaceSections, { query: { raceId: raceIds.at(-1)! } })).toEqual(last)
    // What is unknown has an answer, too.
    expect(await server.call(queryRaceSections, { query: { raceId: 'HKSHT2019031102' } })).toMatchObject({
      status: 404,
    })
    await place.database.rows('delete from section where race_id = $1', [raceIds[1]!])
    expect(
      await server.ask(queryRaceSections, { query: { raceId: raceIds[1]! }, language: 'zh-Hant' }),
    ).toEqual({
      sections: [],
      runners: [],
    })
  } finally {
    await server.close()
    await place.close()
  }
})

const REAL = (folder: string): string =>
  fileURLToPath(new URL(`../../../shared/data/${folder}`, import.meta.url))

test.skipIf(!existsSync(REAL('hk-sectionals')))(
  'figures of two real seasons are those of separately written SQL (skipped where ../shared/data is missing)',
  { tags: ['rest'], timeout: 120_000 },
  async () => {
    const place = await newDatabase('postgresql')
    const read = (format: ImportFormat, ...paths: string[]) =>
      importFiles(place.database, { format, paths: paths.map(REAL), replaceDemonstration: false })
    await read(HK_FORMAT, 'hk/results-2016.csv', 'hk/results-2017.csv', 'hk/form.csv')
    await read(
      HK_SECTIONALS_FORMAT,
      'hk-sectionals/sectionals-2015-16.csv',
      'hk-sectionals/sectionals-2016-17.csv',
    )
    const server = await TestServer.start(place)
    try {
      const races = await place.database.rows<{ id: string }>(
        `select race_id as id from section group by 1 having count(*) filter (where time_ms is null) = 0
         order by md5(race_id) limit 3`,
      )
      await needSameSamples(server)
      await needSameFigures(
        server,
        races.map(({ id }) => id),
      )
    } finally {
      await server.close()
      await place.close()
    }
  },
)
