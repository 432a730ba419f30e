// @module-tag rest
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as model from '../../contract/api/model.ts'
import * as racing from '../../contract/api/racing.ts'
import * as report from '../../contract/api/report.ts'
import { lockHash } from '../../domain/prediction-lock.ts'
import { ensureDemonstration } from '../../server/ingest/demo/demonstration.ts'
import { Forecaster, Forecasters } from '../../server/scoring/forecast.ts'
import { headlineStatus, promoteModel } from '../../server/scoring/promote.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { readRegions } from '../../server/store/racing/dataset-store.ts'
import { backtestRegion, trainMissing, trainRegion } from '../../server/scoring/train.ts'
import type { Promotion } from '../../server/model/headline.ts'
import { FEATURE_GROUPS } from '../../server/model/features/groups.ts'
import { backtestLines, cardMarkdown } from '../../server/scoring/card-text.ts'
import { MODELS } from '../../server/model/models/sources.ts'
import { readRaces } from '../../server/store/racing/history-store.ts'
import { appendLocks } from '../../server/store/racing/lock-store.ts'
import { UNITED_STATES } from '../../domain/region.ts'
import { ensureRegion } from '../../server/store/racing/racing-statements.ts'
import {
  forgetStatesOf,
  listVersions,
  loadCard,
  loadVersions,
  saveCard,
} from '../../server/store/racing/scoring-state-store.ts'
import type { Database } from '../../server/db/database.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { TestServer } from '../support/api.ts'
import { describeOnBoth, newDatabase, type TestDatabase } from '../support/databases.ts'
import { DEMO_DAY } from '../support/demo-data.ts'

const REGION = '100000'
const DAY_MS = 86_400_000
/** Enough days of the previous season for both regions to learn from. */
const DAYS = 240

