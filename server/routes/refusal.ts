import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { REFUSED, type Envelope, type Refusal } from '../../contract/api/envelope.ts'
import { FurlongError, type ErrorCode } from '../../domain/errors.ts'
import type { Language } from '../../domain/languages.ts'
import { errorMessage, fieldMessage } from '../process/messages.ts'
import { languageOfRequest } from './context.ts'

/** Error codes by HTTP status. Codes that are neither here nor in `REFUSALS` are internal errors. */
const CODES: Readonly<Record<number, readonly ErrorCode[]>> = {
  400: [
    'bad-parameters',
    'bad-signature',
    'filter-too-long',
    'own-needed',
    'unknown-query',
    'payment-mismatch',
    'not-an-image',
  ],
  401: ['signed-out', 'session-ended'],
  403: ['not-allowed', 'vip-needed', 'not-subscribed', 'not-provider', 'link-used'],
  404: ['not-found', 'no-such-race'],
  409: ['batch-differs', 'demonstration-present'],
  413: ['too-large', 'too-many-rows', 'too-costly'],
  415: ['wrong-media-type'],
  429: ['too-many', 'too-many-questions'],
  // The client has gone: nobody reads this answer, but it is no fault of the server.
  499: ['query-cancelled'],
  503: ['gateway-failed', 'busy', 'dataset-unavailable', 'server-timeout', 'server-memory'],
}
const STATUS = new Map(
  Object.entries(CODES).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)] as const)),
)

/** Business refusals: a response with status 200 and `success: false` (decisions section 8). */
const REFUSALS: readonly ErrorCode[] = [
  'wrong-credentials',
  'wrong-code',
  'wrong-password',
  'wrong-old-password',
  'phone-taken',
  'no-voucher',
  'not-predicted',
  'no-such-plan',
  'order-not-open',
  'payments-off',
  'already-applied',
  'already-provider',
  'card-known',
  'more-than-withdrawable',
  'request-differs',
]

const SERVER_FAULTS: readonly ErrorCode[] = ['payment-mismatch', 'gateway-failed']

/** The form field at which a refusal is shown. */
const FIELD_OF: Partial<Record<ErrorCode, string>> = {
  'wrong-code': 'captcha',
  'wrong-password': 'password',
  'wrong-old-password': 'oldPassword',
  'phone-taken': 'phone',
  'no-such-plan': 'planId',
  'card-known': 'cardNumber',
  'more-than-withdrawable': 'amount',
}

type KnownError = Pick<FurlongError, 'code' | 'details'>

/** Sends an error in the client's language. Unexpected errors are logged and sent as `internal`. */
export function refuse(
  app: FastifyInstance,
  error: Error | FastifyError | FurlongError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const language = languageOfRequest(request)
  // Logged for the operator in any case: wrong amounts and failing gateways.
  if (error instanceof FurlongError && SERVER_FAULTS.includes(error.code)) {
    const { code, details } = error
    app.log.error({ code, reason: details['reason'], route: request.routeOptions.url }, 'payment')
  }
  if (error instanceof FurlongError && (STATUS.has(error.code) || REFUSALS.includes(error.code))) {
    return refuseKnown(error, language, reply)
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const fields = error.validation.flatMap(({ instancePath, keyword, message = '', params }) => {
      const place = instancePath.split('/').filter((part) => part !== '')
      // An unknown field is reported under its own name, not under its parent's.
      const unknown = keyword === 'unrecognized_keys' ? (params['keys'] as string[]).slice(0, 5) : [null]
      return unknown.map((key) => ({
        field: [...place, ...(key === null ? [] : [key])].join('.'),
        message: fieldMessage(language, { keyword, message, params }),
      }))
    })
    // Only the first message of each field is sent.
    const first = fields.filter(
      ({ field }, index) => fields.findIndex((each) => each.field === field) === index,
    )
    return send(reply, language, 400, badFields(first), { fields: first })
  }
  const status = statusOf(error)
  if (status === 413) {
    const limit = `${Math.floor((request.routeOptions.bodyLimit ?? 0) / 1024)} kB`
    return send(reply, language, 413, { code: 'too-large', details: { limit } })
  }
  if (status === 415) return send(reply, language, 415, { code: 'wrong-media-type', details: {} })
  if (status < 500) {
    const reason = (error as FastifyError).code ?? ''
    return send(reply, language, status, { code: 'bad-parameters', details: { reason } })
  }
  return refuseUnexpected(app, error, request, reply)
}

