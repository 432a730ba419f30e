import fastifyWebsocket from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import { CLOSED, ClientMessage, type ServerMessage } from '../../contract/api/socket.ts'
import { FurlongError } from '../../domain/errors.ts'
import { languageOf } from '../messages.ts'
import { attempt } from '../services/limits.ts'
import type { Line, PushHub } from '../services/push.ts'
import { viewerOf } from '../services/viewer.ts'
import { languageOfRequest, type Context } from './context.ts'

const MOST_MESSAGE_BYTES = 4096
/** Tabs and devices of one customer. */
const MOST_LINES = 20
/** Lines of this process beyond which visitors are turned away. */
const MOST_LINES_HERE = 10_000
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
  await app.register(fastifyWebsocket, {
    options: { maxPayload: MOST_MESSAGE_BYTES },
    // Every reader is told that the server goes, before the lines are cut.
    preClose: async () => {
      await hub.stop()
      for (const client of app.websocketServer.clients) client.close(1001)
      app.websocketServer.close()
    },
  })

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
          if (request.query.since !== undefined) {
            await attempt(service.database, service.keys, service.now(), { 'replay address': request.ip })
          }
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
        const full = viewer === null ? hub.size >= MOST_LINES_HERE : hub.countOf(viewer.id) >= MOST_LINES
        if (full) return socket.close(CLOSED.tooMany)
        const from = typeof since === 'string' && EVENT_ID.test(since) ? since : null
        service.behind('socket', async () => {
          try {
            await hub.add(line, from)
          } catch (error) {
            // A line that nothing will ever be told on must not look like one.
            hub.remove(line)
            socket.close(CLOSED.failed)
            throw error
          }
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
