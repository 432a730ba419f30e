import fastifyWebsocket, { type WebSocket } from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { CLOSED, CLOSE_REASONS, ClientMessage, type ServerMessage } from '../../contract/api/socket.ts'
import { FurlongError } from '../../domain/errors.ts'
import { languageOf } from '../process/messages.ts'
import { attempt, networkOf } from '../services/limits.ts'
import { OpenCount, Pace, Paces, type PaceRule } from '../services/pace.ts'
import type { Connection, PushHub } from '../services/push.ts'
import type { Service } from '../services/service.ts'
import { viewerOf, type Viewer } from '../services/viewer.ts'
import { languageOfRequest, type Context } from './context.ts'

const MAX_MESSAGE_BYTES = 4096
/** Maximum connections of one customer, over all tabs and devices. */
const MAX_OWN_CONNECTIONS = 20
/** Maximum connections of this process. */
const MAX_CONNECTIONS = 10_000
/** Maximum unsent bytes buffered for a client that does not read. */
const MAX_WAITING_BYTES = 1_000_000
/** A heartbeat is sent every 30 seconds; a client that reconnects sends several at once. */
const MESSAGES: PaceRule = { burst: 20, perSecond: 1 }
const CLOSE_TIMEOUT_MS = 2000
const EVENT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether a connection slot was taken for this socket; it is released when the connection closes. */
    hasSocketPlace: boolean
  }
}

interface SocketRoute {
  Params: { user: string }
  Querystring: { token?: string; since?: string; language?: string }
}

const SOCKET_ROUTE = '/:channel(^[a-z0-9]{1,16}$)/:user(^[A-Za-z0-9-]{1,64}_app$)'

/** The socket of decisions section 8: heartbeats, and the events pushed by the hub. */
export async function socketRoutes(app: FastifyInstance, context: Context, hub: PushHub): Promise<void> {
  await app.register(fastifyWebsocket, {
    options: { maxPayload: MAX_MESSAGE_BYTES },
    // Every client receives a close message before the connections are cut.
    preClose: async () => {
      await hub.stop()
      for (const client of app.websocketServer.clients) client.close(1001)
      app.websocketServer.close()
    },
  })
  const places = new SocketPlaces(context.settings.socketsPerAddress)
  await app.register(async (scope) => {
    scope.decorateRequest('hasSocketPlace', false)
    scope.get<SocketRoute>(
      SOCKET_ROUTE,
      { websocket: true, preValidation: (request) => admit(request, context.service, places) },
      (socket, request) => connect(socket, request, context, hub, places),
    )
  })
}

/** The connections that are open, limited for each network, each customer and the process. */
class SocketPlaces {
  readonly #open = new OpenCount()
  readonly #newcomers: Paces
  readonly #perAddress: number

  constructor(perAddress: number) {
    this.#perAddress = perAddress
    // A whole network may reconnect at once after the server restarts.
    this.#newcomers = new Paces({ burst: 2 * perAddress, perSecond: perAddress / 10 })
  }

  /** Takes the slots of a connection before any work is done for it, and returns its release; `null` if there is none. */
  take(address: string): (() => void) | null {
    const network = networkOf(address)
    if (!this.#newcomers.take(network, Date.now())) return null
    const here = this.#open.take('all', MAX_CONNECTIONS)
    const mine = here && this.#open.take(`network ${network}`, this.#perAddress)
    if (!here || !mine) {
      here?.()
      return null
    }
    return () => {
      here()
      mine()
    }
  }

  /** The same for a customer's own connections; visitors have no limit of their own. */
  takeOwn(viewer: Viewer | null): (() => void) | null {
    return viewer === null ? () => {} : this.#open.take(`customer ${viewer.id}`, MAX_OWN_CONNECTIONS)
  }
}

type SocketRequest = FastifyRequest<SocketRoute>

/** Takes a slot and checks the client's rights, before the upgrade. Throws `session-ended`, `not-allowed`, `too-many`. */
async function admit(request: SocketRequest, service: Service, places: SocketPlaces): Promise<void> {
  // Without an upgrade there is no socket that needs a slot; the library sends the response.
  if (!request.ws || request.raw.socket.destroyed) return
  const release = places.take(request.ip)
  if (release === null) return
  // The handler is never called if the upgrade fails or the client leaves meanwhile.
  request.raw.socket.once('close', release)
  try {
    const { token } = request.query
    if (token !== undefined && typeof token !== 'string') throw new FurlongError('session-ended')
    request.viewer = await viewerOf(service.database, token, service.now())
    const user = request.params.user.slice(0, -'_app'.length)
    if (request.viewer !== null && user !== request.viewer.id) throw new FurlongError('not-allowed')
    if (request.query.since !== undefined) {
      await attempt(service, { 'replay address': request.ip })
    }
  } catch (error) {
    release()
    throw error
  }
  request.hasSocketPlace = true
}

/** Serves an admitted client until its connection closes; hangs up on one without a slot. */
function connect(
  socket: WebSocket,
  request: SocketRequest,
  { service, metrics }: Context,
  hub: PushHub,
  places: SocketPlaces,
): void {
  const { viewer, hasSocketPlace } = request
  const hangUp = (code: number): void => {
    socket.close(code, CLOSE_REASONS[code])
    // Stops reading from a client that keeps sending, and terminates one that does not close.
    if (code === CLOSED.tooFast || code === CLOSED.tooMany) socket.pause()
    setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref()
  }
  socket.on('error', () => {})
  if (!hasSocketPlace) return hangUp(CLOSED.tooMany)
  const releaseOwn = places.takeOwn(viewer)
  if (releaseOwn === null) return hangUp(CLOSED.tooMany)
  const { since, language } = request.query
  const connection: Connection = {
    tokenHash: viewer?.tokenHash ?? null,
    customerId: viewer?.id ?? null,
    language: typeof language === 'string' ? languageOf(language) : languageOfRequest(request),
    lastHeard: Date.now(),
    send: (message: ServerMessage, text?: string) => {
      if (socket.bufferedAmount > MAX_WAITING_BYTES) socket.terminate()
      else socket.send(text ?? JSON.stringify(message))
    },
    close: hangUp,
  }
  metrics.sockets.inc()
  const pace = new Pace(MESSAGES, Date.now())
  socket.on('message', (data: Buffer) => {
    if (socket.readyState !== socket.OPEN) return
    connection.lastHeard = Date.now()
    if (!pace.take(connection.lastHeard)) return hangUp(CLOSED.tooFast)
    const message = readMessage(data)
    if (message === null) connection.send({ type: 'error', error: 'bad-parameters' })
    else connection.send({ type: 'heartbeat', userUid: message.userUid })
  })
  socket.on('close', () => {
    metrics.sockets.dec()
    releaseOwn()
    hub.remove(connection)
  })
  const from = typeof since === 'string' && EVENT_ID.test(since) ? since : null
  service.runInBackground('socket', async () => {
    try {
      await hub.add(connection, from)
    } catch (error) {
      // Closes a connection that could not be added, because nothing would ever be sent on it.
      hub.remove(connection)
      hangUp(CLOSED.failed)
      throw error
    }
    if (socket.readyState !== socket.OPEN) hub.remove(connection)
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
