import { afterAll, beforeAll, expect, test } from 'vitest'
import { uploadFile } from '../../contract/api/account.ts'
import { writeMessage } from '../../contract/api/message.ts'
import { eraseCustomer } from '../../server/store/accounts/customer-store.ts'
import { readEverything } from '../../server/store/accounts/export-store.ts'
import { answerMessage, listMessages } from '../../server/store/accounts/message-store.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { describeOnBoth } from '../support/databases.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { seedCustomer, type Seeded } from '../support/seed-customer.ts'

describeOnBoth('messages to the operator, on %s', { usual: 'postgresql' }, (kind) => {
  let server: TestServer
  let owner: Seeded
  let other: Seeded

  beforeAll(async () => {
    server = await TestServer.start(await newSmallSeason(kind), { time: () => DEMO_DAY })
    owner = await seedCustomer(server.database, { at: DEMO_DAY })
    other = await seedCustomer(server.database, { at: DEMO_DAY })
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })

  const upload = async ({ token }: Seeded): Promise<string> => {
    const form = new FormData()
    form.append('file', new Blob([Buffer.from(PIXEL, 'base64')], { type: 'image/png' }), 'a.png')
    return (await server.ask(uploadFile, { token, body: form })).obj
  }
  const waiting = () => listMessages(server.database, false, 100)

  test('a message with a picture waits for the operator until it is marked as answered', async () => {
    const picture = await upload(owner)
    const { id } = await server.ask(writeMessage, {
      token: owner.token,
      body: {
        content: ' Where is race 5?\r\nIt is missing. ',
        answerTo: 'me@example.org',
        pictures: [picture],
      },
    })
    const [message] = await waiting()
    expect(message).toMatchObject({
      id,
      answerTo: 'me@example.org',
      content: 'Where is race 5?\nIt is missing.',
      answeredAt: null,
    })
    expect(picture).toContain(message!.pictures[0])
    expect((await readEverything(server.database, owner.id))['messages']).toHaveLength(1)
    expect(await answerMessage(server.database, id, DEMO_DAY)).toBe(true)
    expect(await answerMessage(server.database, id, DEMO_DAY)).toBe(false)
    expect(await waiting()).toEqual([])
    expect(await listMessages(server.database, true, 100)).toHaveLength(1)
  })

  test('without another address the answer goes to the phone of the account', async () => {
    await server.ask(writeMessage, { token: other.token, body: { content: 'A question' } })
    const [{ phone } = { phone: '' }] = await server.database.rows<{ phone: string }>(
      'select phone from customer where id = $1::uuid',
      [other.id],
    )
    expect((await waiting())[0]!.answerTo).toBe(phone)
  })

  test('nobody sends the picture of another customer', async () => {
    const picture = await upload(owner)
    const body = { content: 'Not mine', pictures: [picture] }
    expect(await server.call(writeMessage, { token: other.token, body })).toMatchObject({
      status: 404,
      error: 'not-found',
    })
    expect((await waiting()).map(({ content }) => content)).not.toContain('Not mine')
  })

  test('at most ten a day; none is lost', async () => {
    const { token } = await seedCustomer(server.database, { at: DEMO_DAY })
    const sent: string[] = []
    const refused: unknown[] = []
    for (let number = 1; number <= 12; number += 1) {
      const body = { content: `message ${number}` }
      const reply = await server.call(writeMessage, { token, body })
      if (reply.ok) sent.push(body.content)
      else refused.push(reply.error)
    }
    expect([sent.length, refused]).toEqual([10, ['too-many', 'too-many']])
    expect((await waiting()).map(({ content }) => content)).toEqual(expect.arrayContaining(sent))
  })

  test('messages go with their customer', async () => {
    expect((await waiting()).map(({ content }) => content)).toContain('A question')
    await server.database.transaction((queries) => eraseCustomer(queries, other.id, DEMO_DAY))
    expect((await waiting()).map(({ content }) => content)).not.toContain('A question')
  })
})

/** One grey pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='
