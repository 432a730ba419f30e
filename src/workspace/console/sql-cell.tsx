import { Play, Square } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { asFurlongError } from '../../../domain/errors.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import type { SqlCell } from './document.ts'
import { OutcomeView } from './outcome-view.tsx'
import { parametersOf, withParameter } from './parameters.ts'
import type { CompletionSchema } from './sql-editor.tsx'
import type { ConsoleEngine, Outcome } from './use-console.ts'
import styles from './console.module.css'

const SqlEditor = lazy(() => import('./sql-editor.tsx'))

/** The line in the engine's error message, counted from 1; `null` where it is in a cell that this one reads. */
function faultOf(error: unknown): { line: number; text: string } | null {
  const { details } = asFurlongError(error)
  const text = typeof details['reason'] === 'string' ? details['reason'] : ''
  const line = details['of'] === undefined ? /\bLine (\d+):/.exec(text)?.[1] : undefined
  return line === undefined ? null : { line: Number(line), text }
}

export interface SqlCellViewProps {
  cell: SqlCell
  /** Whether it is all that its document has. */
  isLone: boolean
  outcome: Outcome
  /** Whether a cell runs, this one or another. */
  running: boolean
  schema: CompletionSchema
  console: ConsoleEngine
  /** Whether the console fills the screen. */
  tall: boolean
  /** Changes when the editor is to have the focus; 0 for never. */
  focused: number
  onChange(sql: string): void
  onRun(): void
  onRunAndGoOn(): void
  onCancel(): void
  onExplain(): void
  onLeave(by: -1 | 1): boolean
}

/** A statement with its editor, its parameters and its result. */
export function SqlCellView(props: SqlCellViewProps) {
  const { cell, isLone, outcome, running, schema, console, tall, focused } = props
  const { onChange, onRun, onRunAndGoOn, onCancel, onExplain, onLeave } = props
  const intl = useIntl()
  const fault = useMemo(() => (outcome.kind === 'failed' ? faultOf(outcome.error) : null), [outcome])
  const { name } = cell
  const isRunning = outcome.kind === 'running'
  const Icon = isRunning ? Square : Play
  return (
    <>
      <Suspense fallback={<Skeleton height={isLone ? 180 : 60} />}>
        <SqlEditor
          label={
            name === ''
              ? intl.formatMessage({ id: 'console.editor' })
              : intl.formatMessage({ id: 'console.editorOf' }, { name })
          }
          value={cell.sql}
          grows={!isLone}
          {...{ schema, fault, focused, onChange, onRun, onRunAndGoOn, onLeave }}
        />
      </Suspense>
      <ParameterFields sql={cell.sql} onChange={onChange} />
      <div className={styles.bar2}>
        <Button primary={isLone} disabled={running && !isRunning} onClick={isRunning ? onCancel : onRun}>
          <Icon aria-hidden="true" size={16} />
          <FormattedMessage id={isRunning ? 'console.cancel' : 'console.run'} />
        </Button>
        <Button disabled={running} onClick={onExplain} text="console.explain" />
      </div>
      <OutcomeView {...{ outcome, name, tall, console }} />
    </>
  )
}

/** An input for each parameter `$name` of a statement. */
function ParameterFields({ sql, onChange }: { sql: string; onChange(sql: string): void }) {
  const parameters = parametersOf(sql)
  if (parameters.length === 0) return null
  return (
    <fieldset className={styles.parameters}>
      <FormattedMessage id="console.parameters" tagName="legend" />
      {parameters.map(({ name, value }) => (
        <TextField
          key={name}
          label={<FormattedMessage id="console.parameter" values={{ name }} />}
          value={value}
          spellCheck={false}
          onChange={(next) => onChange(withParameter(sql, name, next))}
        />
      ))}
    </fieldset>
  )
}
