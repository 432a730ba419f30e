import { useWord } from '../../i18n/use-word.ts'
import { sliceWords } from './compare.tsx'
import type { DatasetRegion } from '../../../contract/dataset.ts'
import { seasonOf } from '../../../domain/region.ts'
import { useRegion } from '../../data/use-region.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { daysOf, seasonDays, type Basis, type WorkspaceView } from '../../../analytics/view/view.ts'
import { useWorkspace } from '../state/workspace-context.ts'
import { ToolChoice } from '../parts/controls.tsx'

/** The choice that is pinned already. */
const PINNED = 'pinned'
/** The same days of the season before. */
const BEFORE = 'before'

/** The same date of the year before; of 29 February the day before. */
const yearBefore = (day: string): string =>
  `${Number(day.slice(0, 4)) - 1}${day.slice(4).replace('02-29', '02-28')}`

/** A view of its days, or without a period of the newest season so far, with the same days a year earlier pinned as A. */
function besideSeasonBefore(
  view: WorkspaceView,
  basis: Basis,
  lastDay: string,
  region: Pick<DatasetRegion, 'seasonStartMonth'>,
): WorkspaceView {
  const days = daysOf(view, lastDay)
  const from = days.from ?? seasonDays(region, seasonOf(region, lastDay)).from
  const to = days.to ?? lastDay
  const before = { ...view, period: 'own' as const, from: yearBefore(from), to: yearBefore(to) }
  return { ...view, period: 'own', from, to, compare: sliceWords(before, basis) }
}

/** Pins the slice, or the same slice of another model, as A, and unpins it; nothing without access to the history. */
export function PinSelect() {
  const word = useWord()
  const { history, to: lastDay } = useScope()
  const { region } = useRegion()
  const { view, basis, onChange } = useWorkspace()
  if (!history) return null
  const others = basis.models.filter((id) => id !== basis.model)
  const isPinned = view.compare !== null
  const pin = (model: Basis['model']): void =>
    onChange((newest) => ({ ...newest, compare: sliceWords(newest, { model, origin: basis.origin }) }))
  return (
    <ToolChoice
      label="workspace.compare"
      short="workspace.against"
      value={isPinned ? PINNED : ''}
      options={[
        { value: '', label: word('workspace.compareNothing') },
        ...(isPinned ? [{ value: PINNED, label: word('workspace.sliceA') }] : []),
        { value: 'slice', label: word(isPinned ? 'workspace.pinAgain' : 'workspace.pin') },
        ...(region === null || lastDay === null
          ? []
          : [{ value: BEFORE, label: word('workspace.compareSeasonBefore') }]),
        ...others.map((id) => ({
          value: id,
          label: word('workspace.compareModel', { model: word(`source.${id}`) }),
        })),
      ]}
      onChange={(value) => {
        if (value === '') onChange((newest) => ({ ...newest, compare: null }))
        else if (value === BEFORE) onChange((newest) => besideSeasonBefore(newest, basis, lastDay!, region!))
        else if (value !== PINNED) pin(others.find((id) => id === value) ?? basis.model)
      }}
    />
  )
}
