import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deleteAccount, exportData } from '../../contract/api/account.ts'
import * as calls from '../../contract/api/follow.ts'
import { MAX_FOLLOWS } from '../../contract/follow-limit.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { describeOnBoth } from '../support/databases.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { SEED_PASSWORD, seedCustomer, type Seeded } from '../support/seed-customer.ts'

describeOnBoth('following on %s', { usual: 'postgresql' }, (kind) => {
  let server: TestServer
  let owner: Seeded
  /** A target of every kind: the parts of one coming runner. */
  let targets: Record<calls.FollowKind, string>
  let time = DEMO_DAY

  beforeAll(async () => {
    server = await TestServer.start(await newSmallSeason(kind), { time: () => time })
    const [runner] = await server.database.rows<Record<'horse' | 'jockey' | 'trainer' | 'race', string>>(
      `select horse_id as horse, jockey_id as jockey, trainer_id as trainer, race_id as race
       from runner join race on race.id = race_id where jockey_id is not null and trainer_id is not null
       order by race_id desc, horse_id limit 1`,
    )
    targets = { ...runner!, meeting: runner!.race.slice(0, 13) }
  })
  beforeEach(async () => {
    owner = await seedCustomer(server.database, { at: DEMO_DAY })
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })

  const follow = (kind: calls.FollowKind, target: string, { token } = owner) =>
    server.call(calls.follow, { token, body: { kind, target } })
  const unfollow = (kind: calls.FollowKind, target: string) =>
    server.ask(calls.unfollow, { token: owner.token, query: { kind, target } })
  const list = ({ token } = owner) => server.ask(calls.queryFollows, { token })

  test('every kind is followed and unfollowed, twice without an error, by its customer alone', async () => {
    const other = await seedCustomer(server.database, { at: DEMO_DAY })
    const kinds = Object.keys(targets) as calls.FollowKind[]
    for (const kind of kinds)
      for (const _ of ['once', 'again'])
        expect(await follow(kind, targets[kind])).toMatchObject({ ok: true, result: { followed: true } })
    expect((await list()).map((row) => [row.kind, row.target]).toSorted()).toEqual(
      Object.entries(targets).toSorted(),
    )
    expect(await list(other)).toEqual([])
    for (const kind of kinds)
      for (const _ of ['once', 'again'])
        expect(await unfollow(kind, targets[kind])).toEqual({ followed: false })
    expect(await list()).toEqual([])
  })

  test('the newest is first, and following again does not move it', async () => {
    await follow('horse', targets.horse)
    time = new Date(DEMO_DAY.getTime() + 1000)
    await follow('race', targets.race)
    time = new Date(DEMO_DAY.getTime() + 2000)
    await follow('horse', targets.horse)
    time = DEMO_DAY
    expect((await list()).map((row) => row.kind)).toEqual(['race', 'horse'])
  })

  test.each([
    ['horse', 'HK-Z999', 404],
    ['jockey', 'HK-Nobody At All', 404],
    ['trainer', 'HK-Nobody At All', 404],
    ['race', 'HKSHT1999010101', 404],
    ['meeting', 'HKSHT19990101', 404],
    ['horse', 'no horse', 400],
    ['jockey', 'HK-\u202Eevil', 400],
    ['race', 'HKSHT19990101', 400],
    ['meeting', 'HKSHT1999010101', 400],
  ] as const)('the %s %s is refused with %i', async (kind, target, status) => {
    expect(await follow(kind, target)).toMatchObject({ ok: false, status })
    expect(await list()).toEqual([])
  })

  test('nothing more is followed at the limit, what is followed stays so, and a place is free again', async () => {
    const filled = MAX_FOLLOWS - 1
    await server.database.rows(
      `insert into follow (customer_id, kind, target, created_at)
       select $1::uuid, 'horse', 'HK-GONE' || n, $2 from generate_series(1, $3) n`,
      [owner.id, DEMO_DAY, filled],
    )
    const both = await Promise.all([follow('race', targets.race), follow('meeting', targets.meeting)])
    expect(both.map(({ ok }) => ok).toSorted()).toEqual([false, true])
    expect(both.find(({ ok }) => !ok)).toMatchObject({ status: 400, error: 'bad-parameters' })
    expect(await list()).toHaveLength(MAX_FOLLOWS)
    const followed = both[0].ok ? 'race' : 'meeting'
    expect(await follow(followed, targets[followed])).toMatchObject({ ok: true })
    await unfollow('horse', 'HK-GONE1')
    expect(await follow('horse', targets.horse)).toMatchObject({ ok: true })
  })

  test('what is followed is exported, and goes with the account', async () => {
    await follow('jockey', targets.jockey)
    const { follows } = await server.ask(exportData, { token: owner.token })
    expect(follows).toMatchObject([{ kind: 'jockey', target: targets.jockey }])
    await server.ask(deleteAccount, { token: owner.token, body: { password: SEED_PASSWORD } })
    const count = 'select 1 from follow where customer_id = $1::uuid'
    expect(await server.database.rows(count, [owner.id])).toEqual([])
  })
})
