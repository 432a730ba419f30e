import { useCallback, useEffect, useMemo, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { MAX_LAB_BETS, type LabBets as LoadedBets, type LabResult } from '../../../analytics/lab-api.ts'
import type { LabConnection } from '../../data/analytics/lab.ts'
import { useOwnSlots } from '../../data/analytics/own-rows.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { isCode } from '../../data/client/errors.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { ErrorNotice, Hidden, Notice, Skeleton } from '../../ui/panel.tsx'
import { HelpLink } from '../../ui/help-link.tsx'
import { FEW_BETS } from '../../../domain/statistics.ts'
import { Note } from '../parts/note.tsx'
import { useCaption } from '../words/use-caption.ts'
import type { ChangeView } from '../state/use-view.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import { Frozen } from './frozen.tsx'
import { LabBreakdown } from './lab-breakdown.tsx'
import { ComparisonPanel, useComparison } from './lab-comparison.tsx'
import { LabControls } from './lab-controls.tsx'
import { LabBets, LabFigures } from './lab-result.tsx'
import { FIRST_SETTINGS, planOf, readSettings, writeSettings, type LabSettings } from './lab-settings.ts'
import { countVariant } from './variants.ts'
import {
  isOf,
  useLab,
  useLabRun,
  useOwnMix,
  type LabAnswer,
  type LabLoad,
  type LabProgress,
} from './use-lab.ts'
import styles from './lab.module.css'

interface LabTabProps {
  slice: SliceAnswer
  model: string
  /** The settings in the address. */
  written: string | null
  onChange: ChangeView
}

/** Height of what stands for the results while they are awaited: what follows them is then out of view, and does not jump. */
const AWAITED_HEIGHT = 900

/** Backtests staking the slice's bets by rules; it shares only the filters with the other tabs. */
export default function LabTab(props: LabTabProps) {
  return (
    <ExtraTexts part="lab" waiting={<Skeleton height={AWAITED_HEIGHT} />}>
      <Lab {...props} />
    </ExtraTexts>
  )
}

/** The settings in the address, and the draft that is shown while a slider moves; the final value goes to the address. */
function useSettings({ written, onChange }: Pick<LabTabProps, 'written' | 'onChange'>) {
  const settings = useMemo(() => (written === null ? FIRST_SETTINGS : readSettings(written)), [written])
  const [draft, setDraft] = useState<LabSettings | null>(null)
  const commit = useCallback(
    (next: LabSettings): void => {
      setDraft(null)
      onChange((newest) => ({ ...newest, lab: writeSettings(next) || null }))
    },
    [onChange],
  )
  return { settings, draft, setDraft, commit }
}

/** Counts a variant of slice and settings whose result stays on screen. */
function useCountedVariant(result: LabResult | null, where: SliceAnswer['where'], variant: string): void {
  useEffect(() => {
    if (result === null || result.bets === 0) return
    const { returned } = result
    const standardError = returned?.standardError ?? null
    countVariant(
      JSON.stringify([where, variant]),
      returned === null || standardError === null || result.bets < FEW_BETS || !result.certain
        ? null
        : { returned: returned.ratio, standardError },
    )
  }, [result, where, variant])
}

/** The bets of the settings' universe in the lab, and the result of the settings. */
function useResult(settings: LabSettings, where: SliceAnswer['where']) {
  const { universe, rules, plan } = settings
  const { load, standards, again } = useLab(universe, where)
  const ready = load.kind === 'ready' ? load : null
  const own = useOwnMix(settings.own)
  const box = universe === 'boxes' ? settings.box : null
  const file = useOwnSlots(useScope().regionId)
  const { rule } = plan
  // Nothing is run by a column of a file that is not open.
  const lacksColumn = rule.kind === 'column' && !file?.slots.some(({ slot }) => slot === rule.column)
  const run = useLabRun({
    lab: lacksColumn ? null : (ready?.lab ?? null),
    rules,
    plan,
    own,
    box,
    standards,
    ownVersion: rule.kind === 'column' ? (file?.version ?? null) : null,
  })
  const isSettled = isOf(run.answer, { rules, plan, own, box })
  const isRunning = ready !== null && !lacksColumn && run.answer === null && run.error === null
  return { ...run, load, ready, again, lacksColumn, isSettled, isRunning }
}

function Lab({ slice, model, written, onChange }: LabTabProps) {
  const { settings, draft, setDraft, commit } = useSettings({ written, onChange })
  const shown = draft ?? settings
  const { load, ready, again, lacksColumn, isSettled, isRunning, answer, error, progress } = useResult(
    shown,
    slice.where,
  )
  // The month whose bets are listed; not with the results, which are away while the bets of another slice load.
  const [month, setMonth] = useState<string | null>(null)
  const settled = draft === null && isSettled
  const result = answer?.result ?? null
  // What a result is broken down by and compared with makes no other variant of it.
  const variant = useMemo(
    () => writeSettings({ ...settings, by: FIRST_SETTINGS.by, against: null }),
    [settings],
  )
  useCountedVariant(settled ? result : null, slice.where, variant)
  return (
    <div className={styles.lab} data-testid="lab" data-settled={settled} data-run-ms={result?.milliseconds}>
      <LabControls
        settings={shown}
        bets={ready?.bets ?? null}
        races={result?.ownRaces ?? null}
        onDraft={setDraft}
        onCommit={commit}
      />
      <div className={styles.results}>
        <Note text="lab.lead" />
        <HelpLink topic="lab" text="lab.help" />
        <LoadState load={load} isRunning={isRunning} onRetry={again} />
        <ColumnClosed isClosed={lacksColumn} />
        <Progress of={progress} />
        {error === null ? null : <ErrorNotice error={error} onRetry={again} />}
        {answer && ready ? (
          <>
            <Announcement result={settled ? answer.result : null} />
            <Results
              answer={answer}
              lab={ready.lab}
              loaded={ready.bets}
              settings={settings}
              commit={commit}
              slice={slice}
              model={model}
              month={month}
              onMonth={setMonth}
            />
          </>
        ) : null}
        <Frozen settings={settings} where={slice.where} model={model} />
      </div>
    </div>
  )
}

interface ResultsProps extends Pick<LabTabProps, 'slice' | 'model'> {
  answer: LabAnswer
  lab: LabConnection
  loaded: LoadedBets
  settings: LabSettings
  commit(next: LabSettings): void
  month: string | null
  onMonth(month: string | null): void
}

/** What the plan gives: its figures, beside those of another plan, by groups, and bet by bet. */
function Results({ answer, lab, loaded, settings, commit, slice, model, month, onMonth }: ResultsProps) {
  const picture = useCaption(slice, model, 'lab')
  const { result } = answer
  const { against } = settings
  const found = useComparison(lab, result, against)
  return (
    <>
      <LabFigures
        answer={answer}
        other={found.comparison?.other ?? null}
        picture={picture}
        onMonth={onMonth}
      />
      {against === null ? null : (
        <ComparisonPanel
          isBox={lab.universe === 'boxes'}
          plan={settings}
          against={against}
          found={found}
          onSwap={() => commit({ ...settings, ...against, against: planOf(settings) })}
          onEnd={() => commit({ ...settings, against: null })}
        />
      )}
      <LabBreakdown
        lab={lab}
        run={result.number}
        model={model}
        where={slice.where}
        by={settings.by}
        onBy={(by) => commit({ ...settings, by })}
      />
      <LabBets lab={lab} result={result} loaded={loaded} month={month} onMonth={onMonth} />
    </>
  )
}

/** How far the user's own probabilities of all races are derived. */
function Progress({ of }: { of: LabProgress | null }) {
  const format = useFormat()
  if (of === null) return null
  return (
    <p className={styles.note} data-testid="own-progress">
      <FormattedMessage
        id="lab.chances.progress"
        values={{ done: format.integer(of.done), all: format.integer(of.all) }}
      />
    </p>
  )
}

/** That stakes are by a column of a file that is not open. */
const ColumnClosed = ({ isClosed }: { isClosed: boolean }) =>
  isClosed ? (
    <Notice>
      <FormattedMessage id="lab.column.closed" tagName="p" />
    </Notice>
  ) : null

interface LoadStateProps {
  load: LabLoad
  /** Whether the first result of the loaded bets is awaited. */
  isRunning: boolean
  onRetry(): void
}

/** That the bets or their first result are awaited, or why they could not be loaded. */
function LoadState({ load, isRunning, onRetry }: LoadStateProps) {
  const format = useFormat()
  if (load.kind === 'ready') return isRunning ? <Skeleton height={AWAITED_HEIGHT} /> : null
  if (load.kind === 'loading')
    return (
      <>
        <p role="status" className={styles.note}>
          <FormattedMessage id="lab.loading" values={{ rows: format.integer(load.rows) }} />
        </p>
        <Skeleton height={AWAITED_HEIGHT} />
      </>
    )
  if (!isCode(load.error, 'too-large')) return <ErrorNotice error={load.error} onRetry={onRetry} />
  return (
    <Notice kind="error">
      <FormattedMessage id="lab.tooMany" values={{ most: format.integer(MAX_LAB_BETS) }} tagName="p" />
    </Notice>
  )
}

/** Tells a screen reader the result once it stays. */
function Announcement({ result }: { result: LabResult | null }) {
  const word = useWord()
  const format = useFormat()
  const returned = result?.certain && result.returned ? format.signedPercent(result.returned.ratio) : '–'
  return (
    <div role="status">
      <Hidden>{result === null ? '' : word('lab.announced', { bets: result.bets, returned })}</Hidden>
    </div>
  )
}
