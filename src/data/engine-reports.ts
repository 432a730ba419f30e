import { useSyncExternalStore } from 'react'
import { ENGINE_ERROR_CODES, ENGINE_VERSION } from '../../contract/engine-errors.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import { baseUrl } from './client/api-client.ts'

/** Whether engine errors may be reported is stored on this device; until the reader agrees, they are not. */
const KEY = 'engine-reports'
const AGREED = '1'
const listeners = new Set<() => void>()
/** Codes already reported by this page: each is reported once. */
const reported = new Set<ErrorCode>()

const isAgreed = (): boolean => localStorage.getItem(KEY) === AGREED

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useEngineReports = (): boolean => useSyncExternalStore(subscribe, isAgreed)

/** Stores whether engine errors may be reported. */
export function setEngineReports(agreed: boolean): void {
  if (agreed) localStorage.setItem(KEY, AGREED)
  else localStorage.removeItem(KEY)
  for (const listener of listeners) listener()
}

/**
 * Reports the code of an engine error and the engine's version, if the reader agreed: no token, no text and no
 * identity. Other codes are not reported.
 */
export function reportEngineError(code: ErrorCode): void {
  if (!isAgreed() || reported.has(code) || !ENGINE_ERROR_CODES.some((each) => each === code)) return
  reported.add(code)
  void fetch(new URL('sys/api/engineError', baseUrl()), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, version: ENGINE_VERSION }),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  }).catch(() => undefined)
}
