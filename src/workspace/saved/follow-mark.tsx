import type { SavedView } from '../../../contract/api/view.ts'
import { useNewMatches } from './matches.tsx'
import { readView } from '../../../analytics/view/view.ts'
import { useWord } from '../../i18n/use-word.ts'
import styles from './follow-mark.module.css'

interface FollowMarkProps {
  regionId: string
  views: readonly SavedView[]
}

/** One mark for all followed views, shown if any of them has a new match. */
export default function FollowMark({ regionId, views }: FollowMarkProps) {
  const [first, ...others] = views
  return first ? <One regionId={regionId} view={first} others={others} /> : null
}

interface OneProps {
  regionId: string
  view: SavedView
  others: readonly SavedView[]
}

function One({ regionId, view, others }: OneProps) {
  const word = useWord()
  const fresh = useNewMatches(regionId, view.id, readView(new URLSearchParams(view.address)))
  if (fresh === 0) return <FollowMark regionId={regionId} views={others} />
  return (
    <span className={styles.mark} role="img" data-testid="match-mark" aria-label={word('nav.newMatches')} />
  )
}
