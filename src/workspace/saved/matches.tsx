import { CalendarClock } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { Link } from 'react-router-dom'
import { numberOf, numberOrNull, textOf, type AnswerRow } from '../../../analytics/cells.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { useToken } from '../../data/client/session.ts'
import { useIsVip } from '../../data/use-session.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { useSettled } from '../../ui/behaviour/use-settled.ts'
import { MAX_LISTED, useMatchCounts, useMatches } from '../query/coming.ts'
import { Meetings } from '../parts/meetings.tsx'
import { keyOfRow, useNoteNames, useRowText } from '../query/rows.ts'
import { markSeen, useSeenMatches } from '../state/seen-matches.ts'
import type { Subject, WorkspaceView } from '../../../analytics/view/view.ts'
import { Small } from '../../ui/layout.tsx'
import meetings from '../parts/meetings.module.css'
import saved from './saved.module.css'
import styles from './matches.module.css'

/** The server counts the matches of a view once it has rested for this long: only this device answers a click. */
const COUNT_AFTER_MS = 400

interface ComingMatchesProps {
  /** The subject on screen. */
  subject: Subject
  view: WorkspaceView
}

/** The number of coming rows that match the view on screen, with their list. */
export function ComingMatches({ subject, view }: ComingMatchesProps) {
  const { regionId } = useScope()
  const signedIn = useToken() !== null
  const [open, setOpen] = useState(false)
  const word = useWord()
  const { model, filter } = view
  const settled = useSettled(
    useMemo(() => ({ subject, model, filter }), [subject, model, filter]),
    COUNT_AFTER_MS,
  )
  const { counts } = useMatchCounts(regionId, settled === null ? [] : [settled])
  const count = counts?.[0] ?? null
  if (!signedIn) return null
  const label = count === null ? word('workspace.comingTitle') : word('workspace.coming', { count })
  return (
    <>
      {/* Has the same width before and after the count is known, so that nothing beside it moves. */}
      <Button
        className={styles.coming}
        aria-label={label}
        title={label}
        data-testid="coming-count"
        onClick={() => setOpen(true)}
      >
        <CalendarClock aria-hidden="true" size={16} />
        {count ?? ''}
      </Button>
      <Dialog
        open={open}
        title={<FormattedMessage id="workspace.comingTitle" />}
        onClose={() => setOpen(false)}
      >
        {open ? (
          <MatchList regionId={regionId} view={{ subject, model, filter }} viewId={null} count={count ?? 0} />
        ) : null}
      </Dialog>
    </>
  )
}

interface MatchListProps {
  regionId: string
  view: Pick<WorkspaceView, 'subject' | 'model' | 'filter'>
  /** Saved view whose matches are marked as seen by this list. */
  viewId: string | null
  /** Number of matches. */
  count: number
  /** Maximum number to show. */
  most?: number
}

/** Predictions of today and of the next race day of a view by meeting; each links to its race. */
export function MatchList({ regionId, view, viewId, count, most = MAX_LISTED }: MatchListProps) {
  const word = useWord()
  const isVip = useIsVip() === true
  const matches = useMatches(regionId, view)
  const { subject } = view
  const rows = matches.data?.rows
  const seen = useSeenMatches()
  // New matches stay marked while the list is on screen; `null` if the view is not a saved one.
  const [seenBefore] = useState(() => (viewId === null ? null : (seen[viewId] ?? [])))
  useEffect(() => {
    if (rows && viewId !== null) {
      const keys = rows.map((row) => keyOfRow(subject, row))
      markSeen(viewId, keys.slice(0, most), keys)
    }
  }, [rows, viewId, most, subject])
  const noteNames = useNoteNames(subject)
  useEffect(() => noteNames(rows?.slice(0, most) ?? []), [rows, most, noteNames])
  if (matches.error && !rows)
    return <ErrorNotice error={matches.error} onRetry={() => void matches.refetch()} />
  if (!rows) return <Skeleton height={112} />
  const unlisted = count - Math.min(rows.length, most)
  return (
    <div data-testid="matches">
      {rows.length === 0 ? <FormattedMessage id="workspace.comingNone" tagName="p" /> : null}
      <Meetings rows={rows.slice(0, most)}>
        {(row) => (
          <Match
            key={keyOfRow(subject, row)}
            subject={subject}
            row={row}
            isNew={seenBefore !== null && !seenBefore.includes(keyOfRow(subject, row))}
          />
        )}
      </Meetings>
      {unlisted > 0 ? <Small>{word('workspace.comingMore', { count: unlisted })}</Small> : null}
      {isVip ? null : <Small text="workspace.comingOwn" />}
    </div>
  )
}

interface MatchProps {
  subject: Subject
  row: AnswerRow
  isNew: boolean
}

function Match({ subject, row, isNew }: MatchProps) {
  const format = useFormat()
  const text = useRowText()
  const price = numberOrNull(row, subject === 'predictions' ? 'price' : 'win_odds')
  return (
    <li>
      <Link className={meetings.line} to={`/pages/race/HorseRace?id=${textOf(row, 'race_id')}`}>
        <span className={meetings.race}>
          <FormattedMessage id="workspace.raceLetter" values={{ number: numberOf(row, 'race_no') }} />
        </span>
        <span className={meetings.main}>
          <span className={meetings.ellipsis}>{text.title(subject, row)}</span>
          <Small as="span">{text.about(subject, row)}</Small>
        </span>
        <span className={meetings.end}>
          <span>{format.percent(numberOf(row, 'probability'), 1)}</span>
          <Small as="span">
            {isNew ? (
              <strong className={saved.fresh}>
                <FormattedMessage id="workspace.comingNew" />
              </strong>
            ) : price === null ? (
              ''
            ) : (
              format.odds(price)
            )}
          </Small>
        </span>
      </Link>
    </li>
  )
}

/** The number of matches of a followed view that have not been seen on this device yet. */
export function useNewMatches(
  regionId: string,
  viewId: string,
  view: Pick<WorkspaceView, 'subject' | 'model' | 'filter'>,
): number {
  const seen = useSeenMatches()[viewId]
  const { data } = useMatches(regionId, view)
  return useMemo(
    () => (data?.rows ?? []).filter((row) => !(seen ?? []).includes(keyOfRow(view.subject, row))).length,
    [data, seen, view.subject],
  )
}
