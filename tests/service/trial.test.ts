import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryTrial, type Trial, type TrialChange } from '../../contract/api/trial.ts'
import type { Database } from '../../server/db/database.ts'
import { ensureDemonstration } from '../../server/ingest/demo/demonstration.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { bumpRevisions } from '../../server/db/revisions.ts'
import { trainRegion } from '../../server/scoring/train.ts'
import { TestServer } from '../support/api.ts'
import { newDatabase } from '../support/databases.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { seedCustomer } from '../support/seed-customer.ts'

const REGION = '100000'
/** Enough days of the previous season to learn from. */
const DAYS = 240
const NO_RACE = 'HKSHT2026112299'

let server: TestServer
let database: Database
let token: string
let raceIds: string[]
/** The server's clock: it hears of changes once a second. */
let time = DEMO_DAY
const later = (): void => {
  time = new Date(time.getTime() + 1001)
}
/** The server hears that the test itself changed races. */
async function heardOf(changed: string[]): Promise<void> {
  await bumpRevisions(database, changed)
  later()
}
beforeAll(async () => {
  const place = await newDatabase('postgresql')
  await ensureDemonstration(place.database, DEMO_DAY, DAYS)
  await trainRegion(place.database, REGION)
  await scoreStaleRaces(place.database, undefined, () => DEMO_DAY)
  server = await TestServer.start(place, { time: () => time })
  database = server.database
  ;({ token } = await seedCustomer(database))
  await server.buy(token)
  const races = await database.rows<{ id: string }>(
    `select id from race where region_id = $1 and status = 'scheduled' order by id`,
    [REGION],
  )
  raceIds = races.map(({ id }) => id)
})
afterAll(() => server.close())

const ask = (raceId: string, changes: TrialChange[] = [], going?: string) =>
  server.ask(queryTrial, { token, body: { raceId, changes, going } })

async function trialOf(raceId: string, changes: TrialChange[] = [], going?: string): Promise<Trial> {
  const { missing, trial } = await ask(raceId, changes, going)
  expect(missing).toBeNull()
  return trial!
}

const storedOf = async (raceId: string, model: string): Promise<Map<number, number>> =>
  new Map(
    (
      await database.rows<{ horseNo: number; probability: number }>(
        'select horse_no, probability from win_chance where race_id = $1 and model_id = $2',
        [raceId, model],
      )
    ).map(({ horseNo, probability }) => [horseNo, probability]),
  )

/** All that scoring writes of a race. */
const writtenOf = (raceId: string): Promise<unknown[]> =>
  Promise.all(
    ['win_chance', 'prediction', 'prediction_lock', 'race_look_back'].map((table) =>
      database.rows(`select t::text from ${table} t where race_id = $1 order by 1`, [raceId]),
    ),
  )

test('with nothing tried, every race to come has its prediction to the bit', { tags: ['rest'] }, async () => {
  expect(raceIds.length).toBeGreaterThan(8)
  for (const raceId of raceIds) {
    const { model, runners, jockeys } = await trialOf(raceId)
    expect(model).toBe('network')
    const stored = await storedOf(raceId, model)
    expect(new Map(runners.map(({ horseNumber, before }) => [horseNumber, before]))).toEqual(stored)
    expect(stored.size).toBeGreaterThan(4)
    for (const { before, after, reasons, jockeyId } of runners) {
      expect([after, reasons]).toEqual([before, []])
      expect(jockeys.map(({ id }) => id)).toContain(jockeyId)
    }
  }
})

