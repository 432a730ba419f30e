import { useIntl } from 'react-intl'
import { LEAST_CHANCE, MAX_CHANCE } from '../../../domain/own-chances.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Range } from '../../ui/fields/range.tsx'
import { ColumnHeadings, ScrollRegion, Table, TextCell } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import type { Horse } from './horses.ts'

interface HorseChancesProps {
  horses: readonly Horse[]
  /** The user's win probabilities, in the order of the horses. */
  own: readonly number[]
  onChance(number: number, chance: number): void
}

/** Each horse's win probability by the model and by the user, its fair odds, and what its odds are worth. */
export function HorseChances({ horses, own, onChance }: HorseChancesProps) {
  const intl = useIntl()
  const format = useFormat()
  const wide = useWide()
  const slider = (horse: Horse, at: number) => (
    <Range
      label={intl.formatMessage({ id: 'chances.of' }, { number: horse.number, name: horse.name })}
      inline
      min={LEAST_CHANCE}
      max={MAX_CHANCE}
      step={0.001}
      value={own[at]!}
      text={format.percent(own[at]!)}
      onChange={(chance) => onChance(horse.number, chance)}
    />
  )
  return (
    <ScrollRegion label="chances.title">
      <Table data-testid="own-chances">
        <ColumnHeadings
          ids={[
            'race.horse',
            'chances.model',
            // On a phone the slider is below the name.
            ...(wide ? ['chances.own'] : []),
            'report.fairOdds',
            'record.odds',
            'chances.value',
          ]}
        />
        <tbody>
          {horses.map((horse, at) => (
            <tr key={horse.number} data-number={horse.number}>
              <TextCell scope="row" as="th">
                {horse.number} {horse.name}
                {wide ? null : slider(horse, at)}
              </TextCell>
              <td>{format.percent(horse.model)}</td>
              {wide ? <td>{slider(horse, at)}</td> : null}
              <td>{format.odds(1 / own[at]!)}</td>
              <td>{horse.odds === null ? '–' : format.odds(horse.odds)}</td>
              <td className={horse.odds !== null && own[at]! * horse.odds > 1 ? texts.gain : ''}>
                {horse.odds === null ? '–' : format.decimal(own[at]! * horse.odds, 2)}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </ScrollRegion>
  )
}
