import { afterAll, beforeAll, expect, test } from 'vitest'
import { freezeRules } from '../../contract/api/frozen.ts'
import { writeNote } from '../../contract/api/note.ts'
import { saveView } from '../../contract/api/view.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { describeOnBoth } from '../support/databases.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { FROZEN } from '../support/frozen-rules.ts'
import { seedCustomer } from '../support/seed-customer.ts'

/** A region that no import has brought, and one that the program knows but this database does not have. */
const UNKNOWN = ['999999', '100099']

const MESSAGES = {
  en: 'There is none with this id.',
  'zh-Hant': '沒有此編號的項目。',
  'zh-Hans': '没有此编号的项目。',
}

describeOnBoth('ids of what does not exist, on %s', { usual: 'postgresql' }, (kind) => {
  let server: TestServer
  let token: string
  beforeAll(async () => {
    server = await TestServer.start(await newSmallSeason(kind), { time: () => DEMO_DAY })
    ;({ token } = await seedCustomer(server.database, { at: DEMO_DAY }))
    await server.buy(token)
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })

  test.each(UNKNOWN)(
    'region %s: a view and frozen rules are refused at the field',
    async (countryRegionId) => {
      for (const [language, message] of Object.entries(MESSAGES)) {
        const refusals = [
          await server.call(saveView, {
            token,
            language,
            body: { countryRegionId, name: 'Mine', address: 'v=2' },
          }),
          await server.call(freezeRules, { token, language, body: { ...FROZEN, countryRegionId } }),
        ]
        for (const refusal of refusals)
          expect(refusal).toMatchObject({
            status: 400,
            error: 'bad-parameters',
            refusal: { result: { fields: [{ field: 'countryRegionId', message }] } },
          })
      }
      // Nothing was stored, and the next call with a known region is answered.
      expect(
        await server.database.rows('select 1 from saved_view union all select 1 from frozen_rule'),
      ).toEqual([])
    },
  )

  test('a note on what does not exist is not found', async () => {
    const body = { countryRegionId: '999999', subject: 'horse', subjectId: 'HK-X999', content: 'x' }
    expect(await server.call(writeNote, { token, body })).toMatchObject({ status: 404 })
  })
})
