import { ChevronRight, type LucideIcon } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { Link } from 'react-router-dom'
import { Badge } from '../../ui/layout.tsx'
import styles from './menu.module.css'

export interface MenuItem {
  message: string
  Icon: LucideIcon
  /** The link's target, or the button's action. */
  to?: string
  onPress?(): void
  /** What the button started has not ended: it does nothing, but keeps the focus. */
  busy?: boolean
  danger?: boolean
  /** Message id of how it stands. */
  note?: string | undefined
}

/** A list of links and actions, with a heading if there are several lists. */
export function Menu({ title, items }: { title?: string; items: readonly MenuItem[] }) {
  const list = (
    <ul className={styles.menu}>
      {items.map(({ message, Icon, to, onPress, busy = false, danger, note }) => {
        const content = (
          <>
            <Icon aria-hidden="true" size={20} />
            <FormattedMessage id={message} tagName="span" />
            {note === undefined ? null : (
              <Badge tone="soft">
                <FormattedMessage id={note} />
              </Badge>
            )}
            <ChevronRight aria-hidden="true" size={18} />
          </>
        )
        const classes = `${styles.item} ${danger ? styles.danger : ''}`
        return (
          <li key={message}>
            {to === undefined ? (
              <button
                type="button"
                className={classes}
                aria-disabled={busy || undefined}
                onClick={busy ? undefined : onPress}
              >
                {content}
              </button>
            ) : (
              <Link className={classes} to={to}>
                {content}
              </Link>
            )}
          </li>
        )
      })}
    </ul>
  )
  if (title === undefined) return list
  return (
    <section className={styles.group}>
      <FormattedMessage id={title} tagName="h2" />
      {list}
    </section>
  )
}
