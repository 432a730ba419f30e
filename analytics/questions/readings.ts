import { inModelOrder, withExcluded } from '../clauses.ts'
import { conjuncts, impliedValues, type Filter } from '../filter.ts'
import type { Model, Scalar } from '../model.ts'
import { MODELS, type ModelName } from '../models.ts'
import type { Part } from './lex.ts'
import type { Condition, Draft } from './draft.ts'
import type { Measure } from './texts.ts'
import { ALL_DIMENSIONS, questionDimension } from './vocabulary.ts'

/** One view that a question may mean. */
export interface Reading {
  subject: ModelName
  /** Its conditions as clauses: of predictions without those that the record opens with (`openingFilter`). */
  filter: Filter | null
  /** First and last day; `null` where there is no bound. */
  from: string | null
  to: string | null
  /** The model and the origin of its predictions; empty where the question does not say them. */
  model: string
  origin: string
  /** Dimensions to break down by. */
  by: readonly string[]
  measure: Measure | null
  /** Whether the groups with the highest figures are first. */
  isSorted: boolean
  /** Groups of fewer rows are left out. */
  least: number
}

/** Readings of one question at most. */
const MOST = 12

type Chosen = { part: Part; negated: boolean; option: Condition['options'][number] }

/** Every combination of the meanings of its conditions. */
function combinations(conditions: readonly Condition[]): Chosen[][] {
  return conditions.reduce<Chosen[][]>(
    (lists, { part, negated, options }) =>
      lists.flatMap((list) => options.map((option) => [...list, { part, negated, option }])).slice(0, MOST),
    [[]],
  )
}

interface Gathered {
  filter: Filter | null
  from: string | null
  to: string | null
  apart: Part[]
}

const later = (a: string | null, b: string | undefined): string | null =>
  b === undefined ? a : a === null || b > a ? b : a
const earlier = (a: string | null, b: string | undefined): string | null =>
  b === undefined ? a : a === null || b < a ? b : a

/** The conditions as one filter; those that it cannot have together are apart. */
function gathered(chosen: readonly Chosen[]): Gathered {
  const result: Gathered = { filter: null, from: null, to: null, apart: [] }
  for (const { part, negated, option } of chosen) {
    if ('days' in option) {
      if (negated) result.apart.push(part)
      result.from = later(result.from, option.days.from)
      result.to = earlier(result.to, option.days.to)
    } else {
      const next = joined(result.filter, option.clause, negated)
      if (next === undefined) result.apart.push(part)
      else result.filter = next
    }
  }
  return result
}

type Single = Extract<Filter, { dim: string }>
const isOn = (dim: string) => (part: Filter) => 'dim' in part && part.dim === dim

/** A filter with one more condition; values of one dimension are alternatives. `undefined`: it has another range of it. */
function joined(filter: Filter | null, clause: Filter, negated: boolean): Filter | null | undefined {
  const parts = conjuncts(filter)
  if (!('dim' in clause)) return { and: [...parts, negated ? { not: clause } : clause] }
  if (negated && 'in' in clause) {
    const excluded = parts.find((part) => 'not' in part && isOn(clause.dim)(part.not))
    const before = excluded && 'not' in excluded && 'in' in excluded.not ? excluded.not.in : []
    return withExcluded(filter, clause.dim, [...new Set([...before, ...clause.in])])
  }
  if (negated) return { and: [...parts, { not: clause }] }
  const at = parts.findIndex(isOn(clause.dim))
  if (at < 0) return { and: [...parts, clause] }
  const merged = mergedClause(parts[at] as Single, clause)
  return merged === null ? undefined : { and: parts.with(at, merged) }
}

function mergedClause(a: Single, b: Single): Single | null {
  if ('in' in a && 'in' in b) return { dim: a.dim, in: [...new Set<Scalar>([...a.in, ...b.in])] }
  // The other end of a range: "over 1200m, under 1800m".
  if ('in' in a || 'in' in b) return null
  const isOneEnd =
    (a.from === undefined) !== (b.from === undefined) && (a.to === undefined) !== (b.to === undefined)
  return isOneEnd ? { ...a, ...b } : null
}

/**
 * The conditions of a reading, and of predictions the main win picks unless it says others: what the record opens with.
 *
 * ```ts
 * openingFilter({ subject: 'runners', filter: { dim: 'draw', in: [1] } }) // => { dim: 'draw', in: [1] }
 * ```
 */
export function openingFilter({ subject, filter }: Pick<Reading, 'subject' | 'filter'>): Filter | null {
  if (subject !== 'predictions') return filter
  const parts = conjuncts(filter)
  const isSaid = (dim: string): boolean =>
    parts.some((part) => isOn(dim)(part) || ('not' in part && isOn(dim)(part.not)))
  const opening: Filter[] = [
    ...parts,
    ...(isSaid('bet_type') ? [] : [{ dim: 'bet_type', in: [1] }]),
    ...(isSaid('prediction_type') || isSaid('rank') ? [] : [{ dim: 'prediction_type', in: [1] }]),
  ]
  return inModelOrder(ALL_DIMENSIONS, { and: opening })
}

