import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { useNavigate } from 'react-router-dom'
import type { Filter } from '../../../analytics/filter.ts'
import { MODELS } from '../../../analytics/models.ts'
import { fansOut } from '../../../analytics/source.ts'
import { numberOf, textOf, type AnswerRow } from '../../../analytics/cells.ts'
import { analyticsQuery, useScope } from '../../data/analytics/use-analytics.ts'
import { keyOf } from '../../data/client/call.ts'
import { useOpenRace } from '../../features/subscription/use-open-race.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { InView } from '../../ui/behaviour/in-view.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Small } from '../../ui/layout.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { ToolButton, ToolSelect } from '../parts/controls.tsx'
import { Meetings } from '../parts/meetings.tsx'
import { TOTAL } from '../../../analytics/view/requests.ts'
import { keyOfRow, pageRequest, useNoteNames, useRowText } from '../query/rows.ts'
import { countOf } from '../../../analytics/view/totals.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import { LIST_COLUMNS, ROOM, shownColumns, usualColumns } from '../../../analytics/view/list-columns.ts'
import type { ChangeView } from '../state/use-view.ts'
import { groupsOf, type Subject, type WorkspaceView } from '../../../analytics/view/view.ts'
import { subjectWords } from '../words/subject-words.ts'
import { ExportMenu } from './export-menu.tsx'
import { headingId, requestedColumns, withoutClosed } from './list-columns.tsx'
import { HEIGHT, RowGrid, type GridProps } from './row-grid.tsx'
import { loadDataGrid } from '../../widgets/grid/grid.tsx'
import texts from '../../ui/text.module.css'
import lists from '../parts/line-list.module.css'
import meetings from '../parts/meetings.module.css'
import panelStyles from '../parts/panel.module.css'
import styles from './row-list.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

interface RowListProps {
  view: WorkspaceView
  /** The rows that the filter is of: those of the latest result may be of the other subject. */
  subject: Subject
  where: Filter
  /** The latest result, which may be for the previous slice. */
  slice: SliceAnswer
  model: string
  /** Steps through the races of the list. */
  stepRef: { current: ((by: 1 | -1) => void) | null }
  onChange: ChangeView
}

/** The totals of an answer, if it is of a subject. */
const totalsIn = ({ slice, rows }: SliceAnswer, subject: Subject): AnswerRow | null =>
  slice.subject === subject ? (rows[TOTAL]?.[0] ?? null) : null

/** The columns that are shown, those with columns of a file that is not open, and the usual ones in this window. */
function useColumns(subject: Subject, viewed: readonly string[], own: readonly string[]) {
  const room = useWide(ROOM[subject].width)
  return useMemo(
    () => ({
      columns: shownColumns(subject, withoutClosed(viewed, own), room),
      chosen: shownColumns(subject, viewed, room),
      usual: usualColumns(subject, room),
    }),
    [subject, viewed, own, room],
  )
}

