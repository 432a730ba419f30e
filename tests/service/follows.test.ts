import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deleteAccount, exportData } from '../../contract/api/account.ts'
import * as calls from '../../contract/api/follow.ts'
import { MAX_FOLLOWS } from '../../contract/follow-limit.ts'
import { writeNote } from '../../contract/api/note.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { describeOnBoth } from '../support/databases.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { SEED_PASSWORD, seedCustomer, type Seeded } from '../support/seed-customer.ts'

const REGION = '100000'

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
       from runner join race on race.id = race_id
       where race.status = 'scheduled' and region_id = '${REGION}' and jockey_id is not null and trainer_id is not null
       order by race_id, horse_id limit 1`,
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

  const stable = ({ token } = owner, language?: string) =>
    server.ask(calls.queryStable, { token, ...(language === undefined ? {} : { language }) })

  test('a target that no thing can have is refused when it is unfollowed, too', async () => {
    const query = { kind: 'horse', target: 'a\u0000b' } as const
    expect(await server.call(calls.unfollow, { token: owner.token, query })).toMatchObject({ status: 400 })
  })

  test('who follows nothing has an empty stable', async () => {
    expect(await stable()).toEqual({ follows: [], horses: [], people: [], entries: [], races: [] })
  })

  test('a followed horse stands in the stable with its entries, its last runs and the own newest note alone', async () => {
    const other = await seedCustomer(server.database, { at: DEMO_DAY })
    const noteOn = (token: string, content: string) =>
      server.ask(writeNote, {
        token,
        body: { countryRegionId: REGION, subject: 'horse', subjectId: targets.horse, content },
      })
    await noteOn(owner.token, 'first')
    time = new Date(DEMO_DAY.getTime() + 1000)
    await noteOn(owner.token, 'newest')
    time = new Date(DEMO_DAY.getTime() + 2000)
    await noteOn(other.token, 'of somebody else')
    time = DEMO_DAY
    await follow('horse', targets.horse)
    const { horses, entries, races, people } = await stable()
    const before = await server.database.rows<{ raceId: string; place: string }>(
      `select runner.race_id, coalesce(place::text, place_code, '') as place from runner, race
       where horse_id = $1 and race.id = race_id and race.status = 'final' and runner.status <> 'withdrawn'
       order by race_date desc, race_id desc`,
      [targets.horse],
    )
    expect(horses).toMatchObject([{ id: targets.horse, note: 'newest' }])
    expect(horses[0]!.runs.map(({ raceId, place }) => ({ raceId, place }))).toEqual(before.slice(0, 3))
    const declared = await server.database.rows<{ raceId: string }>(
      `select race_id from runner where horse_id = $1 and race_id in (select id from race where status = 'scheduled')
       order by race_id`,
      [targets.horse],
    )
    expect(declared.length).toBeGreaterThan(0)
    expect(entries.map(({ raceId, horseId }) => [raceId, horseId])).toEqual(
      declared.map(({ raceId }) => [raceId, targets.horse]),
    )
    expect(races.map(({ id }) => id)).toEqual(declared.map(({ raceId }) => raceId))
    expect(people).toEqual([])
  })

  test.each(['jockey', 'trainer'] as const)(
    'a followed %s stands in the stable with every entry and the record of the newest season',
    async (kind) => {
      await follow(kind, targets[kind])
      const { people, entries } = await stable()
      const runners = await server.database.rows<{
        raceId: string
        place: number | null
        season: number
        coming: boolean
        started: boolean
      }>(
        `select race_id, place, season, race.status = 'scheduled' as coming, runner.status <> 'withdrawn' as started
         from runner join race on race.id = race_id where ${kind}_id = $1 and race.status <> 'abandoned' order by race_id`,
        [targets[kind]],
      )
      const [{ season } = { season: 0 }] = await server.database.rows<{ season: number }>(
        `select max(season) as season from race where status = 'final' and region_id = $1`,
        [REGION],
      )
      const runs = runners.filter((run) => !run.coming && run.started && run.season === season)
      expect(people).toMatchObject([
        {
          kind,
          id: targets[kind],
          season,
          runs: runs.length,
          wins: runs.filter(({ place }) => place === 1).length,
          placed: runs.filter(({ place }) => place !== null && place <= 3).length,
        },
      ])
      expect(entries.map(({ raceId }) => raceId).toSorted()).toEqual(
        runners.filter(({ coming }) => coming).map(({ raceId }) => raceId),
      )
      expect(entries.every((entry) => entry[`${kind}Id`] === targets[kind])).toBe(true)
    },
  )

  test('a followed race and a followed meeting bring their races, each once, in the language of the reader', async () => {
    await follow('race', targets.race)
    expect((await stable()).races.map(({ id }) => id)).toEqual([targets.race])
    await follow('meeting', targets.meeting)
    const all = await server.database.rows<{ id: string }>(
      'select id from race where id like $1 order by id',
      [`${targets.meeting}%`],
    )
    const { races } = await stable(owner, 'zh-Hant')
    expect(races.map(({ id }) => id).toSorted()).toEqual(all.map(({ id }) => id))
    expect(races[0]!.stadiumName).toMatch(/\p{Script=Han}/u)
  })

  test('what is no longer stored is followed still, and stands nowhere else', async () => {
    await server.database.rows(`insert into follow values ($1::uuid, 'horse', 'HK-GONE', $2)`, [
      owner.id,
      DEMO_DAY,
    ])
    expect(await stable()).toMatchObject({ follows: [{ target: 'HK-GONE' }], horses: [], races: [] })
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
