import { ArrowUp, Bell, Link2, Lock, NotebookPen, Pencil, Star, Trash2 } from 'lucide-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import { Link, useLocation } from 'react-router-dom'
import { dimensionsOf, type Filter } from '../../../analytics/filter.ts'
import { offeredDimensions } from '../../../analytics/offered.ts'
import { MODELS } from '../../../analytics/models.ts'
import {
  changeSavedView,
  deleteSavedView,
  querySavedViews,
  saveView,
  type SavedView,
} from '../../../contract/api/view.ts'
import { intervalOf, numberOrNull, type AnswerRow } from '../../../analytics/cells.ts'
import { useAnalytics, useScope } from '../../data/analytics/use-analytics.ts'
import { keyOf, call, type InputOf } from '../../data/client/call.ts'
import { useToken } from '../../data/client/session.ts'
import { loginPath } from '../../data/login-path.ts'
import follows from '../../widgets/follow/follow.module.css'
import { SubjectNotes } from '../../features/notes/subject-notes.tsx'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Row, Small, TextLink } from '../../ui/layout.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { Whisker } from '../../ui/whisker.tsx'
import { ToolButton } from '../parts/controls.tsx'
import { useMatchCounts } from '../query/coming.ts'
import { namesRequest, whereIn } from '../../../analytics/view/requests.ts'
import { judge, toneOf, totalsOf } from '../../../analytics/view/totals.ts'
import { useFilterNames } from '../query/values.ts'
import type { QueryOf } from '../../../analytics/view/view-query.ts'
import { builtInViews } from '../state/built-in-views.ts'
import { titleState } from '../state/view-title.ts'
import { appliedFilter, readView, type WorkspaceView } from '../../../analytics/view/view.ts'
import { writeView } from '../state/write-view.ts'
import { useFilterText } from '../words/filter-text.ts'
import { toldText } from '../words/measure-text.ts'
import { Followed, savedSlice } from './home-matches.tsx'
import { MatchList } from './matches.tsx'
import { useSavedViews } from './use-saved-views.ts'
import dialogs from '../parts/dialog-body.module.css'
import saved from './saved.module.css'
import styles from './views-gallery.module.css'

// Few readers open it, and it has fields that the gallery has not.
const ViewTells = lazy(() => import('./view-tells.tsx'))

const PAGE = '/pages/race/WinLossRecord'
const NO_NAMES: ReadonlyMap<string, AnswerRow> = new Map()

interface GalleryProps {
  view: WorkspaceView
  /** What every slice of the record is a part of. */
  base: Filter
  queryOf: QueryOf
  /** Whether the reader came to save the view, so that its name has the focus. */
  saving: boolean
  onClose(): void
}

