import { useIntl } from 'react-intl'
import type { RaceInfo } from '../../../contract/api/racing.ts'
import { OriginMark } from '../../ui/origin-mark.tsx'
import { OneOf } from '../../ui/fields/choices.tsx'
import { Row } from '../../ui/layout.tsx'

interface ModelChoiceProps {
  race: RaceInfo
  model: string
  onChange(model: string): void
}

/**
 * Selects the model whose predictions of a race are shown; once the race has been run, also
 * shows when they were made.
 */
export function ModelChoice({ race, model, onChange }: ModelChoiceProps) {
  const intl = useIntl()
  return (
    <Row>
      {race.models.length < 2 ? null : (
        <OneOf
          legend={intl.formatMessage({ id: 'record.model' })}
          value={model}
          choices={race.models.map(({ model: value }) => ({
            value,
            label: intl.formatMessage({ id: `source.${value}` }),
          }))}
          onChange={onChange}
        />
      )}
      <RaceOrigin race={race} model={model} />
    </Row>
  )
}

/** When a model's predictions for a finished race were made. */
export function RaceOrigin({ race, model }: Omit<ModelChoiceProps, 'onChange'>) {
  const shown = race.models.find((each) => each.model === model)
  return shown && race.status === 'final' ? <OriginMark origin={shown.origin} /> : null
}
