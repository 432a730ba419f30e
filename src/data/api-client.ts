import type { Envelope, Refusal } from '../../contract/api/envelope.ts'
import type { ScheduledRace } from '../../contract/api/racing.ts'
import type { Session, SignedIn } from '../../contract/api/account.ts'
import type { Manifest } from '../../contract/dataset.ts'
import { ERROR_CODES, FurlongError, type ErrorCode } from '../../domain/errors.ts'
import { readToken } from './session.ts'

const TIMEOUT_MS = 60_000

/** The site's own address: everything is fetched below it. */
export const baseUrl = (): string => new URL('.', document.baseURI).href

const asCode = (text: string | undefined): ErrorCode =>
  ERROR_CODES.find((code) => code === text) ?? 'internal'

async function request<Result>(path: string, init: RequestInit = {}, signal?: AbortSignal): Promise<Result> {
  const token = readToken()
  const headers = new Headers(init.headers)
  headers.set('Accept-Language', document.documentElement.lang)
  if (token !== null && !headers.has('X-Access-Token')) headers.set('X-Access-Token', token)
  const limit = AbortSignal.timeout(TIMEOUT_MS)
  let response: Response
  try {
    response = await fetch(new URL(path, baseUrl()), {
      ...init,
      headers,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new FurlongError('offline', {}, { cause: error })
  }
  const body = (await response.json().catch(() => null)) as Envelope<Result & Refusal> | null
  if (!response.ok || !body || !body.success)
    throw new FurlongError(asCode(body?.result?.error), { status: response.status })
  return body.result
}

export const fetchSchedule = (
  regionId: string,
  today: string,
  signal?: AbortSignal,
): Promise<ScheduledRace[]> =>
  request(`race/api/queryRace?${new URLSearchParams({ countryRegionId: regionId, today })}`, {}, signal)

/** Who the token belongs to: the one kept, or one that is not kept yet. */
export const fetchSession = (signal?: AbortSignal, token?: string): Promise<Session> =>
  request('sys/api/session', token === undefined ? {} : { headers: { 'X-Access-Token': token } }, signal)

/** Ends the token on the server; the device forgets it whatever the answer. */
export const signOut = (): Promise<null> => request('sys/logout', { method: 'POST' })

export const signInByLink = (code: string): Promise<SignedIn> =>
  request('sys/api/linkSignIn', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })

/** What there is to open: regions, and how many rows. */
export async function fetchManifest(signal?: AbortSignal): Promise<Manifest> {
  const response = await fetch(new URL('dataset/manifest.json', baseUrl()), { signal: signal ?? null }).catch(
    async (error: unknown) => {
      // The engine keeps the manifest of the last visit.
      const kept = await caches.match(new URL('dataset/manifest.json', baseUrl()))
      if (kept) return kept
      throw new FurlongError('offline', {}, { cause: error })
    },
  )
  if (!response.ok) throw new FurlongError('dataset-unavailable', { status: response.status })
  return (await response.json()) as Manifest
}
