import { Info, Share2, Undo2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import { ORIGINS } from '../../contract/record-vocabulary.ts'
import { isTuned } from '../../domain/tuning.ts'
import { useScope } from '../data/analytics/use-analytics.ts'
import { useRegion } from '../data/use-region.ts'
import { useFormat } from '../i18n/format.ts'
import { useWord } from '../i18n/use-word.ts'
import { useWide } from '../ui/behaviour/use-wide.ts'
import { Dialog } from '../ui/dialog.tsx'
import { OneOf } from '../ui/fields/choices.tsx'
import { DateField } from '../ui/fields/date-field.tsx'
import { HelpLink } from '../ui/help-link.tsx'
import { Small } from '../ui/layout.tsx'
import { Notice } from '../ui/panel.tsx'
import { ToolButton, ToolSelect } from './parts/controls.tsx'
import { PERIODS, tuningDays } from './state/view.ts'
import { useNewest, useWorkspace } from './state/workspace-context.ts'
import dialogs from './parts/dialog-body.module.css'
import styles from './top-bar.module.css'

/** Selects the model, the origin and the period of the predictions. */
export function TopBar({ onUndo, children }: { onUndo(): void; children: ReactNode }) {
  const word = useWord()
  const { subject, onChange } = useWorkspace()
  const [about, setAbout] = useState(false)
  const [shared, setShared] = useState(false)
  const wide = useWide()
  const origins = ORIGINS.filter((each) => each !== 'changed' || subject.origins.includes(each))
  const chosen = useNewest(({ origin }) => origin)
  const origin = origins.find((each) => each === chosen) ?? subject.origin
  const share = async (): Promise<void> => {
    await navigator.clipboard.writeText(location.href)
    setShared(true)
  }
  return (
    <div className={styles.top}>
      <h1 tabIndex={-1}>
        <FormattedMessage id="record.title" />
      </h1>
      {wide ? <ModelSelect /> : null}
      <OneOf
        legend={word('origin.legend')}
        value={origin}
        choices={origins.map((value) => ({ value, label: word(`workspace.origin.${value}`) }))}
        onChange={(value) =>
          onChange((newest) => ({ ...newest, origin: origins.find((each) => each === value) ?? '' }))
        }
      />
      <ToolButton icon={Info} label="workspace.about" onClick={() => setAbout(true)} />
      {wide ? <PeriodSelect /> : null}
      <div className={styles.topTools}>
        {children}
        <ToolButton icon={Undo2} label="workspace.undo" titled className={styles.undo} onClick={onUndo} />
        <ToolButton
          icon={Share2}
          label="workspace.share"
          titled
          onClick={() => void share().catch(() => undefined)}
        />
        <Small role="status" as="span">
          {shared ? <FormattedMessage id="workspace.linkCopied" /> : null}
        </Small>
      </div>
      <About open={about} onClose={() => setAbout(false)} />
    </div>
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
  const { view, subject } = useWorkspace()
  const { origin, origins } = subject
  const fallenBack = origin === 'backtest' && view.origin === '' && !origins.includes('locked')
  const hint = { locked: 'origin.lockedHint', backtest: 'origin.backtestHint', changed: null }[origin]
  return (
    <Notice kind={origin === 'locked' ? 'plain' : 'warn'}>
      <p data-origin={origin}>
        <FormattedMessage id={`origin.${origin}`} tagName="strong" />
        {hint === null ? null : ` · ${word(hint)}`}
        {fallenBack ? ` ${word('origin.noneLocked')}` : null}
      </p>
    </Notice>
  )
}

/** The seasons on which the model's settings were chosen, if there are races from them. */
function useTuning(): { from: string; to: string } | null {
  const { from } = useScope()
  const { region } = useRegion()
  const { subject } = useWorkspace()
  const days = region === null || !isTuned(subject.model) ? null : tuningDays(region)
  return days !== null && from !== null && from <= days.to ? days : null
}

export function ModelSelect() {
  const word = useWord()
  const { subject, onChange } = useWorkspace()
  const chosen = useNewest(({ model }) => model)
  const model = subject.models.find((each) => each === chosen) ?? subject.model
  return (
    <ToolSelect
      label="record.model"
      value={model}
      options={subject.models.map((value) => ({ value, label: word(`source.${value}`) }))}
      onChange={(next) => onChange((newest) => ({ ...newest, model: next }))}
    />
  )
}

export function PeriodSelect() {
  const word = useWord()
  const { from, to } = useScope()
  const { view, onChange } = useWorkspace()
  const period = useNewest((newest) => newest.period)
  return (
    <>
      <ToolSelect
        label="record.period"
        value={period}
        options={PERIODS.map((value) => ({ value, label: word(`record.period.${value}`) }))}
        onChange={(period) => onChange((newest) => ({ ...newest, period }))}
      />
      {(view.period === 'own' ? (['from', 'to'] as const) : []).map((end) => (
        <DateField
          key={end}
          label={word(end === 'from' ? 'record.from' : 'record.to')}
          value={view[end]}
          min={from ?? undefined}
          max={to ?? undefined}
          onChange={(day) => onChange((newest) => ({ ...newest, [end]: day }))}
        />
      ))}
    </>
  )
}

/**
 * Whether the seasons on which the model's settings were chosen are included; renders
 * nothing if there are none.
 */
export function TuningCheck() {
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
