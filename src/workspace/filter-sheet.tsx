import { SlidersHorizontal } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { pickedValues } from '../../analytics/clauses.ts'
import { dimensionsOf } from '../../analytics/filter.ts'
import { numberOf } from '../data/analytics/cells.ts'
import { useFormat } from '../i18n/format.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TOTAL } from './query/requests.ts'
import type { SliceAnswer } from './query/use-slice.ts'
import type { WorkspaceView } from './state/view.ts'
import styles from './filter-sheet.module.css'

interface FilterSheetProps {
  view: WorkspaceView
  answer: SliceAnswer | null
  children: ReactNode
}

/** On a phone: a fixed bar that describes the slice, and a full-height sheet with the filters. */
export function FilterSheet({ view, answer, children }: FilterSheetProps) {
  const intl = useIntl()
  const format = useFormat()
  const [open, setOpen] = useState(false)
  const word = (id: string): string => intl.formatMessage({ id })
  const types = pickedValues(view.filter, 'bet_type').map((id) => word(`gameplay.${String(id)}`))
  const type = pickedValues(view.filter, 'prediction_type')[0] ?? 0
  const others = [...dimensionsOf(view.filter)].filter(
    (dim) => dim !== 'bet_type' && dim !== 'prediction_type',
  ).length
  const total = answer?.rows[TOTAL]?.[0]
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
        <FormattedMessage id="workspace.filters" values={{ count: others }} />
      </button>
      <Dialog
        open={open}
        title={<FormattedMessage id="record.filters" />}
        onClose={() => setOpen(false)}
        actions={
          <Button primary onClick={() => setOpen(false)}>
            <FormattedMessage
              id="workspace.showPredictions"
              values={{ count: total ? format.integer(numberOf(total, 'predictions')) : '…' }}
            />
          </Button>
        }
      >
        {children}
      </Dialog>
    </>
  )
}
