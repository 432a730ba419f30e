import { FurlongError, type ErrorCode } from '../../domain/errors.ts'
import type { EngineError } from '../../contract/engine.ts'

/** An engine's error as it is thrown on this side of the door. */
export const engineError = ({ code, details }: EngineError): FurlongError => new FurlongError(code, details)

export const isCode = (error: unknown, code: ErrorCode): boolean =>
  error instanceof FurlongError && error.code === code
