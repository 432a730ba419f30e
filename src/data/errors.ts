import { FurlongError, type ErrorCode, type ErrorDetails } from '../../domain/errors.ts'
import type { EngineError } from '../../analytics/engine-api.ts'

/** An engine's error as it is thrown in the page. */
export const engineError = ({ code, details }: EngineError): FurlongError => new FurlongError(code, details)

export const isCode = (error: unknown, code: ErrorCode): boolean =>
  error instanceof FurlongError && error.code === code

/** What the server said no to, in its own words, which are in the reader's language; and which fields were wrong. */
export class Refused extends FurlongError {
  readonly told: string
  readonly fields: readonly { field: string; message: string }[]

  constructor(
    code: ErrorCode,
    told: string,
    fields: readonly { field: string; message: string }[],
    details: ErrorDetails,
  ) {
    super(code, details)
    this.told = told
    this.fields = fields
  }
}

/** Messages by field of an error; empty for one that names none. */
export const fieldErrors = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof Refused
    ? Object.fromEntries(error.fields.map(({ field, message }) => [field.split('.').at(-1)!, message]))
    : {}
