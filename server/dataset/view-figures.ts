import type { AnswerRow } from '../../analytics/cells.ts'
import { numberOf, numberOrNull, textOf } from '../../analytics/cells.ts'
import { costOf } from '../../analytics/cost.ts'
import { dimensionsOf } from '../../analytics/filter.ts'
import { MODELS } from '../../analytics/models.ts'
import { offeredDimensions } from '../../analytics/offered.ts'
import { checkRequest, type Request } from '../../analytics/request.ts'
import { COMING_MODELS, comingWhere } from '../../analytics/view/coming.ts'
import { countsOf } from '../../analytics/view/origin-counts.ts'
import { profitDays } from '../../analytics/view/profit-days.ts'
import {
  DAYS,
  linkedMeasures,
  ORIGINS_REQUEST,
  rowsByView,
  TOTAL,
  whereIn,
} from '../../analytics/view/requests.ts'
import { rolling } from '../../analytics/view/rolling.ts'
import { countOf, judge, told } from '../../analytics/view/totals.ts'
import { readView, type Subject } from '../../analytics/view/view.ts'
import { viewQuery } from '../../analytics/view/view-query.ts'
import type { RollingWindow } from '../../analytics/view-sql.ts'
import type { Manifest } from '../../contract/dataset.ts'
import type { Threshold } from '../../contract/api/view.ts'
import { THRESHOLD_MEASURES } from '../../contract/record-vocabulary.ts'
import { lastRaceDay } from '../../contract/last-race-day.ts'
import { modelOrder } from '../../contract/model-ids.ts'
import { OPERATOR, type Analytics } from '../analytics/analytics-service.ts'
import type { Digest } from '../store/operation/alert-store.ts'
import { planFor, rowsIn, type Asking, type PlanGround } from './viewer-plan.ts'

/** Where questions are answered. */
export interface AnswerGround extends PlanGround {
  analytics: Analytics
}

/** A saved view, and who asks for it. */
export interface AskedView {
  regionId: string
  address: string
  asker: Asking
}

/** Views are asked about one after the other, so that a frozen rule never waits for more than one of them. */
const ASKER = { ...OPERATOR, share: ['views'] } as const

/** The rows that the asker gets for a request on the record. */
async function ask(
  ground: AnswerGround,
  { regionId, asker }: Pick<AskedView, 'regionId' | 'asker'>,
  request: Request,
  scope?: 'coming',
): Promise<AnswerRow[]> {
  const checked = checkRequest(request)
  const { plan, files, access } = await planFor(ground, asker, { regionId, scope, checked })
  const cost = costOf(checked, access, (table) => rowsIn(files, table))
  const { sql, columns } = plan
  const { bytes } = await ground.analytics.ask({ files, sql, columns, format: 'json', cost }, ASKER)
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as AnswerRow[]
}

/** Points of a line beyond which neighbours fall on the same pixel. */
const MAX_POINTS = 240

/** The figures of a view, by the queries of the record. */
export interface ViewFigures {
  subject: Subject
  total: AnswerRow
  days: AnswerRow[]
}

/**
 * The figures that the record shows the asker of a view now; `null` where it shows none: a filter on what the asker may not
 * query, or on the columns of a file that only the owner's device has.
 */
