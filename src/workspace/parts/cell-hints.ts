import { useCallback, useEffect, useRef, useState } from 'react'
import type { Scalar } from '../../../analytics/model.ts'
import type { AnswerRow } from '../../../analytics/cells.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { rowKey, useIntervalsOf, type Groups } from '../query/panel-data.ts'
import type { ViewProps } from '../query/use-brush.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import type { PanelSpec } from '../../../analytics/view/panel-spec.ts'
import { groupHint } from '../words/measure-text.ts'
import { subjectWords } from '../words/subject-words.ts'

/** Key of a cell: the values of its line and of its column. */
export const cellKey = (down: Scalar | null | undefined, across: Scalar | null | undefined): string =>
  `${String(down)}\n${String(across)}`

/** A cell that its tooltip describes: its figures, and what its values are called. */
export interface HintedCell {
  row: AnswerRow
  text(): string
}

interface CellsOf extends Pick<ViewProps, 'slice'> {
  spec: PanelSpec
  groups: Groups
}

/**
 * Describes the cell that is pointed at in its tooltip. There are hundreds of cells, whose intervals only a tooltip shows:
 * they are requested when one is pointed at.
 */
export function useCellHints(
  { slice, spec, groups }: CellsOf,
  cells: ReadonlyMap<string, HintedCell>,
): (cell: HTMLElement) => void {
  const word = useWord()
  const format = useFormat()
  const { history, subject } = slice.slice
  const heading = subjectWords(subject).count
  const [pointedAt, setPointedAt] = useState<SliceAnswer | null>(null)
  const intervals = useIntervalsOf(slice, spec.by, groups, pointedAt === slice)
  const pointed = useRef<HTMLElement | null>(null)
  const describe = useCallback(
    (cell: HTMLElement): void => {
      const hinted = cells.get(cell.dataset['cell'] ?? '')
      if (!hinted) return
      const { row } = hinted
      const found = intervals.get(rowKey(row, spec.by))
      cell.title = groupHint(word, format, { text: hinted.text(), row, found, history, heading })
    },
    [cells, intervals, spec.by, word, format, history, heading],
  )
  useEffect(() => {
    // The intervals arrive while the tooltip is shown.
    if (pointed.current?.isConnected) describe(pointed.current)
  }, [describe])
  return useCallback(
    (cell) => {
      pointed.current = cell
      describe(cell)
      setPointedAt(slice)
    },
    [describe, slice],
  )
}
