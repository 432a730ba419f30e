import { routed, type Answer, type Connector } from '../../../analytics/connector.ts'
import {
  neededFrom,
  neededModels,
  needsDetails,
  needsExtraFiles,
  needsOwnRows,
  needsSections,
} from '../../../analytics/needs.ts'
import type { OpenedDataset } from '../../../analytics/engine-api.ts'
import { planRequest } from '../../../analytics/plan-request.ts'
import type { Request } from '../../../analytics/request.ts'
import { FurlongError, type ErrorCode } from '../../../domain/errors.ts'
import { reportEngineError } from '../engine-reports.ts'
import { isCode } from '../client/errors.ts'
import {
  engineFailed,
  engineMetLimit,
  engineReady,
  isEngineOff,
  isEngineReady,
  openMore,
} from './engine-state.ts'
import { openedNow } from './opened.ts'
import { ownSlotsNow } from './own-rows.ts'
import { engine } from './parts.ts'
import { askRemote, lastRemoteMs } from './remote.ts'

/** Error codes of an engine that cannot continue: the server answers instead. */
const ENGINE_LIMITS = ['out-of-memory', 'engine-lost', 'engine-failed', 'query-timeout'] as const

export const isEngineLimit = (error: unknown): error is FurlongError =>
  error instanceof FurlongError && ENGINE_LIMITS.some((code) => code === error.code)

/** Daily totals are public, and the same whichever files are open. */
function isOfDailyTotals(request: Request): boolean {
  try {
    planRequest(request, { scope: 'public' })
    return 'aggregate' in request || 'linked' in request
  } catch {
    return false
  }
}

/** Whether a request reads tables that an opened dataset does not have. */
const lacksTables = ({ regionId, history, details, sections }: OpenedDataset, request: Request): boolean =>
  needsExtraFiles(request) ||
  (history && !details && needsDetails(request)) ||
  (history && !sections && needsSections(request)) ||
  (needsOwnRows(request) && ownSlotsNow(regionId) === null)

/** Whether an opened dataset can answer a request for a region at a manifest's version. */
export function answersHere(
  opened: OpenedDataset | null,
  { regionId, asOf, history }: Pick<AnalyticsTarget, 'regionId' | 'asOf' | 'history'>,
  request: Request,
): boolean {
  if (opened === null || opened.regionId !== regionId || opened.asOf !== asOf) return false
  if (lacksTables(opened, request)) return false
  if (opened.since === null && !opened.history && isOfDailyTotals(request)) return true
  if (opened.history !== history) return false
  if (history && neededModels(request).some((model) => model !== opened.model)) return false
  if (opened.since === null) return true
  const from = neededFrom(request)
  return from !== null && from >= opened.since
}

/** The data that a request needs, and with which access. */
export interface AnalyticsTarget {
  regionId: string
  asOf: string
  history: boolean
}

/** Has the engine open the tables that a request reads. */
function openFor({ history }: AnalyticsTarget, request: Request): void {
  if (history) openMore({ details: needsDetails(request), sections: needsSections(request) })
}

/**
 * Resolves with what is open once the engine can answer a request, whose tables it opens. Rejects if nothing could be opened, and with `busy`
 * if newer files are open, which will never answer for the target's.
 */
export async function engineAnswers(target: AnalyticsTarget, request: Request): Promise<OpenedDataset> {
  openFor(target, request)
  const opened = await engineReady((now) => answersHere(now, target, request) || now.asOf > target.asOf)
  if (opened.asOf > target.asOf) throw new FurlongError('busy')
  return opened
}

/** Uses the engine on this device if it has the data for a request, otherwise the server. */
export function connectorFor(target: AnalyticsTarget): Connector {
  const { regionId } = target
  const local: Connector = {
    run: async (request, options) => {
      const own = needsOwnRows(request)
      if (own) await ownRowsReady(target, request)
      try {
        return await (engine.now() ?? (await engine.load())).localConnector.run(request, options)
      } catch (error) {
        // Other rows were opened meanwhile.
        if (!own && isCode(error, 'busy')) return askRemote(regionId, request, options)
        if (error instanceof FurlongError) reportEngineError(error.code)
        if (own || !isEngineLimit(error)) throw error
        if (error.code === 'out-of-memory' || error.code === 'engine-failed') engineMetLimit(error)
        return askRemote(regionId, request, options)
      }
    },
  }
  const remote: Connector = {
    run: async (request, options): Promise<Answer> => {
      // What may be asked next is not worth a transfer.
      if (options.priority !== 'idle') openFor(target, request)
      try {
        return await askRemote(regionId, request, options)
      } catch (error) {
        // Without a connection, or while the server is busy, the files on this device
        // may still be sufficient.
        if (!canWaitForEngine(error) || engineFailed() || needsExtraFiles(request)) throw error
        await engineAnswers(target, request)
        return (await engine.load()).localConnector.run(request, options)
      }
    },
  }
  return routed(local, remote, (request) => {
    if (needsOwnRows(request)) return 'local'
    return answersHere(openedNow(), target, request) && !isRemoteQuicker(request) ? 'local' : 'remote'
  })
}

/** An answer of the server that took longer is not worth another question: the engine's own takes up to a second at most. */
const QUICK_MS = 400

/** Just after opening, the engine reads the files for each answer and makes its tables: a near server is quicker. */
const isRemoteQuicker = (request: Request): boolean =>
  ('linked' in request || 'aggregate' in request) &&
  navigator.onLine &&
  lastRemoteMs() < QUICK_MS &&
  engine.now()?.isMakingTables() === true

/** Waits while the engine opens files. Throws `own-needed` if it cannot answer then: the server never can. */
async function ownRowsReady(target: AnalyticsTarget, request: Request): Promise<void> {
  if (ownSlotsNow(target.regionId) === null) throw new FurlongError('own-needed')
  openFor(target, request)
  // Older files are about to be replaced by the target's: the page has seen that there are newer ones.
  const opened = await engineReady(
    (now) => answersHere(now, target, request) || (isEngineReady() && now.asOf >= target.asOf),
  )
  if (!answersHere(opened, target, request)) throw new FurlongError('own-needed')
}

const isOneOf = (error: unknown, codes: readonly ErrorCode[]): boolean =>
  codes.some((code) => isCode(error, code))

/** Whether the engine may answer instead. An engine that nobody has started would not: then the reader is told. */
const canWaitForEngine = (error: unknown): boolean =>
  isOneOf(error, ['offline', 'request-timeout']) ||
  (isOneOf(error, ['busy', 'too-many-questions']) && !isEngineOff())
