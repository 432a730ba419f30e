import { Maximize, Minimize, Play, Square } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import type { PastStatement } from './console-state.ts'
import { EXAMPLES, explained } from './examples.ts'
import controls from '../parts/controls.module.css'
import styles from './console.module.css'

interface ConsoleBarProps {
  running: boolean
  past: readonly PastStatement[]
  isFull: boolean
  onRun(): void
  onCancel(): void
  onExplain(): void
  /** Opens a statement in a new tab. */
  onOpen(sql: string): void
  onFull(): void
}

/** The console's toolbar: runs and stops the statement, opens examples and earlier ones, fills the screen. */
export function ConsoleBar({
  running,
  past,
  isFull,
  onRun,
  onCancel,
  onExplain,
  onOpen,
  onFull,
}: ConsoleBarProps) {
  const intl = useIntl()
  const format = useFormat()
  const word = (id: string): string => intl.formatMessage({ id })
  const Icon = isFull ? Minimize : Maximize
  return (
    <div className={styles.bar2}>
      {running ? (
        <Button primary onClick={onCancel}>
          <Square aria-hidden="true" size={16} />
          <FormattedMessage id="console.cancel" />
        </Button>
      ) : (
        <Button primary onClick={onRun}>
          <Play aria-hidden="true" size={16} />
          <FormattedMessage id="console.run" />
        </Button>
      )}
      <Button disabled={running} onClick={onExplain}>
        <FormattedMessage id="console.explain" />
      </Button>
      <select
        className={controls.select}
        aria-label={word('console.examples')}
        value=""
        onChange={(event) => {
          const example = EXAMPLES.find(({ key }) => key === event.target.value)
          if (example) onOpen(explained(intl, example))
        }}
      >
        <option value="">{word('console.examples')}</option>
        {EXAMPLES.map(({ key }) => (
          <option key={key} value={key}>
            {word(`console.example.${key}`)}
          </option>
        ))}
      </select>
      {past.length === 0 ? null : (
        <select
          className={controls.select}
          aria-label={word('console.history')}
          value=""
          onChange={(event) => {
            const chosen = past[Number(event.target.value)]
            if (chosen) onOpen(chosen.sql)
          }}
        >
          <option value="">{word('console.history')}</option>
          {past.map(({ sql, at }, index) => (
            <option key={at} value={index}>
              {pastText(sql, format.instant(at))}
            </option>
          ))}
        </select>
      )}
      <button
        type="button"
        className={`${controls.tool} ${styles.end}`}
        aria-label={word('console.fullScreen')}
        title={word('console.fullScreen')}
        aria-pressed={isFull}
        onClick={onFull}
      >
        <Icon aria-hidden="true" size={16} />
      </button>
    </div>
  )
}

/** A statement as one line, without its comments. */
const pastText = (sql: string, at: string): string =>
  `${at}: ${sql
    .replaceAll(/--[^\n]*\n/g, '')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 60)}`
