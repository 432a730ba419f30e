import { ENGINE_ERROR_CODES, ENGINE_VERSION } from '../../contract/engine-errors.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import { baseUrl } from './client/api-client.ts'
import { createExternalStore } from './client/create-store.ts'
import { onDevice } from '../storage/stored-text.ts'

/** Whether engine errors may be reported is stored on this device; until the reader agrees, they are not. */
const KEY = 'engine-reports'
const AGREED = '1'
const agreement = createExternalStore(() => onDevice.read(KEY) === AGREED)
/** Codes already reported by this page: each is reported once. */
const reported = new Set<ErrorCode>()

export const useEngineReports = (): boolean => agreement.use()

/** Stores whether engine errors may be reported. */
export function setEngineReports(agreed: boolean): void {
  if (agreed) onDevice.write(KEY, AGREED)
  else onDevice.remove(KEY)
  agreement.notify()
}

/**
 * Reports the code of an engine error and the engine's version, if the reader agreed: no token, no text and no
 * identity. Other codes are not reported.
 */
export function reportEngineError(code: ErrorCode): void {
  if (!agreement.now() || reported.has(code) || !ENGINE_ERROR_CODES.some((each) => each === code)) return
  reported.add(code)
  void fetch(new URL('sys/api/engineError', baseUrl()), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, version: ENGINE_VERSION }),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  }).catch(() => undefined)
}
