import { useIntl } from 'react-intl'
import { sliceWords } from './compare.tsx'
import type { ChangeView } from '../state/use-view.ts'
import type { Subject, WorkspaceView } from '../state/view.ts'
import controls from '../parts/controls.module.css'

interface PinProps {
  view: WorkspaceView
  subject: Subject
  onChange: ChangeView
}

/** Pins the slice, or the same slice of another model, as A. */
export function PinSelect({ view, subject, onChange }: PinProps) {
  const intl = useIntl()
  const others = subject.models.filter((id) => id !== subject.model)
  return (
    <select
      className={`${controls.select} ${controls.short}`}
      aria-label={intl.formatMessage({ id: 'workspace.compare' })}
      value=""
      onChange={(event) => {
        const { value } = event.target
        const model = others.find((id) => id === value) ?? subject.model
        if (value !== '')
          onChange((newest) => ({
            ...newest,
            compare: sliceWords(newest, { model, origin: subject.origin }),
          }))
      }}
    >
      <option value="">{intl.formatMessage({ id: 'workspace.compare' })}</option>
      <option value="slice">
        {intl.formatMessage({ id: view.compare === null ? 'workspace.pin' : 'workspace.pinAgain' })}
      </option>
      {others.map((id) => (
        <option key={id} value={id}>
          {intl.formatMessage(
            { id: 'workspace.compareModel' },
            { model: intl.formatMessage({ id: `source.${id}` }) },
          )}
        </option>
      ))}
    </select>
  )
}
