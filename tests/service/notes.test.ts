import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedCustomer, type Seeded } from '../support/seed-customer.ts'
import * as calls from '../../contract/api/note.ts'
import { deleteSavedView, saveView } from '../../contract/api/view.ts'
import { readEverything } from '../../server/store/accounts/export-store.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { describeOnBoth } from '../support/databases.ts'
import { DEMO_DAY } from '../support/demo-data.ts'

const REGION = '100000'

describeOnBoth('notes on %s', { usual: 'postgresql' }, (kind) => {
  let server: TestServer
  let owner: Seeded
  let other: Seeded
  /** A horse that is declared for a coming race, and that race. */
  let horse: { id: string; nameEn: string; nameHant: string; raceId: string }

  beforeAll(async () => {
    const place = await newSmallSeason(kind)
    server = await TestServer.start(place, { time: () => DEMO_DAY })
    owner = await seedCustomer(server.database, { at: DEMO_DAY })
    other = await seedCustomer(server.database, { at: DEMO_DAY })
    const [found] = await server.database.rows<typeof horse>(
      `select horse.id, horse.name_en, horse.name_hant, race.id as race_id
       from runner join race on race.id = runner.race_id join horse on horse.id = runner.horse_id
       where race.status = 'scheduled' and race.region_id = $1 and runner.status = 'declared'
       order by race.race_date, race.race_no, horse.id limit 1`,
      [REGION],
    )
    horse = found!
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })

  const write = (subject: calls.NoteSubject, subjectId: string, content: string, token = owner.token) =>
    server.ask(calls.writeNote, { token, body: { countryRegionId: REGION, subject, subjectId, content } })
  const list = (query: object = {}, token = owner.token) =>
    server.ask(calls.queryNotes, { token, query: { countryRegionId: REGION, ...query } })

  test('notes are written, found, changed and deleted by their owner alone', async () => {
    const { id } = await write('horse', horse.id, 'Drew wide\r\nand finished fast')
    const { records, total } = await list()
    expect(total).toBe(1)
    expect(records[0]).toMatchObject({
      id,
      content: 'Drew wide\nand finished fast',
      horse: { id: horse.id, name: horse.nameEn, next: { raceId: horse.raceId } },
      race: null,
      view: null,
    })
    expect((await list({}, other.token)).total).toBe(0)
    const { token } = other
    expect(await server.ask(calls.changeNote, { token, body: { id, content: 'x' } })).toEqual({
      changed: false,
    })
    expect(await server.ask(calls.deleteNote, { token, query: { id } })).toEqual({ deleted: false })

    expect(
      await server.ask(calls.changeNote, { token: owner.token, body: { id, content: 'Needs 1400 m' } }),
    ).toEqual({ changed: true })
    expect((await list()).records[0]!.content).toBe('Needs 1400 m')
    expect(await server.ask(calls.deleteNote, { token: owner.token, query: { id } })).toEqual({
      deleted: true,
    })
    expect((await list()).total).toBe(0)
  })

  test('a note on a horse is shown where it runs next, beside those on the race', async () => {
    await write('horse', horse.id, 'Likes it soft')
    await write('race', horse.raceId, 'Rail out, so look for speed')
    const [elsewhere] = await server.database.rows<{ id: string }>(
      `select id from horse where region_id = $2 and id not in (select horse_id from runner where race_id = $1) limit 1`,
      [horse.raceId, REGION],
    )
    await write('horse', elsewhere!.id, 'Not in this race')
    const { records } = await list({ raceId: horse.raceId })
    expect(records.map(({ content }) => content)).toEqual(['Rail out, so look for speed', 'Likes it soft'])
    expect((await list({ horseId: horse.id })).records).toHaveLength(1)
  })

  test('a search finds texts and names of every language, and takes % and _ as they are', async () => {
    await write('horse', horse.id, 'Won by 100% effort_again')
    expect((await list({ text: '0% eff' })).total).toBe(1)
    expect((await list({ text: 'effort_' })).total).toBe(1)
    expect((await list({ text: 'effort%again' })).total).toBe(0)
    expect((await list({ text: 'EFFORT' })).total).toBe(1)
    const named = await list({ text: horse.nameHant })
    expect(named.total).toBeGreaterThan(1)
    expect(named.records.every((note) => note.horse?.id === horse.id)).toBe(true)
  })

  test('a note on a saved view is for its owner, goes with the view, and is exported', async () => {
    const { id: viewId } = await server.ask(saveView, {
      token: owner.token,
      body: { countryRegionId: REGION, name: 'Draw', address: 'p=heat%3Adraw.distance' },
    })
    await expect(write('view', viewId, 'stolen', other.token)).rejects.toThrow()
    await write('view', viewId, 'Only from stall 1 to 3')
    expect((await list({ viewId })).records[0]!.view).toMatchObject({ id: viewId, name: 'Draw' })
    const { notes } = await readEverything(server.database, owner.id)
    expect(notes).toContainEqual(
      expect.objectContaining({ savedView: 'Draw', content: 'Only from stall 1 to 3' }),
    )
    await server.ask(deleteSavedView, { token: owner.token, query: { id: viewId } })
    expect((await list({ viewId })).total).toBe(0)
  })

  test.each([
    ['horse', 'HK-NONE'],
    ['horse', 'not a horse'],
    ['race', 'SHATI2026010101'],
    ['view', 'no uuid'],
  ] as const)('a note on the %s %s is refused', async (subject, id) => {
    await expect(write(subject, id, 'x')).rejects.toThrow()
  })

  test('an empty note, one of controls and one of 2,001 characters are refused', async () => {
    for (const content of ['', ' \n ', 'a\u0007b', 'x'.repeat(2001)])
      await expect(write('horse', horse.id, content)).rejects.toThrow()
    await write('horse', horse.id, 'x'.repeat(2000))
  })
})
