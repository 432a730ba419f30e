import { FormattedMessage } from 'react-intl'
import { OWN_PROBLEMS } from '../../../analytics/own-api.ts'
import { asFurlongError } from '../../../domain/errors.ts'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice, Notice } from '../../ui/panel.tsx'

/** The problem with a file, its position, and how to fix it. */
export function OwnProblem({ error }: { error: unknown }) {
  const format = useFormat()
  const { details } = asFurlongError(error)
  const problem = OWN_PROBLEMS.find((each) => each === details['problem'])
  if (problem === undefined) return <ErrorNotice error={error} />
  const line = details['line']
  const limit = Number(details['limit'])
  return (
    <Notice kind="error">
      <p data-testid="own-problem" data-problem={problem}>
        {typeof line === 'number' ? (
          <>
            <FormattedMessage id="own.line" values={{ line: format.integer(line) }} tagName="strong" />{' '}
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
