import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDatabase, type TestDatabase } from '../support/databases.ts'
import { renderTables } from '../support/render-tables.ts'

let place: TestDatabase
beforeAll(async () => {
  place = await newDatabase('postgresql')
})
afterAll(() => place.close())

test('the types of the tables that Kysely reads and writes are those of the migrations', async () => {
  await expect(await renderTables(place.database)).toMatchFileSnapshot('../../server/db/tables.ts')
})
