import { useCallback, useEffect, useMemo, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { MAX_LAB_BETS } from '../../../analytics/lab-api.ts'
import { isCode } from '../../data/client/errors.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { HelpLink } from '../../ui/help-link.tsx'
import { Hidden, Notice, Skeleton } from '../../ui/panel.tsx'
import { FEW_BETS } from '../../../domain/statistics.ts'
import { useCaption } from '../words/use-caption.ts'
import type { ChangeView } from '../state/use-view.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import { Frozen } from './frozen.tsx'
import { LabBets } from './lab-bets.tsx'
import { LabControls } from './lab-controls.tsx'
import { LabFigures } from './lab-result.tsx'
import { useOwnMix } from './own-chances.tsx'
import { FIRST_SETTINGS, readSettings, writeSettings, type LabSettings } from './lab-settings.ts'
import { tryVariant } from './tried.ts'
import { useLab, useLabRun } from './use-lab.ts'
import styles from './lab.module.css'

interface LabTabProps {
  slice: SliceAnswer
  model: string
  /** The settings in the address. */
  written: string | null
  onChange: ChangeView
}

/** Backtests staking the slice's bets by rules; it shares only the filters with the other tabs. */
export default function LabTab(props: LabTabProps) {
  return (
    <ExtraTexts part="lab" waiting={<Skeleton height={480} />}>
      <Lab {...props} />
    </ExtraTexts>
  )
}

function Lab({ slice, model, written, onChange }: LabTabProps) {
  const intl = useIntl()
  const format = useFormat()
  const settings = useMemo(() => (written === null ? FIRST_SETTINGS : readSettings(written)), [written])
  // The draft is shown while a slider moves; the final value is written to the address.
  const [draft, setDraft] = useState<LabSettings | null>(null)
  const shown = draft ?? settings
  const commit = useCallback(
    (next: LabSettings): void => {
      setDraft(null)
      onChange((newest) => ({ ...newest, lab: writeSettings(next) || null }))
    },
    [onChange],
  )
  const { load, standards, again } = useLab(shown.universe, slice.where)
  const lab = load.kind === 'ready' ? load.lab : null
  const size = load.kind === 'ready' ? load.bets.bets : 0
  const own = useOwnMix(shown.own)
  const { answer, error } = useLabRun({ lab, size, rules: shown.rules, plan: shown.plan, own, standards })
  const [month, setMonth] = useState<string | null>(null)
  const picture = useCaption(slice, model, 'lab')
  const rests =
    draft === null && answer?.rules === settings.rules && answer.plan === settings.plan && answer.own === own
  const result = rests ? answer.result : null
  useEffect(() => {
    if (result === null || result.bets === 0) return
    const { returned } = result
    const standardError = returned?.standardError ?? null
    tryVariant(
      JSON.stringify([slice.where, written]),
      returned === null || standardError === null || result.bets < FEW_BETS || !result.told
        ? null
        : { returned: returned.ratio, standardError },
    )
  }, [result, slice.where, written])
  return (
    <div
      className={styles.lab}
      data-testid="lab"
      data-rests={rests}
      data-run-ms={answer?.result.milliseconds}
    >
      <LabControls
        settings={shown}
        bets={load.kind === 'ready' ? load.bets : null}
        races={answer?.result.ownRaces ?? null}
        onDraft={setDraft}
        onCommit={commit}
      />
      <div className={styles.results}>
        <p className={styles.note}>
          <FormattedMessage id="lab.lead" />
        </p>
        <HelpLink topic="lab" text="lab.help" />
        {load.kind !== 'failed' ? null : isCode(load.error, 'too-large') ? (
          <Notice kind="error">
            <FormattedMessage id="lab.tooMany" values={{ most: format.integer(MAX_LAB_BETS) }} tagName="p" />
          </Notice>
        ) : (
          <ErrorNotice error={load.error} onRetry={again} />
        )}
        {error === null ? null : <ErrorNotice error={error} onRetry={again} />}
        {load.kind === 'loading' ? (
          <>
            <p role="status" className={styles.note}>
              <FormattedMessage id="lab.loading" values={{ rows: format.integer(load.rows) }} />
            </p>
            <Skeleton height={420} />
          </>
        ) : null}
        {answer === null || lab === null ? null : (
          <>
            <div role="status">
              <Hidden>
                {rests
                  ? intl.formatMessage(
                      { id: 'lab.announced' },
                      {
                        bets: answer.result.bets,
                        returned:
                          answer.result.returned === null || !answer.result.told
                            ? '–'
                            : format.signedPercent(answer.result.returned.ratio),
                      },
                    )
                  : ''}
              </Hidden>
            </div>
            <LabFigures answer={answer} picture={picture} onMonth={setMonth} />
            <LabBets
              lab={lab}
              result={answer.result}
              winOnly={load.kind === 'ready' && load.bets.winOnly}
              month={month}
              onMonth={setMonth}
            />
          </>
        )}
        <Frozen settings={settings} where={slice.where} model={model} />
      </div>
    </div>
  )
}
