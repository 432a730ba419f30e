import { FormattedMessage } from 'react-intl'
import { CONSOLE_TIME_MS } from '../../../analytics/console-api.ts'
import { asFurlongError } from '../../../domain/errors.ts'
import { ErrorNotice } from '../../ui/panel.tsx'
import styles from './console.module.css'

/** The engine's error message, verbatim and preformatted, because it marks positions by column. */
export function ConsoleError({ error }: { error: unknown }) {
  const { code, details } = asFurlongError(error)
  const { reason } = details
  if (code === 'query-timeout')
    return (
      <p role="alert" className={styles.fault} data-testid="console-error">
        <FormattedMessage id="console.late" values={{ seconds: CONSOLE_TIME_MS / 1000 }} />
      </p>
    )
  if (code !== 'query-failed' || typeof reason !== 'string') return <ErrorNotice error={error} />
  return (
    <div role="alert" className={styles.fault} data-testid="console-error">
      <p>
        <FormattedMessage id="console.failed" />
      </p>
      <pre lang="en">{reason}</pre>
    </div>
  )
}
