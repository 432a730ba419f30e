import type { z } from 'zod'
import type * as account from '../../../contract/api/account.ts'
import type * as analytics from '../../../contract/api/analytics.ts'
import type * as frozen from '../../../contract/api/frozen.ts'
import type * as horse from '../../../contract/api/horse.ts'
import type * as model from '../../../contract/api/model.ts'
import type * as note from '../../../contract/api/note.ts'
import type * as racing from '../../../contract/api/racing.ts'
import type * as report from '../../../contract/api/report.ts'
import type * as session from '../../../contract/api/session.ts'
import type * as site from '../../../contract/api/site.ts'
import type * as subscription from '../../../contract/api/subscription.ts'
import type * as trade from '../../../contract/api/trade.ts'
import type * as view from '../../../contract/api/view.ts'

/**
 * The contract's calls by method and path, as types only: an unknown path, a wrong field or a wrong result
 * does not compile, and no validator is shipped.
 */
type Exported<Module> = Module[keyof Module]
type AnyExport =
  | Exported<typeof account>
  | Exported<typeof analytics>
  | Exported<typeof horse>
  | Exported<typeof model>
  | Exported<typeof racing>
  | Exported<typeof report>
  | Exported<typeof session>
  | Exported<typeof site>
  | Exported<typeof subscription>
  | Exported<typeof trade>
  | Exported<typeof frozen>
  | Exported<typeof note>
  | Exported<typeof view>
interface CallShape {
  method: string
  path: string
  result: z.ZodType
}
type AnyCall = Extract<AnyExport, CallShape>

type Method = 'GET' | 'POST' | 'DELETE'

/** Paths of a method, without the leading slash. */
export type PathOf<Of extends Method> = AnyCall extends infer Call
  ? Call extends { method: Of; path: `/${infer Path}` }
    ? Filled<Path> | (Call extends { method: 'POST'; query: unknown } ? `${Filled<Path>}?${string}` : never)
    : never
  : never

/** A path with a value for each parameter, such as `sys/dict/getDictItems/gender`. */
type Filled<Path extends string> = Path extends `${infer Head}/:${string}` ? `${Head}/${string}` : Path

type CallAt<Of extends Method, Path extends string> = AnyCall extends infer Call
  ? Call extends { method: Of; path: `/${infer Own}` }
    ? Path extends Filled<Own> | `${Filled<Own>}?${string}`
      ? Call
      : never
    : never
  : never

type Text = string | number | null | undefined
/** Fields of a schema as query parameters. */
type Fields<Schema> = Schema extends z.ZodType ? { [Name in keyof z.input<Schema>]: Text } : object

export type QueryAt<Of extends Method, Path extends string> =
  CallAt<Of, Path> extends { query: infer Schema } ? Fields<Schema> : Record<string, never>
export type BodyAt<Of extends Method, Path extends string> =
  CallAt<Of, Path> extends { body: infer Schema extends z.ZodType } ? z.input<Schema> : Record<string, never>
export type ResultAt<Of extends Method, Path extends string> =
  CallAt<Of, Path> extends { result: infer Schema extends z.ZodType } ? z.output<Schema> : never
