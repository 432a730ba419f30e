import { useEffect, useRef, type ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import { showWithin } from './behaviour/show-within.ts'
import styles from './tabbed.module.css'

interface TabbedProps<Id extends string> {
  /** What the tabs are of, for screen readers. */
  label: string
  tabs: readonly { id: Id; label: ReactNode }[]
  selected: Id
  onSelect(id: Id): void
  look: 'underlined' | 'pills'
  panelClassName?: string
  /** The content of the selected tab. */
  children: ReactNode
}

/** Tabs, of which one is selected by a click or with the arrow keys, and the content of the selected one. */
export function Tabbed<Id extends string>(props: TabbedProps<Id>) {
  const { label, tabs, selected, onSelect, look, panelClassName = '', children } = props
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // On a narrow screen the row of tabs scrolls horizontally.
    showWithin(list.current, list.current?.querySelector('[aria-selected="true"]'))
  }, [selected, tabs.length])
  return (
    <Tabs className={styles[look]} selectedKey={selected} onSelectionChange={(key) => onSelect(key as Id)}>
      <TabList ref={list} className={styles.list} aria-label={label}>
        {tabs.map((tab) => (
          <Tab key={tab.id} id={tab.id} className={styles.tab}>
            {tab.label}
          </Tab>
        ))}
      </TabList>
      {/* A new panel for each tab: one that changes its tab keeps the id of the first. */}
      <TabPanel key={selected} id={selected} className={panelClassName}>
        {children}
      </TabPanel>
    </Tabs>
  )
}