/** Changes of a race's card, as a trial and as statements on the card itself. */
async function changesOf(raceId: string) {
  const { runners, jockeys } = await trialOf(raceId)
  const [one, two, three, four, five] = runners.map(({ horseNumber }) => horseNumber) as [
    number,
    number,
    number,
    number,
    number,
  ]
  const drawOf = (number: number): number => runners.find(({ horseNumber }) => horseNumber === number)!.draw!
  const other = jockeys.find(({ id }) => runners.every(({ jockeyId }) => jockeyId !== id))!.id
  const changes: TrialChange[] = [
    { horseNumber: one, draw: drawOf(two) },
    { horseNumber: two, draw: drawOf(one), weightLb: 113 },
    { horseNumber: three, jockeyId: other },
    { horseNumber: four, gear: 'B1/TT1' },
    { horseNumber: five, withdrawn: true },
  ]
  const write = async (): Promise<void> => {
    for (const { horseNumber, draw, weightLb, jockeyId, gear, withdrawn } of changes)
      await database.rows(
        `update runner set draw = coalesce($3, draw), actual_weight_lb = coalesce($4, actual_weight_lb),
           jockey_id = coalesce($5, jockey_id), gear = coalesce($6, gear), status = coalesce($7, status)
         where race_id = $1 and horse_no = $2`,
        [
          raceId,
          horseNumber,
          draw ?? null,
          weightLb ?? null,
          jockeyId ?? null,
          gear ?? null,
          withdrawn ? 'withdrawn' : null,
        ],
      )
    await database.rows(`update race set going = 'soft', scoring = 'stale' where id = $1`, [raceId])
  }
  return { changes, write, withdrawn: five }
}

test(
  'each change moves the chances, and what is told of it multiplies up to the difference',
  { tags: ['rest'] },
  async () => {
    const raceId = raceIds[0]!
    const { changes } = await changesOf(raceId)
    const before = await writtenOf(raceId)
    const trials = [
      ...(await Promise.all(changes.slice(2).map((change) => trialOf(raceId, [change])))),
      await trialOf(raceId, changes.slice(0, 2)),
      await trialOf(raceId, changes, 'heavy'),
      await trialOf(raceId, [], 'heavy'),
    ]
    for (const { runners } of trials) {
      const left = runners.filter(({ after }) => after !== null)
      expect(left.reduce((sum, { after }) => sum + after!, 0)).toBeCloseTo(1, 5)
      expect(left.filter(({ after, before: said }) => after !== said).length).toBeGreaterThan(3)
      for (const { before: said, after, reasons } of left)
        expect(Math.exp(reasons.reduce((sum, { value }) => sum + value, 0)) * said).toBeCloseTo(after!, 9)
    }
    const [jockey, gear, withdrawn] = trials as [Trial, Trial, Trial]
    const groups = (trial: Trial): Set<string> =>
      new Set(trial.runners.flatMap(({ reasons }) => reasons.map(({ feature }) => feature)))
    expect(groups(jockey)).toEqual(new Set(['jockey', 'field']))
    expect(groups(gear)).toEqual(new Set(['gear', 'field']))
    // The largest reason of the jockey's own horse is the jockey.
    expect(
      jockey.runners.find(({ horseNumber }) => horseNumber === changes[2]!.horseNumber)!.reasons[0]!.feature,
    ).toBe('jockey')
    expect(withdrawn.runners.filter(({ after }) => after === null).map(({ reasons }) => reasons)).toEqual([
      [],
    ])
    expect(await writtenOf(raceId)).toEqual(before)
  },
)

test('the trial says what the model says once the card is so', { tags: ['rest'] }, async () => {
  const raceId = raceIds[1]!
  const { changes, write, withdrawn } = await changesOf(raceId)
  const { model, runners } = await trialOf(raceId, changes, 'soft')
  const tried = runners.flatMap(({ horseNumber, after }) =>
    after === null ? [] : [[horseNumber, after] as const],
  )
  await write()
  await scoreStaleRaces(database, undefined, () => DEMO_DAY)
  expect(await storedOf(raceId, model)).toEqual(new Map(tried))
  later()
  const anew = await trialOf(raceId)
  expect(anew.going).toBe('soft')
  expect(anew.runners.map(({ horseNumber }) => horseNumber)).not.toContain(withdrawn)
})

