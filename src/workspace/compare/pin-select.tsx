import { useWord } from '../../i18n/use-word.ts'
import { sliceWords } from './compare.tsx'
import type { ChangeView } from '../state/use-view.ts'
import type { Subject, WorkspaceView } from '../state/view.ts'
import { ToolSelect } from '../parts/controls.tsx'

/** The choice that is pinned already. */
const PINNED = 'pinned'

interface PinProps {
  view: WorkspaceView
  subject: Subject
  onChange: ChangeView
}

/** Pins the slice, or the same slice of another model, as A, and unpins it. */
export function PinSelect({ view, subject, onChange }: PinProps) {
  const word = useWord()
  const others = subject.models.filter((id) => id !== subject.model)
  const pin = (model: Subject['model']): void =>
    onChange((newest) => ({ ...newest, compare: sliceWords(newest, { model, origin: subject.origin }) }))
  return (
    <ToolSelect
      named
      label="workspace.compare"
      value={view.compare === null ? '' : PINNED}
      options={[
        { value: 'slice', label: word(view.compare === null ? 'workspace.pin' : 'workspace.pinAgain') },
        ...others.map((id) => ({
          value: id,
          label: word('workspace.compareModel', { model: word(`source.${id}`) }),
        })),
      ]}
      onChange={(value) => {
        if (value === '') onChange((newest) => ({ ...newest, compare: null }))
        else if (value !== PINNED) pin(others.find((id) => id === value) ?? subject.model)
      }}
    >
      <option value="">{word('workspace.compareNothing')}</option>
      {view.compare === null ? null : <option value={PINNED}>{word('workspace.sliceA')}</option>}
    </ToolSelect>
  )
}
