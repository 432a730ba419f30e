import type { OwnProblem } from '../../analytics/own-api.ts'
import { FurlongError, type ErrorDetails } from '../../domain/errors.ts'

/** What is wrong with a reader's file, with what its message names. */
export const ownProblem = (
  problem: OwnProblem,
  details: ErrorDetails = {},
  options?: ErrorOptions,
): FurlongError => new FurlongError('own-file', { problem, ...details }, options)
