import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { Refused } from '../data/errors.ts'
import { showToast } from '../ui/toast.tsx'

/** Tells the reader that access was refused (specification section 8), wherever it happened, in the server's words. */
function tellRefusal(error: Error): void {
  if (error instanceof Refused && error.details['status'] === 403) showToast(error.told, 'bad')
}

/** Every answer of the server that the page keeps. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: tellRefusal }),
  mutationCache: new MutationCache({ onError: tellRefusal }),
  defaultOptions: {
    // A lost connection is told at once: a call that waited for it in silence would look like one that works.
    queries: { refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})
