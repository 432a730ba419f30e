import { FormattedMessage } from 'react-intl'
import { asFurlongError } from '../../domain/errors.ts'
import { Button } from './button.tsx'
import { Notice } from './panel.tsx'

interface ErrorNoticeProps {
  error: unknown
  onRetry?: () => void
}

/** An error in the reader's language, and what to do next. */
export function ErrorNotice({ error, onRetry }: ErrorNoticeProps) {
  const { code, details } = asFurlongError(error)
  // What the server said is in the reader's language already, and may name more.
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