const dimsIn = (filter: Filter | null): string[] =>
  conjuncts(filter).flatMap((part) => {
    const clause = 'not' in part ? part.not : part
    return 'dim' in clause ? [clause.dim] : []
  })

/** Whether a subject has all dimensions, and the figure of its groups. */
function isKnown(subject: ModelName, dims: readonly string[], measure: Measure | null): boolean {
  const model: Model = MODELS[subject]
  const isCounted = measure === null || measure === 'count'
  const figure = isCounted ? undefined : model.measures[measure]
  return (
    dims.every((dim) => Object.hasOwn(model.dimensions, dim)) &&
    (isCounted || (figure !== undefined && !figure.wholeRaces))
  )
}

/** Whether a subject has all of a reading, for the bet types that are asked for. */
function isAnswered(
  subject: ModelName,
  filter: Filter | null,
  dims: readonly string[],
  measure: Measure | null,
): boolean {
  const model: Model = MODELS[subject]
  if (!isKnown(subject, dims, measure)) return false
  const figure = model.measures[measure ?? '']
  const betTypes = impliedValues(filter, 'bet_type')
  const limits = [...dims.map((dim) => model.dimensions[dim]!.betTypes), figure?.betTypes]
  return limits.every(
    (limit) => limit === undefined || betTypes?.every((type) => limit.includes(Number(type))),
  )
}

/** Those that a question is about where it does not say which, the likeliest first. */
const SUBJECTS: readonly ModelName[] = ['runners', 'predictions', 'races']

/** The subjects that a question may be about: the one it names, otherwise those that have what it asks. */
function subjectsOf(draft: Draft, dims: readonly string[], measure: Measure | null): readonly ModelName[] {
  if (draft.subject !== null) return [draft.subject]
  const able = SUBJECTS.filter((subject) => isKnown(subject, dims, measure))
  // People, draws and what a horse brings are asked about all runners, unless the question says that it means picks.
  const isOfHorses = dims.some((dim) => questionDimension(dim).level === 'horse')
  const usual = able.filter((subject) => subject === 'runners' || (subject === 'predictions' && !isOfHorses))
  return usual.length > 0 ? usual : able
}

/** A win bet is what every row of the runners is. */
const isWin = (part: Filter): boolean =>
  'in' in part && part.dim === 'bet_type' && part.in.length === 1 && part.in[0] === 1

function pinned(filter: Filter | null): { rest: Filter | null; model: string; origin: string } {
  const valueOf = (dim: string): string => String(impliedValues(filter, dim)?.[0] ?? '')
  const rest = conjuncts(filter).filter((part) => !isOn('model')(part) && !isOn('origin')(part))
  return {
    rest: rest.length === 0 ? null : { and: rest },
    model: valueOf('model'),
    origin: valueOf('origin'),
  }
}

/** Whether conditions and breakdowns are a view of their own: one dimension alone shows nothing that was asked for. */
function isAsked(draft: Draft, { filter, from, to }: Gathered): boolean {
  const isShown = draft.measures.length > 0 || draft.subject !== null || draft.isSorted || draft.least > 0
  const isBrokenDown = draft.by.length > 1 || (draft.by.length > 0 && isShown)
  return filter !== null || from !== null || to !== null || isBrokenDown
}

/** The filter without the condition on win bets where the rows are runners anyway. */
function withoutWins(filter: Filter | null, draft: Draft): Filter | null {
  const parts = conjuncts(filter)
  const isOfHorses = [...dimsIn(filter), ...draft.by].some((dim) => questionDimension(dim).level === 'horse')
  if (draft.subject === 'predictions' || (draft.subject === null && !isOfHorses)) return filter
  const others = parts.filter((part) => !isWin(part))
  return others.length === 0 ? null : { and: others }
}

/** One combination of meanings, for each subject that has all of it. */
function readingsIn(draft: Draft, found: Gathered): Reading[] {
  if (!isAsked(draft, found)) return []
  const { rest, model, origin } = pinned(found.filter)
  const filter = withoutWins(rest, draft)
  const measure = draft.measures[0] ?? null
  const { by, isSorted, least } = draft
  const dims = [...dimsIn(filter), ...by]
  return subjectsOf(draft, dims, measure)
    .filter((subject) => isAnswered(subject, openingFilter({ subject, filter }), dims, measure))
    .map((subject) => ({
      subject,
      filter: inModelOrder(ALL_DIMENSIONS, filter),
      from: found.from,
      to: found.to,
      model,
      origin,
      by,
      measure,
      isSorted,
      least,
    }))
}

/** The views that the words of a question may mean, and the parts that cannot be answered together with the others. */
export function readingsOf(draft: Draft): { readings: readonly Reading[]; apart: readonly Part[] } {
  const all = combinations(draft.conditions).map(gathered)
  const readings = all.flatMap((found) => readingsIn(draft, found)).slice(0, MOST)
  const parts = all.flatMap((found) => found.apart)
  // Each condition is understood, but no subject has all of them.
  if (readings.length === 0) parts.push(...draft.conditions.map(({ part }) => part))
  return { readings, apart: [...new Map(parts.map((part) => [part.start, part])).values()] }
}
