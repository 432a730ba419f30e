import type { ColumnSpec } from './plan.ts'
import type { Request } from './request.ts'
import type { Rejection } from './source.ts'

/** Order of execution: what the user clicked, then what is on screen, then what may be needed next. */
export const PRIORITIES = ['interactive', 'visible', 'idle'] as const
export type Priority = (typeof PRIORITIES)[number]

/** The part of `AbortSignal` that is needed here. */
export interface Signal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

export interface RunOptions {
  signal?: Signal
  priority: Priority
  /** Identifies the requesting view: a newer request of the same view cancels the previous one. */
  view?: string
}

/** The rows of a query, and where they come from. */
export interface Answer {
  /** One Arrow IPC stream with the columns of `columns`. */
  bytes: Uint8Array<ArrayBuffer>
  columns: ColumnSpec[]
  /** The relation that was read, and why each rollup before it was rejected. */
  source: string
  rejected: Rejection[]
  /** A prediction counts once for each of its horses. */
  fanOut: boolean
  /** The unit by which intervals are clustered. */
  cluster: 'meeting' | 'day' | null
  /** Execution time in the engine. */
  milliseconds: number
  computed: 'local' | 'remote'
  /** Version of the data: that of the manifest of the files that were read. */
  asOf: string
}

/**
 * Runs queries: the engine in the browser, or the server. Throws errors of the query and of the transport.
 */
export interface Connector {
  run(request: Request, options: RunOptions): Promise<Answer>
}

/**
 * A connector that uses `local` when `choose` says that it can answer already, otherwise `remote`; both
 * return the same figures.
 *
 * ```ts
 * const answering = (computed: string) => ({ run: async () => ({ computed }) }) as never
 * const connector = routed(answering('local'), answering('remote'), () => 'remote')
 * (await connector.run({ named: { name: 'locks' } } as never, { priority: 'visible' })).computed // => 'remote'
 * ```
 */
export function routed(
  local: Connector,
  remote: Connector,
  choose: (request: Request) => 'local' | 'remote',
): Connector {
  return { run: (request, options) => (choose(request) === 'local' ? local : remote).run(request, options) }
}
