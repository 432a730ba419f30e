// @module-tag rest
import { afterAll, beforeAll, expect, test } from 'vitest'
import { planRequest } from '../../analytics/plan-request.ts'
import { checkRequest } from '../../analytics/request.ts'
import { EVERYTHING } from '../support/cases.ts'
import { MODEL_IDS } from '../../contract/model-ids.ts'
import * as model from '../../contract/api/model.ts'
import * as racing from '../../contract/api/racing.ts'
import { brokenLink, CHAIN_START, lockHash } from '../../domain/prediction-lock.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { acceptHeads, datasetFolder, readManifest } from '../../server/dataset/dataset-index.ts'
import { ensureDemonstration } from '../../server/ingest/demo/demonstration.ts'
import { auditLocks } from '../../server/scoring/audit.ts'
import { scoreStaleRaces, type ScoreReport } from '../../server/scoring/score.ts'
import { verifyRecord } from '../../src/features/lock/verify.ts'
import { newSmallSeason, SMALL_SEASON_DAYS, TestServer } from '../support/api.ts'
import { describeOnBoth, type TestDatabase } from '../support/databases.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { WasmEngine } from '../support/wasm-engine.ts'

const REGION = '100000'
const DAY_MS = 86_400_000
/** The rows of a query as the browser's engine returns them. */
const answers = (engine: WasmEngine, request: unknown) =>
  engine.rows(planRequest(checkRequest(request), { scope: 'all' }).sql)

