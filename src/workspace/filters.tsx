import { SlidersHorizontal } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import { pickedValues } from '../../analytics/clauses.ts'
import { dimensionsOf, type Filter } from '../../analytics/filter.ts'
import { numberOf } from '../data/analytics/cells.ts'
import { useFormat } from '../i18n/format.ts'
import { useWord } from '../i18n/use-word.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Skeleton } from '../ui/panel.tsx'
import { Rail } from './panels/rail.tsx'
import { TOTAL } from './query/requests.ts'
import type { Brush } from './query/use-brush.ts'
import type { SliceAnswer } from './query/use-slice.ts'
import { useWorkspace } from './state/workspace-context.ts'
import { ModelSelect, PeriodSelect, TuningCheck } from './top-bar.tsx'
import styles from './filters.module.css'

interface FiltersProps {
  /** The selection that is applied: clauses on columns of a file that is not open are announced instead. */
  filter: Filter | null
  answer: SliceAnswer | null
  brush: Brush
  /** Dimensions whose values are expanded. */
  open: readonly string[]
  onOpen(dim: string): void
}

/** The filters beside the page, or in the sheet of a phone. */
export function Filters({ answer, ...rest }: FiltersProps) {
  const { subject, onFilter } = useWorkspace()
  if (answer === null) return <Skeleton height={480} />
  return (
    <>
      <TuningCheck />
      <Rail {...rest} slice={answer} model={subject.model} onFilter={onFilter} />
    </>
  )
}

interface RailColumnProps {
  shut: boolean
  onShut?(shut: boolean): void
  children: ReactNode
}

/** Beside the page, where the filters can be collapsed. */
export function RailColumn({ shut, onShut, children }: RailColumnProps) {
  const word = useWord()
  return (
    <aside className={styles.column} data-shut={shut} aria-label={word('record.filters')}>
      <h2 className={styles.head}>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={!shut}
          aria-label={word('record.filters')}
          onClick={() => onShut?.(!shut)}
        >
          <SlidersHorizontal aria-hidden="true" size={16} />
          {shut ? null : <FormattedMessage id="record.filters" />}
        </button>
      </h2>
      {shut ? null : children}
    </aside>
  )
}

/** On a phone: a fixed bar that describes the slice, and a full-height sheet with the filters. */
export function FilterSheet({ answer, children }: { answer: SliceAnswer | null; children: ReactNode }) {
  const word = useWord()
  const format = useFormat()
  const { view } = useWorkspace()
  const [open, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  const types = pickedValues(view.filter, 'bet_type').map((id) => word(`gameplay.${String(id)}`))
  const type = pickedValues(view.filter, 'prediction_type')[0] ?? 0
  const others = [...dimensionsOf(view.filter)].filter(
    (dim) => dim !== 'bet_type' && dim !== 'prediction_type',
  )
  const total = answer?.rows[TOTAL]?.[0]
  const count = total ? format.integer(numberOf(total, 'predictions')) : '…'
  return (
    <>
      <button type="button" className={styles.bar} onClick={() => setOpen(true)}>
        <SlidersHorizontal aria-hidden="true" size={16} />
        <span className={styles.slice}>
          {[
            types.length === 0 ? word('record.all') : types.join(', '),
            word(`predictionType.${String(type)}`),
            word(`record.period.${view.period}`),
          ].join(' · ')}
        </span>
        <FormattedMessage id="workspace.filters" values={{ count: others.length }} />
      </button>
      <Dialog
        open={open}
        title={<FormattedMessage id="record.filters" />}
        onClose={close}
        actions={
          <Button primary onClick={close}>
            <FormattedMessage id="workspace.showPredictions" values={{ count }} />
          </Button>
        }
      >
        <div className={styles.sheetTop}>
          <ModelSelect />
          <PeriodSelect />
        </div>
        {children}
      </Dialog>
    </>
  )
}
