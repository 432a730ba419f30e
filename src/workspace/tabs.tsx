import { useEffect, useRef } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { showWithin } from '../ui/behaviour/show-within.ts'
import { TABS, type Tab } from './state/view.ts'
import styles from './tabs.module.css'

interface TabsProps {
  tab: Tab
  /** The available tabs; they depend on access to the history. */
  shown: readonly Tab[]
  onTab(tab: Tab): void
}

export const tabId = (tab: Tab): string => `workspace-tab-${tab}`

/** The tabs of the workspace; arrow keys move between them. */
export function Tabs({ tab, shown, onTab }: TabsProps) {
  const intl = useIntl()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // On a narrow screen the row of tabs scrolls horizontally.
    showWithin(list.current, list.current?.querySelector(`#${tabId(tab)}`))
  }, [tab, shown.length])
  const tabs = TABS.filter((each) => shown.includes(each))
  const move = (by: number): void => {
    const next = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length]!
    onTab(next)
    list.current?.querySelector<HTMLElement>(`#${tabId(next)}`)?.focus()
  }
  return (
    <div
      ref={list}
      role="tablist"
      className={styles.tabs}
      aria-label={intl.formatMessage({ id: 'workspace.tabs' })}
    >
      {tabs.map((each) => (
        <button
          key={each}
          id={tabId(each)}
          type="button"
          role="tab"
          aria-selected={each === tab}
          aria-controls="workspace-tab"
          tabIndex={each === tab ? 0 : -1}
          className={styles.tab}
          onClick={() => onTab(each)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowRight') move(1)
            if (event.key === 'ArrowLeft') move(-1)
          }}
        >
          <FormattedMessage id={`workspace.tab.${each}`} />
        </button>
      ))}
    </div>
  )
}
