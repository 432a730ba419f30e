import { FormattedMessage } from 'react-intl'
import { OWN_PROBLEMS } from '../../../analytics/own-api.ts'
import { asFurlongError } from '../../../domain/errors.ts'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice, Notice } from '../../ui/panel.tsx'
import { keepPreviousData } from '@tanstack/react-query'

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
            encoding: String(details['encoding'] ?? '').toUpperCase(),
            limit: problem === 'too-large' ? format.bytes(limit) : format.integer(limit || 0),
          }}
        />
      </p>
    </Notice>
  )
}

/**
 * Query options for the own-data worker: each result is computed once, needs no connection, and stays on
 * screen until the next one arrives.
 */
export const ownAnswers = {
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
  placeholderData: keepPreviousData,
} as const
