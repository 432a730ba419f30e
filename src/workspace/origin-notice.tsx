import { FormattedMessage } from 'react-intl'
import { Notice } from '../ui/panel.tsx'
import type { Subject } from './state/view.ts'

/** States when the predictions below were made: a backtest must never be mistaken for a forecast. */
export function OriginNotice({ subject, chosen }: { subject: Subject; chosen: boolean }) {
  const { origin, origins } = subject
  const fallenBack = origin === 'backtest' && !chosen && !origins.includes('locked')
  return (
    <Notice kind={origin === 'locked' ? 'plain' : 'warn'}>
      <p data-origin={origin}>
        <strong>
          <FormattedMessage id={`origin.${origin}`} />
        </strong>
        {origin === 'changed' ? null : (
          <>
            {' · '}
            <FormattedMessage id={origin === 'locked' ? 'origin.lockedHint' : 'origin.backtestHint'} />
          </>
        )}
        {fallenBack ? (
          <>
            {' '}
            <FormattedMessage id="origin.noneLocked" />
          </>
        ) : null}
      </p>
    </Notice>
  )
}
