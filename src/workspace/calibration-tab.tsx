import { useEffect, useMemo, useRef, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { afterPicks, pickedValues, withValues } from '../../analytics/clauses.ts'
import type { Filter } from '../../analytics/filter.ts'
import type { Scalar } from '../../analytics/model.ts'
import { CalibrationPanel } from './calibration-panel.tsx'
import { ColumnsPanel } from './columns-panel.tsx'
import { panelOf } from './panel-spec.ts'
import type { Brush } from './use-brush.ts'
import type { SliceAnswer } from './use-slice.ts'
import panels from './panels.module.css'

const DIM = 'probability'
const PROBABILITY = panelOf('columns', [DIM])
/** A released span stays marked until its slice is computed, which usually takes a tenth of this. */
const LINGER_MS = 1000

interface CalibrationTabProps {
  slice: SliceAnswer
  brush: Brush
  model: string
  onFilter(next: (filter: Filter | null) => Filter | null): void
}

/** The reliability diagram and the histogram of the same bands: a drag over either moves every other view. */
export function CalibrationTab({ slice, brush, model, onFilter }: CalibrationTabProps) {
  const { filter } = slice.slice
  const [moved, setMoved] = useState<{ of: Filter | null; from: Scalar; to: Scalar } | null>(null)
  const lingering = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(lingering.current), [])
  const { prepare, move, end } = brush
  const shared = useMemo(
    (): Brush => ({
      live: brush.live,
      prepare,
      move: (active, from, to) => {
        clearTimeout(lingering.current)
        setMoved({ of: filter, from, to })
        move(active, from, to)
      },
      end: () => {
        clearTimeout(lingering.current)
        lingering.current = setTimeout(() => setMoved(null), LINGER_MS)
        end()
      },
    }),
    [brush.live, prepare, move, end, filter],
  )
  const moving = moved !== null && moved.of === filter ? moved : null
  const isIn = useMemo(() => {
    if (moving) return (value: Scalar): boolean => value >= moving.from && value <= moving.to
    const values = pickedValues(filter, DIM)
    return (value: Scalar): boolean => values.length === 0 || values.includes(value)
  }, [moving, filter])
  const choose = (values: readonly Scalar[]): void => onFilter((newest) => withValues(newest, DIM, values))
  return (
    <>
      <CalibrationPanel
        slice={slice}
        model={model}
        brush={shared}
        isIn={isIn}
        onValues={choose}
        onPick={(picks, how) => onFilter((newest) => afterPicks(newest, picks, how))}
      />
      <section className={panels.panel}>
        <div className={panels.head}>
          <h2>
            <FormattedMessage id="workspace.spread" />
          </h2>
        </div>
        <ColumnsPanel
          slice={slice}
          brush={shared}
          spec={PROBABILITY}
          model={model}
          moving={moving}
          onValues={(_, values) => choose(values)}
        />
      </section>
    </>
  )
}
