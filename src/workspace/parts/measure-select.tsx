import { useIntl } from 'react-intl'
import { useMeasureName } from '../words/measure-text.ts'
import type { ShownMeasure } from '../state/panel-spec.ts'
import controls from './controls.module.css'

interface MeasureSelectProps {
  value: ShownMeasure
  choices: readonly ShownMeasure[]
  /** The measure that is shown anyway, which stands for none of the choices. */
  none?: ShownMeasure
  onChange(measure: ShownMeasure): void
}

/** Selects the figure that a view shows. */
export function MeasureSelect({ value, choices, none, onChange }: MeasureSelectProps) {
  const intl = useIntl()
  const nameOf = useMeasureName()
  return (
    <select
      className={controls.select}
      aria-label={intl.formatMessage({ id: 'workspace.measure' })}
      value={value}
      onChange={(event) => onChange(choices.find((each) => each === event.target.value) ?? none ?? 'return')}
    >
      {none === undefined ? null : (
        <option value={none}>{intl.formatMessage({ id: 'workspace.ownNone' })}</option>
      )}
      {choices.map((each) => (
        <option key={each} value={each}>
          {nameOf(each)}
        </option>
      ))}
    </select>
  )
}
