import { useEffect, useMemo, useRef, useState } from 'react'
import type { NamedStatement } from '../../../analytics/console-api.ts'
import { tablesIn } from '../../../analytics/sql-references.ts'
import type { Table } from '../../../analytics/table.ts'
import type { ModelId } from '../../../contract/model-ids.ts'
import { baseUrl } from '../../data/client/api-client.ts'
import { ConsoleConnection } from '../../data/analytics/console.ts'
import type { ConsoleRows } from '../../data/analytics/console-rows.ts'
import { memoryLimitMb } from '../../data/analytics/engine-state.ts'
import type { OwnTable } from '../../data/analytics/own-rows.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { useVipToken } from '../../data/use-session.ts'
import type { ReferenceFault } from './cell-names.ts'
import { SLICE_TABLE } from './console-tables.ts'

/** What runs the console's statements. */
export interface ConsoleEngine extends Pick<ConsoleConnection, 'query' | 'count' | 'explain' | 'cancel'> {
  /** Distinguishes this engine from earlier ones. */
  number: number
}

/**
 * The engine of the console with the files of the page's region and of some models; `null` until it starts. Its statements
 * read the rows of the page's view as the table `slice` (`slice`: the statement for these; `null` where it cannot be one).
 */
export function useConsoleEngine(
  model: ModelId,
  others: readonly ModelId[],
  own: OwnTable | null,
  slice: string | null,
): ConsoleEngine | null {
  const { regionId, asOf } = useScope()
  const token = useVipToken() ?? null
  const [connection, setConnection] = useState<ConsoleConnection | null>(null)
  const otherModels = others.filter((each) => each !== model).join()
  useEffect(() => {
    const scope = {
      baseUrl: baseUrl(),
      regionId,
      model,
      otherModels: otherModels.split(',').filter(Boolean) as ModelId[],
      seasons: 'all',
      details: true,
      sections: true,
      extra: true,
      token,
    } as const
    const made = new ConsoleConnection({ ...scope, memoryLimitMb: memoryLimitMb() }, own?.bytes ?? null)
    let gone = false
    // The engine starts while the editor loads; an error is shown at the first statement.
    void made.open().catch(() => undefined)
    queueMicrotask(() => {
      if (!gone) setConnection(made)
    })
    return () => {
      gone = true
      made.close()
    }
    // New files require a new engine.
  }, [regionId, asOf, model, otherModels, token, own])
  return useMemo(() => connection && withSlice(connection, slice), [connection, slice])
}

/** A connection whose statements can read the table `slice`. */
function withSlice(connection: ConsoleConnection, slice: string | null): ConsoleEngine {
  const all = (sql: string, named: readonly NamedStatement[] = []): readonly NamedStatement[] => {
    const isRead = [sql, ...named.map((each) => each.sql)].some((text) =>
      tablesIn(text).includes(SLICE_TABLE),
    )
    return slice !== null && isRead ? [{ name: SLICE_TABLE, sql: slice }, ...named] : named
  }
  return {
    number: connection.number,
    query: (sql, named) => connection.query(sql, all(sql, named)),
    count: (sql, named) => connection.count(sql, all(sql, named)),
    explain: (sql, named) => connection.explain(sql, all(sql, named)),
    cancel: () => connection.cancel(),
  }
}

/** What a cell shows below its statement. */
export type Outcome =
  | { kind: 'idle' }
  | { kind: 'running' }
  | { kind: 'rows'; number: number; sql: string; named: readonly NamedStatement[]; result: ConsoleRows }
  | { kind: 'plan'; text: string }
  | { kind: 'refused'; fault: ReferenceFault }
  | { kind: 'failed'; error: unknown }

/** A part of a run. */
export interface RunStep {
  /** Of the cell. */
  key: string
  work(number: number): Promise<Outcome>
}

const IDLE: Outcome = { kind: 'idle' }

/** Runs the statements of cells one after another. */
export function useRuns() {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const [latest, setLatest] = useState<Outcome['kind']>('idle')
  const isStopped = useRef(false)
  const number = useRef(0)
  const set = (key: string, outcome: Outcome): void => {
    setLatest(outcome.kind)
    setOutcomes((before) => new Map(before).set(key, outcome))
  }
  /** Resolves to whether all ended well: a cell that does not is the last. */
  const run = async (steps: readonly RunStep[]): Promise<boolean> => {
    isStopped.current = false
    for (const { key, work } of steps) {
      number.current += 1
      set(key, { kind: 'running' })
      const outcome = await work(number.current).catch((error: unknown): Outcome => ({
        kind: 'failed',
        error,
      }))
      set(key, outcome)
      if (isStopped.current || outcome.kind === 'failed' || outcome.kind === 'refused') return false
    }
    return true
  }
  return {
    outcomeOf: (key: string): Outcome => outcomes.get(key) ?? IDLE,
    /** Of the cell that ran last. */
    latest,
    run,
    /** Starts no further cell; the one that runs is for its engine to stop. */
    stop: (): void => {
      isStopped.current = true
    },
  }
}

const countsSql = (tables: readonly Table[]): string =>
  tables
    .map(({ name }) => `SELECT '${name}' AS name, count(*)::DOUBLE AS rows FROM ${name}`)
    .join('\nUNION ALL ')

/** Counts the rows of every table while no statement is running; `null` until they are counted. */
export function useCounts(console: ConsoleEngine, tables: readonly Table[], running: boolean) {
  const [counts, setCounts] = useState<ReadonlyMap<string, number> | null>(null)
  // If that fails, for example because the engine was terminated, it is attempted again after the next statement.
  const ready = counts === null && !running
  useEffect(() => {
    if (!ready) return undefined
    let gone = false
    console.query(countsSql(tables)).then(
      ({ rows }) => {
        if (!gone) setCounts(new Map(rows.map(([name, count]) => [String(name), Number(count)])))
      },
      // An error is shown at the first statement.
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [console, ready, tables])
  return counts
}
