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
  return (
    <Notice kind="error">
      <p>
        <FormattedMessage id={`error.${code}`} values={{ ...details }} />
      </p>
      {onRetry ? (
        <Button onClick={onRetry}>
          <FormattedMessage id="common.retry" />
        </Button>
      ) : null}
    </Notice>
  )
}
