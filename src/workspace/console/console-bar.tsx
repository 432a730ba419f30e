import { Maximize, Minimize, Play, Square } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import { ToolButton, ToolSelect } from '../parts/controls.tsx'
import type { PastStatement } from './console-state.ts'
import { EXAMPLES, explained } from './examples.ts'
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
export function ConsoleBar(props: ConsoleBarProps) {
  const { running, past, isFull, onRun, onCancel, onExplain, onOpen, onFull } = props
  const intl = useIntl()
  const word = useWord()
  const format = useFormat()
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
      <Button disabled={running} onClick={onExplain} text="console.explain" />
      <ToolSelect
        label="console.examples"
        value=""
        options={EXAMPLES.map(({ key }) => ({ value: key, label: word(`console.example.${key}`) }))}
        onChange={(value) => {
          const example = EXAMPLES.find(({ key }) => key === value)
          if (example) onOpen(explained(intl, example))
        }}
      >
        <option value="">{word('console.examples')}</option>
      </ToolSelect>
      {past.length === 0 ? null : (
        <ToolSelect
          label="console.history"
          value=""
          options={past.map(({ sql, at }, index) => ({
            value: String(index),
            label: pastText(sql, format.instant(at)),
          }))}
          onChange={(value) => {
            const chosen = past[Number(value)]
            if (chosen) onOpen(chosen.sql)
          }}
        >
          <option value="">{word('console.history')}</option>
        </ToolSelect>
      )}
      <ToolButton
        icon={isFull ? Minimize : Maximize}
        label="console.fullScreen"
        titled
        className={styles.end}
        aria-pressed={isFull}
        onClick={onFull}
      />
    </div>
  )
}

/** A statement as one line, without its comments. */
const pastText = (sql: string, at: string): string =>
  `${at}: ${sql
    .replaceAll(/--[^\n]*\n/g, '')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 60)}`
