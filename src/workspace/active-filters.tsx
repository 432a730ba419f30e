import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import { inModelOrder, without } from '../../analytics/clauses.ts'
import { conjuncts, dimensionsOf, type Filter } from '../../analytics/filter.ts'
import { PREDICTIONS } from '../../analytics/predictions.ts'
import { seasonLabel } from '../../domain/region.ts'
import type { AnswerRow } from '../data/analytics/cells.ts'
import { useRegion } from '../data/use-region.ts'
import { useWord } from '../i18n/use-word.ts'
import { useWide } from '../ui/behaviour/use-wide.ts'
import { Small } from '../ui/layout.tsx'
import type { SliceAnswer } from './query/use-slice.ts'
import { cleared, writeView } from './state/view.ts'
import { useWorkspace } from './state/workspace-context.ts'
import { useClauseText } from './words/filter-text.ts'
import styles from './active-filters.module.css'

const NO_NAMES: ReadonlyMap<string, AnswerRow> = new Map()
/** Dimensions that the bar of a phone shows anyway. */
const IN_BAR = ['bet_type', 'prediction_type']

interface ActiveFiltersProps {
  /** The selection that is applied. */
  filter: Filter | null
  answer: SliceAnswer | null
  onClear(): void
  /** What is before them on their line. */
  children?: ReactNode
}

/** Everything that restricts the figures, and a way to remove it; on a phone only what its bar does not show. */
export function ActiveFilters({ filter, answer, onClear, children }: ActiveFiltersProps) {
  const word = useWord()
  const wide = useWide()
  const { region } = useRegion()
  const { view, subject, onChange, onFilter } = useWorkspace()
  const clauseText = useClauseText(subject.model, answer?.names ?? NO_NAMES)
  const shown = wide ? filter : without(filter, IN_BAR)
  if (!wide && shown === null && view.holdOut === null) return null
  const parts = conjuncts(inModelOrder(PREDICTIONS, shown))
  const isCleared = writeView(view).toString() === writeView(cleared(view)).toString()
  return (
    <div className={styles.line}>
      {children}
      <ul className={styles.chips} aria-label={word('workspace.chosenFilters')}>
        {parts.map((part) => {
          const text = clauseText(part)
          const remove = (): void => onFilter((newest) => without(newest, [...dimensionsOf(part)]))
          return <Chip key={text} text={text} onRemove={remove} />
        })}
        {view.holdOut === null ? null : (
          <Chip
            text={word('workspace.holdOut', {
              season: seasonLabel(region?.seasonStartMonth ?? 9, view.holdOut),
            })}
            onRemove={() => onChange((newest) => ({ ...newest, holdOut: null, revealed: false }))}
          />
        )}
        {parts.length === 0 && isCleared ? (
          <Small as="li" text="workspace.noFilter" />
        ) : (
          <li>
            <button type="button" className={styles.clear} onClick={onClear}>
              <FormattedMessage id="record.clearFilters" />
            </button>
          </li>
        )}
      </ul>
    </div>
  )
}

/** A filter, with a button that removes it. */
function Chip({ text, onRemove }: { text: string; onRemove(): void }) {
  const label = useWord()('workspace.removeFilter', { filter: text })
  return (
    <li className={styles.chip}>
      <span>{text}</span>
      <button type="button" className={styles.cross} aria-label={label} onClick={onRemove}>
        <X aria-hidden="true" size={14} />
      </button>
    </li>
  )
}
