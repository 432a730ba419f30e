import { FormattedMessage, useIntl } from 'react-intl'
import { CONSOLE_TIME_MS } from '../../../analytics/console-api.ts'
import { asFurlongError } from '../../../domain/errors.ts'
import { ErrorNotice } from '../../ui/panel.tsx'
import type { ReferenceFault } from './cell-names.ts'
import { isIcuMissing } from './icu-missing.ts'
import { ResultRows } from './result-rows.tsx'
import type { ConsoleEngine, Outcome } from './use-console.ts'
import styles from './console.module.css'

interface OutcomeViewProps {
  outcome: Outcome
  /** Name of the cell; empty for a statement of its own. */
  name: string
  /** Whether the console fills the screen. */
  tall: boolean
  console: Pick<ConsoleEngine, 'count'>
}

/** The rows, the plan or the error of a statement. */
export function OutcomeView({ outcome, name, tall, console }: OutcomeViewProps) {
  switch (outcome.kind) {
    case 'running':
      return (
        <p role="status" className={styles.note}>
          <FormattedMessage id="console.running" />
        </p>
      )
    case 'failed':
      return <ConsoleError error={outcome.error} name={name} />
    case 'refused':
      return <Refusal fault={outcome.fault} />
    case 'plan':
      return (
        <pre className={styles.plan} data-testid="console-plan" tabIndex={0}>
          {outcome.text}
        </pre>
      )
    case 'rows':
      return (
        <ResultRows
          key={outcome.number}
          result={outcome.result}
          source={String(outcome.number)}
          name={name}
          tall={tall}
          onCount={() => console.count(outcome.sql, outcome.named)}
        />
      )
    default:
      return null
  }
}

/** Why a cell cannot be run: what its cells read of each other. */
function Refusal({ fault }: { fault: ReferenceFault }) {
  const intl = useIntl()
  const own = intl.formatMessage({ id: 'console.unnamedCell' })
  const names = fault.names.map((name) => (name === '' ? own : name))
  return (
    <p role="alert" className={styles.fault} data-testid="console-error">
      {fault.kind === 'cycle' ? (
        <FormattedMessage id="console.cycle" values={{ names: names.join(' → ') }} />
      ) : (
        <FormattedMessage id="console.below" values={{ reader: names[0], source: names[1] }} />
      )}
    </p>
  )
}

/** The table that the engine does not find; `null` for another error. */
const missingTable = (reason: string): string | null =>
  /Table with name (\S+) does not exist/.exec(reason)?.[1] ?? null

/** The engine's error message, verbatim and preformatted, because it marks positions by column. */
function ConsoleError({ error, name }: { error: unknown; name: string }) {
  const { code, details } = asFurlongError(error)
  const { reason } = details
  if (code === 'query-timeout')
    return (
      <p role="alert" className={styles.fault} data-testid="console-error">
        <FormattedMessage id="console.late" values={{ seconds: CONSOLE_TIME_MS / 1000 }} />
      </p>
    )
  if (code !== 'query-failed' || typeof reason !== 'string') return <ErrorNotice error={error} />
  // The error may be in a cell that this one reads.
  const of = typeof details['of'] === 'string' ? details['of'] : name
  const missing = missingTable(reason)
  return (
    <div role="alert" className={styles.fault} data-testid="console-error">
      {of === '' ? (
        <FormattedMessage id="console.failed" tagName="p" />
      ) : (
        <FormattedMessage id="console.failedCell" values={{ name: of }} tagName="p" />
      )}
      {of === '' || missing === null ? null : (
        <FormattedMessage id="console.noCell" values={{ name: missing }} tagName="p" />
      )}
      {isIcuMissing(reason) ? (
        <FormattedMessage id="console.noIcu" values={{ example: 'seen_at + INTERVAL 8 HOURS' }} tagName="p" />
      ) : null}
      <pre lang="en">{reason}</pre>
    </div>
  )
}
