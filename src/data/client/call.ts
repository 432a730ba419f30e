import type { z } from 'zod'
import { sendForm, sendJson } from './api-client.ts'
import type { Token } from './session.ts'
import { type QueryClient, type QueryKey, queryOptions, skipToken } from '@tanstack/react-query'
import {
  queryOddsTrack,
  queryRaceCompetitor,
  queryRaceInfo,
  queryRaceMarket,
  queryRacePredictionCache,
} from '../../../contract/api/racing.ts'
import { queryRaceLocks } from '../../../contract/api/model.ts'
import { queryRaceReport } from '../../../contract/api/report.ts'

/**
 * What the page has of an endpoint of the contract. When the site is built, `calls` in vite.config.ts reduces the
 * modules of `contract/api` to it, so that no validator is shipped; the types are those of the whole endpoint.
 */
interface Call {
  method: 'GET' | 'POST' | 'DELETE'
  /** Such as `/sys/dict/getDictItems/:dictCode`. */
  path: string
  /** Takes a file. */
  multipart?: true
  /** Fields of a body's call that are sent in the address. */
  queryFields?: readonly string[]
}
/** A call with its types; `Result`: what its response contains. */
export type TypedCall<Result = unknown> = Call & { result: z.ZodType<Result> }

type Text = string | number | null | undefined
type PathFields<Path extends string> = Path extends `${string}/:${infer Name}` ? Record<Name, string> : object
type QueryFields<Of> = Of extends { query: infer Schema extends z.ZodType }
  ? { [Name in keyof z.input<Schema>]: Text }
  : object
type BodyFields<Of> = Of extends { body: infer Schema extends z.ZodType } ? z.input<Schema> : object
type FileField<Of> = Of extends { multipart: true } ? { file: Blob } : object

/** All fields of a call: those of its path, its query and its body, and its file. */
export type InputOf<Of extends Call> = PathFields<Of['path']> &
  QueryFields<Of> &
  BodyFields<Of> &
  FileField<Of>

/**
 * Makes a call of the contract. Throws `offline`, `request-timeout` after 60 s, or the server's refusal (`Refused`).
 *
 * @example await call(queryRaceInfo, { raceId })
 */
export function call<Of extends TypedCall>(
  endpoint: Of,
  input: InputOf<Of>,
  signal?: AbortSignal,
): Promise<z.output<Of['result']>> {
  const { method, multipart, queryFields = [] } = endpoint
  const fields = new Map<string, unknown>(Object.entries(input))
  const take = (name: string): unknown => {
    const value = fields.get(name)
    fields.delete(name)
    return value
  }
  const path = endpoint.path.slice(1).replaceAll(/:(\w+)/g, (_, name: string) => String(take(name)))
  if (multipart) return sendForm(path, take('file') as Blob)
  if (method !== 'POST') return sendJson(method, path, Object.fromEntries(fields), undefined, signal)
  const query = Object.fromEntries(queryFields.map((name) => [name, take(name)]))
  return sendJson(method, path, query, Object.fromEntries(fields), signal)
}

/** What the page requests without a call of the contract: files, and queries of the workers. */
type Resource =
  | 'cards'
  | 'coming'
  | 'dividends'
  | 'extra-texts'
  | 'lab-bets'
  | 'lab-comparison'
  | 'lab-groups'
  | 'manifest'
  | 'own-data'
  | 'own-record'

type Subject = Call | Resource

type Part = string | null | undefined

/**
 * What a response depends on besides the input, as the language; of a call whose response depends on the viewer, at the end
 * whose it is: what one person was shown must not be shown to the next one on the same device.
 */
export type ScopeOf<Of> = Of extends { access: 'customer' | 'viewer' }
  ? readonly [...others: Part[], token: Token | null | undefined]
  : readonly Part[]

/**
 * The query key of a call or a resource: its name, and what its response depends on. A key of a call continues with
 * the input; it also stands for all keys whose input has the same fields and more.
 */
export const keyOf = (subject: Subject, ...of: readonly unknown[]): QueryKey => [
  typeof subject === 'string' ? subject : `${subject.method} ${subject.path}`,
  ...of,
]

/** Refetches responses: all of a call or resource, or those whose key starts with the given one. */
export const askAgain = (client: QueryClient, ...keys: readonly (Subject | QueryKey)[]): Promise<unknown> =>
  Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: isKey(key) ? key : keyOf(key) })))

const isKey = (key: Subject | QueryKey): key is QueryKey => Array.isArray(key)

/** The keys of a race's odds over time. */
export const trackKey = (raceId: string): QueryKey => keyOf(queryOddsTrack, {}, raceId)

/** Calls about one race: all of their responses change together when its tip or result does. */
const RACE_CALLS = [
  queryRaceInfo,
  queryRaceCompetitor,
  queryRacePredictionCache,
  queryRaceReport,
  queryRaceLocks,
  queryRaceMarket,
]

/** The keys of all responses about one race. */
export const raceKeys = (raceId: string): QueryKey[] => [
  ...RACE_CALLS.map((each) => keyOf(each, { raceId })),
  trackKey(raceId),
]

/**
 * Key and function of a call's query; `null` as input makes no request. `scope`: what the response depends on
 * besides the input.
 *
 * @example useQuery({ ...queryFor(queryRaceInfo, { raceId }, locale, token), retry: 1 })
 */
export const queryFor = <Of extends TypedCall>(
  endpoint: Of,
  input: InputOf<Of> | null,
  ...scope: ScopeOf<Of>
) =>
  queryOptions({
    queryKey: keyOf(endpoint, input, ...scope),
    queryFn: input === null ? skipToken : ({ signal }) => call(endpoint, input, signal),
  })
