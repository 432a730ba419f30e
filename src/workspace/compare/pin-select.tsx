import { useWord } from '../../i18n/use-word.ts'
import { sliceWords } from './compare.tsx'
import type { ChangeView } from '../state/use-view.ts'
import type { Subject, WorkspaceView } from '../state/view.ts'
import { ToolSelect } from '../parts/controls.tsx'
import controls from '../parts/controls.module.css'

interface PinProps {
  view: WorkspaceView
  subject: Subject
  onChange: ChangeView
}

/** Pins the slice, or the same slice of another model, as A. */
export function PinSelect({ view, subject, onChange }: PinProps) {
  const word = useWord()
  const others = subject.models.filter((id) => id !== subject.model)
  const pin = (model: Subject['model']): void =>
    onChange((newest) => ({ ...newest, compare: sliceWords(newest, { model, origin: subject.origin }) }))
  return (
    <ToolSelect
      className={controls.short}
      label="workspace.compare"
      value=""
      options={[
        { value: 'slice', label: word(view.compare === null ? 'workspace.pin' : 'workspace.pinAgain') },
        ...others.map((id) => ({
          value: id,
          label: word('workspace.compareModel', { model: word(`source.${id}`) }),
        })),
      ]}
      onChange={(value) => {
        if (value !== '') pin(others.find((id) => id === value) ?? subject.model)
      }}
    >
      <option value="">{word('workspace.compare')}</option>
    </ToolSelect>
  )
}
