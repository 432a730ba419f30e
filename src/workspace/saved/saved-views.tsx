import { Bookmark, ChevronDown } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, memo, Suspense, useCallback, useEffect, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { Link, useNavigate } from 'react-router-dom'
import type { Filter } from '../../../analytics/filter.ts'
import { querySharedView } from '../../../contract/api/view.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { useWord } from '../../i18n/use-word.ts'
import { queryFor } from '../../data/client/call.ts'
import { selectRegion } from '../../data/use-region.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import { Popover } from '../../ui/popover.tsx'
import type { QueryOf } from '../../../analytics/view/view-query.ts'
import { titleState } from '../state/view-title.ts'
import { useOpenedByLink } from '../state/use-opened-by-link.ts'
import { readView, type WorkspaceView } from '../../../analytics/view/view.ts'
import { writeView } from '../state/write-view.ts'
import { useSavedViews } from './use-saved-views.ts'
import styles from './saved-views.module.css'

const ViewsGallery = lazy(() => import('./views-gallery.tsx'))

const PAGE = '/pages/race/WinLossRecord'

interface SavedViewsProps {
  view: WorkspaceView
  /** What every slice of the record is a part of. */
  base: Filter
  queryOf: QueryOf
}

/** Opens the gallery of named views, if it is on the page. */
const openViews = (): void => document.querySelector<HTMLElement>('[data-views]')?.click()

/** Beside the page's title: the user's own views, and the way to all of them and to saving one. */
export const ViewMenu = memo(function ViewMenu() {
  const [open, setOpen] = useState(false)
  return (
    <Popover
      className={styles.menu}
      label={useWord()('workspace.otherView')}
      button={<ChevronDown aria-hidden="true" size={16} />}
      onOpen={setOpen}
    >
      {(close) => (open ? <Names onClose={close} /> : null)}
    </Popover>
  )
})

function Names({ onClose }: { onClose(): void }) {
  const { regionId } = useScope()
  const { data } = useSavedViews(regionId)
  return (
    <>
      {(data ?? []).map(({ id, name, address }) => (
        <Link
          key={id}
          to={`${PAGE}?${address}`}
          state={titleState(name)}
          className={styles.view}
          onClick={onClose}
        >
          {name}
        </Link>
      ))}
      <Button
        onClick={() => {
          onClose()
          openViews()
        }}
        text="workspace.allViews"
      />
    </>
  )
}

/** Opens the gallery of named views: the user's own, and some predefined ones. */
export function SavedViews(props: SavedViewsProps) {
  const [open, setOpen] = useState(false)
  /** The search was asked to save the view: its name comes first. */
  const [saving, setSaving] = useState(false)
  const close = (): void => setOpen(false)
  useOpenedByLink(
    'save-view',
    useCallback(() => {
      setSaving(true)
      setOpen(true)
    }, []),
  )
  return (
    <>
      <Button
        data-views=""
        onClick={() => {
          setSaving(false)
          setOpen(true)
        }}
      >
        <Bookmark aria-hidden="true" size={16} />
        <span className={styles.toolText}>
          <FormattedMessage id="workspace.views" />
        </span>
      </Button>
      <Dialog open={open} title={<FormattedMessage id="workspace.views" />} onClose={close} wide>
        <Suspense fallback={<Skeleton height={480} />}>
          <ViewsGallery {...props} saving={saving} onClose={close} />
        </Suspense>
      </Dialog>
    </>
  )
}

/** Resolves a short link and navigates to its view; returns an error if the link is invalid. */
export function useSharedView(code: string | null): { following: boolean; error: unknown } {
  const navigate = useNavigate()
  const shared = useQuery({
    ...queryFor(querySharedView, code === null ? null : { code }),
    retry: false,
  })
  const found = shared.data
  const { regionId } = useScope()
  useEffect(() => {
    if (code === null || found === undefined) return
    // Filters of one region mean nothing in another, so the region is switched first. Unknown parameters,
    // such as another short link, are removed.
    const words = writeView(readView(new URLSearchParams(found.address))).toString()
    if (found.countryRegionId === regionId)
      void navigate(`${PAGE}?${words}`, { replace: true, state: titleState(found.name) })
    else selectRegion(found.countryRegionId)
  }, [code, found, regionId, navigate])
  return { following: code !== null && shared.error === null, error: code === null ? null : shared.error }
}