/** Errors of the database and of the program itself. */
function refuseUnexpected(
  app: FastifyInstance,
  error: Error | FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const language = languageOfRequest(request)
  const unknown = unknownField(error, request)
  if (unknown !== null) {
    const fields = [{ field: unknown, message: fieldMessage(language, UNKNOWN) }]
    return send(reply, language, 400, badFields(fields), { fields })
  }
  if (isUnavailable(error)) {
    app.log.error(
      { requestId: request.id, name: error.name, code: (error as FastifyError).code },
      'the database did not answer, or cannot write',
    )
    const busy = { code: 'busy', details: {} } as const
    return send(reply.header('retry-after', '2'), language, 503, busy, { seconds: 2 })
  }
  // A database error is logged without its message, which may quote values of a row.
  const { name, stack, code } = error as FastifyError
  const safeStack = code === undefined ? stack : stack?.split('\n').slice(1).join('\n')
  app.log.error(
    { requestId: request.id, name, code, stack: safeStack, route: request.routeOptions.url },
    'request failed',
  )
  return send(reply, language, 500, { code: 'internal', details: {} })
}

function refuseKnown(error: FurlongError, language: Language, reply: FastifyReply): FastifyReply {
  const { details } = error
  if (typeof details['field'] === 'string') {
    const rule = String(details['rule'])
    const message = fieldMessage(language, { keyword: 'custom', message: rule, params: {} })
    const fields = [{ field: details['field'], message }]
    return send(reply, language, 400, badFields(fields), { fields })
  }
  if (REFUSALS.includes(error.code)) {
    const field = FIELD_OF[error.code]
    const fields = field === undefined ? {} : { fields: [{ field, message: errorMessage(language, error) }] }
    return send(reply, language, 200, error, fields)
  }
  const { seconds } = details
  const status = STATUS.get(error.code)!
  if (typeof seconds !== 'number') return send(reply, language, status, error)
  return send(reply.header('retry-after', String(seconds)), language, status, error, { seconds })
}

const badFields = (fields: readonly { field: string }[]): KnownError => ({
  code: 'bad-parameters',
  details: { reason: [...new Set(fields.map(({ field }) => field))].join(', ') },
})

function send(
  reply: FastifyReply,
  language: Language,
  status: number,
  error: KnownError,
  extra: Partial<Refusal> = {},
): FastifyReply {
  const body: Envelope<Refusal> = {
    success: false,
    code: status === 200 ? REFUSED : status,
    message: errorMessage(language, error),
    result: { error: error.code, ...extra },
    timestamp: Date.now(),
  }
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body))
}

/** Thrown by the static-file library for a range or a condition that cannot be satisfied. */
const RANGE_ERRORS = ['RangeNotSatisfiableError', 'PreconditionFailedError']

/**
 * Status of an error of the HTTP layer; another library's error may carry a status that is unrelated to the
 * client's request.
 */
function statusOf(error: Error): number {
  const { code, statusCode } = error as FastifyError
  const isOurs =
    (code ?? '').startsWith('FST_') || error instanceof SyntaxError || RANGE_ERRORS.includes(error.name)
  return isOurs ? (statusCode ?? 500) : 500
}

const UNKNOWN = { keyword: 'custom', message: 'field.unknown', params: {} }

/** Names of fields of the calls that differ from those of the columns. */
const FIELD_OF_COLUMN: Readonly<Record<string, string>> = { region_id: 'countryRegionId' }

/**
 * The field with the id of something that does not exist, from the database's error of a foreign key (SQLSTATE 23503):
 * its constraint is named `<table>_<column>_fkey`. `null` for any other error, and for an id that the call did not
 * give.
 */
function unknownField(error: Error, { body, query }: FastifyRequest): string | null {
  const {
    code,
    table = '',
    constraint = '',
  } = error as { code?: string; table?: string; constraint?: string }
  if (code !== '23503') return null
  const column = constraint.replace(`${table}_`, '').replace(/_fkey\d*$/, '')
  const field =
    FIELD_OF_COLUMN[column] ?? column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return field in { ...(body as object | null), ...(query as object | null) } ? field : null
}

/**
 * Whether an error means that the database is unavailable: lost or refused connections, an exhausted pool,
 * timeouts, and a disk that is full or read-only. SQLSTATE classes 08, 53 and 57P, `57014` (statement timeout), `55P03` (lock timeout), and
 * socket error codes.
 */
function isUnavailable(error: Error): boolean {
  const code = (error as { code?: string }).code ?? ''
  return (
    ['disk-full', 'folder-read-only'].includes(code) ||
    /^(08|53|57P|57014|55P03)/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code) ||
    error.message.includes('timeout exceeded when trying to connect') ||
    error.message.includes('Connection terminated') ||
    error.message.includes('not queryable')
  )
}
