import { dimensionsOf, type Filter } from '../../../analytics/filter.ts'
import type { Model } from '../../../analytics/model.ts'
import { MODELS } from '../../../analytics/models.ts'
import { isOwnName } from '../../../analytics/own-slots.ts'
import { sliceSql, viewSql, type ViewShape } from '../../../analytics/view-sql.ts'
import type { AnswerRow } from '../../../analytics/cells.ts'
import { FIRST_WINDOW, type PanelSpec } from '../../../analytics/view/panel-spec.ts'
import {
  BET_FIGURES,
  linkedMeasures,
  whereFor,
  whereIn,
  type Slice,
} from '../../../analytics/view/requests.ts'
import { dayMeasure, modelName } from '../../../analytics/view/over-days.ts'
import { standardOf } from '../../../analytics/view/standards.ts'
import { stakedOf } from '../../../analytics/view/totals.ts'
import { spreadOfDays, type ShowFigure } from './spread.ts'

/**
 * Whether a view of some dimensions can be a statement of the SQL console: not where it is about columns of the reader's own
 * file, which the console does not match with races, nor where the subject shown so far does not have them.
 */
export const canBeStatement = (
  { subject, filter }: Pick<Slice, 'subject' | 'filter'>,
  by: readonly string[],
  measures: readonly string[] = [],
): boolean =>
  by.every((dim) => Object.hasOwn(MODELS[subject].dimensions, dim)) &&
  ![...by, ...measures, ...dimensionsOf(filter)].some(isOwnName)

const USUAL = ['hits', 'hit_rate', 'profit', 'return']

const isOfFiles = (measure: string): boolean => !isOwnName(measure)

/** The rows of a view, for the table `slice` of the SQL console. */
export const sliceStatement = (slice: Slice): string =>
  sliceSql({ model: slice.subject, where: whereIn(slice), by: [], measures: [] })

/** The statement of the SQL console that asks for the figures of a view. */
export const viewStatement = (slice: Slice): string =>
  viewSql({
    model: slice.subject,
    where: whereIn(slice),
    by: [],
    // The parts of rolling figures are on no screen.
    measures: [...linkedMeasures({ ...slice, rolled: [] }).filter(isOfFiles), ...BET_FIGURES],
  })

/** The rows of the race days on screen, and how figures are told there: both decide the bands of a spread. */
interface Shown {
  days: readonly AnswerRow[]
  show: ShowFigure
}

/** The bands of a spread of days, money in dollars. */
function spreadShape({ subject }: Slice, spec: PanelSpec, { days, show }: Shown): ViewShape {
  const measure = dayMeasure(spec)
  const name = modelName(subject, measure)
  const spread = spreadOfDays(days, { subject, measure }, show)
  const { measures }: Model = MODELS[subject]
  const step = (spread?.step ?? 1) / (measures[name]!.unit === 'cents' ? 100 : 1)
  return {
    kind: 'spread',
    measure: name,
    staked: stakedOf(measure),
    first: spread?.first ?? 0,
    step: Number(step.toPrecision(12)),
    count: spread?.bands.length ?? 1,
  }
}

/** How a panel over race days shows them; `null` for a panel of groups. */
function dayShape(slice: Slice, spec: PanelSpec, shown: Shown): ViewShape | null {
  const { subject } = slice
  const measure = dayMeasure(spec)
  switch (spec.kind) {
    case 'profit':
      return { kind: 'to-date' }
    case 'rolling':
      return {
        kind: 'rolling',
        measure: modelName(subject, measure),
        staked: stakedOf(measure),
        standard: standardOf(measure)?.value ?? null,
        window: spec.window ?? FIRST_WINDOW,
      }
    case 'spread':
      return spreadShape(slice, spec, shown)
    case 'calendar':
      return { kind: 'groups', sort: null, least: 0 }
    default:
      return null
  }
}

/** The measures that a panel over race days reads. */
function namesIn({ subject }: Slice, spec: PanelSpec): string[] {
  const measure = dayMeasure(spec)
  const names = [modelName(subject, measure), standardOf(measure)?.value, stakedOf(measure)]
  return names.filter((name) => typeof name === 'string')
}

/** The statement of the SQL console that asks what a panel shows. */
export function panelStatement(slice: Slice, spec: PanelSpec, shown: Shown): string {
  const { subject } = slice
  const { rows } = MODELS[subject]
  const shape = dayShape(slice, spec, shown)
  if (shape !== null) {
    const measures = [...new Set([rows, 'staked', ...USUAL, ...namesIn(slice, spec)])]
    return viewSql({ model: subject, where: whereIn(slice), by: ['day'], measures, shape })
  }
  const own = spec.measures.map((measure) => modelName(subject, measure))
  const where: Filter = whereFor(slice, spec.by)
  const question = { model: subject, where, by: spec.by, measures: [...new Set([rows, ...USUAL, ...own])] }
  if (spec.kind === 'pivot') return viewSql({ ...question, shape: { kind: 'totals' } })
  const sort = spec.sort === null ? null : modelName(subject, spec.sort)
  const measures = [...new Set([...question.measures, ...(sort === null ? [] : [sort])])]
  return viewSql({ ...question, measures, shape: { kind: 'groups', sort, least: spec.least } })
}
