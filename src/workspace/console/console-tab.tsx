import { Plus, X, Maximize, Minimize, Play, Square } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { FormattedMessage, useIntl, type IntlShape } from 'react-intl'
import { CONSOLE_TIME_MS } from '../../../analytics/console-api.ts'
import type { Table } from '../../../analytics/table.ts'
import type { ModelId } from '../../../contract/model-ids.ts'
import { asFurlongError } from '../../../domain/errors.ts'
import { baseUrl } from '../../data/client/api-client.ts'
import { ConsoleConnection } from '../../data/analytics/console.ts'
import type { ConsoleRows } from '../../data/analytics/console-rows.ts'
import { useOwnTable, type OwnTable } from '../../data/analytics/own-rows.ts'
import { memoryLimitMb } from '../../data/analytics/engine-state.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { useVipToken } from '../../data/use-session.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useWord } from '../../i18n/use-word.ts'
import { TextField } from '../../ui/fields/text-field.tsx'
import { HelpLink } from '../../ui/help-link.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { ToolButton, ToolSelect } from '../parts/controls.tsx'
import { Note } from '../parts/note.tsx'
import type { ChangeView } from '../state/use-view.ts'
import { MAX_TABS, useConsoleState, type PastStatement } from './console-state.ts'
import { EXAMPLES, explained } from './examples.ts'
import { useFullScreen } from './full-screen.ts'
import { isIcuMissing } from './icu-missing.ts'
import { CONSOLE_TABLES, meaningOf, ownColumns, sqlName, typeText } from './console-tables.ts'
import { parametersOf, withParameter, withValues } from './parameters.ts'
import type { CompletionSchema } from './sql-editor.tsx'
import { ResultRows } from './result-rows.tsx'
import { SchemaTree } from './schema-tree.tsx'
import styles from './console.module.css'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'

const SqlEditor = lazy(() => import('./sql-editor.tsx'))
/** Longer statements are not written to the address. */
const MAX_LINKED = 5000

interface ConsoleTabProps {
  model: ModelId
  /** The statement in the address. */
  linked: string | null
  onChange: ChangeView
}

/** The user's own SQL over the files of the region and model, in a separate engine. */
export default function ConsoleTab(props: ConsoleTabProps) {
  return (
    <ExtraTexts part="console" waiting={<Skeleton height={480} />}>
      <OfReader {...props} />
    </ExtraTexts>
  )
}

function OfReader(props: ConsoleTabProps) {
  const own = useOwnTable(useScope().regionId)
  const console = useConsoleConnection(props.model, own)
  return console === null ? (
    <Skeleton height={480} />
  ) : (
    <ConsoleView key={console.number} {...props} console={console} own={own} />
  )
}

function useConsoleConnection(model: ModelId, own: OwnTable | null): ConsoleConnection | null {
  const { regionId, asOf } = useScope()
  const token = useVipToken() ?? null
  const [state, setState] = useState<ConsoleConnection | null>(null)
  useEffect(() => {
    const scope = {
      baseUrl: baseUrl(),
      regionId,
      model,
      seasons: 'all',
      details: true,
      extra: true,
      token,
    } as const
    const made = new ConsoleConnection({ ...scope, memoryLimitMb: memoryLimitMb() }, own?.bytes ?? null)
    let gone = false
    // The engine starts while the editor loads; an error is shown at the first statement.
    void made.open().catch(() => undefined)
    queueMicrotask(() => {
      if (!gone) setState(made)
    })
    return () => {
      gone = true
      made.close()
    }
    // New files require a new engine.
  }, [regionId, asOf, model, token, own])
  return state
}

type Outcome =
  | { kind: 'idle' }
  | { kind: 'running' }
  | { kind: 'rows'; number: number; sql: string; result: ConsoleRows }
  | { kind: 'plan'; text: string }
  | { kind: 'failed'; error: unknown }

/** Columns by table, for completion. */
const schemaOf = (intl: IntlShape, tables: readonly Table[]): CompletionSchema =>
  Object.fromEntries(
    tables.map(({ name, columns }) => [
      name,
      Object.entries(columns).map(([column, of]) => ({
        label: sqlName(column),
        detail: typeText(of),
        info: meaningOf(intl, of.meaning),
        type: 'property',
      })),
    ]),
  )