test(
  'odds alone predict a race anew and leave what is kept for trials as it is',
  { tags: ['rest'] },
  async () => {
    const raceId = raceIds[2]!
    const keptOf = () =>
      database.rows('select xmin::text, ctid::text from race_look_back where race_id = $1', [raceId])
    const market = () => storedOf(raceId, 'market-baseline')
    const scoreAfter = async (change: string): Promise<void> => {
      await database.rows(change, [raceId])
      await database.rows(`update race set scoring = 'stale' where id = $1`, [raceId])
      await scoreStaleRaces(database, undefined, () => DEMO_DAY)
    }
    const [kept, chances] = [await keptOf(), await market()]
    expect(kept).toHaveLength(1)
    await scoreAfter('update runner set win_odds = win_odds + horse_no where race_id = $1')
    expect(await market()).not.toEqual(chances)
    expect(await keptOf()).toEqual(kept)
    expect((await trialOf(raceId)).runners.length).toBeGreaterThan(4)
    later()
    await scoreAfter(`update race set going = 'heavy' where id = $1`)
    expect(await keptOf()).not.toEqual(kept)
    expect((await trialOf(raceId)).going).toBe('heavy')
  },
)

test('a card that cannot be is refused', { tags: ['rest'] }, async () => {
  const raceId = raceIds[0]!
  const { runners } = await trialOf(raceId)
  const [one, two] = runners as [Trial['runners'][number], Trial['runners'][number]]
  const refused: [TrialChange[], string][] = [
    [[{ horseNumber: 99 }], 'no runner 99'],
    [[{ horseNumber: one.horseNumber, draw: 39 }], 'no stall 39'],
    [[{ horseNumber: one.horseNumber, draw: two.draw! }], 'two runners in one stall'],
    [[{ horseNumber: one.horseNumber, jockeyId: 'HK-Nobody' }], 'no jockey HK-Nobody'],
    [[{ horseNumber: one.horseNumber }, { horseNumber: one.horseNumber }], 'at most one a runner'],
    [runners.slice(1).map(({ horseNumber }) => ({ horseNumber, withdrawn: true })), 'at least two runners'],
  ]
  for (const [changes, reason] of refused) {
    expect(await server.call(queryTrial, { token, body: { raceId, changes } })).toMatchObject({
      error: 'bad-parameters',
      refusal: { message: expect.stringContaining(reason) as unknown },
    })
  }
  // The stall of a runner that is withdrawn is free.
  const free = [
    { horseNumber: one.horseNumber, draw: two.draw! },
    { horseNumber: two.horseNumber, withdrawn: true },
  ]
  expect(
    (await trialOf(raceId, free)).runners.find(({ horseNumber }) => horseNumber === two.horseNumber)!.after,
  ).toBeNull()
})

test('only who may see the whole race gets a trial', { tags: ['rest'] }, async () => {
  const raceId = raceIds[0]!
  const member = await seedCustomer(database)
  const as = (who: string, id = raceId) =>
    server.call(queryTrial, { token: who, body: { raceId: id, changes: [] } })
  expect(await server.call(queryTrial, { body: { raceId, changes: [] } })).toMatchObject({
    error: 'signed-out',
  })
  expect(await as(member.token)).toMatchObject({ error: 'not-subscribed' })
  expect(await as(token, NO_RACE)).toMatchObject({ error: 'no-such-race' })
})

test(
  'a race predicted after it was run has none, nor one whose model was trained anew',
  { tags: ['rest'] },
  async () => {
    const [past] = await database.rows<{ id: string }>(
      `select id from race where region_id = $1 and status = 'final' order by race_date desc, id limit 1`,
      [REGION],
    )
    expect(await ask(past!.id)).toEqual({ missing: 'look-back', trial: null })
    await database.rows(`update race_look_back set sha256 = repeat('0', 64) where race_id = $1`, [
      raceIds[0]!,
    ])
    await heardOf([raceIds[0]!])
    expect(await ask(raceIds[0]!)).toEqual({ missing: 'version', trial: null })
    // A prediction that is not what the model says is not explained by it.
    await database.rows(`update win_chance set probability = probability / 2 where race_id = $1`, [
      raceIds[1]!,
    ])
    await heardOf([raceIds[1]!])
    expect(await ask(raceIds[1]!)).toEqual({ missing: 'version', trial: null })
  },
)
