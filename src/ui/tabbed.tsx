import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { showWithin } from './behaviour/show-within.ts'
import styles from './tabbed.module.css'

interface TabbedProps<Id extends string> {
  /** What the tabs are of, for screen readers. */
  label: string
  tabs: readonly { id: Id; label: ReactNode }[]
  selected: Id
  onSelect(id: Id): void
  /** A finger or a mouse is pressed on a tab, which its release selects: what it shows may be asked for. */
  onPress?(id: Id): void
  look: 'underlined' | 'segments'
  panelClassName?: string
  /** The content of the selected tab. */
  children: ReactNode
}

/**
 * Tabs, of which one is selected by a click or with the arrow keys, and the content of the selected one. The tabs of
 * react-aria look for an element with focus in the content whenever it changes, and so lay the page out once more: that
 * took 20 ms of each click on a filter.
 */
export function Tabbed<Id extends string>(props: TabbedProps<Id>) {
  const { label, tabs, selected, onSelect, look, panelClassName = '', children } = props
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // On a narrow screen the row of tabs scrolls horizontally.
    showWithin(list.current, list.current?.querySelector('[aria-selected="true"]'))
  }, [selected, tabs.length])
  // From the tab that has the focus: the selected one is shown later when keys are pressed in quick succession.
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    const target = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key]
    if (target === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    const next = (target + tabs.length) % tabs.length
    onSelect(tabs[next]!.id)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <div className={styles[look]}>
      <div ref={list} className={styles.list} role="tablist" aria-label={label}>
        {tabs.map((tab, at) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            className={styles.tab}
            aria-selected={tab.id === selected}
            aria-controls={tab.id === selected ? `${id}-panel` : undefined}
            tabIndex={tab.id === selected ? 0 : -1}
            onPointerDown={() => props.onPress?.(tab.id)}
            onClick={() => onSelect(tab.id)}
            onKeyDown={(event) => onKeyDown(event, at)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {/* A new panel for each tab: what was typed or scrolled in one is not in the next. */}
      <div
        key={selected}
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${selected}`}
        // What a race's tab shows may have nothing else that takes the focus.
        tabIndex={look === 'segments' ? 0 : undefined}
        className={panelClassName}
      >
        {children}
      </div>
    </div>
  )
}
