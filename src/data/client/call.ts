import type { z } from 'zod'
import { sendForm, sendJson } from './api-client.ts'

/**
 * What the page has of an endpoint of the contract. When the site is built, `calls` in vite.config.ts reduces the
 * modules of `contract/api` to it, so that no validator is shipped; the types are those of the whole endpoint.
 */
export interface Call {
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