/** What is locked before post time, in the order of a race's life; the test controls the clock. */
describeOnBoth('the locked record, on %s', { usual: 'postgresql', other: 'soak' }, (kind) => {
  let place: TestDatabase
  let server: TestServer
  let time = DEMO_DAY
  const rows = <Row>(sql: string, values: string[] = []): Promise<Row[]> =>
    place.database.rows<Row>(sql, values)
  const score = (): Promise<ScoreReport> => scoreStaleRaces(place.database, undefined, () => time)

  beforeAll(async () => {
    place = await newSmallSeason(kind)
    server = await TestServer.start(place, { time: () => time })
  })
  afterAll(async () => {
    await server.close()
    await place.close()
  })

  test('only what has not gone off is locked, and nothing twice', async () => {
    const late = await rows(
      `select 1 from prediction_lock l join race on race.id = l.race_id where l.locked_at >= race.starts_at`,
    )
    expect(late).toEqual([])
    const unlocked = await rows(
      `select 1 from race join prediction p on p.race_id = race.id where starts_at > $1
         and not exists (select 1 from prediction_lock l where l.race_id = race.id and l.model_id = p.model_id)`,
      [DEMO_DAY.toISOString()],
    )
    expect(unlocked).toEqual([])
    await rows(`update race set scoring = 'stale' where status = 'scheduled'`)
    expect((await score()).locked).toBe(0)
  })

  test('odds that move before the off make a new entry; the chain holds', async () => {
    await rows(
      `update runner set win_odds = 1.5 where horse_no = 3 and race_id in (
         select id from race where status = 'scheduled' and region_id = '${REGION}' and race_date > '2026-11-21')`,
    )
    await rows(`update race set scoring = 'stale' where status = 'scheduled'`)
    expect((await score()).locked).toBeGreaterThan(5)
    const { previous, entries } = await server.ask(model.queryLockChain, {
      query: { countryRegionId: REGION },
    })
    expect(previous).toBe(CHAIN_START)
    expect(brokenLink(previous, entries)).toBeNull()
    expect(entries.map(({ number }) => number)).toEqual(entries.map((_, index) => index + 1))
    const tail = await server.ask(model.queryLockChain, {
      query: { countryRegionId: REGION, fromNumber: entries.length },
    })
    expect(tail).toEqual({ previous: entries.at(-2)!.chain, entries: entries.slice(-1) })
    const ofDay = await server.ask(model.queryLocksOfDay, {
      query: { countryRegionId: REGION, day: '2026-11-22' },
    })
    expect(ofDay).toEqual(entries.filter(({ raceId }) => raceId.slice(5, 13) === '20261122'))
    expect(ofDay.length).toBeGreaterThan(5)
  })

  test('in the last seconds before the off nothing is predicted or locked any more', async () => {
    const [race] = await rows<{ id: string }>(
      `select id from race where region_id = '${REGION}' and race_date = '2026-11-22' and status = 'scheduled' order by id desc limit 1`,
    )
    const said = (): Promise<unknown[]> =>
      rows(
        `select gameplay_class, rank, combination, probability from prediction where race_id = $1 order by 1, 2`,
        [race!.id],
      )
    const before = await said()
    expect(before.length).toBeGreaterThan(50)
    const [start] = await rows<{ at: string }>('select starts_at as at from race where id = $1', [race!.id])
    const soon = new Date(time.getTime() + 10_000).toISOString()
    await rows(`update race set starts_at = $2, scoring = 'stale' where id = $1`, [race!.id, soon])
    await rows('update runner set win_odds = win_odds * 3 where race_id = $1 and horse_no = 2', [race!.id])
    expect((await score()).locked).toBe(0)
    expect(await said()).toEqual(before)
    await rows(`update race set starts_at = $2, scoring = 'stale' where id = $1`, [race!.id, start!.at])
    expect((await score()).locked).toBe(1)
    expect(await said()).not.toEqual(before)
  })

  test('a model that can say nothing any more locks an empty forecast; nobody calls that a change', async () => {
    const [race] = await rows<{ id: string }>(
      `select id from race where region_id = '${REGION}' and status = 'scheduled' and race_date <= '2026-11-24' order by id desc limit 1`,
    )
    await rows('update runner set win_odds = null where race_id = $1', [race!.id])
    await rows(`update race set scoring = 'stale' where id = $1`, [race!.id])
    expect((await score()).locked).toBe(1)
    const { entries } = await server.ask(model.queryRaceLocks, { query: { raceId: race!.id } })
    const nothing = { raceId: race!.id, modelId: 'market-baseline', predictions: [], chances: [] }
    expect(entries.at(-1)!.sha256).toBe(lockHash(nothing))
    expect(await rows('select 1 from prediction where race_id = $1', [race!.id])).toEqual([])
  })

  test('after the off nothing is predicted again: results only settle what was locked', async () => {
    const before = await rows(
      `select race_id, model_id, gameplay_class, rank, combination, probability from prediction p
       where exists (select 1 from prediction_lock l where l.race_id = p.race_id and l.model_id = p.model_id)
         and race_id in (select id from race where race_date between '2026-11-22' and '2026-11-24') order by 1, 2, 3, 4`,
    )
    expect(before.length).toBeGreaterThan(200)
    time = new Date(DEMO_DAY.getTime() + 4 * DAY_MS)
    expect(await ensureDemonstration(place.database, time, SMALL_SEASON_DAYS)).toBe(true)
    // Final odds differ from the earlier ones, but arrive too late to change predictions.
    await rows(
      `update runner set win_odds = win_odds * 2 where horse_no = 1 and race_id in (select id from race where race_date = '2026-11-22')`,
    )
    await score()
    expect(
      await rows(
        `select race_id, model_id, gameplay_class, rank, combination, probability from prediction
         where race_id in (select id from race where race_date between '2026-11-22' and '2026-11-24') order by 1, 2, 3, 4`,
      ),
    ).toEqual(before)
    const [settled] = await rows<{ count: number }>(
      `select count(*) from settlement where race_id in (
         select id from race where race_date between '2026-11-22' and '2026-11-24' and status = 'final')`,
    )
    expect(settled!.count).toBeGreaterThan(200)
    const audit = await auditLocks(place.database, '2026-11-01', time)
    expect(audit).toMatchObject({ broken: [], brokenChains: [] })
    expect(audit.checked).toBeGreaterThan(10)
  })

  test('locked predictions and backtests never share a figure', async () => {
    const query = { countryRegionId: REGION, days: -7 }
    const locked = await server.ask(model.queryAccuracyDetail, { query })
    expect(locked.origin).toBe('locked')
    const [own] = await rows<{ hits: number; misses: number }>(
      `select count(*) filter (where outcome = 'hit') as hits, count(*) filter (where outcome = 'miss') as misses
       from race join prediction p on p.race_id = race.id and p.model_id = race.headline_model and gameplay_class = 1 and selected
       join settlement s using (race_id, model_id, gameplay_class, rank)
       where region_id = '${REGION}' and race_date between '2026-11-19' and '2026-11-25'
         and exists (select 1 from prediction_lock l where l.race_id = race.id and l.model_id = p.model_id)`,
    )
    expect([locked.hits, locked.misses]).toEqual([own!.hits, own!.misses])
    expect(await server.ask(racing.queryAccuracyInDays, { query })).toBeCloseTo(
      locked.hits / (locked.hits + locked.misses),
      12,
    )
    const records = await server.ask(racing.queryRacePredictionAccuracy, {
      query: { countryRegionId: REGION, today: '2026-11-25', pageSize: 100 },
    })
    expect(new Set(records.map(({ origin }) => origin))).toContain('locked')
  })

  test('the dataset tells locked from backtest, and a browser’s engine verifies every lock', async () => {
    await buildDataset(place.database, place.dataFolder, time)
    const engine = await WasmEngine.open(place.dataFolder, REGION, MODEL_IDS)
    const origins = answers(engine, {
      aggregate: { model: 'predictions', by: ['model', 'origin'], measures: ['predictions'], where: null },
    })
    expect(new Set(origins.map(({ origin }) => origin))).toEqual(new Set(['locked', 'backtest']))
    const named = (name: string) =>
      answers(engine, { named: { name, model: 'market-baseline', where: null } })
    const verdict = verifyRecord(
      named('locks'),
      named('locked_lines'),
      await server.ask(model.queryLockChain, { query: { countryRegionId: REGION } }),
    )
    expect(verdict.chainFault).toBeNull()
    expect(verdict.failed).toEqual([])
    expect(verdict.races).toBeGreaterThan(5)
    // Log loss, Brier score and hits from the engine against sums over the model's own tables.
    const [judged] = answers(engine, {
      aggregate: {
        model: 'runners',
        by: [],
        measures: ['races', 'log_loss', 'brier', 'pick_rate'],
        where: EVERYTHING,
      },
    })
    const [base] = await rows<{ races: number; logLoss: number; brier: number; hits: number }>(
      `with line as (
         select c.race_id, c.probability as p, c.horse_no, case when r.place = 1 then 1.0 / (
           select count(*) from runner w where w.race_id = race.id and w.place = 1) else 0 end::float8 as won
         from win_chance c join race on race.id = c.race_id
         join runner r on r.race_id = c.race_id and r.horse_no = c.horse_no
         where c.model_id = 'market-baseline' and region_id = '${REGION}' and race.status = 'final'
           and not exists (select 1 from prediction_lock l where l.race_id = race.id and l.model_id = c.model_id))
       select count(*) as races, avg(loss) as log_loss, avg(brier) as brier, sum(hit) as hits from (
         select sum(-won * ln(p)) as loss, sum((p - won) ^ 2) as brier,
           (array_agg(case when won > 0 then 1 else 0 end order by p desc, horse_no))[1] as hit
         from line group by race_id) as races`,
    )
    expect(judged!['races']).toBe(base!.races)
    expect(judged!['log_loss']).toBeCloseTo(base!.logLoss, 6)
    expect(judged!['brier']).toBeCloseTo(base!.brier, 5)
    expect(Number(judged!['pick_rate']) * base!.races).toBeCloseTo(base!.hits, 6)
  })

  test('one stored prediction that is changed by hand is found, marked, and counts nowhere', async () => {
    const [race] = await rows<{ id: string; model: string }>(
      `select race.id, headline_model as model from race join prediction_lock l on l.race_id = race.id
       where race.region_id = '${REGION}' and status = 'final' order by race.id limit 1`,
    )
    const before = await server.ask(model.queryAccuracyDetail, {
      query: { countryRegionId: REGION, days: -7 },
    })
    await rows(
      `update prediction set probability = probability * 0.9 where race_id = $1 and model_id = $2 and gameplay_class = 7 and rank = 4`,
      [race!.id, race!.model],
    )
    const audit = await auditLocks(place.database, '2026-11-01', time)
    expect(audit.broken).toEqual([`${race!.id} ${race!.model}`])
    // Responses are cached for a second of the server's clock.
    time = new Date(time.getTime() + 5000)
    const after = await server.ask(model.queryAccuracyDetail, {
      query: { countryRegionId: REGION, days: -7 },
    })
    expect(after.hits + after.misses).toBe(before.hits + before.misses - 1)
    expect((await server.ask(model.queryRaceLocks, { query: { raceId: race!.id } })).changed).toEqual([
      race!.model,
    ])
    await buildDataset(place.database, place.dataFolder, time)
    const engine = await WasmEngine.open(place.dataFolder, REGION, MODEL_IDS)
    const named = (name: string) => answers(engine, { named: { name, model: race!.model, where: null } })
    const chain = await server.ask(model.queryLockChain, { query: { countryRegionId: REGION } })
    const verdict = verifyRecord(named('locks'), named('locked_lines'), chain)
    expect(verdict.chainFault).toBeNull()
    expect(verdict.failed).toEqual([{ raceId: race!.id, modelId: race!.model }])
    // With the original value restored, verification succeeds again.
    await rows(
      `update prediction set probability = (probability / 0.9)::real where race_id = $1 and model_id = $2 and gameplay_class = 7 and rank = 4`,
      [race!.id, race!.model],
    )
    expect((await auditLocks(place.database, '2026-11-01', time)).broken).toEqual([])
  })

  test('a locked prediction of a race that has not been run is compared too', async () => {
    const [line] = await rows<{ raceId: string; modelId: string }>(
      `select p.race_id, p.model_id from prediction p join race on race.id = p.race_id
         join prediction_lock l on l.race_id = p.race_id and l.model_id = p.model_id
       where race.region_id = '${REGION}' and status = 'scheduled' and gameplay_class = 1 and rank = 1
       order by 1, 2 limit 1`,
    )
    const of = [line!.raceId, line!.modelId]
    const where = 'where race_id = $1 and model_id = $2 and gameplay_class = 1 and rank = 1'
    await rows(`update prediction set probability = probability * 0.9 ${where}`, of)
    const audit = await auditLocks(place.database, '2026-11-01', time)
    expect(audit.broken).toEqual([of.join(' ')])
    await rows(`update prediction set probability = (probability / 0.9)::real ${where}`, of)
    expect((await auditLocks(place.database, '2026-11-01', time)).broken).toEqual([])
  })

  test('entries cut from the end of a chain are missed by the next build, and until they are accepted', async () => {
    await buildDataset(place.database, place.dataFolder, time)
    const folder = datasetFolder(place.dataFolder)
    const head = readManifest(place.dataFolder)!.chainHeads!.find(({ regionId }) => regionId === REGION)
    const [last] = await rows<{ number: number; raceId: string; sha256: string }>(
      `select number, race_id, sha256 from prediction_lock where region_id = '${REGION}' order by number desc limit 1`,
    )
    expect(head!.number).toBe(last!.number)
    await rows(
      `create table cut_locks as select * from prediction_lock where region_id = '${REGION}' and number > 3`,
    )
    await rows(`delete from prediction_lock where region_id = '${REGION}' and number > 3`)
    // The chain that is left is whole, and only what was published before shows the cut.
    const alone = await auditLocks(place.database, '2026-11-01', time)
    expect([alone.brokenChains, alone.missingHeads]).toEqual([[], []])
    for (const attempt of [1, 2]) {
      const { missingHeads } = await buildDataset(place.database, place.dataFolder, time)
      expect(missingHeads, `build ${attempt}`).toEqual([head])
    }
    await acceptHeads(place.database, folder, alone.heads)
    expect((await buildDataset(place.database, place.dataFolder, time)).missingHeads).toEqual([])
    await rows('insert into prediction_lock select * from cut_locks')
    await rows('drop table cut_locks')
    expect((await buildDataset(place.database, place.dataFolder, time)).missingHeads).toEqual([])
  })

  test('a removed chain and a rewritten one are missed against the published end', async () => {
    const published = (await auditLocks(place.database, '2026-11-01', time)).heads
    const other = published.map((head) => ({ ...head, chain: 'f'.repeat(64) }))
    expect((await auditLocks(place.database, '2026-11-01', time, other)).missingHeads).toEqual(other)
    const gone = [{ regionId: '999', number: 1, chain: '0'.repeat(64) }]
    expect((await auditLocks(place.database, '2026-11-01', time, gone)).missingHeads).toEqual(gone)
    expect((await auditLocks(place.database, '2026-11-01', time, published)).missingHeads).toEqual([])
  })

  test('a rewritten chain condemns all that follows', async () => {
    const [entry] = await rows<{ number: number; sha256: string }>(
      `select number, sha256 from prediction_lock where region_id = '${REGION}' order by number limit 1`,
    )
    await rows(`update prediction_lock set sha256 = $1 where region_id = '${REGION}' and number = 1`, [
      '0'.repeat(64),
    ])
    const audit = await auditLocks(place.database, '2026-11-01', time)
    expect(audit.brokenChains).toEqual([{ regionId: REGION, number: 1 }])
    expect(audit.broken.length).toBeGreaterThan(5)
    await rows(`update prediction_lock set sha256 = $1 where region_id = '${REGION}' and number = 1`, [
      entry!.sha256,
    ])
    expect((await auditLocks(place.database, '2026-11-01', time)).broken).toEqual([])
  })
})
