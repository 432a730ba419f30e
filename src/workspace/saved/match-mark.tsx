import { Suspense } from 'react'
import { useRegion } from '../../data/use-region.ts'
import { lazyOrNothing } from '../../ui/behaviour/lazy-or-nothing.ts'
import { useSavedViews } from './use-saved-views.ts'

// Loaded lazily: the code that finds matches is large, and most users follow no view.
const Mark = lazyOrNothing(() => import('./follow-mark.tsx'))

/** A mark if a followed view has a match that the user has not seen yet. */
export default function MatchMark() {
  const { region } = useRegion()
  const regionId = region?.id ?? null
  const followed = (useSavedViews(regionId).data ?? []).filter((view) => view.followed)
  if (regionId === null || followed.length === 0) return null
  return (
    <Suspense fallback={null}>
      <Mark regionId={regionId} views={followed} />
    </Suspense>
  )
}
