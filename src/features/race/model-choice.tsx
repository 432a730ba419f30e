import { useIntl } from 'react-intl'
import type { RaceInfo } from '../../data/racing-calls.ts'
import { OneOf } from '../../ui/choices.tsx'

interface ModelChoiceProps {
  race: RaceInfo
  model: string
  onChange(model: string): void
}

/** Whose predictions of a race are shown: each model by its name, never two of them mixed. */
export function ModelChoice({ race, model, onChange }: ModelChoiceProps) {
  const intl = useIntl()
  if (race.models.length < 2) return null
  return (
    <OneOf
      legend={intl.formatMessage({ id: 'record.model' })}
      value={model}
      choices={race.models.map((value) => ({ value, label: intl.formatMessage({ id: `source.${value}` }) }))}
      onChange={onChange}
    />
  )
}
