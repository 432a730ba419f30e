import type { OwnProblem } from '../../analytics/own-api.ts'
import { FurlongError, type ErrorDetails } from '../../domain/errors.ts'

/** An error for a problem with the user's file, with the values for its message. */
export const ownProblem = (
  problem: OwnProblem,
  details: ErrorDetails = {},
  options?: ErrorOptions,
): FurlongError => new FurlongError('own-file', { problem, ...details }, options)