/** Every row of the slice; without access to the history, those of the seven days up to the last meeting. */
export function RowList({ view, subject, where, slice, model, stepRef, onChange }: RowListProps) {
  const { history } = useScope()
  const wide = useWide()
  const navigate = useNavigate()
  const word = useWord()
  const { open, dialog } = useOpenRace('pr')
  const [choosing, setChoosing] = useState(false)
  const { own } = slice.slice
  const { columns, chosen, usual } = useColumns(subject, view.columns, own)
  const totals = history ? totalsIn(slice, subject) : null
  const total = totals && !fansOut(MODELS[subject], [], where) ? countOf(totals) : null
  const set = (part: Partial<WorkspaceView>): void => onChange((newest) => ({ ...newest, ...part }))
  const list = {
    subject,
    where,
    model,
    names: slice.names,
    totals,
    columns,
    sort: view.sort,
    group: history && view.group !== null && groupsOf(subject).includes(view.group) ? view.group : null,
    race: view.race,
    stepRef,
    onSort: (sort: WorkspaceView['sort']) => set({ sort }),
    onOpen: (raceId: string) =>
      history ? void navigate(`/pages/race/HorseRace?id=${raceId}`) : open(raceId),
    onInspect: (race: string) => set({ race }),
  }
  return (
    <section className={panelStyles.panel} aria-labelledby="rows-heading">
      <div className={panelStyles.head}>
        <h2 id="rows-heading">
          <FormattedMessage id={subjectWords(subject).list} />
        </h2>
        <div className={panelStyles.tools}>
          {wide && history ? (
            <>
              <ToolSelect
                label="workspace.groupBy"
                value={view.group ?? ''}
                options={[
                  { value: '', label: word('workspace.noGroups') },
                  ...offeredGroups(subject).map((value) => ({ value, label: word(`dimension.${value}`) })),
                ]}
                onChange={(group) => set({ group: group === '' ? null : group })}
              />
              <Button onClick={() => setChoosing(true)}>
                <Columns3 aria-hidden="true" size={16} />
                <FormattedMessage id="workspace.columns" />
              </Button>
            </>
          ) : null}
          <ExportMenu subject={subject} where={where} sort={[...view.sort]} columns={columns} total={total} />
        </div>
      </div>
      <ListNotes subject={subject} />
      {wide ? (
        <InView height={HEIGHT} load={loadDataGrid}>
          <RowGrid {...list} />
        </InView>
      ) : (
        <RowCards {...list} />
      )}
      {dialog}
      <Dialog
        open={choosing}
        title={<FormattedMessage id="workspace.columns" />}
        onClose={() => setChoosing(false)}
      >
        <ColumnChooser
          subject={subject}
          columns={chosen}
          usual={usual}
          own={own}
          onChange={(next) => set({ columns: next })}
        />
      </Dialog>
    </section>
  )
}

/** Which rows there are, and how to read their odds. */
function ListNotes({ subject }: { subject: Subject }) {
  const { history, member } = useScope()
  return (
    <>
      {history ? null : <Small text={member === null ? 'record.recentOnly' : 'record.own'} />}
      {subject === 'predictions' ? <Small text="workspace.unpaidOdds" /> : null}
    </>
  )
}

/** Dimensions that every row of the list has the same value of, or too many values. */
const NOT_GROUPED = ['region', 'model', 'origin', 'odds', 'value']
const offeredGroups = (subject: Subject): readonly string[] =>
  groupsOf(subject).filter((dim) => !NOT_GROUPED.includes(dim))

interface ColumnChooserProps {
  subject: Subject
  /** The columns that are shown. */
  columns: readonly string[]
  usual: readonly string[]
  /** Dimensions that are filled from the user's own file. */
  own: readonly string[]
  /** Called with no column for the usual ones. */
  onChange(columns: readonly string[]): void
}

/** Selects the columns of the list and their order. */
function ColumnChooser({ subject, columns: shown, usual, own, onChange }: ColumnChooserProps) {
  const word = useWord()
  const others = withoutClosed(LIST_COLUMNS[subject], own).filter((column) => !shown.includes(column))
  const set = (next: readonly string[]): void => onChange(next.join() === usual.join() ? [] : next)
  const moved = (at: number, by: 1 | -1): readonly string[] =>
    shown.toSpliced(at, 1).toSpliced(at + by, 0, shown[at]!)
  return (
    <div className={styles.chooser}>
      <ul className={lists.list}>
        {[...shown, ...others].map((column) => {
          const at = shown.indexOf(column)
          const name = word(headingId(column))
          return (
            <li key={column} className={lists.line}>
              <label>
                <input
                  type="checkbox"
                  checked={at >= 0}
                  onChange={() => set(at >= 0 ? shown.toSpliced(at, 1) : [...shown, column])}
                />
                {name}
              </label>
              {at > 0 ? (
                <ToolButton
                  icon={ArrowUp}
                  label="workspace.columnUp"
                  values={{ name }}
                  onClick={() => set(moved(at, -1))}
                />
              ) : null}
              {at >= 0 && at < shown.length - 1 ? (
                <ToolButton
                  icon={ArrowDown}
                  label="workspace.columnDown"
                  values={{ name }}
                  onClick={() => set(moved(at, 1))}
                />
              ) : null}
            </li>
          )
        })}
      </ul>
      <Button onClick={() => onChange([])} text="workspace.usualColumns" />
    </div>
  )
}

