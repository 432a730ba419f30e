import { useQueryClient } from '@tanstack/react-query'
import { ErrorNotice } from '../../ui/panel.tsx'

/** Says why a part of the page has no answer, and asks again for everything on the page that failed: most often for one reason. */
export function FailedAnswer({ error }: { error: unknown }) {
  const client = useQueryClient()
  const askAgain = (): void =>
    void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
  return <ErrorNotice error={error} onRetry={askAgain} />
}
