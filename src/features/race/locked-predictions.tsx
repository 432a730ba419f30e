import { LockKeyhole } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { Link } from 'react-router-dom'
import { Button } from '../../ui/button.tsx'
import layout from '../../ui/layout.module.css'
import styles from './race.module.css'

/** Stands where predictions would: how to open them. */
export function LockedPredictions({ onOpen }: { onOpen(): void }) {
  return (
    <div className={styles.locked}>
      <LockKeyhole aria-hidden="true" size={34} strokeWidth={1.5} />
      <FormattedMessage id="race.locked" tagName="p" />
      <div className={layout.toolbar}>
        <Button primary onClick={onOpen}>
          <FormattedMessage id="subscribe.confirm" />
        </Button>
        <Link className={`${layout.linkButton} ${layout.quiet}`} to="/pages/race/viplist">
          <FormattedMessage id="subscribe.toVip" />
        </Link>
      </div>
    </div>
  )
}
