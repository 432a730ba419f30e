import type { ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { gameplayOf, RACE_TABS, type GameplayClass } from '../../../domain/gameplay.ts'
import { groupBy } from '../../../domain/group-by.ts'
import { poolsOf } from '../../../domain/pool-rules.ts'
import { OneOf } from '../../ui/fields/choices.tsx'
import { Tabbed } from '../../ui/tabbed.tsx'
import styles from './race.module.css'

/** The bet types of a region, and the one that is selected, in screen order, by how many horses a bet names. */
const familiesOf = (regionId: string, selected: GameplayClass): Map<number, GameplayClass[]> =>
  groupBy(
    RACE_TABS.filter((each) => each !== null).filter(
      (each) => each === selected || poolsOf({ id: regionId }).includes(each),
    ),
    (each) => gameplayOf(each).size,
  )

interface BetTypesProps {
  regionId: string
  selected: GameplayClass
  onSelect(gameplayClass: GameplayClass): void
  /** What is shown of the selected bet type. */
  children: ReactNode
}

/** Selects a bet type in two steps: how many horses a bet names, then one of the few types that name so many. */
export function BetTypes({ regionId, selected, onSelect, children }: BetTypesProps) {
  const intl = useIntl()
  const { size } = gameplayOf(selected)
  const families = familiesOf(regionId, selected)
  return (
    <div className={styles.betTypes}>
      <OneOf
        legend={intl.formatMessage({ id: 'race.betFamilies' })}
        value={String(size)}
        choices={[...families.keys()].map((horses) => ({
          value: String(horses),
          label: <FormattedMessage id="race.betFamily" values={{ horses }} />,
        }))}
        onChange={(horses) => onSelect(families.get(Number(horses))![0]!)}
      />
      <Tabbed
        label={intl.formatMessage({ id: 'race.betTypes' })}
        tabs={families.get(size)!.map((each) => ({
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
