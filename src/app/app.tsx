import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from 'react-router-dom'
import { LanguageProvider } from '../i18n/language-provider.tsx'
import type { Loaded } from '../i18n/language.ts'
import { queryClient } from './query-client.ts'
import { router } from './router.tsx'

/** `first`: the initial messages; `null` if they could not be loaded. */
export const App = ({ first }: { first: Loaded | null }) => (
  <QueryClientProvider client={queryClient}>
    <LanguageProvider first={first}>
      <RouterProvider router={router} />
    </LanguageProvider>
  </QueryClientProvider>
)
