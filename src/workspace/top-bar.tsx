import { Code, Ellipsis, Info, Share2, SquareTerminal, Undo2 } from 'lucide-react'
import { memo, Suspense, useMemo, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import type { Filter } from '../../analytics/filter.ts'
import { ORIGINS } from '../../contract/record-vocabulary.ts'
import { isTuned } from '../../domain/tuning.ts'
import { textOf } from '../../analytics/cells.ts'
import { useScope } from '../data/analytics/use-analytics.ts'
import { useToken } from '../data/client/session.ts'
import { useRegion } from '../data/use-region.ts'
import { useFormat } from '../i18n/format.ts'
import { useWord } from '../i18n/use-word.ts'
import { lazyOrNothing } from '../ui/behaviour/lazy-or-nothing.ts'
import { useWide } from '../ui/behaviour/use-wide.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { OneOf } from '../ui/fields/choices.tsx'
import { DateField } from '../ui/fields/date-field.tsx'
import { HelpLink } from '../ui/help-link.tsx'
import { LinkButton } from '../ui/layout.tsx'
import { Notice } from '../ui/panel.tsx'
import { Popover } from '../ui/popover.tsx'
import { showToast } from '../ui/toast.tsx'
import { Evidence } from './compare/evidence.tsx'
import { PinSelect } from './compare/pin-select.tsx'
import { Named, Options, ToolButton, ToolChoice, ToolSelect } from './parts/controls.tsx'
import { DAYS } from '../../analytics/view/requests.ts'
import { canBeStatement, viewStatement } from './query/view-statement.ts'
import type { SliceAnswer } from './query/use-slice.ts'
import type { QueryOf } from '../../analytics/view/view-query.ts'
import { HoldOut } from './saved/hold-out-season.tsx'
import { ComingMatches } from './saved/matches.tsx'
import { SavedViews, ViewMenu } from './saved/saved-views.tsx'
import { useViewTitle } from './saved/use-view-title.ts'
import type { ChangeView } from './state/use-view.ts'
import { daysOf, PERIODS, SUBJECTS, tuningDays, type WorkspaceView } from '../../analytics/view/view.ts'
import { writeView } from './state/write-view.ts'
import { useNewest, useWorkspace } from './state/workspace-context.ts'
import dialogs from './parts/dialog-body.module.css'
import styles from './top-bar.module.css'
import { BETWEEN_FACTS } from '../i18n/between-facts.ts'

const ShareView = lazyOrNothing(() => import('./files/share-view.tsx'))

export interface TopBarProps {
  answer: SliceAnswer | null
  /** The name under which the view was opened; `null` without one. */
  opened: string | null
  /** What every slice of the record is a part of. */
  base: Filter
  queryOf: QueryOf
  onUndo(): void
}

/**
 * What the figures are of, as a sentence of controls: which record, of which model, on which dates, compared with what;
 * and what is done with the view.
 */
export function TopBar({ answer, opened, base, queryOf, onUndo }: TopBarProps) {
  const word = useWord()
  const { view, basis } = useWorkspace()
  const wide = useWide()
  const share = async (): Promise<void> => {
    await navigator.clipboard.writeText(location.href)
    showToast(word('workspace.linkCopied'), 'good')
  }
  const title = useViewTitle(opened, base, answer)
  return (
    <div className={styles.top} data-titled={title !== null}>
      <h1 tabIndex={-1} title={title ?? undefined}>
        {title ?? <FormattedMessage id="record.title" />}
      </h1>
      {wide ? <ViewMenu /> : null}
      {wide ? (
        <div className={styles.sentence}>
          <SubjectSelect />
          <OriginChoice />
          <ModelSelect />
          <Dates answer={answer} base={base} />
          <PinSelect />
        </div>
      ) : null}
      <div className={styles.topTools}>
        <ComingMatches subject={basis.subject} view={view} />
        <SavedViews view={view} base={base} queryOf={queryOf} />
        <Button title={word('workspace.share')} onClick={() => void share().catch(() => undefined)}>
          <Share2 aria-hidden="true" size={16} />
          <span className={styles.shareText}>
            <FormattedMessage id="workspace.shareView" />
          </span>
        </Button>
        <ToolButton icon={Undo2} label="workspace.undo" titled className={styles.undo} onClick={onUndo} />
        <More answer={answer} />
      </div>
    </div>
  )
}

/** What is seldom wanted: how many slices were looked at, and what the figures are. */
function More({ answer }: { answer: SliceAnswer | null }) {
  const word = useWord()
  const { history } = useScope()
  const signedIn = useToken() !== null
  const { view, basis } = useWorkspace()
  const wide = useWide()
  const [about, setAbout] = useState(false)
  const address = useMemo(() => writeView(view).toString(), [view])
  return (
    <Popover
      button={<Ellipsis aria-hidden="true" size={16} />}
      label={word('workspace.more')}
      className={styles.more}
    >
      {history && wide ? <Evidence slice={answer} address={address} /> : null}
      {history && answer !== null && canBeStatement(answer.slice, []) ? <AsSql answer={answer} /> : null}
      {answer === null ? null : (
        <Suspense fallback={null}>
          <ShareView answer={answer} model={basis.model} />
        </Suspense>
      )}
      <Button onClick={() => setAbout(true)}>
        <Info aria-hidden="true" size={16} />
        <FormattedMessage id="workspace.about" />
      </Button>
      {signedIn ? (
        <LinkButton quiet className={styles.api} to="/pages/user/dataApi">
          <Code aria-hidden="true" size={16} />
          <FormattedMessage id="workspace.api" />
        </LinkButton>
      ) : null}
      <About open={about} onClose={() => setAbout(false)} />
    </Popover>
  )
}

/** Opens the view as a statement of the SQL console. */
function AsSql({ answer }: { answer: SliceAnswer }) {
  const { onChange } = useWorkspace()
  const open = (): void => {
    const sql = viewStatement(answer.slice)
    onChange((newest) => ({ ...newest, tab: 'console', sql }))
  }
  return (
    <Button onClick={open}>
      <SquareTerminal aria-hidden="true" size={16} />
      <FormattedMessage id="workspace.viewAsSql" />
    </Button>
  )
}

/** What a row is: a prediction, or a runner; nothing without access to the history, which every runner is a part of. */
export function SubjectSelect() {
  const word = useWord()
  const { history } = useScope()
  const { onChange } = useWorkspace()
  const chosen = useNewest(({ subject }) => subject)
  if (!history) return null
  return (
    <ToolChoice
      label="workspace.subject"
      short={null}
      value={chosen}
      options={SUBJECTS.map((value) => ({ value, label: word(`workspace.subject.${value}`) }))}
      // What is pinned is of the other subject.
      onChange={(subject) => onChange((newest) => ({ ...newest, subject, compare: null }))}
    />
  )
}

/** Which predictions: those locked before the off, or backtests. */
export function OriginChoice() {
  const word = useWord()
  const name = word('origin.legend')
  const { basis, onChange } = useWorkspace()
  const origins = ORIGINS.filter((each) => each !== 'changed' || basis.origins.includes(each))
  const chosen = useNewest(({ origin }) => origin)
  return (
    <Named name={name}>
      <OneOf
        legend={name}
        value={origins.find((each) => each === chosen) ?? basis.origin}
        choices={origins.map((value) => ({ value, label: word(`workspace.origin.${value}`) }))}
        onChange={(value) => {
          const origin = origins.find((each) => each === value)
          if (origin !== undefined) onChange((newest) => ({ ...newest, origin }))
        }}
      />
    </Named>
  )
}

function About({ open, onClose }: { open: boolean; onClose(): void }) {
  const format = useFormat()
  const tuning = useTuning()
  return (
    <Dialog open={open} title={<FormattedMessage id="workspace.about" />} onClose={onClose}>
      <div className={dialogs.body}>
        <FormattedMessage id="record.lead" tagName="p" />
        <OriginNotice />
        {tuning ? (
          <p>
            <FormattedMessage
              id="record.tuningNotice"
              values={{ from: format.day(tuning.from), to: format.day(tuning.to) }}
            />
          </p>
        ) : null}
        <FormattedMessage id="workspace.gestures" tagName="p" />
        <HelpLink topic="record" text="workspace.help" />
      </div>
    </Dialog>
  )
}

/** States when the predictions below were made: a backtest must never be mistaken for a forecast. */
function OriginNotice() {
  const word = useWord()
  const { view, basis } = useWorkspace()
  const { origin, origins } = basis
  const fallenBack = origin === 'backtest' && view.origin === '' && !origins.includes('locked')
  const hint = { locked: 'origin.lockedHint', backtest: 'origin.backtestHint', changed: null }[origin]
  return (
    <Notice kind={origin === 'locked' ? 'plain' : 'warn'}>
      <p data-origin={origin}>
        <FormattedMessage id={`origin.${origin}`} tagName="strong" />
        {hint === null ? null : `${BETWEEN_FACTS}${word(hint)}`}
        {fallenBack ? ` ${word('origin.noneLocked')}` : null}
      </p>
    </Notice>
  )
}

/** The seasons on which the model's settings were chosen, if there are races from them. */
function useTuning(): { from: string; to: string } | null {
  const { from } = useScope()
  const { region } = useRegion()
  const { basis } = useWorkspace()
  const days = region === null || !isTuned(basis.model) ? null : tuningDays(region)
  return days !== null && from !== null && from <= days.to ? days : null
}

export function ModelSelect() {
  const word = useWord()
  const { basis, onChange } = useWorkspace()
  const chosen = useNewest(({ model }) => model)
  const model = basis.models.find((each) => each === chosen) ?? basis.model
  return (
    <ToolChoice
      label="record.model"
      value={model}
      options={basis.models.map((value) => ({ value, label: word(`source.${value}`) }))}
      onChange={(next) => onChange((newest) => ({ ...newest, model: next }))}
    />
  )
}

/** The months from the first to the last day that an answer has predictions of; `null` without any. */
function useMonths(answer: SliceAnswer | null): string | null {
  const format = useFormat()
  return useMemo(() => {
    const days = (answer?.rows[DAYS] ?? []).map((row) => textOf(row, 'key')).toSorted()
    const [first, last] = [days[0], days.at(-1)].map((day) => day && format.month(day.slice(0, 7)))
    if (first === undefined || last === undefined) return null
    return first === last ? first : `${first} – ${last}`
  }, [answer, format])
}

/** Which days count, behind a button that states the months of the data shown, and until these are known the period. */
function Dates({ answer, base }: Pick<TopBarProps, 'answer' | 'base'>) {
  const word = useWord()
  const format = useFormat()
  const { view } = useWorkspace()
  const newest = useNewest(({ period, from: first, to: last }) =>
    period === 'own' && (first ?? last) !== null
      ? [first, last].map((day) => (day === null ? '' : format.day(day))).join(' – ')
      : word(`record.period.${period}`),
  )
  const isOwn = useNewest(({ period }) => period === 'own')
  const isNewest = useNewest(({ period }) => period) === view.period
  const isOfBase = JSON.stringify(answer?.slice.base) === JSON.stringify(base)
  const months = useMonths(answer)
  const chosen = isOwn || !isNewest || !isOfBase ? newest : (months ?? newest)
  const name = word('workspace.dates')
  return (
    <Named name={name}>
      <Popover button={<span className={styles.dates}>{chosen}</span>} label={`${name}: ${chosen}`}>
        <DateControls />
      </Popover>
    </Named>
  )
}

/** The period, the season that is held back, and whether the tuning seasons count. */
export function DateControls() {
  const { from, to, history } = useScope()
  const { view, onChange } = useWorkspace()
  const days = useMemo(() => ({ from, to }), [from, to])
  return (
    <>
      <Period />
      {history ? <HoldOut view={view} days={days} onChange={onChange} /> : null}
      <TuningCheck />
    </>
  )
}

function Period() {
  const { from: first, to: last } = useScope()
  const { view, onChange } = useWorkspace()
  const period = useNewest((newest) => newest.period)
  const { from, to } = daysOf(view, last)
  return (
    <PeriodControls
      period={period}
      isOwn={view.period === 'own'}
      from={from ?? first}
      to={to ?? last}
      first={first ?? undefined}
      last={last ?? undefined}
      onChange={onChange}
    />
  )
}

interface PeriodControlsProps {
  /** That of the last gesture. */
  period: WorkspaceView['period']
  /** Whether the view on screen has days of its own. */
  isOwn: boolean
  /** The days that count. */
  from: string | null
  to: string | null
  /** First and last day with races. */
  first: string | undefined
  last: string | undefined
  onChange: ChangeView
}

/**
 * The usual periods as buttons, and both ends as days; on a phone a select, with the ends once they are chosen. Memoised,
 * because few gestures change the days.
 */
const PeriodControls = memo(function PeriodControls(props: PeriodControlsProps) {
  const { period, isOwn, first, last, onChange } = props
  const word = useWord()
  const wide = useWide()
  const options = PERIODS.map((value) => ({ value, label: word(`record.period.${value}`) }))
  const choose = (next: WorkspaceView['period']): void => onChange((newest) => ({ ...newest, period: next }))
  return (
    <>
      {wide ? (
        <Options value={period} options={options.filter(({ value }) => value !== 'own')} onChange={choose} />
      ) : (
        <ToolSelect named label="record.period" value={period} options={options} onChange={choose} />
      )}
      {wide || isOwn ? (
        <div className={styles.days}>
          {(['from', 'to'] as const).map((end) => (
            <DateField
              key={end}
              label={word(`record.${end}`)}
              value={props[end]}
              min={first}
              max={last}
              onChange={(day) =>
                onChange((newest) => ({
                  ...newest,
                  ...daysOf(newest, last ?? null),
                  period: 'own',
                  [end]: day,
                }))
              }
            />
          ))}
        </div>
      ) : null}
    </>
  )
})

/**
 * Whether the seasons on which the model's settings were chosen are included; renders
 * nothing if there are none.
 */
function TuningCheck() {
  const { onChange } = useWorkspace()
  const tuning = useNewest((view) => view.tuning)
  if (useTuning() === null) return null
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        checked={tuning}
        onChange={() => onChange((newest) => ({ ...newest, tuning: !newest.tuning }))}
      />
      <FormattedMessage id="workspace.withTuning" />
    </label>
  )
}
