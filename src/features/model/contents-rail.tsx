import { useEffect, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import styles from './contents-rail.module.css'

export interface Section {
  /** `id` of the section's element. */
  id: string
  message: string
}

/** Table of contents of a page's sections; the current one is marked. */
export function ContentsRail({ sections }: { sections: readonly Section[] }) {
  const intl = useIntl()
  const [current, setCurrent] = useState(sections[0]?.id)
  useEffect(() => {
    const visible = new Set<string>()
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) visible.add(target.id)
          else visible.delete(target.id)
        }
        const first = sections.find(({ id }) => visible.has(id))
        if (first) setCurrent(first.id)
      },
      // The current section is the first in the upper part of the window, below the frame's bars.
      { rootMargin: '-112px 0px -60% 0px' },
    )
    for (const { id } of sections) {
      const element = document.getElementById(id)
      if (element) observer.observe(element)
    }
    return () => observer.disconnect()
  }, [sections])
  const show = (id: string): void => {
    const element = document.getElementById(id)
    if (!element) return
    element.scrollIntoView({ block: 'start' })
    element.focus({ preventScroll: true })
    setCurrent(id)
  }
  return (
    <nav className={styles.rail} aria-label={intl.formatMessage({ id: 'model.contents' })}>
      <ul>
        {sections.map(({ id, message }) => (
          <li key={id}>
            <button type="button" aria-current={id === current ? 'true' : undefined} onClick={() => show(id)}>
              <FormattedMessage id={message} />
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}
