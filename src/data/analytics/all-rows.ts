import type { AllRows } from '../../../analytics/rows.ts'
import { FurlongError } from '../../../domain/errors.ts'
import { answersHere, isEngineLimit } from './connector.ts'
import type { AnswerRow } from './decode.ts'
import { engineFailed, engineReady } from './engine-state.ts'
import { decoder, engine } from './parts.ts'
import { askRemote } from './remote.ts'
import type { AnalyticsScope } from './use-analytics.ts'

/** Rows of one call of the server. */
const REMOTE_PAGE = 5000
/** How often all rows are read again because the files were built anew meanwhile. */
const ATTEMPTS = 3

/** Takes the rows of a question page by page; nothing of a collection that was given up is used. */
export interface Collection {
  add(rows: readonly AnswerRow[]): void
}

/**
 * Every row of a question in its order, from the engine on this device, or page by page from the server where the engine
 * cannot run or where the rows are of races that only this member opened. A collection that cannot be finished is given
 * up for a new one. `onPage` is told how many rows there are so far. Throws what the engine and the server throw, and
 * `query-cancelled` once `signal` is aborted.
 */
export async function readAllRows<Rows extends Collection>(
  scope: AnalyticsScope,
  request: AllRows,
  begin: () => Rows,
  { signal, onPage }: { signal: AbortSignal; onPage(rows: number): void },
): Promise<Rows> {
  const page = { rows: { ...request, offset: 0, limit: 1 } }
  if (scope.member === null && !engineFailed()) {
    try {
      await engineReady((opened) => answersHere(opened, scope, page))
      return await readHere(request, begin(), signal, onPage)
    } catch (error) {
      // The server goes on where this device cannot.
      if (!engineFailed() && !isEngineLimit(error)) throw error
    }
  }
  for (let attempt = 1; attempt < ATTEMPTS; attempt += 1) {
    const rows = begin()
    if (await readRemote(scope, request, rows, signal, onPage)) return rows
  }
  throw new FurlongError('busy')
}

async function readHere<Rows extends Collection>(
  request: AllRows,
  rows: Rows,
  signal: AbortSignal,
  onPage: (rows: number) => void,
): Promise<Rows> {
  const [{ exportRows }, { decodeRows }] = await Promise.all([engine.load(), decoder.load()])
  let count = 0
  await exportRows(
    request,
    async ({ bytes, columns }) => {
      if (signal.aborted) return
      const decoded = decodeRows(bytes, columns)
      rows.add(decoded)
      count += decoded.length
      onPage(count)
      // The page stays answerable between two of them.
      await new Promise((resolve) => setTimeout(resolve))
    },
    signal,
  )
  stopIfAborted(signal)
  return rows
}

/** `false` where the files were built anew between two pages: rows could be missing or told twice. */
async function readRemote(
  { regionId, member }: AnalyticsScope,
  request: AllRows,
  rows: Collection,
  signal: AbortSignal,
  onPage: (rows: number) => void,
): Promise<boolean> {
  const { decodeRows } = await decoder.load()
  let asOf: string | null = null
  for (let count = 0; ;) {
    const page = { rows: { ...request, offset: count, limit: REMOTE_PAGE } }
    const answer = await askRemote(regionId, page, { signal }, member === null ? undefined : 'own')
    stopIfAborted(signal)
    if (asOf !== null && asOf !== answer.asOf) return false
    asOf = answer.asOf
    const decoded = decodeRows(answer.bytes, answer.columns)
    rows.add(decoded)
    count += decoded.length
    onPage(count)
    if (decoded.length < REMOTE_PAGE) return true
  }
}

function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new FurlongError('query-cancelled')
}
