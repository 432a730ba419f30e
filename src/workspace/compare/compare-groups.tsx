import { useMemo, useState } from 'react'
import type { Filter } from '../../../analytics/filter.ts'
import type { Scalar } from '../../../analytics/model.ts'
import { MODELS } from '../../../analytics/models.ts'
import { offeredDimensions } from '../../../analytics/offered.ts'
import type { Request } from '../../../analytics/request.ts'
import { groupBy } from '../../../domain/group-by.ts'
import { shownDifference } from '../../../domain/shown-difference.ts'
import { pairedDifference } from '../../../domain/statistics.ts'
import { numberOf, type AnswerRow } from '../../../analytics/cells.ts'
import { useAnalytics } from '../../data/analytics/use-analytics.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Small } from '../../ui/layout.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import { Between } from '../parts/between.tsx'
import { FailedAnswer } from '../parts/failed-answer.tsx'
import { ToolSelect } from '../parts/controls.tsx'
import { Scrolled } from '../parts/scrolled.tsx'
import { groupedRows, rowsByView } from '../../../analytics/view/requests.ts'
import { countOf, judge, sumNames, sumsOf } from '../../../analytics/view/totals.ts'
import { dimensionOf, isShort } from '../../../analytics/view/dimension-of.ts'
import type { Subject } from '../../../analytics/view/view.ts'
import { useDimensionText } from '../words/dimension-text.ts'
import { reasonText, toldText } from '../words/measure-text.ts'
import { subjectWords } from '../words/subject-words.ts'
import { byMeeting, returnOf } from './by-meeting.ts'
import panelStyles from '../parts/panel.module.css'
import tables from '../parts/table.module.css'
import styles from './compare.module.css'

/** Shown in a cell without a value. */
const NONE = '–'

/** By meeting, because the interval of a difference resamples whole meetings for both slices at once. */
const groupsOf = (subject: Subject, dim: string, slices: readonly Filter[]): Request => ({
  linked: {
    model: subject,
    measures: sumNames(subject),
    panels: slices.map((where) => ({ by: [dim, 'meeting'], where })),
  },
})

/** Sums over the meetings of a group; `null` without one. */
const sumOf = (rows: readonly AnswerRow[]): AnswerRow | null =>
  rows.length === 0 ? null : { ...rows[0], ...sumsOf(rows) }

interface CompareGroupsProps {
  subject: Subject
  a: Filter
  b: Filter
  model: string
  names: ReadonlyMap<string, AnswerRow>
  /** Dimension of the first breakdown on the page. */
  first: string | null
}

/** A group of both slices, and the difference of their returns where both may be reported. */
interface ComparedGroup {
  key: Scalar | null
  a: AnswerRow | null
  b: AnswerRow | null
  paired: ReturnType<typeof pairedDifference> | null
}

/** The groups of both slices by a dimension, in its order. */
function comparedGroups(views: readonly AnswerRow[][], dim: string, names: CompareGroupsProps['names']) {
  const [ofA, ofB] = views.map((rows) =>
    groupBy(groupedRows(rows ?? [], [dim, 'meeting'], names), (row) => row[dim] ?? null),
  )
  const keys = [...new Set([...(ofA?.keys() ?? []), ...(ofB?.keys() ?? [])])]
  const { order } = dimensionOf(dim)
  const found = keys.map((key): ComparedGroup => {
    const [rowsOfA, rowsOfB] = [ofA?.get(key) ?? [], ofB?.get(key) ?? []]
    const sums = { a: sumOf(rowsOfA), b: sumOf(rowsOfB) }
    const reported = [sums.a, sums.b].every((row) => row !== null && judge(row).reported)
    return {
      key,
      ...sums,
      paired: reported ? pairedDifference(byMeeting({ a: rowsOfA, b: rowsOfB }, 'meeting', returnOf)) : null,
    }
  })
  const size = ({ a, b }: ComparedGroup): number => (a ? countOf(a) : 0) + (b ? countOf(b) : 0)
  return found.toSorted((one, other) => {
    if (order === 'count') return size(other) - size(one)
    if (one.key === null || other.key === null) return one.key === null ? 1 : -1
    const ascending = one.key < other.key ? -1 : 1
    return order === 'newest' ? -ascending : ascending
  })
}

