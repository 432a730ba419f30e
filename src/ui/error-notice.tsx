import { FormattedMessage } from 'react-intl'
import { Button } from './button.tsx'
import { Notice } from './panel.tsx'
import { useErrorText } from './use-error-text.ts'

interface ErrorNoticeProps {
  error: unknown
  onRetry?: () => void
}

/** An error in the user's language, with a way to continue. */
export function ErrorNotice({ error, onRetry }: ErrorNoticeProps) {
  const errorText = useErrorText()
  return (
    <Notice kind="error">
      <p>{errorText(error)}</p>
      {onRetry ? (
        <Button onClick={onRetry}>
          <FormattedMessage id="common.retry" />
        </Button>
      ) : null}
    </Notice>
  )
}