/** The same statements run over ten real seasons in `real-seasons.test.ts`. */
describeOnBoth('a trained demonstration on %s', { usual: 'postgresql' }, (kind) => {
  let place: TestDatabase
  let server: TestServer
  const now = (): Date => DEMO_DAY
  const rows = <Row>(sql: string, values: string[] = []): Promise<Row[]> =>
    place.database.rows<Row>(sql, values)
  const score = () => scoreStaleRaces(place.database, undefined, now)

  beforeAll(async () => {
    place = await newDatabase(kind)
    await ensureDemonstration(place.database, DEMO_DAY, DAYS)
  })
  afterAll(async () => {
    await server?.close()
    await place.close()
  })

  test('what is missing is trained, once; a kill between two seasons loses no version', async () => {
    let reported = 0
    // Simulates a process that dies after writing the first version.
    const dying = trainRegion(place.database, REGION, {
      onProgress: (what) => {
        if (what !== 'seasons') return
        reported += 1
        throw new Error('killed')
      },
    })
    await expect(dying).rejects.toThrow('killed')
    expect(reported).toBe(1)
    const [version] = await listVersions(place.database, REGION)
    expect(version!.season).toBe(2026)
    const trained = await trainMissing(place.database)
    // Hong Kong's version existed; only its model card was missing.
    expect(trained.map(({ regionId, fitted }) => [regionId, fitted])).toEqual([
      [REGION, []],
      ['100036', [2026]],
    ])
    expect((await listVersions(place.database, REGION))[0]!.sha256).toBe(version!.sha256)
    expect((await trainRegion(place.database, REGION)).fitted).toEqual([])
    expect(await trainMissing(place.database)).toEqual([])
  })

  test('two runs give the same file, byte for byte', async () => {
    const before = await rows('select region_id, season, content from model_version order by 1, 2')
    await trainRegion(place.database, REGION, { again: true })
    expect(await rows('select region_id, season, content from model_version order by 1, 2')).toEqual(before)
    const [size] = await rows<{ bytes: number }>('select max(length(content)) as bytes from model_version')
    expect(size!.bytes).toBeLessThan(5_000_000)
  })

  test('every race of the later season has its models, and those before only the market', async () => {
    const done = await score()
    expect(done.races).toBeGreaterThan(700)
    expect(done.locked).toBeGreaterThan(50)
    const [seasons] = await rows<{ early: number; late: number; whole: number }>(
      `select count(*) filter (where season = 2025) as early, count(*) filter (where season = 2026) as late,
         (select count(*) from race where region_id = '${REGION}' and season = 2026 and status <> 'abandoned') as whole
       from race where region_id = '${REGION}' and exists (
         select 1 from prediction where race_id = race.id and model_id = 'fundamental')`,
    )
    expect(seasons!.early).toBe(0)
    expect(seasons!.late).toBe(seasons!.whole)
    // Ten predictions per class plus those that fill a prediction type, for every class that the field size allows.
    const [lines] = await rows<{ classes: number }>(
      `select count(distinct gameplay_class) as classes from prediction where model_id = 'fundamental'`,
    )
    expect(lines!.classes).toBe(9)
    const sums = await rows<{ total: number }>(
      `select sum(probability) as total from win_chance group by race_id, model_id`,
    )
    for (const { total } of sums) expect(Math.abs(total - 1)).toBeLessThan(1e-5)
  })

  test('all that was written names a race and a prediction that exist, and the database goes on checking', async () => {
    const [lost] = await rows(
      `select (select count(*)::int from prediction p where not exists (select from race where id = p.race_id)) as races,
         (select count(*)::int from settlement s where not exists (select from prediction p
           where (p.race_id, p.model_id, p.gameplay_class, p.rank) =
             (s.race_id, s.model_id, s.gameplay_class, s.rank))) as predictions,
         (select count(*)::int from prediction) > 0 as some, current_setting('session_replication_role') as role`,
    )
    expect(lost).toEqual({ races: 0, predictions: 0, some: true, role: 'origin' })
    await expect(
      rows(`insert into settlement (race_id, model_id, gameplay_class, rank, outcome)
        values ('nowhere', 'blended', 1, 1, 'miss')`),
    ).rejects.toMatchObject({ code: '23503' })
  })

  test('the saved state predicts to the bit what walking through everything does', async () => {
    const [newest] = await rows<{ id: string }>(
      `select id from race where region_id = '${REGION}' and status = 'scheduled' order by race_date desc, id limit 1`,
    )
    const [race] = await readRaces(place.database, [newest!.id])
    const saved = await (await Forecaster.open(place.database, REGION)).forecast(place.database, race!, [])
    await rows('delete from feature_state')
    const walked = await (await Forecaster.open(place.database, REGION)).forecast(place.database, race!, [])
    expect(saved).toEqual(walked)
    expect(saved.map(({ modelId }) => modelId)).toEqual(['fundamental', 'network'])
  })

  test.each(['fundamental', 'network'])(
    'reasons of each horse by %s are the distance of its score from the others’, in the same groups',
    async (model) => {
      const stored = await rows<{ raceId: string; probability: number; reasons: string }>(
        `select race_id, probability, reasons from win_chance where model_id = $1 order by race_id, horse_no`,
        [model],
      )
      expect(stored.length).toBeGreaterThan(100)
      const sum = (reasons: string): number =>
        reasons.split(' ').reduce((total, word, index) => total + (index % 2 === 1 ? Number(word) : 0), 0)
      for (const { reasons } of stored) {
        const groups = reasons.split(' ').filter((_, index) => index % 2 === 0)
        expect(groups.toSorted()).toEqual(FEATURE_GROUPS.toSorted())
      }
      const firsts = new Map(stored.toReversed().map((runner) => [runner.raceId, runner]))
      for (const { raceId, probability, reasons } of stored) {
        const first = firsts.get(raceId)!
        // Reasons are stored with three decimals each, chances with six.
        expect(
          Math.abs(sum(reasons) - sum(first.reasons) - Math.log(probability / first.probability)),
        ).toBeLessThan(0.02)
      }
    },
  )

  test('report, forecasts and card: to whom they are open, whole', async () => {
    const [race] = await rows<{ id: string }>(
      `select id from race where region_id = '${REGION}' and status = 'scheduled' order by race_date desc, id limit 1`,
    )
    const raceId = race!.id
    server = await TestServer.start(place, { time: now })
    const vip = await seedCustomer(place.database)
    const token = vip.token
    expect(
      await server.call(model.queryModelCard, { token, query: { countryRegionId: REGION } }),
    ).toMatchObject({
      error: 'vip-needed',
    })
    await server.buy(token)
    const answer = (await server.ask(model.queryModelCard, { token, query: { countryRegionId: REGION } }))!
    expect(answer.card.features).toHaveLength(74)
    expect(answer.card.sources.map(({ source }) => source)).toEqual([
      'uniform',
      'market',
      'market-baseline',
      'fundamental',
      'network',
    ])
    for (const { record, coverage, pools } of answer.card.exotics) {
      const { gains, classes, calibration } = record!
      expect(gains.map(({ season }) => season)).toEqual([null, ...answer.card.pooled])
      expect(classes).toHaveLength(9 * (1 + answer.card.pooled.length))
      for (const { gameplayClass, races, top10, top10Expected } of coverage) {
        const all = classes.find((row) => row.gameplayClass === gameplayClass && row.season === null)!
        expect([all.races, all.top10.now]).toEqual([races, top10])
        expect(all.top10Expected.now).toBeCloseTo(top10Expected, 9)
        // The demonstration publishes a dividend for every combination that wins.
        const paid = pools.find((pool) => pool.gameplayClass === gameplayClass)
        expect([all.pool?.races, all.loss === null]).toEqual([paid?.races, paid === undefined])
        for (const rule of ['before', 'now'] as const) {
          const { bins } = calibration.find(
            (each) => each.gameplayClass === gameplayClass && each.rule === rule,
          )!
          const won = bins.reduce((sum, { observed, combinations }) => sum + observed * combinations, 0)
          expect(won).toBeCloseTo(gameplayClass === 2 || gameplayClass === 4 ? 3 * races : races, 6)
        }
      }
    }
    expect(answer.text).toBe(cardMarkdown(answer.card, answer.promotions as Promotion[]))
    // A card of an earlier program has notes of its own; of other regions also comparisons by Hong Kong's takeouts.
    const old = { ...answer.card, weaknesses: ['public'], tried: [] }
    await ensureRegion(server.database, UNITED_STATES)
    await saveCard(server.database, '100840', JSON.stringify({ ...old, regionId: '100840' }))
    expect(await loadCard(server.database, '100840')).toBeNull()
    await server.database.rows(`delete from model_card where region_id = '100840'`)
    await saveCard(server.database, REGION, JSON.stringify(old))
    expect(await loadCard(server.database, REGION)).toEqual(answer.card)
    expect(answer.text).toContain('Known weaknesses')
    expect(answer.card.network).toMatchObject({ offset: 0.8, networks: 2, trees: 0 })
    expect(answer.text).toContain('## What `network` adds')
    expect(answer.text).toContain('| figures together, the race as it is |')
    expect(answer.text).not.toMatch(/undefined|NaN|featureWhy\.|weakness\.|tried\./)
    expect(await server.ask(model.queryModelCard, { token, query: { countryRegionId: '100840' } })).toBeNull()
    const proof = (await server.ask(model.queryProof, { query: { countryRegionId: REGION } }))!
    const pooledOf = (name: string) => answer.card.sources.find(({ source }) => source === name)!.pooled
    expect(proof).toMatchObject({ model: 'network', seasons: answer.card.pooled })
    for (const [line, name] of [
      ['pick', 'network'],
      ['favourite', 'market'],
      ['random', 'uniform'],
    ] as const) {
      const { top1, returns, races } = pooledOf(name)
      expect(proof[line]).toMatchObject({ hitRate: top1, returns })
      expect(proof.races).toBe(races)
      if (line === 'random') expect(proof[line].hitInterval).toBeNull()
      else expect(proof[line].hitInterval!.low).toBeLessThan(top1)
    }
    expect(await server.ask(model.queryProof, { query: { countryRegionId: '100840' } })).toBeNull()
    const forecasts = await server.ask(model.queryLockedForecasts, { token, query: { raceId } })
    const { entries } = await server.ask(model.queryRaceLocks, { query: { raceId } })
    for (const forecast of forecasts) {
      const last = entries.findLast(({ modelId }) => modelId === forecast.modelId)
      expect(lockHash(forecast)).toBe(last!.sha256)
    }
    const shown = await server.ask(report.queryRaceReport, { token, query: { raceId } })
    expect(shown).toMatchObject({ model: 'network', explains: ['network', 'fundamental'] })
    for (const runner of shown.runners.filter(({ probabilities }) => probabilities.length > 0)) {
      for (const own of shown.explains) {
        expect(runner.contributions.filter((each) => each.model === own).length).toBeGreaterThan(3)
      }
      expect(runner.probabilities.find((own) => own.model === 'network')!.probability).toBe(
        runner.probability,
      )
    }
    const market = await server.ask(racing.queryRacePredictionCache, {
      token,
      query: { raceId, gameplayClass: 1, model: 'market-baseline' },
    })
    expect(market[0]!.id).toBe(`${raceId}-1-1-market-baseline`)
    expect(await server.ask(racing.queryOddsTrack, { token, query: { rprId: market[0]!.id } })).not.toEqual(
      [],
    )
  })

  test('a correction of old results takes the states that knew them away, new results do not', async () => {
    await trainRegion(place.database, REGION)
    const states = (): Promise<{ day: string }[]> =>
      rows(`select day from feature_state where region_id = '${REGION}' order by 1`)
    const before = await states()
    expect(before.length).toBeGreaterThan(1)
    // A forecaster cached between scorings agrees with a new one, whatever changed meanwhile.
    const forecasters = new Forecasters()
    const agreed = async (): Promise<Forecaster> => {
      const [newest] = await rows<{ id: string }>(
        `select id from race where region_id = '${REGION}' and status = 'scheduled' order by race_date desc, id limit 1`,
      )
      const [race] = await readRaces(place.database, [newest!.id])
      const { forecaster } = await forecasters.of(place.database, REGION)
      const fresh = await Forecaster.open(place.database, REGION)
      const forecast = await forecaster.forecast(place.database, race!, [])
      expect(forecast).toEqual(await fresh.forecast(place.database, race!, []))
      expect(forecast.map(({ modelId }) => modelId)).toEqual(['fundamental', 'network'])
      return forecaster
    }
    const first = await agreed()
    expect(await agreed()).toBe(first)
    await ensureDemonstration(place.database, new Date(DEMO_DAY.getTime() + 4 * DAY_MS), DAYS)
    // Results of days that it has not learnt leave it in use.
    expect(await agreed()).toBe(first)
    expect(await states()).toEqual(before)
    const [old] = await rows<{ id: string }>(
      `select id from race where region_id = '${REGION}' and race_date > '${before[0]!.day}' and status = 'final' order by race_date limit 1`,
    )
    await rows(`update runner set finish_time_ms = finish_time_ms + 10 where race_id = $1`, [old!.id])
    await place.database.rows(`delete from setting where name = 'demonstration'`)
    await place.database.rows(`insert into setting values ('demonstration', '2026-11-24')`)
    await ensureDemonstration(place.database, new Date(DEMO_DAY.getTime() + 5 * DAY_MS), DAYS)
    expect(await states()).toEqual(before.slice(0, 1))
    const second = await agreed()
    expect(second).not.toBe(first)
    await trainRegion(place.database, REGION, { again: true })
    expect(await agreed()).not.toBe(second)
  })

  /** The database as a worker has it beside a server, whose requests wait for each transaction; lists the statements of each. */
  const besideRequests = (beforeTransaction: (number: number) => Promise<void>) => {
    const statements: string[][] = []
    const database: Database = {
      ...place.database,
      shared: true,
      transaction: async (work) => {
        await beforeTransaction(statements.length)
        const own: string[] = []
        statements.push(own)
        return place.database.transaction(({ rows: query }) =>
          work({
            rows: (sql, values) => {
              own.push(sql)
              return query(sql, values)
            },
          }),
        )
      },
    }
    return { database, statements }
  }
  const markStale = (where: string): Promise<unknown> =>
    rows(`update race set scoring = 'stale' where ${where}`)

  test('beside requests, what forecasts need is read before the transaction, and again if it changed', async () => {
    await score()
    const upcoming = `region_id = '${REGION}' and status = 'scheduled'`
    const predicted = () =>
      rows(
        `select race_id, model_id, gameplay_class, rank, combination, probability from prediction
         where race_id in (select id from race where ${upcoming}) order by 1, 2, 3, 4`,
      )
    const before = await predicted()
    expect(before.length).toBeGreaterThan(0)
    await markStale(upcoming)
    const [last] = await rows<{ id: string }>(
      `select id from race where region_id = '${REGION}' and status = 'final' order by race_date desc, id limit 1`,
    )
    const { database, statements } = besideRequests(async (number) => {
      if (number > 0) return
      await rows('update runner set finish_time_ms = finish_time_ms + 3000 where race_id = $1', [last!.id])
      await forgetStatesOf(place.database, [last!.id], new Map())
    })
    await scoreStaleRaces(database, undefined, now)
    const after = await predicted()
    expect(after).not.toEqual(before)
    await markStale(upcoming)
    await score()
    expect(after).toEqual(await predicted())
    const writes = statements.map((own) => own.some((sql) => sql.includes('insert into prediction ')))
    expect(writes.slice(0, 2)).toEqual([false, true])
    expect(statements.flat().filter((sql) => /feature_state|form_line|model_version/.test(sql))).toEqual([])
  })

  test('beside requests, forecasts made in a thread are those made in the transaction, to the last digit', async () => {
    // As many as are forecast in a thread, and a few more.
    const some = `select id from race where status = 'final' and region_id = '${REGION}' order by race_date desc, id limit 150`
    const all = () =>
      Promise.all([
        rows(
          `select race_id, model_id, gameplay_class, rank, combination, probability, odds_seen from prediction
           where race_id in (${some}) order by 1, 2, 3, 4`,
        ),
        rows(
          `select race_id, model_id, horse_no, probability, reasons from win_chance where race_id in (${some}) order by 1, 2, 3`,
        ),
      ])
    await score()
    const before = await all()
    await markStale(`id in (${some})`)
    // Odds that change between the reading and the transaction count.
    const [changed] = await rows<{ id: string; odds: number }>(
      `select race_id as id, win_odds as odds from runner join race on race.id = race_id
       where race.id in (${some}) and horse_no = 1 and win_odds is not null
         and not exists (select 1 from prediction_lock where prediction_lock.race_id = race.id)
         and exists (select 1 from win_chance c where c.race_id = race.id and c.horse_no = 1 and model_id = 'market-baseline')
       order by race_date, race_id limit 1`,
    )
    const setOdds = (odds: number): Promise<unknown> =>
      rows(`update runner set win_odds = ${odds} where race_id = $1 and horse_no = 1`, [changed!.id])
    const { database, statements } = besideRequests(async (number) => {
      if (number === 0) await setOdds(changed!.odds + 1)
    })
    await scoreStaleRaces(database, undefined, now)
    expect(statements.length).toBeGreaterThan(3)
    const moved = await all()
    await markStale(`id = '${changed!.id}'`)
    await score()
    expect(moved).toEqual(await all())
    expect(moved).not.toEqual(before)
    await setOdds(changed!.odds)
    await markStale(`id = '${changed!.id}'`)
    await score()
    expect(await all()).toEqual(before)
  })

  test('beside requests, a locked race is settled before others are predicted', async () => {
    const [settled] = await rows<{ id: string; day: string }>(
      `select id, race_date as day from race where status = 'final' and region_id = '${REGION}'
       and exists (select 1 from settlement where race_id = race.id) order by id desc limit 1`,
    )
    const commitments = MODELS.map((modelId) => ({
      raceId: settled!.id,
      modelId,
      raceDate: settled!.day,
      sha256: lockHash({ raceId: settled!.id, modelId, chances: [], predictions: [] }),
    }))
    await place.database.transaction((queries) => appendLocks(queries, REGION, commitments, DEMO_DAY))
    const upcoming = `region_id = '${REGION}' and status = 'scheduled'`
    const written = async () => [
      await rows('select * from settlement where race_id = $1 order by 2, 3, 4', [settled!.id]),
      await rows('select * from prediction where race_id = $1 order by 2, 3, 4', [settled!.id]),
    ]
    const before = await written()
    expect(before[0]!.length).toBeGreaterThan(0)
    await markStale(`id = '${settled!.id}' or ${upcoming}`)
    await rows('delete from settlement where race_id = $1', [settled!.id])
    const stale: string[][] = []
    const { database } = besideRequests(async () => {
      const found = await rows<{ id: string }>(`select id from race where scoring = 'stale'`)
      stale.push(found.map(({ id }) => id))
    })
    await scoreStaleRaces(database, undefined, now)
    expect(stale[0]).toContain(settled!.id)
    expect(stale[1]).not.toContain(settled!.id)
    expect(stale[1]!.length).toBe(stale[0]!.length - 1)
    expect(await written()).toEqual(before)
  })

  test('a promotion counts for races that are locked from then on; what others showed stays', async () => {
    await score()
    const shown = async () =>
      new Map(
        (
          await rows<{ id: string; model: string }>(
            `select id, headline_model as model from race where region_id = '${REGION}' and status <> 'abandoned'`,
          )
        ).map(({ id, model: first }) => [id, first]),
      )
    const before = await shown()
    // The demonstration shows the network from its first race.
    expect(new Set(before.values())).toEqual(new Set(['network', 'market-baseline']))
    const promotedAt = new Date(DEMO_DAY.getTime() + 60_000)
    await expect(promoteModel(place.database, REGION, 'blended', promotedAt)).rejects.toMatchObject({
      code: 'no-such-model',
    })
    await expect(promoteModel(place.database, REGION, 'network', promotedAt)).rejects.toMatchObject({
      code: 'already-promoted',
    })
    await expect(promoteModel(place.database, '100840', 'network', promotedAt)).rejects.toMatchObject({
      code: 'no-predictions',
    })
    const report = await promoteModel(place.database, REGION, 'fundamental', promotedAt)
    expect(report).toMatchObject({ before: 'network', promotedAt: promotedAt.toISOString() })
    expect(report.kept).toBeGreaterThan(0)
    const later = (): Date => new Date(promotedAt.getTime() + 60_000)
    const chances = () =>
      rows(`select race_id, model_id, horse_no, probability from win_chance order by 1, 2, 3`)
    const locked = await chances()
    await markStale(`region_id = '${REGION}'`)
    await scoreStaleRaces(place.database, undefined, later)
    expect(await shown()).toEqual(before)
    expect(await chances()).toEqual(locked)
    // Odds that move lock a race again.
    const [next] = await rows<{ id: string }>(
      `select race.id from race join odds_tick on race_id = race.id where region_id = '${REGION}' and status = 'scheduled'
       and starts_at > '${later().toISOString()}' order by race.id limit 1`,
    )
    await rows(
      `update runner set win_odds = win_odds * 2 where race_id = $1
         and horse_no = (select min(horse_no) from runner where race_id = $1 and win_odds is not null)`,
      [next!.id],
    )
    await markStale(`id = '${next!.id}'`)
    expect((await scoreStaleRaces(place.database, undefined, later)).locked).toBeGreaterThan(0)
    expect(await shown()).toEqual(new Map(before).set(next!.id, 'fundamental'))
    const after = new Date(later().getTime() + 60_000)
    expect(await headlineStatus(place.database, REGION, after)).toMatchObject({
      headline: 'fundamental',
      since: promotedAt.toISOString(),
      promotions: [{ model: 'network' }, { model: 'fundamental' }],
    })
    const [region] = await readRegions(place.database)
    expect(region).toMatchObject({ id: REGION, headline: 'fundamental' })
    await promoteModel(place.database, REGION, 'network', after)
    await markStale(`region_id = '${REGION}'`)
    await scoreStaleRaces(place.database, undefined, () => after)
    expect(await shown()).toEqual(new Map(before).set(next!.id, 'fundamental'))
  })

  test('a backtest prints every source, season by season and pooled', async () => {
    const lines = backtestLines(await backtestRegion(place.database, REGION)).join('\n')
    for (const source of ['uniform', 'market', 'market-baseline', 'fundamental', 'network']) {
      // A row of figures, not the heading of what a model gains.
      expect(lines.match(new RegExp(String.raw`^${source} +\d`, 'gm'))).toHaveLength(2)
    }
    expect(lines).toMatch(/pooled 2026\/27 to 2026\/27/)
    expect((await loadVersions(place.database, REGION)).size).toBe(1)
  })
})
