import { ArrowUp, BellPlus, Bookmark, Link2, NotebookPen, Pencil, Trash2 } from 'lucide-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import { Link, useLocation, useNavigate } from 'react-router-dom'
import type { Filter } from '../../../analytics/filter.ts'
import { keyOf, call, type InputOf, queryFor } from '../../data/client/call.ts'
import { useToken } from '../../data/client/session.ts'
import {
  changeSavedView,
  deleteSavedView,
  querySavedViews,
  querySharedView,
  saveView,
  type SavedView,
} from '../../../contract/api/view.ts'
import { loginPath } from '../../data/login-path.ts'
import { selectRegion } from '../../data/use-region.ts'
import { useAnalytics, useScope } from '../../data/analytics/use-analytics.ts'
import { SubjectNotes } from '../../features/notes/subject-notes.tsx'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Row, Small, TextLink } from '../../ui/layout.tsx'
import { builtInViews } from '../state/built-in-views.ts'
import { useMatchCounts } from '../query/coming.ts'
import { Followed, savedSlice } from './home-matches.tsx'
import { MatchList } from './matches.tsx'
import { namesRequest } from '../query/requests.ts'
import { useSavedViews } from './use-saved-views.ts'
import { readView, writeView, type WorkspaceView } from '../state/view.ts'
import { ToolButton } from '../parts/controls.tsx'
import dialogs from '../parts/dialog-body.module.css'
import lists from '../parts/line-list.module.css'
import saved from './saved.module.css'
import styles from './saved-views.module.css'

const PAGE = '/pages/race/WinLossRecord'

/** Named views: some predefined ones, and the user's own. */
export function SavedViews({ view, base }: { view: WorkspaceView; base: Filter }) {
  const { history } = useScope()
  const [open, setOpen] = useState(false)
  const racecourses = useAnalytics(namesRequest(base, 'racecourse'), { enabled: open && history })
  const close = (): void => setOpen(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Bookmark aria-hidden="true" size={16} />
        <span className={styles.toolText}>
          <FormattedMessage id="workspace.views" />
        </span>
      </Button>
      <Dialog open={open} title={<FormattedMessage id="workspace.views" />} onClose={close}>
        <div className={dialogs.body}>
          <OwnViews view={view} onClose={close} />
          <section>
            <FormattedMessage id="workspace.builtIn" tagName="h3" />
            <ul className={lists.list}>
              {builtInViews(racecourses.isPlaceholderData ? [] : (racecourses.data?.rows ?? [])).map(
                ({ name, address }) => (
                  <li key={name} className={lists.line}>
                    <TextLink to={`${PAGE}?${address}`} onClick={close} text={name} />
                  </li>
                ),
              )}
            </ul>
          </section>
        </div>
      </Dialog>
    </>
  )
}

/**
 * The user's own views of a region, and what can be done with them; the list is renewed after each change. `saved` counts
 * the views saved so far.
 */
function useOwnViews(regionId: string) {
  const [saved, setSaved] = useState(0)
  const client = useQueryClient()
  const views = useSavedViews(regionId)
  const renew = (): Promise<void> =>
    client.invalidateQueries({ queryKey: keyOf(querySavedViews, { countryRegionId: regionId }) })
  const saving = useMutation({
    mutationFn: (view: InputOf<typeof saveView>) => call(saveView, view),
    onSuccess: () => {
      // A slow list must not leave the name in its field.
      setSaved((count) => count + 1)
      return renew()
    },
  })
  const changing = useMutation({
    mutationFn: (change: InputOf<typeof changeSavedView>) => call(changeSavedView, change),
    onSuccess: renew,
  })
  const deleting = useMutation({
    mutationFn: (id: string) => call(deleteSavedView, { id }),
    onSuccess: renew,
  })
  const error = views.error ?? saving.error ?? changing.error ?? deleting.error
  return { views: views.data, error, renew, saved, saving, changing, deleting }
}

function OwnViews({ view, onClose }: { view: WorkspaceView; onClose(): void }) {
  const token = useToken()
  const { pathname, search } = useLocation()
  const { regionId } = useScope()
  const { views, error, renew, saved, saving, changing, deleting } = useOwnViews(regionId)
  const { counts } = useMatchCounts(regionId, (views ?? []).map(savedSlice))
  if (token === null)
    return (
      <p>
        <FormattedMessage id="workspace.signInToSave" />{' '}
        <TextLink to={loginPath(pathname + search)} text="title.login" />
      </p>
    )
  return (
    <section>
      <FormattedMessage id="workspace.ownViews" tagName="h3" />
      {error ? <ErrorNotice error={error} /> : null}
      <ul className={lists.list}>
        {(views ?? []).map((each, at) => (
          <Line
            key={each.id}
            view={each}
            first={at === 0}
            count={counts?.[at] ?? null}
            regionId={regionId}
            onFollow={() => changing.mutate({ id: each.id, followed: !each.followed })}
            onOpen={onClose}
            onUp={() => changing.mutate({ id: each.id, up: true })}
            onDelete={() => deleting.mutate(each.id)}
            onRenamed={() => void renew()}
          />
        ))}
      </ul>
      {views?.length === 0 ? <Small text="workspace.noViews" /> : null}
      <NameForm
        // A new form, without the name, for the next view.
        key={saved}
        text="workspace.saveView"
        busy={saving.isPending}
        onName={(name) =>
          saving.mutate({ countryRegionId: regionId, name, address: writeView(view).toString() })
        }
      />
    </section>
  )
}

