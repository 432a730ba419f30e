import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { Refused } from '../data/client/errors.ts'
import { showToast } from '../ui/toast.tsx'

/** Statuses without a toast: 401 ends the session with a dialog; the specification exempts 404 and 504. */
const SILENT = new Set<unknown>([401, 404, 504])

const isReportable = (error: Error): error is Refused =>
  error instanceof Refused && !SILENT.has(error.details['status']) && error.serverMessage !== ''

/** Shows a refusal in the server's words (specification section 8), wherever it occurred. */
function showRefusal(error: Refused): void {
  showToast(error.serverMessage, 'bad')
}

/** Caches the server's responses for the page. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      // If there is no data yet, the screen itself shows the error, with a retry button.
      const hasPlace = query.state.data === undefined
      if (isReportable(error) && (error.details['status'] === 403 || !hasPlace)) showRefusal(error)
    },
  }),
  mutationCache: new MutationCache({
    // Errors of a field are shown at the field, and some mutations handle their own errors.
    onError: (error, _variables, _context, mutation) => {
      const hasOwnHandler = mutation.options.onError !== undefined
      if (isReportable(error) && error.fields.length === 0 && !hasOwnHandler) showRefusal(error)
    },
  }),
  defaultOptions: {
    // A lost connection is reported immediately: a call that silently waits for it would
    // look like one that works.
    queries: { refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})