export async function viewFigures(
  ground: AnswerGround,
  asked: AskedView,
  manifest: Manifest,
): Promise<ViewFigures | null> {
  const region = manifest.regions.find(({ id }) => id === asked.regionId)
  if (!region) return null
  const history = asked.asker.isVip
  const counts = countsOf(await ask(ground, asked, ORIGINS_REQUEST))
  const lastDay = lastRaceDay(manifest.files, region.id)
  const view = readView(new URLSearchParams(asked.address))
  const { slice } = viewQuery(view, { history, lastDay, region, counts, own: [] })
  const where = whereIn(slice)
  const offered = offeredDimensions(MODELS[slice.subject], where, history, [])
  const isOffered = [...dimensionsOf(view.filter)].every(
    (dim) => offered.includes(dim) || !Object.hasOwn(MODELS[slice.subject].dimensions, dim),
  )
  if (!isOffered) return null
  const panels = [
    { by: [], where },
    { by: ['day'], where },
  ]
  const rolled = THRESHOLD_MEASURES.filter((measure) => history || measure !== 'ae_market')
  const linked = { model: slice.subject, panels, measures: linkedMeasures({ ...slice, rolled }) }
  const rows = rowsByView({ rows: await ask(ground, asked, { linked }) })
  const total = rows[TOTAL]?.[0]
  return total === undefined ? null : { subject: slice.subject, total, days: rows[DAYS] ?? [] }
}

/** The figure of the window up to the last race day, as the rolling line of the record ends; `null` while there are fewer bets. */
export function figureNow(
  { subject, total, days }: ViewFigures,
  measure: Threshold['measure'],
  window: RollingWindow,
): number | null {
  // Of an incomplete return the record shows no line.
  if (measure === 'return' && judge(total).trust === 'incomplete') return null
  return rolling(days, { subject, measure }, window).at(-1)?.value ?? null
}

/** The figures of a view to be sent. */
export function digestOf({ total, days }: ViewFigures): Digest {
  const line = judge(total).trust === 'incomplete' ? [] : profitDays(days)
  const dayKeys = days.map((row) => textOf(row, 'key')).toSorted()
  const step = Math.max(1, Math.ceil(line.length / MAX_POINTS))
  return {
    from: dayKeys[0] ?? '',
    to: dayKeys.at(-1) ?? '',
    rows: countOf(total),
    hits: numberOf(total, 'hits'),
    hitRate: numberOrNull(total, 'hit_rate'),
    profit: told(total, 'profit'),
    return: told(total, 'return'),
    profitToDate: line
      .filter((_, at) => at % step === 0 || at === line.length - 1)
      .map(({ day, profitToDate }) => [day, profitToDate]),
  }
}

/** A race with coming rows that match a view. */
export interface RaceMatches {
  raceId: string
  raceNo: number
  count: number
  numbers: string[]
}

const NUMBERS: Readonly<Record<Subject, string | null>> = {
  predictions: 'combination',
  runners: 'horse_no',
  races: null,
}
/** As many rows of a view are looked at, and as many of a race are named. */
const MAX_ROWS = 200
const MAX_NAMED = 3

/** The coming races with rows that match a view, among those that the asker may see. */
export async function comingMatches(
  ground: AnswerGround,
  asked: AskedView,
  manifest: Manifest,
): Promise<RaceMatches[]> {
  const region = manifest.regions.find(({ id }) => id === asked.regionId)
  if (!region) return []
  const known = (await ask(ground, asked, COMING_MODELS, 'coming')).map((row) => textOf(row, 'model'))
  const models = modelOrder(region.headline).filter((id) => known.includes(id))
  const view = readView(new URLSearchParams(asked.address))
  const { subject } = view
  const number = NUMBERS[subject]
  const request: Request = {
    rows: {
      model: subject,
      columns: ['race_id', 'race_no', ...(number === null ? [] : [number])],
      where: comingWhere(view, models),
      sort: ['day', 'race_no'].map((by) => ({ by, descending: false })),
      offset: 0,
      limit: MAX_ROWS,
    },
  }
  const races = new Map<string, RaceMatches>()
  for (const row of await ask(ground, asked, request, 'coming')) {
    const raceId = textOf(row, 'race_id')
    const race = races.get(raceId) ?? { raceId, raceNo: numberOf(row, 'race_no'), count: 0, numbers: [] }
    race.count += 1
    if (number !== null && race.numbers.length < MAX_NAMED) race.numbers.push(String(row[number]))
    races.set(raceId, race)
  }
  return [...races.values()]
}