interface NameFormProps {
  /** The present name. */
  given?: string
  /** Message id of the button. */
  text: string
  busy: boolean
  onName(trimmed: string): void
  children?: ReactNode
}

/** Gives a view a name. */
function NameForm({ given = '', text, busy, onName, children }: NameFormProps) {
  const [name, setName] = useState(given)
  const trimmed = name.trim()
  return (
    <Row
      as="form"
      onSubmit={(event) => {
        event.preventDefault()
        if (trimmed !== '') onName(trimmed)
      }}
    >
      <TextField label={useWord()('workspace.viewName')} value={name} maxLength={60} onChange={setName} />
      <Button type="submit" busy={busy} disabled={trimmed === ''} text={text} />
      {children}
    </Row>
  )
}

interface LineProps {
  view: SavedView
  first: boolean
  /** Number of coming predictions that match; `null` if unknown. */
  count: number | null
  regionId: string
  onOpen(): void
  onFollow(): void
  onUp(): void
  onDelete(): void
  onRenamed(): void
}

/** A saved view: what opens, counts, follows, shares and changes it, and what it lists when that is asked for. */
function Line(props: LineProps) {
  const { view, count, regionId, onOpen, onRenamed } = props
  const [isRenaming, setRenaming] = useState(false)
  const [copied, setCopied] = useState(false)
  const [listed, setListed] = useState(false)
  const [noted, setNoted] = useState(false)
  if (isRenaming)
    return (
      <RenameLine
        view={view}
        onRenamed={() => {
          setRenaming(false)
          onRenamed()
        }}
      />
    )
  return (
    <li>
      <div className={lists.line}>
        <Link to={`${PAGE}?${view.address}`} onClick={onOpen} className={saved.name}>
          {view.name}
        </Link>
        <Small role="status" as="span">
          {copied ? <FormattedMessage id="workspace.linkCopied" /> : null}
        </Small>
        {count === null ? null : (
          <button
            type="button"
            className={saved.count}
            aria-expanded={listed}
            onClick={() => setListed(!listed)}
          >
            <FormattedMessage id="workspace.coming" values={{ count }} />
          </button>
        )}
        {view.followed ? <Followed regionId={regionId} view={view} /> : null}
        <LineTools
          {...props}
          noted={noted}
          onNotes={() => setNoted(!noted)}
          onCopied={() => setCopied(true)}
          onRename={() => setRenaming(true)}
        />
      </div>
      {noted ? (
        <ExtraTexts part="notes" waiting={<Skeleton height={120} />}>
          <SubjectNotes regionId={regionId} subject="view" subjectId={view.id} />
        </ExtraTexts>
      ) : null}
      {listed ? (
        <MatchList regionId={regionId} view={savedSlice(view)} viewId={view.id} count={count ?? 0} />
      ) : null}
    </li>
  )
}

/** A saved view whose name is being changed. */
function RenameLine({ view, onRenamed }: Pick<LineProps, 'view' | 'onRenamed'>) {
  const renaming = useMutation({
    mutationFn: (trimmed: string) => call(changeSavedView, { id: view.id, name: trimmed }),
    onSuccess: ({ changed }) => {
      if (changed) onRenamed()
    },
  })
  const taken = renaming.data?.changed === false
  return (
    <li className={lists.line}>
      <NameForm given={view.name} text="workspace.rename" busy={renaming.isPending} onName={renaming.mutate}>
        {taken ? <Small role="alert" as="span" text="workspace.nameTaken" /> : null}
        {renaming.error ? <ErrorNotice error={renaming.error} /> : null}
      </NameForm>
    </li>
  )
}

interface LineToolsProps extends Pick<LineProps, 'view' | 'first' | 'onFollow' | 'onUp' | 'onDelete'> {
  /** Whether the notes are shown. */
  noted: boolean
  onNotes(): void
  /** The link is in the clipboard. */
  onCopied(): void
  onRename(): void
}

function LineTools({ view, first, noted, onFollow, onUp, onDelete, ...on }: LineToolsProps) {
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(new URL(`#${PAGE}?view=${view.code}`, document.baseURI).href)
    on.onCopied()
  }
  const of = { values: { name: view.name }, titled: true }
  return (
    <>
      <ToolButton
        icon={BellPlus}
        label="workspace.follow"
        {...of}
        aria-pressed={view.followed}
        onClick={onFollow}
      />
      <ToolButton
        icon={NotebookPen}
        label="workspace.viewNotes"
        {...of}
        aria-pressed={noted}
        onClick={on.onNotes}
      />
      <ToolButton
        icon={Link2}
        label="workspace.copyLink"
        {...of}
        onClick={() => void copy().catch(() => undefined)}
      />
      <ToolButton icon={Pencil} label="workspace.renameView" {...of} onClick={on.onRename} />
      {first ? null : <ToolButton icon={ArrowUp} label="workspace.columnUp" {...of} onClick={onUp} />}
      <ToolButton icon={Trash2} label="workspace.deleteView" {...of} onClick={onDelete} />
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
    if (found.countryRegionId === regionId) void navigate(`${PAGE}?${words}`, { replace: true })
    else selectRegion(found.countryRegionId)
  }, [code, found, regionId, navigate])
  return { following: code !== null && shared.error === null, error: code === null ? null : shared.error }
}
