import { Bell } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import { Link } from 'react-router-dom'
import { useWord } from '../../i18n/use-word.ts'
import type { SavedView } from '../../../contract/api/view.ts'
import { useRegion } from '../../data/use-region.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import { useMatchCounts } from '../query/coming.ts'
import { MatchList, useNewMatches } from './matches.tsx'
import { useSavedViews } from './use-saved-views.ts'
import { readView } from '../../../analytics/view/view.ts'
import texts from '../../ui/text.module.css'
import lists from '../parts/line-list.module.css'
import saved from './saved.module.css'

/** Number of matches shown per view; the workspace has the full list. */
const SHOWN = 5
/** Of three views, in pixels. */
const MATCHES_HEIGHT = 130

/** Predictions of today and of the next race day that match the user's saved views; nothing if there are no views. */
export default function HomeMatches() {
  const { region } = useRegion()
  const regionId = region?.id ?? null
  const views = useSavedViews(regionId)
  if (regionId === null || !views.data || views.data.length === 0) return null
  return (
    <ExtraTexts part="workspace" waiting={null}>
      <Panel title={<FormattedMessage id="workspace.comingHome" />}>
        <Views regionId={regionId} views={views.data} />
      </Panel>
    </ExtraTexts>
  )
}

/** The same without its panel: `empty` if there are no views, or if they are not known. */
export function ViewMatches({ empty }: { empty: ReactNode }) {
  const { region } = useRegion()
  const regionId = region?.id ?? null
  const views = useSavedViews(regionId)
  if (regionId === null || views.isPending) return <Skeleton height={MATCHES_HEIGHT} />
  if (!views.data || views.data.length === 0) return empty
  return (
    <ExtraTexts part="workspace" waiting={<Skeleton height={MATCHES_HEIGHT} />}>
      <Views regionId={regionId} views={views.data} />
    </ExtraTexts>
  )
}

export const savedSlice = ({ address }: SavedView) => readView(new URLSearchParams(address))

function Views({ regionId, views }: { regionId: string; views: readonly SavedView[] }) {
  const { counts } = useMatchCounts(regionId, views.map(savedSlice))
  const [open, setOpen] = useState<string | null>(null)
  const shown = views.map((view, index) => ({ view, count: counts?.[index] ?? null }))
  return (
    <ul className={lists.list}>
      {shown.map(({ view, count }) => (
        <li key={view.id}>
          <div className={lists.line}>
            <Link className={saved.name} to={`/pages/race/WinLossRecord?${view.address}`}>
              {view.name}
            </Link>
            {view.followed ? <Followed regionId={regionId} view={view} /> : null}
            {count === null ? null : (
              <button
                type="button"
                className={saved.count}
                aria-expanded={open === view.id}
                onClick={() => setOpen(open === view.id ? null : view.id)}
              >
                <FormattedMessage id="workspace.coming" values={{ count }} />
              </button>
            )}
          </div>
          {open === view.id ? (
            <MatchList
              regionId={regionId}
              view={savedSlice(view)}
              viewId={view.id}
              count={count ?? 0}
              most={SHOWN}
            />
          ) : null}
        </li>
      ))}
    </ul>
  )
}

/** The bell of a followed view, with the number of its new matches. */
export function Followed({ regionId, view }: { regionId: string; view: SavedView }) {
  const word = useWord()
  const fresh = useNewMatches(regionId, view.id, savedSlice(view))
  return (
    <span className={fresh > 0 ? saved.fresh : texts.small} data-testid="new-matches">
      <Bell aria-hidden="true" size={14} />{' '}
      {fresh > 0 ? word('workspace.comingNewCount', { count: fresh }) : ''}
    </span>
  )
}
