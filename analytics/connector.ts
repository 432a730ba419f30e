import type { ColumnSpec } from './plan.ts'
import type { Request } from './request.ts'
import type { Rejection } from './source.ts'

/** Order of work: what was clicked, then what is on screen, then what may be needed next. */
export const PRIORITIES = ['interactive', 'visible', 'idle'] as const
export type Priority = (typeof PRIORITIES)[number]

/** An `AbortSignal`, as far as it is needed here. */
export interface Signal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

export interface RunOptions {
  signal?: Signal
  priority: Priority
  /** Who asks: a newer request of the same view cancels the one before. */
  view?: string
}

/** The rows of a question, and where they come from. */
export interface Answer {
  /** One Arrow IPC stream with the columns of `columns`. */
  bytes: Uint8Array<ArrayBuffer>
  columns: ColumnSpec[]
  /** Relation that answered, and why each rollup before it could not. */
  source: string
  rejected: Rejection[]
  /** A prediction counts once for each of its horses. */
  fanOut: boolean
  /** By what intervals are clustered. */
  cluster: 'meeting' | 'day' | null
  /** Time in the engine. */
  milliseconds: number
  computed: 'local' | 'remote'
  /** As of when: the manifest of the files that answered. */
  asOf: string
}

/** What answers questions: the engine in the browser, or the server. Throws errors of the question and of the way there. */
export interface Connector {
  run(request: Request, options: RunOptions): Promise<Answer>
}

/** A connector that asks `local` where it can answer already, else `remote`: the figures are the same. */
export function routed(
  local: Connector,
  remote: Connector,
  choose: (request: Request) => 'local' | 'remote',
): Connector {
  return { run: (request, options) => (choose(request) === 'local' ? local : remote).run(request, options) }
}
