import { FurlongError, type ErrorCode, type ErrorDetails } from '../../../domain/errors.ts'
import type { EngineError } from '../../../analytics/engine-api.ts'

/** Converts an engine's error to one that can be thrown in the page. */
export const engineError = ({ code, details }: EngineError): FurlongError => new FurlongError(code, details)

export const isCode = (error: unknown, code: ErrorCode): boolean =>
  error instanceof FurlongError && error.code === code

/** A refusal by the server, with its message in the user's language and the invalid fields. */
export class Refused extends FurlongError {
  /** Empty if the server gave none. */
  readonly serverMessage: string
  readonly fields: readonly { field: string; message: string }[]

  constructor(
    code: ErrorCode,
    serverMessage: string,
    fields: readonly { field: string; message: string }[],
    details: ErrorDetails,
  ) {
    super(code, details)
    this.serverMessage = serverMessage
    this.fields = fields
  }
}

/** Messages by field of an error; empty if it names none. */
export const fieldErrors = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof Refused
    ? Object.fromEntries(error.fields.map(({ field, message }) => [field.split('.').at(-1)!, message]))
    : {}
