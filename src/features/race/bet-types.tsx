import type { ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { gameplayOf, RACE_TABS, type GameplayClass } from '../../../domain/gameplay.ts'
import { groupBy } from '../../../domain/group-by.ts'
import { OneOf } from '../../ui/fields/choices.tsx'
import { Tabbed } from '../../ui/tabbed.tsx'
import styles from './race.module.css'

/** The bet types in screen order, by how many horses a bet names. */
const FAMILIES = groupBy(
  RACE_TABS.filter((each) => each !== null),
  (each) => gameplayOf(each).size,
)

interface BetTypesProps {
  selected: GameplayClass
  onSelect(gameplayClass: GameplayClass): void
  /** What is shown of the selected bet type. */
  children: ReactNode
}

/** Selects a bet type in two steps: how many horses a bet names, then one of the few types that name so many. */
export function BetTypes({ selected, onSelect, children }: BetTypesProps) {
  const intl = useIntl()
  const { size } = gameplayOf(selected)
  return (
    <div className={styles.betTypes}>
      <OneOf
        legend={intl.formatMessage({ id: 'race.betFamilies' })}
        value={String(size)}
        choices={[...FAMILIES.keys()].map((horses) => ({
          value: String(horses),
          label: <FormattedMessage id="race.betFamily" values={{ horses }} />,
        }))}
        onChange={(horses) => onSelect(FAMILIES.get(Number(horses))![0]!)}
      />
      <Tabbed
        label={intl.formatMessage({ id: 'race.betTypes' })}
        tabs={FAMILIES.get(size)!.map((each) => ({
          id: String(each),
          label: intl.formatMessage({ id: `gameplay.${each}` }),
        }))}
        selected={String(selected)}
        onSelect={(id) => onSelect(Number(id) as GameplayClass)}
        look="segments"
        panelClassName={styles.betType}
      >
        {children}
      </Tabbed>
    </div>
  )
}