/** Named views as cards, each with its question and its return: the user's own first, then predefined ones. */
export default function ViewsGallery(props: GalleryProps) {
  const word = useWord()
  const { base, queryOf, onClose } = props
  const { history } = useScope()
  const racecourses = useAnalytics(namesRequest({ subject: 'predictions', base }, 'racecourse'), {
    enabled: history,
  })
  const rows = racecourses.isPlaceholderData ? [] : (racecourses.data?.rows ?? [])
  return (
    <div className={dialogs.body}>
      <OwnViews {...props} />
      <section>
        <FormattedMessage id="workspace.builtIn" tagName="h3" />
        <ul className={styles.cards}>
          {builtInViews(rows).map(({ id, address }) => (
            <li key={id} className={styles.card}>
              <CardLink
                name={word(`workspace.view.${id}`)}
                address={address}
                question={word(`workspace.question.${id}`)}
                onOpen={onClose}
              />
              <ViewResult view={readView(new URLSearchParams(address))} queryOf={queryOf} />
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

interface CardLinkProps {
  name: string
  address: string
  question: string
  onOpen(): void
}

/** What opens a view, with what it asks. */
const CardLink = ({ name, address, question, onOpen }: CardLinkProps) => (
  <>
    <Link to={`${PAGE}?${address}`} state={titleState(name)} onClick={onOpen} className={styles.name}>
      {name}
    </Link>
    <Small>{question}</Small>
  </>
)

/** Returns beyond these are drawn at the ends of the axis. */
const AXIS = { from: -0.6, to: 0.6 }

/** The return of a view with its interval; for someone who may not ask for it, who may. */
function ViewResult({ view, queryOf }: { view: WorkspaceView; queryOf: QueryOf }) {
  const word = useWord()
  const format = useFormat()
  const { history } = useScope()
  const { slice } = queryOf(view)
  const where = whereIn(slice)
  const offered = offeredDimensions(MODELS[slice.subject], where, history, slice.own)
  const mayAsk = [...dimensionsOf(slice.filter)].every((dim) => offered.includes(dim))
  const { data } = useAnalytics(
    {
      aggregate: {
        model: slice.subject,
        by: [],
        measures: [...totalsOf(slice.subject), 'return'],
        where,
        intervals: true,
      },
    },
    { priority: 'visible', enabled: mayAsk },
  )
  if (!mayAsk)
    return (
      <p className={styles.result}>
        <Lock aria-hidden="true" size={14} />
        <Small as="span" text="workspace.lockedFilter" />
      </p>
    )
  const row = data?.rows[0]
  if (row === undefined) return <p className={styles.result} aria-busy={data === undefined} />
  const interval = intervalOf(row, 'return')
  const returned = judge(row).reported ? numberOrNull(row, 'return') : null
  return (
    <p className={styles.result}>
      <strong>{toldText(word, format, row, 'return')}</strong>
      {returned === null ? null : (
        <Whisker value={returned} interval={interval} tone={toneOf(interval)} {...AXIS} />
      )}
      <Small as="span">{word('record.trust.sound', { bets: format.integer(judge(row).played) })}</Small>
    </p>
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

function OwnViews({ view, base, queryOf, saving: isSaving, onClose }: GalleryProps) {
  const token = useToken()
  const { pathname, search } = useLocation()
  const { regionId, history } = useScope()
  const { views, error, renew, saved, saving, changing, deleting } = useOwnViews(regionId)
  const slices = useMemo(() => (views ?? []).map(savedSlice), [views])
  const { counts } = useMatchCounts(regionId, slices)
  const filters = useMemo(() => slices.map(appliedFilter), [slices])
  const subject = slices.some((slice) => slice.subject !== 'predictions') ? 'runners' : 'predictions'
  // Runners have every name that predictions and races have.
  const of = useMemo(
    () => ({ subject: history ? subject : 'predictions', base }) as const,
    [history, subject, base],
  )
  const filterText = useFilterText(queryOf(view).basis.model, useFilterNames(filters, of, NO_NAMES))
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
      <ul className={styles.cards}>
        {(views ?? []).map((each, at) => (
          <Line
            key={each.id}
            view={each}
            question={filterText(filters[at] ?? null)}
            result={<ViewResult view={slices[at]!} queryOf={queryOf} />}
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
        focused={isSaving && saved === 0}
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
  /** The reader came here to type the name. */
  focused?: boolean
  onName(trimmed: string): void
  children?: ReactNode
}

/** Gives a view a name. */
function NameForm({ given = '', text, busy, focused = false, onName, children }: NameFormProps) {
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
      <TextField
        label={useWord()('workspace.viewName')}
        value={name}
        maxLength={60}
        onChange={setName}
        // What was chosen in the search leads to this field.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={focused}
      />
      <Button type="submit" busy={busy} disabled={trimmed === ''} text={text} />
      {children}
    </Row>
  )
}

interface LineProps {
  view: SavedView
  /** What it restricts the record to. */
  question: string
  result: ReactNode
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
  const { view, question, result, count, regionId, onOpen, onRenamed } = props
  const [isRenaming, setRenaming] = useState(false)
  const [copied, setCopied] = useState(false)
  const [listed, setListed] = useState(false)
  const [noted, setNoted] = useState(false)
  const [telling, setTelling] = useState(false)
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
    <li className={styles.card}>
      <CardLink name={view.name} address={view.address} question={question} onOpen={onOpen} />
      {result}
      <div className={styles.tools}>
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
          telling={telling}
          onTell={() => setTelling(!telling)}
          onCopied={() => setCopied(true)}
          onRename={() => setRenaming(true)}
        />
        <Small role="status" as="span">
          {copied ? <FormattedMessage id="workspace.linkCopied" /> : null}
        </Small>
      </div>
      {telling ? (
        <Suspense fallback={<Skeleton height={260} />}>
          <ViewTells regionId={regionId} view={view} />
        </Suspense>
      ) : null}
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
    <li className={styles.card}>
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
  /** Whether it is shown what the view tells of. */
  telling: boolean
  onTell(): void
  /** The link is in the clipboard. */
  onCopied(): void
  onRename(): void
}

function LineTools({ view, first, noted, telling, onFollow, onUp, onDelete, ...on }: LineToolsProps) {
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(new URL(`#${PAGE}?view=${view.code}`, document.baseURI).href)
    on.onCopied()
  }
  const of = { values: { name: view.name }, titled: true }
  return (
    <div className={styles.buttons}>
      <ToolButton
        icon={Star}
        label="workspace.follow"
        {...of}
        className={view.followed ? follows.filled : ''}
        aria-pressed={view.followed}
        onClick={onFollow}
      />
      <ToolButton
        icon={Bell}
        label="workspace.tell"
        {...of}
        className={view.threshold !== null || view.digest !== null ? follows.filled : ''}
        aria-expanded={telling}
        onClick={on.onTell}
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
    </div>
  )
}
