import { useIntl } from 'react-intl'
import { asFurlongError } from '../../domain/errors.ts'
import { Refused } from '../data/client/errors.ts'

/** An error in the user's language: the server's own message, which may be more specific, or that of the code. */
export function useErrorText(): (error: unknown) => string {
  const intl = useIntl()
  return (error) => {
    const { code, details } = asFurlongError(error)
    const message = error instanceof Refused ? error.serverMessage : ''
    return message || intl.formatMessage({ id: `error.${code}` }, { ...details })
  }
}
