import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deleteAccount, exportData } from '../../contract/api/account.ts'
import * as calls from '../../contract/api/mark.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { describeOnBoth } from '../support/databases.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { SEED_PASSWORD, seedCustomer, type Seeded } from '../support/seed-customer.ts'

const REGION = '100000'
const MARK = { rating: 71, odds: 4.5, shortlisted: true } as const
const NOTHING = { rating: null, odds: null, shortlisted: false } as const

interface Starter {
  raceId: string
  horseId: string
  place: number | null
  odds: number
  dividendCents: number | null
}

describeOnBoth('marks of runners on %s', { usual: 'postgresql' }, (kind) => {
  let server: TestServer
  let owner: Seeded
  /** A coming runner that has run before, that race, and its last one. */
  let coming: { raceId: string; horseId: string; startsAt: string; before: string }
  let time = DEMO_DAY

  beforeAll(async () => {
    server = await TestServer.start(await newSmallSeason(kind), { time: () => time })
    const [found] = await server.database.rows<typeof coming>(
      `select runner.race_id, runner.horse_id, race.starts_at, (select earlier.race_id from runner earlier
           join race past on past.id = earlier.race_id where earlier.horse_id = runner.horse_id
           and past.status = 'final' order by past.race_date desc limit 1) as before
       from runner join race on race.id = runner.race_id
       where race.region_id = $1 and race.status = 'scheduled' and starts_at > $2 and exists (select 1 from runner earlier
         join race past on past.id = earlier.race_id
         where earlier.horse_id = runner.horse_id and past.status = 'final')
       order by runner.race_id, runner.horse_id limit 1`,
      [REGION, DEMO_DAY],
    )
    coming = found!
  })
  beforeEach(async () => {
    time = DEMO_DAY
    owner = await seedCustomer(server.database, { at: DEMO_DAY })
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })

  const write = (mark: calls.Mark, of: { raceId: string; horseId: string } = coming) =>
    server.call(calls.writeMark, {
      token: owner.token,
      body: { raceId: of.raceId, horseId: of.horseId, ...mark },
    })
  const list = (token = owner.token) =>
    server.ask(calls.queryMarks, { token, query: { raceId: coming.raceId } })
  const record = () =>
    server.ask(calls.queryMarkRecord, { token: owner.token, query: { countryRegionId: REGION } })
  /** Marks that were written before those races. */
  const store = (raceId: string, horseId: string, { rating, odds, shortlisted }: calls.Mark) =>
    server.database.rows('insert into runner_mark values ($1::uuid, $2, $3, $4::smallint, $5, $6, $7)', [
      owner.id,
      raceId,
      horseId,
      rating,
      odds,
      shortlisted,
      DEMO_DAY,
    ])

  test('a mark is written, replaced and deleted by its customer alone', async () => {
    expect(await write(MARK)).toMatchObject({ ok: true })
    expect(await list()).toEqual([{ horseId: coming.horseId, own: MARK, before: null }])
    const other = await seedCustomer(server.database, { at: DEMO_DAY })
    expect(await list(other.token)).toEqual([])
    await write({ ...MARK, odds: null })
    expect((await list())[0]!.own).toEqual({ ...MARK, odds: null })
    await write(NOTHING)
    expect(await list()).toEqual([])
  })

  test('the mark of the horse’s last marked race stands beside the next one', async () => {
    await store(coming.before, coming.horseId, { ...MARK, rating: 65 })
    expect(await list()).toMatchObject([
      { own: null, before: { ...MARK, rating: 65, raceId: coming.before } },
    ])
    await write(MARK)
    expect(await list()).toMatchObject([{ own: MARK, before: { rating: 65 } }])
  })

  test('nothing is marked once a race has started, that was run, or of a horse that is not in it', async () => {
    time = new Date(coming.startsAt)
    expect(await write(MARK)).toMatchObject({ ok: false, status: 404 })
    time = new Date(time.getTime() - 1)
    expect(await write(MARK)).toMatchObject({ ok: true })
    expect(await write(MARK, { ...coming, raceId: coming.before })).toMatchObject({ ok: false, status: 404 })
    expect(await write(MARK, { ...coming, horseId: 'HK-Z999' })).toMatchObject({ ok: false, status: 404 })
  })

  test.each([
    { ...MARK, rating: 201 },
    { ...MARK, rating: 70.5 },
    { ...MARK, odds: 1 },
    { ...MARK, odds: 1000 },
  ])('%o is refused', async (mark) => {
    expect(await write(mark)).toMatchObject({ ok: false, status: 400 })
    expect(await list()).toEqual([])
  })

  test('the record is that of the marked starters, by mark', async () => {
    const starters = await server.database.rows<Starter>(
      `select runner.race_id, horse_id, place, win_odds as odds, (select dividend_cents from dividend
         where dividend.race_id = runner.race_id and gameplay_class = 1 and combination = horse_no::text) as dividend_cents
       from runner join race on race.id = runner.race_id
       where region_id = $1 and race.status = 'final' and runner.status = 'finished' and entry_no is null
       order by runner.race_id, horse_id`,
      [REGION],
    )
    const races = [...new Set(starters.map(({ raceId }) => raceId))].slice(0, 12)
    const fields = races.map((raceId) => starters.filter((each) => each.raceId === raceId))
    const marked = fields.flatMap((field, at) =>
      field.slice(0, 4).map((starter, index) => ({
        ...starter,
        // In the first race one horse alone is rated, which says nothing of the others.
        mark: {
          rating: at > 0 || index === 0 ? 60 + ((index * 7 + at) % 4) : null,
          odds: index < 3 ? 5 : null,
          shortlisted: index === at % 4,
        },
        chance: 1 / starter.odds / field.reduce((sum, { odds }) => sum + 1 / odds, 0),
      })),
    )
    for (const { raceId, horseId, mark } of marked)
      if (mark.rating !== null || mark.odds !== null || mark.shortlisted) await store(raceId, horseId, mark)
    const highest = (raceId: string): number =>
      Math.max(...marked.flatMap((each) => (each.raceId === raceId ? [each.mark.rating ?? 0] : [])))
    const expected = [
      ['shortlisted', marked.filter(({ mark }) => mark.shortlisted)],
      [
        'highest-rated',
        marked.filter(({ mark, raceId }) => raceId !== races[0] && mark.rating === highest(raceId)),
      ],
      ['value', marked.filter(({ mark, odds }) => mark.odds !== null && mark.odds < odds)],
    ] as const
    const found = await record()
    expect(found.map(({ group }) => group)).toEqual(expected.map(([group]) => group))
    for (const [group, runs] of expected) {
      const row = found.find((each) => each.group === group)!
      expect(row).toMatchObject({
        runs: runs.length,
        wins: runs.filter(({ place }) => place === 1).length,
        placed: runs.filter(({ place }) => place !== null && place <= 3).length,
        profitCents: runs.reduce(
          (sum, { place, dividendCents }) => sum + (place === 1 ? dividendCents! : 0) - 1000,
          0,
        ),
      })
      expect(row.expected).toBeCloseTo(
        runs.reduce((sum, { chance }) => sum + chance, 0),
        9,
      )
    }
  })

  test('marks are exported, and go with the account', async () => {
    await write(MARK)
    const { runnerMarks } = await server.ask(exportData, { token: owner.token })
    expect(runnerMarks).toMatchObject([{ raceId: coming.raceId, horseId: coming.horseId, ...MARK }])
    await server.ask(deleteAccount, { token: owner.token, body: { password: SEED_PASSWORD } })
    expect(
      await server.database.rows('select 1 from runner_mark where customer_id = $1::uuid', [owner.id]),
    ).toEqual([])
  })
})
