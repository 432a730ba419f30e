import { neededModels, needsDetails, needsExtraFiles, needsSections } from '../../analytics/needs.ts'
import type { Plan } from '../../analytics/plan.ts'
import { NOT_TOTALS } from '../../analytics/open.ts'
import { planRequest } from '../../analytics/plan-request.ts'
import { DAILY_TOTALS } from '../../analytics/predictions.ts'
import type { CheckedRequest, Request } from '../../analytics/request.ts'
import type { Access } from '../../analytics/source.ts'
import { chooseFiles } from '../../contract/dataset-files.ts'
import type { DatasetFile, Manifest } from '../../contract/dataset.ts'
import { lastRaceDay } from '../../contract/last-race-day.ts'
import { FurlongError } from '../../domain/errors.ts'
import type { FileSet } from '../analytics/analytics-service.ts'
import { analyticsScope, comingScope, mayFetch, oldestFreeDay } from '../services/gate.ts'
import type { Service } from '../services/service.ts'
import type { Viewer } from '../services/viewer.ts'
import { openedComingKeys, openedRaceKeys } from '../store/accounts/analytics-token-store.ts'
import { ALL_COMING, comingSet, type ComingFiles } from './coming-files.ts'
import { readManifest } from './dataset-index.ts'

/** Who asks: the customer, and whether it is a VIP. */
export type Asking = Pick<Viewer, 'id' | 'isVip'>

/** Where questions are planned. */
export interface PlanGround {
  service: Pick<Service, 'database'>
  settings: { dataFolder: string }
  coming: ComingFiles
  /** The last day with results of a region. */
  lastRaceDayOf(regionId: string): Promise<string>
}

interface Question {
  regionId: string
  /** `own`: the races that a member opened; `coming`: those of today and of the next race day. */
  scope?: 'own' | 'coming' | undefined
  checked: CheckedRequest
}

/**
 * A request as a query, and the files that answer it, for one viewer: what the viewer may not see is in neither. Throws
 * `not-found` for a region without files, and unless the viewer may ask for it.
 */
export async function planFor(
  ground: PlanGround,
  viewer: Asking | null,
  { regionId, scope, checked }: Question,
): Promise<{ plan: Plan; files: FileSet; access: Access; asOf: string }> {
  const manifest = readManifest(ground.settings.dataFolder)
  const region = manifest?.regions.find(({ id }) => id === regionId)
  if (!manifest || !region) throw new FurlongError('not-found')
  if (scope === 'coming') {
    if ('named' in checked) throw new FurlongError('bad-parameters', { reason: 'scope: coming' })
    const access = await comingAccess(ground, viewer, regionId)
    const plan = planRequest(checked, access)
    const { asOf, ...files } = await comingSet(ground.coming, manifest, region)
    return { plan, files, access, asOf }
  }
  const own = await accessOf(ground, viewer, regionId, scope === 'own')
  const isOfSeveral = own.scope === 'all' && neededModels(checked).length > 1
  const access = isOfSeveral ? ofTotals(own) : own
  const plan = planRequest(checked, access)
  // Daily totals are in files of their own, which are open already.
  const totalsOnly = isOfSeveral && plan.source !== DAILY_TOTALS.table
  const lastDay = lastRaceDay(manifest.files, regionId)
  const files = filesFor(manifest, regionId, checked, plan.source, access).filter(
    (file) => access.scope !== 'public' || mayFetch(viewer, file, lastDay),
  )
  return { plan, files: { files, group: null, totalsOnly }, access, asOf: manifest.asOf }
}

/**
 * Access to a set in which only totals are in memory, as of the records of several models: copying all their rows takes
 * ten seconds for the few questions of one screen, and each model's own set has its rows in memory already.
 */
const ofTotals = (access: Access): Access =>
  access.scope === 'all' ? { ...access, without: NOT_TOTALS } : access

/** The rows that files have of a table, for the estimate of a question's cost. */
export const rowsIn = ({ files }: FileSet, table: string): number =>
  files.reduce((sum, { rows }) => sum + (rows[table] ?? 0), 0)

async function accessOf(
  { service, lastRaceDayOf }: PlanGround,
  viewer: Asking | null,
  regionId: string,
  own: boolean,
): Promise<Access> {
  const scope = analyticsScope(viewer, own)
  if (scope !== 'races') return { scope }
  const from = oldestFreeDay(viewer, await lastRaceDayOf(regionId))!
  return { scope, raceKeys: await openedRaceKeys(service.database, viewer!.id, regionId, from) }
}

async function comingAccess(
  { service }: PlanGround,
  viewer: Asking | null,
  regionId: string,
): Promise<Access> {
  const scope = comingScope(viewer)
  return scope === 'all'
    ? ALL_COMING
    : { scope, raceKeys: await openedComingKeys(service.database, viewer!.id, regionId) }
}

/**
 * The files that answer a request; without the right to them, no entitled file is opened, not even for daily
 * totals.
 */
function filesFor(
  manifest: Manifest,
  regionId: string,
  request: Request,
  source: string,
  access: Access,
): DatasetFile[] {
  // Daily totals are in separate files, so no record needs to be opened for them.
  const models = source === DAILY_TOTALS.table ? [] : neededModels(request)
  return chooseFiles(manifest, {
    regionId,
    models,
    entitled: access.scope !== 'public',
    // Opened with each model's record: they take a fifteenth of the time, and a second set would take all of it again.
    details: models.length === 1 || needsDetails(request),
    sections: needsSections(request),
    extra: needsExtraFiles(request),
  })
}
