import { useEffect, type RefObject } from 'react'
import { textOf, type AnswerRow } from '../../../analytics/cells.ts'
import { useWord } from '../../i18n/use-word.ts'
import { saveFile } from '../../ui/behaviour/save-file.ts'
import type { TableColumn, TableFormat } from './panel-table.ts'
import { compareGroups } from '../query/panel-data.ts'
import { DAYS, inKeyOrder } from '../../../analytics/view/requests.ts'
import { dayMeasure } from '../../../analytics/view/over-days.ts'
import { rolling } from '../../../analytics/view/rolling.ts'
import { standardOf } from '../../../analytics/view/standards.ts'
import type { ViewProps } from '../query/use-brush.ts'
import {
  FIRST_WINDOW,
  usualMeasures,
  type PanelKind,
  type PanelSpec,
  type ShownMeasure,
} from '../../../analytics/view/panel-spec.ts'
import { useDimensionText } from '../words/dimension-text.ts'
import { useMeasureName } from '../words/measure-text.ts'
import { subjectWords } from '../words/subject-words.ts'

type PanelTables = typeof import('./panel-table.ts')

/** Saves a panel as a table, while it is on the page. */
export type TableSaver = RefObject<((format: TableFormat) => void) | null>

/** Makes columns of what a panel shows, with the functions that make them, which are loaded when a file is saved. */
type MakeColumns = (tables: PanelTables) => TableColumn[]

/** Saves columns under a name of the panel. */
async function saveTable(
  { kind, by }: Pick<PanelSpec, 'kind' | 'by'>,
  format: TableFormat,
  make: MakeColumns,
): Promise<void> {
  const tables = await import('./panel-table.ts')
  saveFile(`furlong-${[kind, ...by].join('-')}.${format}`, tables.tableFile(make(tables), format))
}

/** The usual measures from the count on, then those that a panel shows besides. */
export const savedMeasures = (history: boolean, shown: readonly ShownMeasure[]): ShownMeasure[] => [
  ...new Set([...usualMeasures(history).toReversed(), ...shown]),
]

/** Lets the menu of a panel save what the panel shows; without columns, another part of the panel does. */
export function useTableSaver(
  saverRef: TableSaver | undefined,
  spec: Pick<PanelSpec, 'kind' | 'by'>,
  make: MakeColumns | null,
): void {
  useEffect(() => {
    if (saverRef === undefined || make === null) return undefined
    saverRef.current = (format) => void saveTable(spec, format, make)
    return () => {
      saverRef.current = null
    }
  })
}

interface SavedGroups extends Pick<ViewProps, 'slice' | 'model'> {
  spec: PanelSpec
  /** The groups, in any order. */
  rows: readonly AnswerRow[]
}

/** Lets the menu of a panel save its groups, in the order of their dimensions, with the usual figures and those it shows. */
export function useGroupsSaver(
  saverRef: TableSaver | undefined,
  { slice, model, spec, rows }: SavedGroups,
): void {
  const word = useWord()
  const valueText = useDimensionText(model)
  const { subject, history } = slice.slice
  const nameOf = useMeasureName(subject)
  const { by, measures } = spec
  useTableSaver(saverRef, spec, ({ groupColumns }) =>
    groupColumns(
      by.toReversed().reduce((sorted, dim) => sorted.toSorted(compareGroups(dim)), rows),
      by.map((dim) => ({
        name: word(`dimension.${dim}`),
        kind: 'text',
        valueOf: (row) => valueText(dim, row),
      })),
      { subject, measures: savedMeasures(history, measures), nameOf },
    ),
  )
}

/** Panels of the race days. */
const OF_DAYS: readonly PanelKind[] = ['profit', 'spread', 'calendar', 'rolling']

/** Lets the menu of a panel of the race days save them: the figures of each, or those of the days up to it. */
export function useDaysSaver(
  saverRef: TableSaver,
  { slice, spec }: Pick<SavedGroups, 'slice' | 'spec'>,
): void {
  const word = useWord()
  const { subject, history } = slice.slice
  const nameOf = useMeasureName(subject)
  const day = word('dimension.day')
  useTableSaver(
    saverRef,
    spec,
    OF_DAYS.includes(spec.kind)
      ? ({ figuresIn, groupColumns, rollingColumns }) => {
          const rows = inKeyOrder(slice.rows[DAYS])
          if (spec.kind !== 'rolling')
            return groupColumns(rows, [{ name: day, kind: 'day', valueOf: (row) => textOf(row, 'key') }], {
              subject,
              measures: savedMeasures(history, spec.kind === 'profit' ? [] : [dayMeasure(spec)]),
              nameOf,
            })
          const measure = dayMeasure(spec)
          const standard = standardOf(measure)
          const points = rolling(rows, { subject, measure }, spec.window ?? FIRST_WINDOW)
          return rollingColumns(points, figuresIn(subject, measure), {
            day,
            value: nameOf(measure),
            ...(standard && { standard: word(`workspace.rollingStandard.${standard.name}`) }),
            bets: word(subjectWords(subject).count),
          })
        }
      : null,
  )
}
