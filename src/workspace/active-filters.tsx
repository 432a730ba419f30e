import { useIntl } from 'react-intl'
import { without } from '../../analytics/clauses.ts'
import type { Filter } from '../../analytics/filter.ts'
import { seasonLabel } from '../../domain/region.ts'
import type { AnswerRow } from '../data/analytics/cells.ts'
import { useRegion } from '../data/use-region.ts'
import { useWide } from '../ui/behaviour/use-wide.ts'
import type { SliceAnswer } from './query/use-slice.ts'
import { cleared, writeView } from './state/view.ts'
import { useWorkspace } from './state/workspace-context.ts'
import { Chips } from './words/chips.tsx'

const NO_NAMES: ReadonlyMap<string, AnswerRow> = new Map()
/** Dimensions that the bar of a phone shows anyway. */
const IN_BAR = ['bet_type', 'prediction_type']

interface ActiveFiltersProps {
  /** The selection that is applied. */
  filter: Filter | null
  answer: SliceAnswer | null
  onClear(): void
}

/** Everything that restricts the figures, and a way to remove it; on a phone only what its bar does not show. */
export function ActiveFilters({ filter, answer, onClear }: ActiveFiltersProps) {
  const intl = useIntl()
  const wide = useWide()
  const { region } = useRegion()
  const { view, subject, onChange, onFilter } = useWorkspace()
  const others = without(filter, IN_BAR)
  if (!wide && others === null && view.holdOut === null) return null
  const holdOutLabel =
    view.holdOut === null
      ? null
      : intl.formatMessage(
          { id: 'workspace.holdOut' },
          { season: seasonLabel(region?.seasonStartMonth ?? 9, view.holdOut) },
        )
  return (
    <Chips
      filter={wide ? filter : others}
      model={subject.model}
      names={answer?.names ?? NO_NAMES}
      onFilter={onFilter}
      clearable={writeView(view).toString() !== writeView(cleared(view)).toString()}
      onClear={onClear}
      holdOutLabel={holdOutLabel}
      onRelease={() => onChange((newest) => ({ ...newest, holdOut: null, revealed: false }))}
    />
  )
}