const countsSql = (tables: readonly Table[]): string =>
  tables
    .map(({ name }) => `SELECT '${name}' AS name, count(*)::DOUBLE AS rows FROM ${name}`)
    .join('\nUNION ALL ')

/** The line in the engine's error message, counted from 1. */
function faultOf(error: unknown): { line: number; text: string } | null {
  const { details } = asFurlongError(error)
  const text = typeof details['reason'] === 'string' ? details['reason'] : ''
  const line = /\bLine (\d+):/.exec(text)?.[1]
  return line === undefined ? null : { line: Number(line), text }
}

/** Counts the rows of every table while no statement is running; `null` until they are counted. */
function useCounts(console: ConsoleConnection, tables: readonly Table[], running: boolean) {
  const [counts, setCounts] = useState<ReadonlyMap<string, number> | null>(null)
  // If that fails, for example because the engine was terminated, it is attempted again after the next statement.
  const ready = counts === null && !running
  useEffect(() => {
    if (!ready) return undefined
    let gone = false
    console.query(countsSql(tables)).then(
      ({ rows }) => {
        if (!gone) setCounts(new Map(rows.map(([name, count]) => [String(name), Number(count)])))
      },
      // An error is shown at the first statement.
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [console, ready, tables])
  return counts
}

/** Runs statements one at a time; the outcome is that of the newest. */
function useOutcome() {
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'idle' })
  const newest = useRef(0)
  const work = async (run: (number: number) => Promise<Outcome>): Promise<void> => {
    newest.current += 1
    const mine = newest.current
    setOutcome({ kind: 'running' })
    try {
      const done = await run(mine)
      if (mine === newest.current) setOutcome(done)
    } catch (error) {
      if (mine === newest.current) setOutcome({ kind: 'failed', error })
    }
  }
  return { outcome, work }
}

/** The user's statements, one of which is that of the address: a saved view or a step back in history may change it. */
function useStatements(linked: string | null) {
  const statements = useConsoleState(explained(useIntl(), EXAMPLES[0]!))
  const { follow } = statements
  useEffect(() => {
    follow(linked)
  }, [follow, linked])
  return statements
}

/** The tables that can be queried, and what the editor completes. */
function useSchema(ownTable: OwnTable | null) {
  const intl = useIntl()
  const tables = useMemo(
    () => (ownTable === null ? CONSOLE_TABLES : [ownColumns(ownTable), ...CONSOLE_TABLES]),
    [ownTable],
  )
  return { tables, schema: useMemo(() => schemaOf(intl, tables), [intl, tables]) }
}