const PAGE_ROWS = 20

/** The rows for narrow screens, by meeting; more are loaded on request. */
function RowCards({
  subject,
  where,
  sort,
  onOpen,
}: Pick<GridProps, 'subject' | 'where' | 'sort' | 'onOpen'>) {
  const scope = useScope()
  const client = useQueryClient()
  const columns = requestedColumns(subject, usualColumns(subject, true))
  const pages = useInfiniteQuery({
    queryKey: keyOf('cards', subject, scope.regionId, scope.asOf, scope.history, scope.member, where, sort),
    initialPageParam: 0,
    queryFn: async ({ pageParam }) =>
      (
        await client.fetchQuery(
          analyticsQuery(scope, pageRequest(subject, where, columns, sort, pageParam, PAGE_ROWS)),
        )
      ).rows,
    getNextPageParam: (last, all) => (last.length < PAGE_ROWS ? undefined : all.length * PAGE_ROWS),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const rows = pages.data?.pages.flat() ?? []
  const noteNames = useNoteNames(subject)
  useEffect(() => {
    for (const page of pages.data?.pages ?? []) noteNames(page)
  }, [pages.data, noteNames])
  return (
    <>
      {pages.error && !pages.data ? (
        <ErrorNotice error={pages.error} onRetry={() => void pages.refetch()} />
      ) : null}
      {pages.isPending ? <Skeleton height={320} /> : null}
      {pages.data && rows.length === 0 ? <FormattedMessage id="record.empty" tagName="p" /> : null}
      <Meetings rows={rows}>
        {(row) => <Line key={keyOfRow(subject, row)} subject={subject} row={row} onOpen={onOpen} />}
      </Meetings>
      {rows.length > 0 ? (
        <LoadMore
          hasMore={pages.hasNextPage}
          loading={pages.isFetchingNextPage}
          moreError={pages.isFetchNextPageError ? pages.error : null}
          loadMore={async () => {
            const { data, isError } = await pages.fetchNextPage()
            if (isError) return 'failed'
            return (data?.pages.at(-1)?.length ?? 0) > 0 ? 'rows' : 'nothing'
          }}
        />
      ) : null}
    </>
  )
}

interface LineProps extends Pick<GridProps, 'subject' | 'onOpen'> {
  row: AnswerRow
}

function Line({ subject, row, onOpen }: LineProps) {
  const format = useFormat()
  const text = useRowText()
  const raceId = textOf(row, 'race_id')
  const outcome = textOf(row, 'outcome')
  const tone = outcome === 'hit' ? texts.gain : outcome === 'miss' ? '' : texts.soft
  return (
    <li>
      <a
        className={meetings.line}
        href={`#/pages/race/HorseRace?id=${raceId}`}
        onClick={(event) => {
          event.preventDefault()
          onOpen(raceId)
        }}
      >
        <span className={meetings.race}>
          <FormattedMessage id="workspace.raceLetter" values={{ number: numberOf(row, 'race_no') }} />
        </span>
        <span className={meetings.main}>
          <span className={meetings.ellipsis}>{text.title(subject, row)}</span>
          <Small as="span">
            {text.about(subject, row)}
            {BETWEEN_FACTS}
            {format.percent(numberOf(row, 'probability'), 1)}
            {BETWEEN_FACTS}
            {text.odds(subject, row)}
          </Small>
        </span>
        <span className={meetings.end}>
          <span className={tone}>{text.outcome(subject, row)}</span>
          <Small as="span">{text.profit(row)}</Small>
        </span>
      </a>
    </li>
  )
}
