import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import { useIntl } from 'react-intl'
import { RACE_TABS, type GameplayClass } from '../../../domain/gameplay.ts'
import styles from './race.module.css'

interface RaceTabsProps {
  /** Index of the tab, 0 to 9 (decisions section 2): never a class id. */
  tab: number
  onTab(tab: number): void
  /** The content of a tab; `null` is the runners tab. */
  content(gameplayClass: GameplayClass | null): ReactNode
}

/** Tabs: runners, then the bet types in screen order. */
export function RaceTabs({ tab, onTab, content }: RaceTabsProps) {
  const intl = useIntl()
  return (
    <Tabs selectedKey={String(tab)} onSelectionChange={(key) => onTab(Number(key))}>
      <TabList className={styles.tabs} aria-label={intl.formatMessage({ id: 'race.tabs' })}>
        {RACE_TABS.map((gameplayClass, index) => (
          <Tab key={gameplayClass ?? 'runners'} id={String(index)} className={styles.tab}>
            {intl.formatMessage({
              id: gameplayClass === null ? 'race.runners' : `gameplay.${gameplayClass}`,
            })}
          </Tab>
        ))}
      </TabList>
      {RACE_TABS.map((gameplayClass, index) => (
        <TabPanel key={gameplayClass ?? 'runners'} id={String(index)}>
          {content(gameplayClass)}
        </TabPanel>
      ))}
    </Tabs>
  )
}
