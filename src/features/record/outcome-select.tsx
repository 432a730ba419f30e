import { useIntl } from 'react-intl'
import { SelectField } from '../../ui/field.tsx'
import { OUTCOMES, type OutcomeChoice } from './use-outcome-filter.ts'

interface OutcomeSelectProps {
  value: OutcomeChoice
  onChange(value: OutcomeChoice): void
}

export function OutcomeSelect({ value, onChange }: OutcomeSelectProps) {
  const intl = useIntl()
  const word = (id: string): string => intl.formatMessage({ id })
  const options = [
    { value: '', label: word('record.all') },
    ...OUTCOMES.map((outcome) => ({ value: outcome, label: word(`outcome.${outcome}`) })),
  ]
  return (
    <SelectField
      label={word('record.outcome')}
      value={value}
      options={options}
      onChange={(next) => onChange(next as OutcomeChoice)}
    />
  )
}
