import { useWord } from '../../i18n/use-word.ts'
import { sliceWords } from './compare.tsx'
import { useScope } from '../../data/analytics/use-analytics.ts'
import type { Basis } from '../state/view.ts'
import { useWorkspace } from '../state/workspace-context.ts'
import { ToolChoice } from '../parts/controls.tsx'

/** The choice that is pinned already. */
const PINNED = 'pinned'

/** Pins the slice, or the same slice of another model, as A, and unpins it; nothing without access to the history. */
export function PinSelect() {
  const word = useWord()
  const { history } = useScope()
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
        ...others.map((id) => ({
          value: id,
          label: word('workspace.compareModel', { model: word(`source.${id}`) }),
        })),
      ]}
      onChange={(value) => {
        if (value === '') onChange((newest) => ({ ...newest, compare: null }))
        else if (value !== PINNED) pin(others.find((id) => id === value) ?? basis.model)
      }}
    />
  )
}
