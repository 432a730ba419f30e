import type { Signal } from '../../../analytics/connector.ts'
import type { Envelope, Refusal } from '../../../contract/api/envelope.ts'
import { MANIFEST_CACHE, MANIFEST_PATH } from '../../../contract/dataset-paths.ts'
import type { Manifest } from '../../../contract/dataset.ts'
import { ERROR_CODES, FurlongError, type ErrorCode } from '../../../domain/errors.ts'
import { deviceName } from './device.ts'
import { Refused } from './errors.ts'
import { readToken, tellSessionEnded } from './session.ts'
import { openResponses, storedResponse } from '../../storage/stored-responses.ts'

const TIMEOUT_MS = 60_000

/** The site's base URL: everything is fetched below it. */
export const baseUrl = (): string => new URL('.', document.baseURI).href

const asCode = (text: string | undefined): ErrorCode =>
  ERROR_CODES.find((code) => code === text) ?? 'internal'

function withQuery(path: string, query: object): string {
  const given = Object.entries(query).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'string' || typeof value === 'number' ? [[key, String(value)]] : [],
  )
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/** Absolute URL of a call, for a link that the user may open. */
export const apiAddress = (path: string, query: Readonly<Record<string, string>>): string =>
  new URL(withQuery(path, query), baseUrl()).href

async function send(
  path: string,
  init: RequestInit,
  token: string | null,
  signal?: Signal,
): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('Accept-Language', document.documentElement.lang)
  if (token !== null) headers.set('X-Access-Token', token)
  const limit = AbortSignal.timeout(TIMEOUT_MS)
  const left = new AbortController()
  const abort = (): void => left.abort()
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort, { once: true })
  try {
    return await fetch(new URL(path, baseUrl()), {
      ...init,
      headers,
      signal: AbortSignal.any([left.signal, limit]),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new FurlongError(limit.aborted ? 'request-timeout' : 'offline', {}, { cause: error })
  }
}

/** Throws the server's refusal. */
async function refused(
  response: Response,
  body: Envelope<Refusal> | null,
  token: string | null,
): Promise<never> {
  if (response.status === 401 && token !== null) tellSessionEnded(token)
  const { error, fields = [], seconds } = body?.result ?? { error: undefined }
  throw new Refused(asCode(error), body?.message ?? '', fields, {
    status: response.status,
    ...(seconds === undefined ? {} : { seconds }),
  })
}

async function request<Result>(path: string, init: RequestInit = {}, signal?: AbortSignal): Promise<Result> {
  const token = readToken()
  const headers = new Headers(init.headers)
  // Sign-ins and codes are counted by the device; what is only read is not.
  if (init.method !== 'GET') headers.set('X-Device', deviceName())
  const response = await send(path, { ...init, headers }, token, signal)
  const body = (await response.json().catch(() => null)) as Envelope<Result & Refusal> | null
  if (response.ok && body?.success) return body.result
  return refused(response, body, token)
}

/** Posts JSON and accepts a response of another media type. Throws the same errors as `call`. */
export async function postForAnswer(
  path: string,
  body: object,
  accept: string,
  signal?: Signal,
): Promise<Response> {
  const token = readToken()
  const headers = { 'content-type': 'application/json', accept }
  const response = await send(path, { method: 'POST', headers, body: JSON.stringify(body) }, token, signal)
  if (response.ok) return response
  return refused(response, (await response.json().catch(() => null)) as Envelope<Refusal> | null, token)
}

/** Sends a call's fields: in the address, and in a JSON body if there is one. For `call` only. */
export const sendJson = <Result>(
  method: string,
  path: string,
  query: object,
  body: object | undefined,
  signal?: AbortSignal,
): Promise<Result> => {
  const json = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  return request(withQuery(path, query), { method, ...json }, signal)
}

/** Uploads a file as the multipart field `file`. For `call` only. */
export function sendForm<Result>(path: string, file: Blob): Promise<Result> {
  const body = new FormData()
  body.append('file', file, 'picture')
  return request(path, { method: 'POST', body })
}

/** Fetches the manifest: regions, and their files. */
export async function fetchManifest(signal?: AbortSignal): Promise<Manifest> {
  const limit = AbortSignal.timeout(TIMEOUT_MS)
  const url = new URL(MANIFEST_PATH, baseUrl())
  const response = await fetch(url, { signal: signal ? AbortSignal.any([signal, limit]) : limit }).catch(
    async (error: unknown) => {
      // Fall back to the manifest of the last visit.
      const cached = await storedResponse(url)
      if (cached) return cached
      throw new FurlongError(limit.aborted ? 'request-timeout' : 'offline', {}, { cause: error })
    },
  )
  if (!response.ok) throw new FurlongError('dataset-unavailable', { status: response.status })
  // Cached here too, for an offline visit that never starts the engine.
  const cache = await openResponses(MANIFEST_CACHE)
  await cache?.put(url, response.clone()).catch(() => undefined)
  return (await response.json()) as Manifest
}
