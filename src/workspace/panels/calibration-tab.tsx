import { useMemo } from 'react'
import { FormattedMessage } from 'react-intl'
import { afterPicks, pickedValues, withValues } from '../../../analytics/clauses.ts'
import type { Filter } from '../../../analytics/filter.ts'
import type { Scalar } from '../../../analytics/model.ts'
import { CalibrationPanel } from './calibration-panel.tsx'
import { ColumnsPanel } from '../parts/columns-panel.tsx'
import { panelOf } from '../state/panel-spec.ts'
import type { Brush } from '../query/use-brush.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import panelStyles from '../parts/panel.module.css'

const DIM = 'probability'
const PROBABILITY = panelOf('columns', [DIM])

interface CalibrationTabProps {
  slice: SliceAnswer
  brush: Brush
  model: string
  onFilter(next: (filter: Filter | null) => Filter | null): void
}

/** The reliability diagram and the histogram of the same bands: a drag over either moves every other view. */
export function CalibrationTab({ slice, brush, model, onFilter }: CalibrationTabProps) {
  const { filter } = slice.slice
  const live = brush.live?.active === DIM ? brush.live : null
  // The diagram is drawn again when other bands are selected, not at each position of the pointer.
  const [from, to] = [live?.from ?? null, live?.to ?? null]
  const isIn = useMemo(() => {
    if (from !== null && to !== null) return (value: Scalar): boolean => value >= from && value <= to
    const values = pickedValues(filter, DIM)
    return (value: Scalar): boolean => values.length === 0 || values.includes(value)
  }, [from, to, filter])
  const choose = (values: readonly Scalar[]): void => onFilter((newest) => withValues(newest, DIM, values))
  return (
    <>
      <CalibrationPanel
        slice={slice}
        model={model}
        brush={brush}
        isIn={isIn}
        onValues={choose}
        onPick={(picks, how) => onFilter((newest) => afterPicks(newest, picks, how))}
      />
      <section className={panelStyles.panel}>
        <div className={panelStyles.head}>
          <h2>
            <FormattedMessage id="workspace.spread" />
          </h2>
        </div>
        <ColumnsPanel
          slice={slice}
          brush={brush}
          spec={PROBABILITY}
          model={model}
          onValues={(_, values) => choose(values)}
        />
      </section>
    </>
  )
}
