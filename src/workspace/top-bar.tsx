import { Info, Share2, Undo2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { ORIGINS } from '../../contract/record-vocabulary.ts'
import { isTuned } from '../../domain/tuning.ts'
import { useScope } from '../data/analytics/use-analytics.ts'
import { useRegion } from '../data/use-region.ts'
import { useFormat } from '../i18n/format.ts'
import { OneOf } from '../ui/fields/choices.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { DateField } from '../ui/fields/date-field.tsx'
import { HelpLink } from '../ui/help-link.tsx'
import { useWide } from '../ui/behaviour/use-wide.ts'
import { OriginNotice } from './origin-notice.tsx'
import type { ChangeView } from './state/use-view.ts'
import { PERIODS, tuningDays, type Subject, type WorkspaceView } from './state/view.ts'
import { Small } from '../ui/layout.tsx'
import controls from './parts/controls.module.css'
import dialogs from './parts/dialog-body.module.css'
import styles from './top-bar.module.css'

interface TopBarProps {
  view: WorkspaceView
  subject: Subject
  onChange: ChangeView
  onUndo(): void
  children?: ReactNode
}

/** Selects the model, the origin and the period of the predictions. */
export function TopBar({ view, subject, onChange, onUndo, children }: TopBarProps) {
  const intl = useIntl()
  const [about, setAbout] = useState(false)
  const [shared, setShared] = useState(false)
  const word = (id: string): string => intl.formatMessage({ id })
  const set = (part: Partial<WorkspaceView>): void => onChange((newest) => ({ ...newest, ...part }))
  const tuning = useTuning(subject)
  const wide = useWide()
  const share = async (): Promise<void> => {
    await navigator.clipboard.writeText(location.href)
    setShared(true)
  }
  return (
    <div className={styles.top}>
      <h1 tabIndex={-1}>
        <FormattedMessage id="record.title" />
      </h1>
      {wide ? <ModelSelect subject={subject} onChange={onChange} /> : null}
      <OneOf
        legend={word('origin.legend')}
        value={subject.origin}
        choices={ORIGINS.filter((each) => each !== 'changed' || subject.origins.includes(each)).map(
          (value) => ({
            value,
            label: word(`workspace.origin.${value}`),
          }),
        )}
        onChange={(origin) => set({ origin: ORIGINS.find((each) => each === origin) ?? '' })}
      />
      <button
        type="button"
        className={controls.tool}
        aria-label={word('workspace.about')}
        onClick={() => setAbout(true)}
      >
        <Info aria-hidden="true" size={16} />
      </button>
      {wide ? <PeriodSelect view={view} onChange={onChange} /> : null}
      <div className={styles.topTools}>
        {children}
        <button
          type="button"
          className={`${controls.tool} ${styles.undo}`}
          aria-label={word('workspace.undo')}
          title={word('workspace.undo')}
          onClick={onUndo}
        >
          <Undo2 aria-hidden="true" size={16} />
        </button>
        <button
          type="button"
          className={controls.tool}
          aria-label={word('workspace.share')}
          title={word('workspace.share')}
          onClick={() => void share().catch(() => undefined)}
        >
          <Share2 aria-hidden="true" size={16} />
        </button>
        <Small role="status" as="span">
          {shared ? <FormattedMessage id="workspace.linkCopied" /> : null}
        </Small>
      </div>
      <About
        open={about}
        tuning={tuning}
        subject={subject}
        chosen={view.origin !== ''}
        onClose={() => setAbout(false)}
      />
    </div>
  )
}

interface AboutProps {
  open: boolean
  tuning: { from: string; to: string } | null
  subject: Subject
  chosen: boolean
  onClose(): void
}

function About({ open, tuning, subject, chosen, onClose }: AboutProps) {
  const format = useFormat()
  return (
    <Dialog open={open} title={<FormattedMessage id="workspace.about" />} onClose={onClose}>
      <div className={dialogs.body}>
        <p>
          <FormattedMessage id="record.lead" />
        </p>
        <OriginNotice subject={subject} chosen={chosen} />
        {tuning ? (
          <p>
            <FormattedMessage
              id="record.tuningNotice"
              values={{ from: format.day(tuning.from), to: format.day(tuning.to) }}
            />
          </p>
        ) : null}
        <p>
          <FormattedMessage id="workspace.gestures" />
        </p>
        <HelpLink topic="record" text="workspace.help" />
      </div>
    </Dialog>
  )
}

/** The seasons on which the model's settings were chosen, if there are races from them. */
function useTuning({ model }: Subject): { from: string; to: string } | null {
  const { from } = useScope()
  const { region } = useRegion()
  const days = region === null || !isTuned(model) ? null : tuningDays(region)
  return days !== null && from !== null && from <= days.to ? days : null
}

type ControlProps = Pick<TopBarProps, 'view' | 'subject' | 'onChange'>

export function ModelSelect({ subject, onChange }: Omit<ControlProps, 'view'>) {
  const intl = useIntl()
  const word = (id: string): string => intl.formatMessage({ id })
  const set = (part: Partial<WorkspaceView>): void => onChange((newest) => ({ ...newest, ...part }))
  return (
    <select
      className={controls.select}
      aria-label={word('record.model')}
      value={subject.model}
      onChange={(event) => set({ model: subject.models.find((id) => id === event.target.value) ?? '' })}
    >
      {subject.models.map((id) => (
        <option key={id} value={id}>
          {word(`source.${id}`)}
        </option>
      ))}
    </select>
  )
}

export function PeriodSelect({ view, onChange }: Omit<ControlProps, 'subject'>) {
  const intl = useIntl()
  const { from, to } = useScope()
  const word = (id: string): string => intl.formatMessage({ id })
  const set = (part: Partial<WorkspaceView>): void => onChange((newest) => ({ ...newest, ...part }))
  return (
    <>
      <select
        className={controls.select}
        aria-label={word('record.period')}
        value={view.period}
        onChange={(event) => set({ period: PERIODS.find((each) => each === event.target.value) ?? 'all' })}
      >
        {PERIODS.map((period) => (
          <option key={period} value={period}>
            {word(`record.period.${period}`)}
          </option>
        ))}
      </select>
      {view.period === 'own' ? (
        <>
          <DateField
            label={word('record.from')}
            value={view.from}
            min={from ?? undefined}
            max={to ?? undefined}
            onChange={(day) => set({ from: day })}
          />
          <DateField
            label={word('record.to')}
            value={view.to}
            min={from ?? undefined}
            max={to ?? undefined}
            onChange={(day) => set({ to: day })}
          />
        </>
      ) : null}
    </>
  )
}

/**
 * Whether the seasons on which the model's settings were chosen are included; renders
 * nothing if there are none.
 */
export function TuningCheck({ view, subject, onChange }: ControlProps) {
  const tuning = useTuning(subject)
  if (tuning === null) return null
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        checked={view.tuning}
        onChange={() => onChange((newest) => ({ ...newest, tuning: !newest.tuning }))}
      />
      <FormattedMessage id="workspace.withTuning" />
    </label>
  )
}
