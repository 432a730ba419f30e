import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { Refused } from '../data/errors.ts'
import { showToast } from '../ui/toast.tsx'

/** Told elsewhere: 401 ends the session with a dialog of its own; 404 and 504 are left out by the specification. */
const NOT_TOLD = new Set<unknown>([401, 404, 504])

const isTold = (error: Error): error is Refused =>
  error instanceof Refused && !NOT_TOLD.has(error.details['status']) && error.told !== ''

/** Tells the reader in the server's words what was refused (specification section 8), wherever it happened. */
function tellRefusal(error: Refused): void {
  showToast(error.told, 'bad')
}

/** Every answer of the server that the page keeps. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      // Where nothing is shown yet, the screen tells it in its place, with a way to ask again.
      const hasPlace = query.state.data === undefined
      if (isTold(error) && (error.details['status'] === 403 || !hasPlace)) tellRefusal(error)
    },
  }),
  mutationCache: new MutationCache({
    // What is wrong with a field is told at the field, and some mutations tell their failure themselves.
    onError: (error, _variables, _context, mutation) => {
      const isToldThere = mutation.options.onError !== undefined
      if (isTold(error) && error.fields.length === 0 && !isToldThere) tellRefusal(error)
    },
  }),
  defaultOptions: {
    // A lost connection is told at once: a call that waited for it in silence would look like one that works.
    queries: { refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})