function ConsoleView({
  linked,
  onChange,
  console,
  own: ownTable,
}: ConsoleTabProps & { console: ConsoleConnection; own: OwnTable | null }) {
  const intl = useIntl()
  const { tables, schema } = useSchema(ownTable)
  const statements = useStatements(linked)
  const { state } = statements
  const frame = useRef<HTMLDivElement>(null)
  const full = useFullScreen(frame)
  const sql = state.tabs.find(({ id }) => id === state.active)?.sql ?? ''
  const { outcome, work } = useOutcome()
  const running = outcome.kind === 'running'
  const counts = useCounts(console, tables, running)
  const run = (): void => {
    if (running) return
    void work(async (number) => {
      const result = await console.query(withValues(sql))
      statements.remember({ sql, at: new Date().toISOString() })
      if (sql.length <= MAX_LINKED) onChange((newest) => ({ ...newest, sql }))
      return { kind: 'rows', number, sql: withValues(sql), result }
    })
  }
  const explain = (): void =>
    void work(async () => ({ kind: 'plan', text: await console.explain(withValues(sql)) }))
  const fault = useMemo(() => (outcome.kind === 'failed' ? faultOf(outcome.error) : null), [outcome])
  const isFull = full.mode !== 'off'
  return (
    <div
      ref={frame}
      className={styles.frame}
      data-full={full.mode}
      popover={full.mode === 'window' ? 'manual' : undefined}
    >
      <div className={styles.console} data-testid="console" data-state={outcome.kind}>
        <SchemaTree
          console={console}
          tables={tables}
          counts={counts}
          onInsert={(text) => statements.write(`${sql}${sql.endsWith(' ') || sql === '' ? '' : ' '}${text}`)}
        />
        <div className={styles.main}>
          <StatementTabs statements={statements} />
          <Suspense fallback={<Skeleton height={180} />}>
            <SqlEditor
              key={state.active}
              label={intl.formatMessage({ id: 'console.editor' })}
              value={sql}
              schema={schema}
              fault={fault}
              onChange={statements.write}
              onRun={run}
            />
          </Suspense>
          <ParameterFields sql={sql} onChange={statements.write} />
          <ConsoleBar
            running={running}
            past={state.past}
            isFull={isFull}
            onRun={run}
            onCancel={() => console.cancel()}
            onExplain={explain}
            onOpen={statements.add}
            onFull={full.toggle}
          />
          <div className={styles.bar2}>
            <Note text="console.lead" values={{ seconds: CONSOLE_TIME_MS / 1000 }} />
            <HelpLink topic="console" text="console.help" />
          </div>
          <OutcomeView outcome={outcome} tall={isFull} onCount={(of) => console.count(of)} />
        </div>
      </div>
    </div>
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

/** The open statements, one of which is in the editor. */
function StatementTabs({ statements }: { statements: ReturnType<typeof useConsoleState> }) {
  const word = useWord()
  const { state } = statements
  return (
    <div className={styles.tabs} role="group" aria-label={word('console.statements')}>
      {state.tabs.map(({ id }, at) => (
        <span key={id} className={styles.tab} data-active={id === state.active}>
          <button type="button" aria-pressed={id === state.active} onClick={() => statements.select(id)}>
            <FormattedMessage id="console.statement" values={{ number: at + 1 }} />
          </button>
          <button
            type="button"
            aria-label={word('console.close', { number: at + 1 })}
            onClick={() => statements.close(id)}
          >
            <X aria-hidden="true" size={14} />
          </button>
        </span>
      ))}
      <ToolButton
        icon={Plus}
        label="console.add"
        titled
        disabled={state.tabs.length >= MAX_TABS}
        onClick={() => statements.add('')}
      />
    </div>
  )
}

interface OutcomeViewProps {
  outcome: Outcome
  /** Whether the console fills the screen. */
  tall: boolean
  onCount(sql: string): Promise<number>
}

/** The rows, the plan or the error of the newest statement. */
function OutcomeView({ outcome, tall, onCount }: OutcomeViewProps) {
  switch (outcome.kind) {
    case 'running':
      return (
        <p role="status" className={styles.note}>
          <FormattedMessage id="console.running" />
        </p>
      )
    case 'failed':
      return <ConsoleError error={outcome.error} />
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
          tall={tall}
          onCount={() => onCount(outcome.sql)}
        />
      )
    default:
      return null
  }
}

/** The engine's error message, verbatim and preformatted, because it marks positions by column. */
function ConsoleError({ error }: { error: unknown }) {
  const { code, details } = asFurlongError(error)
  const { reason } = details
  if (code === 'query-timeout')
    return (
      <p role="alert" className={styles.fault} data-testid="console-error">
        <FormattedMessage id="console.late" values={{ seconds: CONSOLE_TIME_MS / 1000 }} />
      </p>
    )
  if (code !== 'query-failed' || typeof reason !== 'string') return <ErrorNotice error={error} />
  return (
    <div role="alert" className={styles.fault} data-testid="console-error">
      <FormattedMessage id="console.failed" tagName="p" />
      {isIcuMissing(reason) ? (
        <FormattedMessage id="console.noIcu" values={{ example: 'seen_at + INTERVAL 8 HOURS' }} tagName="p" />
      ) : null}
      <pre lang="en">{reason}</pre>
    </div>
  )
}

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
function ConsoleBar(props: ConsoleBarProps) {
  const { running, past, isFull, onRun, onCancel, onExplain, onOpen, onFull } = props
  const intl = useIntl()
  const word = useWord()
  const format = useFormat()
  const Icon = running ? Square : Play
  return (
    <div className={styles.bar2}>
      <Button primary onClick={running ? onCancel : onRun}>
        <Icon aria-hidden="true" size={16} />
        <FormattedMessage id={running ? 'console.cancel' : 'console.run'} />
      </Button>
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
