import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import texts from 'virtual:question-words'
import { offeredDimensions } from '../../../analytics/offered.ts'
import { dimensionsOf, type Filter } from '../../../analytics/filter.ts'
import type { ModelName } from '../../../analytics/models.ts'
import { MODELS } from '../../../analytics/models.ts'
import { readQuestion, type Question } from '../../../analytics/questions/question.ts'
import { openingFilter, type Reading } from '../../../analytics/questions/readings.ts'
import { unitsOf } from '../../../analytics/questions/text.ts'
import {
  dataDimensions,
  dataValue,
  makeVocabulary,
  type DataValue,
  type Vocabulary,
} from '../../../analytics/questions/vocabulary.ts'
import type { Aggregate } from '../../../analytics/request.ts'
import type { AnswerRow, Rows } from '../../../analytics/cells.ts'
import { analyticsQuery, useScope } from '../../data/analytics/use-analytics.ts'
import { useRegion, useRegionDay } from '../../data/use-region.ts'

/** Names of one dimension at most: as many groups as an answer can have. */
const MOST = 5000
/** A question has a condition and something that it is of; one word alone is searched for as before. */
const FEWEST_UNITS = 2
export const isLongEnough = (text: string): boolean => unitsOf(text).length >= FEWEST_UNITS
const NO_ROWS: readonly AnswerRow[] = []

/** Names and texts of one dimension over the whole record, those with the most runs first. */
const namesOf = (dim: string, base: Filter): { aggregate: Aggregate } => ({
  aggregate: {
    model: 'runners',
    by: [dim],
    measures: ['runners'],
    where: base,
    sort: [{ by: 'runners', descending: true }],
    limit: MOST,
  },
})

const NAMED = dataDimensions('runners')

interface Made {
  values: readonly DataValue[]
  vocabulary: Vocabulary
  /** Rows with the names of values, by dimension and value. */
  names: ReadonlyMap<string, AnswerRow>
}

function make(rows: readonly (readonly AnswerRow[])[]): Made {
  const names = new Map<string, AnswerRow>()
  const values = rows.flatMap((of, at) =>
    of.flatMap((row) => {
      const dim = NAMED[at]!
      names.set(`${dim} ${String(row[dim])}`, row)
      return dataValue(dim, row) ?? []
    }),
  )
  return { values, vocabulary: makeVocabulary(texts, values), names }
}

/** The vocabulary of the last rows: it takes longer to make than a question to read. */
let last: { rows: readonly (readonly AnswerRow[])[]; made: Made } | null = null

function madeOf(rows: readonly (readonly AnswerRow[])[]): Made {
  if (last === null || last.rows.some((each, at) => each !== rows[at])) last = { rows, made: make(rows) }
  return last.made
}

export interface Answerable extends Question {
  names: ReadonlyMap<string, AnswerRow>
}

/** Whether the reader may query everything that a reading asks for. */
function isOffered({ subject, filter, by }: Reading, history: boolean): boolean {
  if (history) return true
  if (subject !== 'predictions') return false
  const offered = offeredDimensions(MODELS[subject], openingFilter({ subject, filter }), false)
  return [...dimensionsOf(filter), ...by].every((dim) => offered.includes(dim))
}

/**
 * What a text asks of the record; `null` if it asks nothing that the reader may query, or until the names are there. `base`:
 * model and origin of the rows whose names are known. `first`: the rows that are preferred where the question does not say
 * them.
 */
export function useQuestion(text: string, base: Filter | null, first: ModelName): Answerable | null {
  const scope = useScope()
  const { region } = useRegion()
  const at = useRegionDay()
  const isLong = useMemo(() => isLongEnough(text), [text])
  const { history } = scope
  const answers = useQueries({
    queries:
      base !== null && history
        ? NAMED.map((dim) => ({ ...analyticsQuery(scope, namesOf(dim, base), 'idle'), enabled: isLong }))
        : [],
    combine: (all) => ({
      rows: all.map(({ data }: { data?: Rows | undefined }) => data?.rows ?? NO_ROWS),
      isPending: all.some(({ isPending }) => isPending),
    }),
  })
  const today = at?.today
  return useMemo(() => {
    if (!isLong || answers.isPending || today === undefined || region === null) return null
    if (history && base === null) return null
    const { values, vocabulary, names } = madeOf(answers.rows)
    const question = readQuestion(text, vocabulary, values, {
      today,
      seasonStartMonth: region.seasonStartMonth,
    })
    const readings = question.readings
      .filter((reading) => isOffered(reading, history))
      .toSorted((a, b) => Number(b.subject === first) - Number(a.subject === first))
    return readings.length === 0 ? null : { ...question, readings, names }
  }, [text, isLong, answers, today, region, history, base, first])
}
