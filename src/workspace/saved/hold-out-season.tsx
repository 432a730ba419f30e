import { Eye, EyeOff } from 'lucide-react'
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import { allOf, type Filter } from '../../../analytics/filter.ts'
import { without } from '../../../analytics/clauses.ts'
import { seasonLabel } from '../../../domain/region.ts'
import { intervalOf, numberOrNull } from '../../../analytics/cells.ts'
import { useAnalytics, useScope } from '../../data/analytics/use-analytics.ts'
import { useRegion, useRegionDay } from '../../data/use-region.ts'
import { useSession } from '../../data/use-session.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Small } from '../../ui/layout.tsx'
import { markRevealed, useRevealedOn } from '../state/revealed-seasons.ts'
import { BOUNDS, countOf, judge, totalsOf } from '../../../analytics/view/totals.ts'
import { reasonText, toldText } from '../words/measure-text.ts'
import type { ChangeView } from '../state/use-view.ts'
import {
  appliedFilter,
  baseOf,
  seasonDays,
  type Basis,
  type WorkspaceView,
} from '../../../analytics/view/view.ts'
import { ToolSelect } from '../parts/controls.tsx'
import styles from './hold-out-season.module.css'

interface HoldOutProps {
  view: WorkspaceView
  /** First and last day with races. */
  days: { from: string | null; to: string | null }
  onChange: ChangeView
}

/** Seasons from the first to the last day of a dataset, newest first. */
function seasonsOf({ from, to }: HoldOutProps['days'], startMonth: number): number[] {
  if (from === null || to === null) return []
  const seasonOf = (day: string): number =>
    Number(day.slice(0, 4)) - (Number(day.slice(5, 7)) < startMonth ? 1 : 0)
  const [first, last] = [seasonOf(from), seasonOf(to)]
  return Array.from({ length: last - first + 1 }, (_, index) => last - index)
}

/** Selects a season that is excluded from exploration, so that a finding can be confirmed on it once. */
export function HoldOut({ view, days, onChange }: HoldOutProps) {
  const word = useWord()
  const format = useFormat()
  const { region } = useRegion()
  const [asking, setAsking] = useState(false)
  const startMonth = region?.seasonStartMonth ?? 9
  const seasons = seasonsOf(days, startMonth)
  const revealedOn = useReveal(view)
  if (seasons.length < 2) return null
  const label = (season: number): string => seasonLabel(startMonth, season)
  const isRevealed = revealedOn !== null
  const Icon = isRevealed ? EyeOff : Eye
  const [id, values] = isRevealed
    ? ['workspace.revealedBefore', { day: format.day(revealedOn) }]
    : ['workspace.reveal', {}]
  return (
    <>
      <ToolSelect
        named
        label="workspace.hold"
        value={String(view.holdOut ?? '')}
        disabled={view.revealed}
        options={seasons.map((season) => ({
          value: String(season),
          label: word('workspace.holdOut', { season: label(season) }),
        }))}
        onChange={(value) =>
          onChange((newest) => ({ ...newest, holdOut: value === '' ? null : Number(value), revealed: false }))
        }
      >
        <option value="">
          {word(view.holdOut === null ? 'workspace.holdNone' : 'workspace.holdRelease')}
        </option>
      </ToolSelect>
      {view.holdOut === null ? <Small text="workspace.holdHint" /> : null}
      {view.holdOut === null || view.revealed ? null : (
        <Button data-testid={isRevealed ? 'revealed-before' : undefined} onClick={() => setAsking(true)}>
          <Icon aria-hidden="true" size={16} />
          {word(id, values)}
        </Button>
      )}
      <Dialog
        open={asking}
        title={word(id, values)}
        onClose={() => setAsking(false)}
        actions={
          isRevealed ? null : (
            <Button
              primary
              onClick={() => {
                setAsking(false)
                onChange((newest) => ({ ...newest, revealed: true }))
              }}
              text="workspace.reveal"
            />
          )
        }
      >
        <FormattedMessage
          id={isRevealed ? 'workspace.revealedBeforeNotice' : 'workspace.revealNotice'}
          values={{ season: view.holdOut === null ? '' : label(view.holdOut) }}
          tagName="p"
        />
      </Dialog>
    </>
  )
}

/**
 * The day on which the view's held-back season was revealed on this device; `null` if it was not. The address
 * alone would forget it with one step back, and the season could be revealed again and again.
 */
function useReveal({ holdOut, revealed }: WorkspaceView): string | null {
  const day = useRegionDay()
  const session = useSession()
  const regionId = day?.regionId ?? null
  const customerId = session.data?.id ?? null
  const known = !session.isLoading
  const of = useMemo(
    () =>
      holdOut === null || regionId === null || !known ? null : { regionId, customerId, season: holdOut },
    [holdOut, regionId, customerId, known],
  )
  const today = day?.today ?? null
  useEffect(() => {
    if (of !== null && today !== null && revealed) markRevealed(of, today)
  }, [of, today, revealed])
  return useRevealedOn(of)
}

interface RevealedProps {
  view: WorkspaceView
  basis: Basis
}

/** The figures of the held-back season once it is revealed, marked as such. */
export function RevealedFigures({ view, basis }: RevealedProps): ReactNode {
  const { history } = useScope()
  return history && view.holdOut !== null && view.revealed ? <Revealed view={view} basis={basis} /> : null
}

function Revealed({ view, basis }: RevealedProps) {
  const word = useWord()
  const format = useFormat()
  const { history } = useScope()
  const { region } = useRegion()
  // Unknown until the reveal is stored.
  const day = useReveal(view)
  const span = region === null ? null : seasonDays(region, view.holdOut!)
  const base = without(baseOf({ ...view, holdOut: null, period: 'all' }, null, basis, region), ['day'])
  const where: Filter | null =
    span === null ? null : allOf(base, { dim: 'day', ...span }, appliedFilter(view))
  const measures = [...totalsOf(basis.subject), ...(history ? BOUNDS : []), 'hit_rate', 'return']
  const answer = useAnalytics(
    { aggregate: { model: basis.subject, by: [], measures, where, intervals: true } },
    { priority: 'visible', enabled: where !== null },
  )
  const row = answer.isPlaceholderData ? undefined : answer.data?.rows[0]
  if (!row || day === null || region === null) return null
  const rate = numberOrNull(row, 'hit_rate')
  const reason = reasonText(word, row)
  const returned = judge(row).reported ? numberOrNull(row, 'return') : null
  const interval = returned === null ? null : intervalOf(row, 'return')
  return (
    <p className={styles.revealed} role="status" data-testid="revealed">
      <FormattedMessage
        id="workspace.revealed"
        values={{
          season: seasonLabel(region.seasonStartMonth, view.holdOut!),
          day: format.day(day),
          count: format.integer(countOf(row)),
          rate: rate === null ? '–' : format.percent(rate),
          returned: toldText(word, format, row, 'return'),
          low: interval === null ? '–' : format.signedPercent(interval.low),
          high: interval === null ? '–' : format.signedPercent(interval.high),
        }}
      />
      {reason === null ? null : ` ${reason}`}
    </p>
  )
}
