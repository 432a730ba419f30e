import { ArrowUp, BellPlus, Bookmark, Link2, NotebookPen, Pencil, Trash2 } from 'lucide-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link, useNavigate } from 'react-router-dom'
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
import { selectRegion } from '../../data/use-region.ts'
import { useAnalytics, useScope } from '../../data/analytics/use-analytics.ts'
import { SubjectNotes } from '../../features/notes/subject-notes.tsx'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Row, Small } from '../../ui/layout.tsx'
import { builtInViews } from '../state/built-in-views.ts'
import { useMatchCounts } from '../query/coming.ts'
import { Followed } from './home-matches.tsx'
import { MatchList } from './matches.tsx'
import { namesRequest } from '../query/requests.ts'
import { useSavedViews } from './use-saved-views.ts'
import { readView, writeView, type WorkspaceView } from '../state/view.ts'
import controls from '../parts/controls.module.css'
import dialogs from '../parts/dialog-body.module.css'
import lists from '../parts/line-list.module.css'
import saved from './saved.module.css'
import styles from './saved-views.module.css'

const PAGE = '/pages/race/WinLossRecord'

/** Named views: some predefined ones, and the user's own. */
export function SavedViews({ view, base }: { view: WorkspaceView; base: Filter }) {
  const intl = useIntl()
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
                    <Link to={`${PAGE}?${address}`} onClick={close}>
                      {intl.formatMessage({ id: name })}
                    </Link>
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

interface Saving {
  view: InputOf<typeof saveView>
  /** Called once the view is saved, before the list is renewed. */
  onSaved(): void
}

/** The user's own views of a region, and what can be done with them; the list is renewed after each change. */
function useOwnViews(regionId: string) {
  const client = useQueryClient()
  const views = useSavedViews(regionId)
  const renew = (): Promise<void> =>
    client.invalidateQueries({ queryKey: keyOf(querySavedViews, { countryRegionId: regionId }) })
  const saving = useMutation({
    mutationFn: ({ view }: Saving) => call(saveView, view),
    onSuccess: (_, { onSaved }) => {
      // A slow list must not leave the name in its field.
      onSaved()
      return renew()
    },
  })
  const moving = useMutation({
    mutationFn: (id: string) => call(changeSavedView, { id, up: true }),
    onSuccess: renew,
  })
  const following = useMutation({
    mutationFn: ({ id, followed }: SavedView) => call(changeSavedView, { id, followed: !followed }),
    onSuccess: renew,
  })
  const deleting = useMutation({
    mutationFn: (id: string) => call(deleteSavedView, { id }),
    onSuccess: renew,
  })
  const error = views.error ?? saving.error ?? moving.error ?? following.error ?? deleting.error
  return { views: views.data, error, renew, saving, moving, following, deleting }
}

function OwnViews({ view, onClose }: { view: WorkspaceView; onClose(): void }) {
  const token = useToken()
  const { regionId } = useScope()
  const { views, error, renew, saving, moving, following, deleting } = useOwnViews(regionId)
  const { counts } = useMatchCounts(
    regionId,
    (views ?? []).map(({ address }) => readView(new URLSearchParams(address))),
  )
  if (token === null)
    return (
      <p>
        <FormattedMessage id="workspace.signInToSave" />{' '}
        <Link to="/pages/login/login">
          <FormattedMessage id="title.login" />
        </Link>
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
            onFollow={() => following.mutate(each)}
            onOpen={onClose}
            onUp={() => moving.mutate(each.id)}
            onDelete={() => deleting.mutate(each.id)}
            onRenamed={() => void renew()}
          />
        ))}
      </ul>
      {views?.length === 0 ? <Small text="workspace.noViews" /> : null}
      <SaveForm
        saving={saving.isPending}
        onSave={(name, onSaved) =>
          saving.mutate({
            view: { countryRegionId: regionId, name, address: writeView(view).toString() },
            onSaved,
          })
        }
      />
    </section>
  )
}

interface SaveFormProps {
  saving: boolean
  onSave(name: string, onSaved: () => void): void
}

/** Saves the view on screen under a name. */
function SaveForm({ saving, onSave }: SaveFormProps) {
  const intl = useIntl()
  const [name, setName] = useState('')
  const trimmed = name.trim()
  return (
    <Row
      as="form"
      onSubmit={(event) => {
        event.preventDefault()
        if (trimmed !== '') onSave(trimmed, () => setName(''))
      }}
    >
      <TextField
        label={intl.formatMessage({ id: 'workspace.viewName' })}
        value={name}
        maxLength={60}
        onChange={setName}
      />
      <Button type="submit" disabled={saving || trimmed === ''} text="workspace.saveView" />
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
        <MatchList
          regionId={regionId}
          view={readView(new URLSearchParams(view.address))}
          viewId={view.id}
          count={count ?? 0}
        />
      ) : null}
    </li>
  )
}

/** A saved view whose name is being changed. */
function RenameLine({ view, onRenamed }: Pick<LineProps, 'view' | 'onRenamed'>) {
  const intl = useIntl()
  const [name, setName] = useState(view.name)
  const renaming = useMutation({
    mutationFn: () => call(changeSavedView, { id: view.id, name: name.trim() }),
    onSuccess: ({ changed }) => {
      if (changed) onRenamed()
    },
  })
  const taken = renaming.data?.changed === false
  return (
    <li className={lists.line}>
      <Row
        as="form"
        onSubmit={(event) => {
          event.preventDefault()
          renaming.mutate()
        }}
      >
        <TextField
          label={intl.formatMessage({ id: 'workspace.viewName' })}
          value={name}
          maxLength={60}
          onChange={setName}
        />
        <Button type="submit" disabled={name.trim() === '' || renaming.isPending} text="workspace.rename" />
        {taken ? <Small role="alert" as="span" text="workspace.nameTaken" /> : null}
        {renaming.error ? <ErrorNotice error={renaming.error} /> : null}
      </Row>
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
  const intl = useIntl()
  const word = (id: string): string => intl.formatMessage({ id }, { name: view.name })
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(new URL(`#${PAGE}?view=${view.code}`, document.baseURI).href)
    on.onCopied()
  }
  return (
    <>
      <Tool label={word('workspace.follow')} pressed={view.followed} onClick={onFollow}>
        <BellPlus aria-hidden="true" size={16} />
      </Tool>
      <Tool label={word('workspace.viewNotes')} pressed={noted} onClick={on.onNotes}>
        <NotebookPen aria-hidden="true" size={16} />
      </Tool>
      <Tool label={word('workspace.copyLink')} onClick={() => void copy().catch(() => undefined)}>
        <Link2 aria-hidden="true" size={16} />
      </Tool>
      <Tool label={word('workspace.renameView')} onClick={on.onRename}>
        <Pencil aria-hidden="true" size={16} />
      </Tool>
      {first ? null : (
        <Tool label={word('workspace.columnUp')} onClick={onUp}>
          <ArrowUp aria-hidden="true" size={16} />
        </Tool>
      )}
      <Tool label={word('workspace.deleteView')} onClick={onDelete}>
        <Trash2 aria-hidden="true" size={16} />
      </Tool>
    </>
  )
}

interface ToolProps {
  label: string
  pressed?: boolean
  onClick(): void
  children: React.ReactNode
}

const Tool = ({ label, pressed, onClick, children }: ToolProps) => (
  <button
    type="button"
    className={controls.tool}
    aria-label={label}
    aria-pressed={pressed}
    title={label}
    onClick={onClick}
  >
    {children}
  </button>
)

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
