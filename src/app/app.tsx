import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from 'react-router-dom'
import { fetchLocation } from '../data/site-calls.ts'
import { LanguageProvider } from '../i18n/language-provider.tsx'
import { initialLanguage } from '../i18n/language.ts'
import { queryClient } from './query-client.ts'
import { router } from './router.tsx'

// Asked for with the code of the first screen, not after it.
const initial = initialLanguage(fetchLocation)

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <LanguageProvider initial={initial}>
        <RouterProvider router={router} />
      </LanguageProvider>
    </QueryClientProvider>
  )
}