/** Both slices by one dimension, with the groups side by side. */
export function CompareGroups({ subject, a, b, model, names, first }: CompareGroupsProps) {
  const offered = useMemo(() => {
    const ofB = offeredDimensions(MODELS[subject], b, true)
    return offeredDimensions(MODELS[subject], a, true).filter((dim) => ofB.includes(dim) && isShort(dim))
  }, [subject, a, b])
  const [chosen, setChosen] = useState<string | null>(null)
  const dim = [chosen, first, 'season'].find((each) => each !== null && offered.includes(each)) ?? 'season'
  const { data, error } = useAnalytics(groupsOf(subject, dim, [a, b]), { priority: 'visible' })
  const groups = useMemo(() => {
    const request = data?.request
    if (!data || !request || !('linked' in request) || request.linked.panels[0]?.by[0] !== dim) return null
    return comparedGroups(rowsByView(data), dim, names)
  }, [data, dim, names])
  const word = useWord()
  return (
    <>
      <div className={panelStyles.head}>
        <ToolSelect
          label="record.breakdownBy"
          value={dim}
          options={offered.map((value) => ({ value, label: word(`dimension.${value}`) }))}
          onChange={setChosen}
        />
        <Small as="span" text="workspace.ownRaces" />
      </div>
      {error ? <FailedAnswer error={error} /> : null}
      {groups === null ? (
        <Skeleton height={160} />
      ) : (
        <ComparedTable subject={subject} groups={groups} dim={dim} model={model} />
      )}
    </>
  )
}

interface ComparedTableProps {
  subject: Subject
  groups: readonly ComparedGroup[]
  dim: string
  model: string
}

function ComparedTable({ subject, groups, dim, model }: ComparedTableProps) {
  const format = useFormat()
  const groupText = useDimensionText(model)
  const words = subjectWords(subject)
  const word = useWord()
  const cells = (row: AnswerRow | null): string[] => {
    if (row === null) return [NONE, NONE, NONE]
    const { played } = judge(row)
    return [
      format.integer(countOf(row)),
      played === 0 ? NONE : format.percent(numberOf(row, 'hits') / played),
      toldText(word, format, row, 'return'),
    ]
  }
  const reasonOf = (rows: readonly (AnswerRow | null)[]): string | undefined =>
    rows.flatMap((row) => (row && reasonText(word, row)) ?? [])[0]
  return (
    <Scrolled label={`${word('workspace.compare')}: ${word(`dimension.${dim}`)}`}>
      <table className={tables.table} data-testid="compare-groups" data-by={dim}>
        <thead>
          <tr>
            <th scope="col">{word(`dimension.${dim}`)}</th>
            {['workspace.sliceA', 'workspace.shownSlice'].flatMap((side) =>
              [words.count, words.hitRate, 'record.return'].map((id) => (
                <th key={`${side} ${id}`} scope="col">
                  <span className={styles.side}>{word(side)}</span> {word(id)}
                </th>
              )),
            )}
            {['workspace.difference', 'workspace.interval'].map((id) => (
              <th key={id} scope="col">
                {word(id)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map(({ key, a: ofA, b: ofB, paired }) => (
            <tr key={String(key)} data-key={String(key)} title={reasonOf([ofA, ofB])}>
              <th scope="row">{groupText(dim, ofA ?? ofB ?? { [dim]: null })}</th>
              {[...cells(ofA), ...cells(ofB)].map((text, at) => (
                // eslint-disable-next-line react/no-array-index-key -- the columns never change their order
                <td key={at}>{text}</td>
              ))}
              <td>{paired ? format.signedPercent(shownDifference(paired.a, paired.b)) : NONE}</td>
              <td>
                {paired?.interval ? <Between interval={paired.interval} show={format.signedPercent} /> : NONE}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}
