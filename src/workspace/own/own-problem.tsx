import { FormattedMessage } from 'react-intl'
import { OWN_PROBLEMS } from '../../../analytics/own-api.ts'
import { asFurlongError, type ErrorDetails } from '../../../domain/errors.ts'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice, Notice } from '../../ui/panel.tsx'

type OwnProblemProps = { error: unknown } | { problem: (typeof OWN_PROBLEMS)[number]; details: ErrorDetails }

/** The problem with a file, its position, and how to fix it. */
export function OwnProblem(props: OwnProblemProps) {
  const format = useFormat()
  const error = 'error' in props ? asFurlongError(props.error) : null
  const details = 'error' in props ? error!.details : props.details
  const named = 'error' in props ? details['problem'] : props.problem
  const problem = OWN_PROBLEMS.find((each) => each === named)
  if (problem === undefined) return <ErrorNotice error={error} />
  const line = details['line']
  const limit = Number(details['limit'])
  return (
    <Notice kind="error">
      <p data-testid="own-problem" data-problem={problem}>
        {typeof line === 'number' ? (
          <>
            <strong>
              <FormattedMessage id="own.line" values={{ line: format.integer(line) }} />
            </strong>{' '}
          </>
        ) : null}
        <FormattedMessage
          id={`own.problem.${problem}`}
          values={{
            ...details,
            limit: problem === 'too-large' ? format.bytes(limit) : format.integer(limit || 0),
          }}
        />
      </p>
    </Notice>
  )
}
