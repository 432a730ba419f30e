import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A message as the SMTP server got it. */
export interface ReceivedMail {
  to: string
  raw: string
}

/** A real SMTP server that stores what it gets; `delayMs` keeps each message under way for that long. */
export async function startMailServer({
  delayMs = 0,
  refuse,
}: {
  delayMs?: number
  /** Answers a recipient with this reply code. */
  refuse?: (to: string) => number | null
} = {}) {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address }, _, done) => {
      const code = refuse?.(address) ?? null
      done(code === null ? null : Object.assign(new Error('refused'), { responseCode: code }))
    },
    onData: (stream, session, done) => {
      let raw = ''
      stream.on('data', (chunk: Buffer) => (raw += chunk.toString()))
      stream.on('end', () => {
        for (const { address: to } of session.envelope.rcptTo) mails.push({ to, raw })
        setTimeout(done, delayMs)
      })
    },
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.server.address() as AddressInfo
  return {
    mails,
    url: `smtp://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
      }),
  }
}

/** A notification as the browser decrypts it. */
interface ReceivedPush {
  endpoint: string
  payload: { title: string; body: string; tag: string; path: string }
  headers: Record<string, string | undefined>
}

/** A browser with its keys. */
export interface TestBrowser {
  endpoint: string
  keys: { p256dh: string; auth: string }
  decrypt(body: Buffer): string
}

/** A browser that decrypts what its push service gets, as RFC 8291 and RFC 8188 say: written apart from the sender. */
function newBrowser(origin: string): TestBrowser {
  const own = createECDH('prime256v1')
  own.generateKeys()
  const auth = randomBytes(16)
  return {
    endpoint: `${origin}/push/${randomBytes(12).toString('hex')}`,
    keys: { p256dh: own.getPublicKey('base64url'), auth: auth.toString('base64url') },
    decrypt: (body) => {
      const salt = body.subarray(0, 16)
      const idLength = body[20]!
      const sender = body.subarray(21, 21 + idLength)
      const sealed = body.subarray(21 + idLength)
      const shared = own.computeSecret(sender)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), sender])
      const secret = Buffer.from(hkdfSync('sha256', shared, auth, info, 32))
      const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16))
      const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12))
      const decipher = createDecipheriv('aes-128-gcm', key, nonce)
      decipher.setAuthTag(sealed.subarray(-16))
      const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
      // The last record ends with 2 and padding of zeros.
      return text.subarray(0, text.lastIndexOf(2)).toString()
    },
  }
}

/** A push service of some browsers, which decrypts each notification; `statusOf` answers a browser otherwise than 201. */
export async function startPushService(statusOf: (endpoint: string) => number = () => 201) {
  const pushes: ReceivedPush[] = []
  const browsers = new Map<string, TestBrowser>()
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const endpoint = `${origin}${request.url}`
      const status = statusOf(endpoint)
      const browser = browsers.get(endpoint)
      if (status === 201 && browser) {
        const payload = JSON.parse(browser.decrypt(Buffer.concat(chunks))) as ReceivedPush['payload']
        pushes.push({ endpoint, payload, headers: request.headers as ReceivedPush['headers'] })
      }
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    pushes,
    newBrowser: (): TestBrowser => {
      const browser = newBrowser(origin)
      browsers.set(browser.endpoint, browser)
      return browser
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
      }),
  }
}

/** The text of a message, decoded: of one with several parts that of the first, which is the plain one (RFC 2046). */
export function textOf({ raw }: Pick<ReceivedMail, 'raw'>): string {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const body = rest.join('\r\n\r\n')
  const boundary = /^content-type: multipart\/[^;]+;\s+boundary="([^"]+)"/im.exec(head)?.[1]
  if (boundary !== undefined) return textOf({ raw: body.split(`--${boundary}`)[1]!.trimStart() })
  if (/content-transfer-encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString()
  if (!/quoted-printable/i.test(head)) return body
  const bytes = body
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

/** The value of a header, with its continued lines joined. */
export const headerOf = ({ raw }: ReceivedMail, name: string): string | null => {
  const head = raw.split('\r\n\r\n')[0]!.replaceAll(/\r\n[ \t]+/g, ' ')
  return new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? null
}
