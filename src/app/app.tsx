import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from 'react-router-dom'
import { Refused } from '../data/errors.ts'
import { fetchLocation } from '../data/site-calls.ts'
import { LanguageProvider } from '../i18n/language-provider.tsx'
import { showToast } from '../ui/toast.tsx'
import { router } from './router.tsx'

/** Not his to see (specification section 8): told wherever it happened, in the server's words. */
function tellRefusal(error: Error): void {
  if (error instanceof Refused && error.details['status'] === 403) showToast(error.told, 'bad')
}

const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: tellRefusal }),
  mutationCache: new MutationCache({ onError: tellRefusal }),
  defaultOptions: {
    // A lost connection is told at once: a call that waited for it in silence would look like one that works.
    queries: { refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <LanguageProvider locate={fetchLocation}>
        <RouterProvider router={router} />
      </LanguageProvider>
    </QueryClientProvider>
  )
}
