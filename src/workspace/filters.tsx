import { PanelLeftClose, PanelLeftOpen, SlidersHorizontal } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import { pickedValues } from '../../analytics/clauses.ts'
import { dimensionsOf, type Filter } from '../../analytics/filter.ts'
import { useFormat } from '../i18n/format.ts'
import { useWord } from '../i18n/use-word.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Skeleton } from '../ui/panel.tsx'
import { PinSelect } from './compare/pin-select.tsx'
import { Rail } from './panels/rail.tsx'
import { TOTAL } from '../../analytics/view/requests.ts'
import { countOf } from '../../analytics/view/totals.ts'
import type { Brush } from './query/use-brush.ts'
import type { SliceAnswer } from './query/use-slice.ts'
import type { RailState } from './state/use-rail.ts'
import { appliedFilter } from '../../analytics/view/view.ts'
import { useWorkspace } from './state/workspace-context.ts'
import { DateControls, ModelSelect, OriginChoice, SubjectSelect } from './top-bar.tsx'
import texts from '../ui/text.module.css'
import styles from './filters.module.css'
import { BETWEEN_FACTS } from '../i18n/between-facts.ts'

const RAIL_ID = 'record-filters'

interface FiltersProps {
  /** The selection that is applied: clauses on columns of a file that is not open are announced instead. */
  filter: Filter | null
  answer: SliceAnswer | null
  brush: Brush
  rail: RailState
}

/** The filters beside the page, or in the sheet of a phone. */
export function Filters({ answer, rail, ...rest }: FiltersProps) {
  const { basis, onFilter } = useWorkspace()
  if (answer === null) return <Skeleton height={480} />
  return <Rail {...rest} state={rail} slice={answer} model={basis.model} onFilter={onFilter} />
}

/** Beside the page. */
export const RailColumn = ({ children }: { children: ReactNode }) => (
  <aside id={RAIL_ID} className={styles.column} aria-label={useWord()('record.filters')}>
    <h2 className={texts.hidden}>
      <FormattedMessage id="record.filters" />
    </h2>
    {children}
  </aside>
)

/** Shuts the filters beside the page, to nothing, and opens them. */
export function RailToggle({ shut, onShut }: { shut: boolean; onShut(shut: boolean): void }) {
  const Icon = shut ? PanelLeftOpen : PanelLeftClose
  return (
    <button
      type="button"
      className={styles.toggle}
      aria-expanded={!shut}
      aria-controls={shut ? undefined : RAIL_ID}
      onClick={() => onShut(!shut)}
    >
      <Icon aria-hidden="true" size={16} />
      <FormattedMessage id="record.filters" />
    </button>
  )
}

/** On a phone: a fixed bar that describes the slice, and a full-height sheet with the filters. */
export function FilterSheet({ answer, children }: { answer: SliceAnswer | null; children: ReactNode }) {
  const word = useWord()
  const format = useFormat()
  const { view, basis } = useWorkspace()
  const [open, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  const types = pickedValues(view.filter, 'bet_type').map((id) => word(`gameplay.${String(id)}`))
  const type = pickedValues(view.filter, 'prediction_type')[0] ?? 0
  const others = [...dimensionsOf(appliedFilter({ ...view, subject: basis.subject }))].filter(
    (dim) => dim !== 'bet_type' && dim !== 'prediction_type',
  )
  const total = answer?.rows[TOTAL]?.[0]
  const count = total ? format.integer(countOf(total)) : '…'
  return (
    <>
      <button type="button" className={styles.bar} onClick={() => setOpen(true)}>
        <SlidersHorizontal aria-hidden="true" size={16} />
        <span className={styles.slice}>
          {[
            word(`workspace.origin.${basis.origin}`),
            word(`source.${basis.model}`),
            ...(basis.subject === 'predictions'
              ? [
                  types.length === 0 ? word('record.all') : types.join(', '),
                  word(`predictionType.${String(type)}`),
                ]
              : [word(`workspace.subject.${basis.subject}`)]),
            word(`record.period.${view.period}`),
          ].join(BETWEEN_FACTS)}
        </span>
        <FormattedMessage id="workspace.filters" values={{ count: others.length }} />
      </button>
      <Dialog
        open={open}
        title={<FormattedMessage id="record.filters" />}
        onClose={close}
        actions={
          <Button primary onClick={close}>
            <FormattedMessage id={`workspace.show.${basis.subject}`} values={{ count }} />
          </Button>
        }
      >
        <div className={styles.sheetTop}>
          <SubjectSelect />
          <OriginChoice />
          <ModelSelect />
          <DateControls />
          <PinSelect />
        </div>
        {children}
      </Dialog>
    </>
  )
}
