import fastifyWebsocket from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import { CLOSED, ClientMessage, type ServerMessage } from '../../contract/api/socket.ts'
import { FurlongError } from '../../domain/errors.ts'
import { languageOf } from '../messages.ts'
import type { Line, PushHub } from '../services/push.ts'
import { viewerOf } from '../services/viewer.ts'
import { languageOfRequest, type Context } from './context.ts'

const MOST_MESSAGE_BYTES = 4096
/** Tabs and devices of one customer. */
const MOST_LINES = 20
/** What waits to be sent to a reader who does not read. */
const MOST_WAITING_BYTES = 1_000_000
const EVENT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

interface SocketQuery {
  token?: string
  since?: string
  language?: string
}

export const SOCKET_ROUTE = '/:channel(^[a-z0-9]{1,16}$)/:user(^[A-Za-z0-9-]{1,64}_app$)'

/** The socket of decisions section 8: heartbeats, and what the hub pushes. */
export async function socketRoutes(app: FastifyInstance, context: Context, hub: PushHub): Promise<void> {
  const { service, metrics } = context
  await app.register(fastifyWebsocket, { options: { maxPayload: MOST_MESSAGE_BYTES } })

  await app.register(async (scope) => {
    scope.get<{ Params: { user: string }; Querystring: SocketQuery }>(
      SOCKET_ROUTE,
      {
        websocket: true,
        preValidation: async (request) => {
          const { token } = request.query
          if (token !== undefined && typeof token !== 'string') throw new FurlongError('session-ended')
          request.viewer = await viewerOf(service.database, token, service.now())
          const user = request.params.user.slice(0, -'_app'.length)
          if (request.viewer !== null && user !== request.viewer.id) throw new FurlongError('not-allowed')
        },
      },
      (socket, request) => {
        const { viewer } = request
        const { since, language } = request.query
        const line: Line = {
          tokenHash: viewer?.tokenHash ?? null,
          customerId: viewer?.id ?? null,
          language: typeof language === 'string' ? languageOf(language) : languageOfRequest(request),
          lastHeard: Date.now(),
          send: (message: ServerMessage) => {
            if (socket.bufferedAmount > MOST_WAITING_BYTES) socket.terminate()
            else socket.send(JSON.stringify(message))
          },
          close: (code) => socket.close(code),
        }
        metrics.sockets.inc()
        socket.on('message', (data: Buffer) => {
          line.lastHeard = Date.now()
          const message = readMessage(data)
          if (message === null) line.send({ type: 'error', error: 'bad-parameters' })
          else line.send({ type: 'heartbeat', userUid: message.userUid })
        })
        socket.on('close', () => {
          metrics.sockets.dec()
          hub.remove(line)
        })
        // A frame that is none, or too large: the library closes the line.
        socket.on('error', () => {})
        if (viewer !== null && hub.countOf(viewer.id) >= MOST_LINES) return socket.close(CLOSED.tooMany)
        const from = typeof since === 'string' && EVENT_ID.test(since) ? since : null
        service.behind('socket', async () => {
          await hub.add(line, from)
          if (socket.readyState !== socket.OPEN) hub.remove(line)
        })
      },
    )
  })
}

function readMessage(data: Buffer): { userUid: string } | null {
  try {
    const parsed = ClientMessage.safeParse(JSON.parse(data.toString('utf8')))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
