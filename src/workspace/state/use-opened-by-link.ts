import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'

/** What the search sends the reader to the record for. */
type Opened = 'filter' | 'save-view'

/** Opens a part of the page where the search has sent the reader here for it. */
export function useOpenedByLink(part: Opened, open: () => void): void {
  const { state, search } = useLocation() as { state: { opens?: Opened } | null; search: string }
  const navigate = useNavigate()
  const isAsked = state?.opens === part
  useEffect(() => {
    if (!isAsked) return undefined
    // The dialog of the search returns the focus first.
    const timer = setTimeout(() => {
      open()
      void navigate(search, { replace: true, preventScrollReset: true })
    }, 0)
    return () => clearTimeout(timer)
  }, [isAsked, open, navigate, search])
}
