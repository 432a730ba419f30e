import { dimensionsOf, type Filter } from '../../../analytics/filter.ts'
import { onDevice } from '../../storage/stored-text.ts'
import { dimensionOf } from '../../../analytics/view/dimension-of.ts'

/** The groups of filters beside the page, in order; `own` has the columns of the reader's own file, while one is open. */
export const RAIL_GROUPS = ['own', 'when', 'where', 'race', 'horse', 'form', 'price', 'run'] as const
export type RailGroup = (typeof RAIL_GROUPS)[number]

/** These dimensions have controls of their own. */
export const ELSEWHERE = ['bet_type', 'prediction_type', 'day', 'meeting']
const WHEN = ['month', 'calendar_month', 'season', 'weekday']
const WHERE = ['racecourse', 'course', 'track', 'going', 'distance']

const OF_HORSE = ['age', 'sex', 'owner', 'sire', 'dam_sire', 'country', 'new_gear']

/** The group of a dimension: one that is listed neither under time nor under place is in that of its level. */
export function groupOf(dim: string): RailGroup {
  const { level, own, detail, sections } = dimensionOf(dim)
  if (own) return 'own'
  if (sections) return 'run'
  if (WHEN.includes(dim)) return 'when'
  if (WHERE.includes(dim)) return 'where'
  if (dim === 'going_change') return 'race'
  if (detail && level === 'horse' && !OF_HORSE.includes(dim)) return 'form'
  return level === 'prediction' ? 'price' : level
}

/** What this device remembers of the filters: whether they are shut, and which groups are open. */
interface StoredRail {
  shut: boolean
  groups: readonly RailGroup[]
}

const KEY = 'record-rail'

/** The rail as it was left; a group whose dimension is filtered by is open anyway. */
export function readRail(filter: Filter | null): StoredRail {
  const stored = (onDevice.readJson(KEY) ?? {}) as { shut?: unknown; groups?: unknown }
  const left: readonly unknown[] = Array.isArray(stored.groups) ? stored.groups : ['own', 'where']
  const dims = [...dimensionsOf(filter)].filter((dim) => !ELSEWHERE.includes(dim))
  const active = new Set(dims.map(groupOf))
  return {
    shut: stored.shut === true,
    groups: RAIL_GROUPS.filter((group) => left.includes(group) || active.has(group)),
  }
}

export const writeRail = (rail: StoredRail): boolean => onDevice.writeJson(KEY, rail)
