// @module-tag rest
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '../../domain/region.ts'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { ensureDemonstration, simulateSeason } from '../../server/ingest/demo/demonstration.ts'
import { DEMO_REGIONS } from '../../server/ingest/demo/regions.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { readManifest } from '../../server/dataset/dataset-index.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { holdsDemonstration } from '../../server/store/racing/demonstration.ts'
import { writeHkFiles } from '../fixtures/hk-files.ts'
import { describeOnBoth, newFolder, type TestDatabase } from '../support/databases.ts'
import { DEMO_DAY, newDemonstration } from '../support/demo-data.ts'

const TODAY = '2026-11-21'

describeOnBoth('the demonstration season, on %s', { usual: 'postgresql', other: 'soak' }, (kind) => {
  let place: TestDatabase
  const rows = <Row>(sql: string): Promise<Row[]> => place.database.rows<Row>(sql)
  beforeAll(async () => {
    place = await newDemonstration(kind)
  })
  afterAll(() => place.close())

  test('two regions with a season each, and all three languages’ names', async () => {
    const regions = await rows<{ id: string; first: string; last: string; races: number }>(
      `select region_id as id, min(race_date)::text as first, max(race_date)::text as last, count(*) as races from race where status = 'final' group by 1 order by 1`,
    )
    expect(regions.map(({ id }) => id)).toEqual(['100000', '100036'])
    for (const { first, last, races } of regions) {
      expect(first <= addDays(TODAY, -235)).toBe(true)
      expect(last >= addDays(TODAY, -3)).toBe(true)
      expect(races).toBeGreaterThan(400)
    }
    for (const table of ['horse', 'jockey', 'trainer', 'stadium', 'race']) {
      expect(
        await rows(`select 1 from ${table} where name_en is null or name_hant is null or name_hans is null`),
      ).toEqual([])
    }
  })

  test('fields of 5 to 14, with dead heats and scratchings', async () => {
    const [field] = await rows(
      'select min(declared_starters) as low, max(declared_starters) as high from race',
    )
    expect(field).toEqual({ low: 5, high: 14 })
    const [odd] = await rows<{ tied: number; early: number; late: number }>(
      `select count(*) filter (where dead_heat) as tied, count(*) filter (where status = 'withdrawn' and win_odds is null) as early,
         count(*) filter (where status = 'withdrawn' and win_odds is not null) as late from runner`,
    )
    for (const count of Object.values(odd!)) expect(count).toBeGreaterThan(10)
  })

  test('every runner wears silks', async () => {
    expect(await rows(`select count(*) as runners from runner where silks is null`)).toEqual([{ runners: 0 }])
  })

  test('today and a week ahead are scheduled, nothing before', async () => {
    const days = await rows<{ day: string }>(
      `select distinct race_date::text as day from race where status = 'scheduled' order by 1`,
    )
    expect(days[0]!.day).toBe(TODAY)
    expect(days.length).toBeGreaterThan(5)
    expect(days.at(-1)!.day <= addDays(TODAY, 7)).toBe(true)
  })

  test('each settled class pays back about what its takeout leaves', async () => {
    const [win] = await rows<{ back: number }>(
      `select avg(dividend_cents::float8 / 1000 / (select count(*) from runner where runner.race_id = dividend.race_id and status = 'finished')) as back
       from dividend where gameplay_class = 1`,
    )
    // A random pick returns roughly 1 − takeout, reduced by the season's favourite-longshot bias.
    expect(win!.back).toBeGreaterThan(0.6)
    expect(win!.back).toBeLessThan(1.1)
    const [odds] = await rows<{ overround: number }>(
      `select avg(total) as overround from (select sum(1 / win_odds) as total from runner where win_odds is not null group by race_id) t`,
    )
    expect(odds!.overround).toBeGreaterThan(1.15)
    expect(odds!.overround).toBeLessThan(1.35)
  })

  test('the double of each two races pays their winners, and nobody predicts it', async () => {
    const [doubles] = await rows<{ lines: number; strange: number }>(
      `select count(*) as lines, count(*) filter (where combination <> one.winner || '/' || two.winner) as strange
       from dividend d
       join (select race_id, combination as winner from dividend where gameplay_class = 1) two on two.race_id = d.race_id
       join race second on second.id = d.race_id
       join race first on first.stadium_id = second.stadium_id and first.race_date = second.race_date
         and first.race_no = second.race_no - 1
       join (select race_id, combination as winner from dividend where gameplay_class = 1) one on one.race_id = first.id
       where d.gameplay_class = 10 and (select count(*) from dividend w where w.gameplay_class = 1
         and w.race_id in (first.id, second.id)) = 2`,
    )
    expect(doubles!.lines).toBeGreaterThan(100)
    expect(doubles!.strange).toBe(0)
    expect(await rows(`select 1 from prediction where gameplay_class > 9`)).toEqual([])
  })

  test('every hit has a published dividend, and nobody predicts a horse that was known to be withdrawn', async () => {
    expect(await rows(`select 1 from settlement where profit_cents is null`)).toEqual([])
    const [late] = await rows<{ races: number }>(
      `select count(distinct race_id) as races from runner where status = 'withdrawn' and win_odds is not null`,
    )
    expect(late!.races).toBeGreaterThan(10)
    expect(
      await rows(
        `select 1 from win_chance c join runner r on r.race_id = c.race_id and r.horse_no = c.horse_no where r.status = 'withdrawn'`,
      ),
    ).toEqual([])
    expect(await rows(`select 1 from settlement where outcome = 'void'`)).toEqual([])
  })

  test('ticks end at the final odds', async () => {
    const wrong = await rows(
      `select 1 from runner join lateral (select odds from odds_tick t where t.race_id = runner.race_id and t.horse_no = runner.horse_no
         order by seen_at desc limit 1) last on true where last.odds <> runner.win_odds`,
    )
    expect(wrong).toEqual([])
  })

  test('the same day makes the same races; the next day only adds', async () => {
    const [region] = DEMO_REGIONS
    const season = simulateSeason(region!, TODAY)
    expect(simulateSeason(region!, TODAY)).toEqual(season)
    const nextDay = simulateSeason(region!, addDays(TODAY, 1))
    const finals = season.filter(({ race }) => race.status === 'final' && race.date > addDays(TODAY, -220))
    for (const each of finals.slice(0, 50))
      expect(nextDay.find(({ race }) => race.id === each.race.id)).toEqual(each)
    expect(await ensureDemonstration(place.database, DEMO_DAY)).toBe(false)
  })

  test('a day later today’s races are final and only that season is built again', async () => {
    const tomorrow = new Date(DEMO_DAY.getTime() + 86_400_000)
    expect(await ensureDemonstration(place.database, tomorrow)).toBe(true)
    expect(await rows(`select 1 from race where status = 'scheduled' and race_date < '2026-11-22'`)).toEqual(
      [],
    )
    const { races } = await scoreStaleRaces(place.database)
    expect(races).toBeGreaterThan(0)
    expect(races).toBeLessThan(40)
    const before = readManifest(place.dataFolder)!.files
    await buildDataset(place.database, place.dataFolder, tomorrow)
    const after = readManifest(place.dataFolder)!.files
    const same = after.filter(({ sha256 }) => before.some((file) => file.sha256 === sha256))
    // That Saturday's races were Australian; their earlier season is unchanged.
    const isRetained = (season: number): boolean =>
      same.some((file) => file.regionId === '100036' && file.season === season)
    expect([isRetained(2025), isRetained(2026)]).toEqual([true, false])
  })

  test('no odds of the future are written; they come as time passes', async () => {
    const tomorrow = new Date(DEMO_DAY.getTime() + 86_400_000)
    expect(await rows(`select 1 from odds_tick where seen_at > '${tomorrow.toISOString()}'`)).toEqual([])
    // Coming races have current odds, so that they are predicted.
    expect(
      await rows(
        `select 1 from race where status = 'scheduled' and not exists (
           select 1 from runner where race_id = race.id and win_odds is not null)`,
      ),
    ).toEqual([])
    const count = async (): Promise<number> =>
      (await rows<{ count: number }>('select count(*) as count from odds_tick'))[0]!.count
    const before = await count()
    const soon = new Date(tomorrow.getTime() + 3 * 3_600_000)
    expect(await ensureDemonstration(place.database, soon)).toBe(true)
    expect(await count()).toBeGreaterThan(before)
    expect(await rows(`select 1 from odds_tick where seen_at > '${soon.toISOString()}'`)).toEqual([])
    expect(await ensureDemonstration(place.database, soon)).toBe(false)
    await scoreStaleRaces(place.database, undefined, () => soon)
  })

  test('an import is refused until it may replace the demonstration, and then nothing of it is left', async () => {
    const request = { format: HK_FORMAT, paths: [writeHkFiles(newFolder())] }
    const refused = importFiles(place.database, { ...request, replaceDemonstration: false })
    await expect(refused).rejects.toMatchObject({ code: 'demonstration-present' })
    await importFiles(place.database, { ...request, replaceDemonstration: true })
    expect(await holdsDemonstration(place.database)).toBe(false)
    expect(await rows('select count(*) as races from race')).toEqual([{ races: 4 }])
    await scoreStaleRaces(place.database)
    await buildDataset(place.database, place.dataFolder, DEMO_DAY)
    const manifest = readManifest(place.dataFolder)!
    expect(manifest.demonstration).toBe(false)
    expect(manifest.regions.map(({ id }) => id)).toEqual(['100000'])
    expect(await ensureDemonstration(place.database, DEMO_DAY)).toBe(false)
  })
})
