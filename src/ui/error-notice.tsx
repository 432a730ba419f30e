import { FormattedMessage } from 'react-intl'
import { asFurlongError } from '../../domain/errors.ts'
import { Button } from './button.tsx'
import { Notice } from './panel.tsx'

interface ErrorNoticeProps {
  error: unknown
  onRetry?: () => void
}

/** An error in the user's language, with a way to continue. */
export function ErrorNotice({ error, onRetry }: ErrorNoticeProps) {
  const { code, details } = asFurlongError(error)
  // The server's message is already in the user's language and may be more specific.
  const told = error instanceof Error && 'told' in error && typeof error.told === 'string' ? error.told : ''
  return (
    <Notice kind="error">
      <p>{told || <FormattedMessage id={`error.${code}`} values={{ ...details }} />}</p>
      {onRetry ? (
        <Button onClick={onRetry}>
          <FormattedMessage id="common.retry" />
        </Button>
      ) : null}
    </Notice>
  )
}
