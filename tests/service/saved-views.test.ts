import { afterAll, beforeAll, expect, test } from 'vitest'
import * as calls from '../../contract/api/view.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { describeOnBoth } from '../support/databases.ts'
import { DEMO_DAY } from '../support/demo-data.ts'

const REGION = '100000'
const ADDRESS = 'v=2&f=bet_type%3A1~odds%3A20%2C30%2C50&p=bars%3Agoing'

describeOnBoth('saved views on %s', { usual: 'postgresql' }, (kind) => {
  let server: TestServer
  let owner: string
  let other: string

  beforeAll(async () => {
    const place = await newSmallSeason(kind)
    server = await TestServer.start(place, { time: () => DEMO_DAY })
    owner = (await seedCustomer(server.database, { at: DEMO_DAY })).token
    other = (await seedCustomer(server.database, { at: DEMO_DAY })).token
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })

  const list = (token: string) =>
    server.ask(calls.querySavedViews, { token, query: { countryRegionId: REGION } })
  const save = (name: string, address = ADDRESS, token = owner) =>
    server.ask(calls.saveView, { token, body: { countryRegionId: REGION, name, address } })

  test('a view is saved, read, renamed, moved and deleted by its owner alone', async () => {
    const first = await save('Outsiders')
    const second = await save('Draw at Happy Valley', 'p=heat%3Adraw.distance')
    expect((await list(owner)).map(({ name }) => name)).toEqual(['Outsiders', 'Draw at Happy Valley'])
    expect(await list(other)).toEqual([])

    await server.ask(calls.changeSavedView, { token: owner, body: { id: second.id, up: true } })
    expect((await list(owner)).map(({ name }) => name)).toEqual(['Draw at Happy Valley', 'Outsiders'])
    expect(
      await server.ask(calls.changeSavedView, { token: other, body: { id: first.id, name: 'Stolen' } }),
    ).toEqual({ changed: false })
    expect(await server.ask(calls.deleteSavedView, { token: other, query: { id: first.id } })).toEqual({
      deleted: false,
    })
    await server.ask(calls.changeSavedView, { token: owner, body: { id: first.id, name: 'Longshots' } })
    expect((await list(owner)).map(({ name }) => name)).toEqual(['Draw at Happy Valley', 'Longshots'])
    expect(
      await server.ask(calls.changeSavedView, {
        token: owner,
        body: { id: first.id, name: 'Draw at Happy Valley' },
      }),
    ).toEqual({ changed: false })
    expect(await server.ask(calls.deleteSavedView, { token: owner, query: { id: second.id } })).toEqual({
      deleted: true,
    })
    expect(await list(owner)).toHaveLength(1)
  })

  test('a view is followed by its owner alone, and stays so under a new name', async () => {
    const { id, followed } = await save('Followed')
    expect(followed).toBe(false)
    const change = (body: object, token = owner) =>
      server.ask(calls.changeSavedView, { token, body: { id, ...body } })
    expect(await change({ followed: true }, other)).toEqual({ changed: false })
    expect(await change({ followed: true })).toEqual({ changed: true })
    expect(await change({ name: 'Followed still' })).toEqual({ changed: true })
    const found = (await list(owner)).find((view) => view.id === id)
    expect(found).toMatchObject({ name: 'Followed still', followed: true })
    await change({ followed: false })
    expect((await list(owner)).find((view) => view.id === id)?.followed).toBe(false)
  })

  test('the same name again replaces the view, and its short link stays', async () => {
    const before = await save('Mine')
    const after = await save('Mine', 'period=year')
    expect(after).toMatchObject({ id: before.id, code: before.code, address: 'period=year' })
    // Two simultaneous clicks create one view.
    const twice = await Promise.all([save('Twice'), save('Twice')])
    expect(new Set(twice.map(({ id }) => id)).size).toBe(1)
  })

  test('whoever has the short link reads the view, signed in or not, until it is deleted', async () => {
    const { id, code } = await save('Shared')
    expect(await server.ask(calls.querySharedView, { query: { code } })).toEqual({
      countryRegionId: REGION,
      name: 'Shared',
      address: ADDRESS,
    })
    await server.ask(calls.deleteSavedView, { token: owner, query: { id } })
    expect((await server.call(calls.querySharedView, { query: { code } })).status).toBe(404)
  })

  test('a wrong address, a name that is too long and one view too many are refused', async () => {
    const refused = async (body: object) => (await server.call(calls.saveView, { token: owner, body })).status
    expect(await refused({ countryRegionId: REGION, name: 'x', address: 'javascript:alert(1)<' })).toBe(400)
    expect(await refused({ countryRegionId: REGION, name: 'x'.repeat(61), address: ADDRESS })).toBe(400)
    expect(await refused({ countryRegionId: REGION, name: 'x', address: 'a'.repeat(8001) })).toBe(400)
    expect(await refused({ countryRegionId: REGION, name: 'x' })).toBe(400)
    const known = (await list(owner)).length
    for (let at = known; at < calls.MAX_VIEWS; at += 1) await save(`view ${at}`)
    expect(await refused({ countryRegionId: REGION, name: 'one more', address: ADDRESS })).toBe(400)
    expect(await list(owner)).toHaveLength(calls.MAX_VIEWS)
  })
})
