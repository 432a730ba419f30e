// @module-tag rest
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as calls from '../../contract/api/account.ts'
import { pictureReader } from '../../server/services/picture-reader.ts'
import { TestServer } from '../support/api.ts'
import { describeOnBoth, newDatabase } from '../support/databases.ts'

describeOnBoth('pictures on %s', { usual: 'postgresql', other: 'soak' }, (kind) => {
  let server: TestServer
  beforeAll(async () => {
    server = await TestServer.start(await newDatabase(kind))
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })
  const upload = (bytes: Buffer, name: string, type: string): FormData => {
    const data = new FormData()
    data.set('file', new Blob([new Uint8Array(bytes)], { type }), name)
    return data
  }
  const picture = (format: 'png' | 'jpeg'): Promise<Buffer> =>
    sharp({ create: { width: 800, height: 600, channels: 3, background: '#1d4f3f' } })
      .withExif({ IFD0: { Artist: 'somebody with a name' } })
      .toFormat(format)
      .toBuffer()

  test('an avatar is written anew, square, without what it carried, under a random name', async () => {
    const { token, userInfo } = await server.register()
    const body = upload(await picture('jpeg'), '../../evil.php', 'text/html')
    const { avatarUrl } = await server.ask(calls.uploadAvatar, {
      token,
      body,
      query: { userid: userInfo.id },
    })
    expect(avatarUrl).toMatch(/^\/sys\/common\/static\/[0-9a-f-]{36}\.webp$/)
    const response = await fetch(new URL(avatarUrl, server.base))
    expect(response.headers.get('content-type')).toBe('image/webp')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.toString('latin1')).not.toContain('somebody')
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 })
    expect((await server.ask(calls.userInfo, { token })).headUrl).toBe(avatarUrl)

    const next = await server.ask(calls.uploadAvatar, {
      token,
      body: upload(await picture('png'), 'a', ''),
    })
    expect(next.avatarUrl).not.toBe(avatarUrl)
    expect((await fetch(new URL(avatarUrl, server.base))).status).toBe(404)
  })

  test.each([
    [
      'a script',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
      400,
      'not-an-image',
    ],
    ['nothing', Buffer.alloc(0), 400, 'not-an-image'],
    ['noise', Buffer.alloc(4000, 7), 400, 'not-an-image'],
    ['half a picture', null, 400, 'not-an-image'],
    ['too much', Buffer.alloc(6 * 1024 * 1024), 413, 'too-large'],
  ])('%s named picture.png is refused', async (_, bytes, status, error) => {
    const { token } = await server.register()
    const content = bytes ?? (await picture('png')).subarray(0, 300)
    const body = upload(content, 'picture.png', 'image/png')
    expect(await server.call(calls.uploadFile, { token, body })).toMatchObject({ ok: false, status, error })
  })

  test('what is no form, or a form without a file, is refused by name', async () => {
    const { token } = await server.register()
    expect(await server.call(calls.uploadFile, { token, body: { file: 'x' } })).toMatchObject({
      status: 415,
    })
    const empty = new FormData()
    empty.set('other', 'x')
    const reply = await server.call(calls.uploadFile, { token, body: empty })
    expect(reply).toMatchObject({ status: 400, error: 'bad-parameters' })
    const { obj } = await server.ask(calls.uploadFile, {
      token,
      body: upload(await picture('png'), 'x', ''),
    })
    expect((await fetch(new URL(obj, server.base))).status).toBe(200)
  })
})

test('a picture of one customer does not wait for all those of another', async () => {
  const reader = pictureReader()
  const large = await sharp({ create: { width: 4000, height: 4000, channels: 3, background: '#1d4f3f' } })
    .png()
    .toBuffer()
  const order: string[] = []
  const read = (customerId: string): Promise<unknown> =>
    reader.read(large, 'picture', customerId).then(
      () => order.push(customerId),
      () => order.push(`${customerId} refused`),
    )
  const uploads = [...Array.from({ length: 10 }, () => read('flood')), read('reader')]
  await Promise.all(uploads)
  expect(order.filter((name) => name === 'flood' || name === 'reader').indexOf('reader')).toBe(1)
  // Seven of one customer are taken: one at work, six that wait.
  expect(order.filter((name) => name === 'flood')).toHaveLength(7)
  expect(order.filter((name) => name === 'flood refused')).toHaveLength(3)
  reader.close()
})
