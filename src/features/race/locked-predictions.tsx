import { LockKeyhole } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { useLocation } from 'react-router-dom'
import { loginPath } from '../../data/login-path.ts'
import { Button } from '../../ui/button.tsx'
import { LinkButton, Row } from '../../ui/layout.tsx'
import styles from './race.module.css'

interface LockedPredictionsProps {
  /** Visitors have to sign in first. */
  signedIn: boolean
  onOpen(): void
}

/** Shown instead of predictions: how to unlock them. */
export function LockedPredictions(props: LockedPredictionsProps) {
  return (
    <div className={styles.locked}>
      <LockKeyhole aria-hidden="true" size={34} strokeWidth={1.5} />
      <FormattedMessage id="race.locked" tagName="p" />
      <Ways {...props} />
    </div>
  )
}

/** Shown below runners without the model's figures: what unlocking the race would show. */
export function OpenRace(props: LockedPredictionsProps) {
  return (
    <div className={styles.opener}>
      <p>
        <LockKeyhole aria-hidden="true" size={16} /> <FormattedMessage id="race.modelLocked" />
      </p>
      <Ways {...props} />
    </div>
  )
}

function Ways({ signedIn, onOpen }: LockedPredictionsProps) {
  const { pathname, search } = useLocation()
  return (
    <Row>
      {signedIn ? (
        <Button primary onClick={onOpen} text="subscribe.confirm" />
      ) : (
        <LinkButton to={loginPath(pathname + search)} text="session.signIn" />
      )}
      <LinkButton quiet to="/pages/race/viplist" text="subscribe.toVip" />
    </Row>
  )
}
