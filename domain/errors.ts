/** Every error that a user may see. Its message is looked up by code in the user's language. */
export const ERROR_CODES = [
  'bad-race-id',
  'bad-amount',
  'bad-field',
  'bad-finish',
  'bad-arguments',
  'bad-parameters',
  'unknown-query',
  'filter-too-long',
  'not-this-format',
  'other-format',
  'no-format',
  'bad-map',
  'file-missing',
  'file-needed',
  'no-csv-files',
  'file-unreadable',
  'no-good-row',
  'database-locked',
  'database-unreachable',
  'database-newer',
  'other-build',
  'server-needed',
  'import-continues',
  'import-begun',
  'no-such-import',
  'import-not-undone',
  'server-in-the-way',
  'disk-full',
  'folder-read-only',
  'bucket-failed',
  'demonstration-present',
  'not-demonstration',
  'link-used',
  'signed-out',
  'session-ended',
  'not-allowed',
  'vip-needed',
  'not-found',
  'too-large',
  'wrong-media-type',
  'not-an-image',
  'too-many',
  'too-many-questions',
  'too-costly',
  'busy',
  'wrong-credentials',
  'wrong-code',
  'wrong-password',
  'wrong-old-password',
  'phone-taken',
  'no-voucher',
  'not-predicted',
  'not-subscribed',
  'no-such-race',
  'not-taken',
  'no-such-plan',
  'order-not-open',
  'order-not-paid',
  'payments-off',
  'payment-mismatch',
  'gateway-failed',
  'bad-signature',
  'already-applied',
  'already-provider',
  'not-provider',
  'card-known',
  'more-than-withdrawable',
  'request-differs',
  'batch-differs',
  'already-decided',
  'unknown-account',
  'no-such-region',
  'no-model',
  'no-such-model',
  'already-promoted',
  'no-predictions',
  'no-tuning-results',
  'secrets-missing',
  'backup-failed',
  'engine-unsupported',
  'engine-failed',
  'engine-lost',
  'own-file',
  'own-needed',
  'own-not-removed',
  'query-failed',
  'query-cancelled',
  'query-timeout',
  'server-timeout',
  'server-memory',
  'too-many-rows',
  'out-of-memory',
  'dataset-unavailable',
  'dataset-corrupt',
  'dataset-version',
  'offline',
  'request-timeout',
  'internal',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]
export type ErrorDetails = Readonly<Record<string, string | number>>

/** The only error class of the product: a code, and the values for its message. */
export class FurlongError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: ErrorOptions) {
    const printedDetails = Object.entries(details).map(([key, value]) => `${key}: ${value}`)
    super([code, ...printedDetails].join(', '), options)
    this.name = 'FurlongError'
    this.code = code
    this.details = details
  }
}

/**
 * Converts any thrown value to a `FurlongError`. Other errors get the code `fallback`; the original is the
 * `cause`, and its message is `details.reason`.
 */
export function asFurlongError(error: unknown, fallback: ErrorCode = 'internal'): FurlongError {
  if (error instanceof FurlongError) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new FurlongError(fallback, { reason }, { cause: error })
}

/** What `work` returns; `null` if it throws this code. */
export function nullOn<Result>(code: ErrorCode, work: () => Result): Result | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof FurlongError && error.code === code) return null
    throw error
  }
}
