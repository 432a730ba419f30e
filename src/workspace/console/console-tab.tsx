import { Plus, X, Maximize, Minimize, Play, Square } from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, type ReactNode } from 'react'
import { FormattedMessage, useIntl, type IntlShape } from 'react-intl'
import { CONSOLE_TIME_MS } from '../../../analytics/console-api.ts'
import type { Table } from '../../../analytics/table.ts'
import type { ModelId } from '../../../contract/model-ids.ts'
import { asFurlongError } from '../../../domain/errors.ts'
import { useModelFiles } from '../../data/analytics/model-files.ts'
import { useOwnTable, type OwnTable } from '../../data/analytics/own-rows.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useWord } from '../../i18n/use-word.ts'
import { TextField } from '../../ui/fields/text-field.tsx'
import { HelpLink } from '../../ui/help-link.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { ToolButton, ToolSelect } from '../parts/controls.tsx'
import { Note } from '../parts/note.tsx'
import type { SliceAnswer } from '../query/use-slice.ts'
import { canBeStatement, sliceStatement } from '../query/view-statement.ts'
import type { ChangeView } from '../state/use-view.ts'
import type { Subject, WorkspaceView } from '../state/view.ts'
import { MAX_TABS, useConsoleState, type PastStatement } from './console-state.ts'
import { EXAMPLES, explained } from './examples.ts'
import { useFullScreen } from './full-screen.ts'
import { isIcuMissing } from './icu-missing.ts'
import { CONSOLE_TABLES, meaningOf, ownColumns, sliceColumns, sqlName, typeText } from './console-tables.ts'
import { LinkedModels, ModelChoices } from './model-choices.tsx'
import { parametersOf, withParameter, withValues } from './parameters.ts'
import type { CompletionSchema } from './sql-editor.tsx'
import { ResultRows } from './result-rows.tsx'
import { SchemaTree } from './schema-tree.tsx'
import { useConsoleEngine, useCounts, useOutcome, type ConsoleEngine, type Outcome } from './use-console.ts'
import styles from './console.module.css'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'

const SqlEditor = lazy(() => import('./sql-editor.tsx'))
/** Longer statements are not written to the address. */
const MAX_LINKED = 5000

interface ConsoleTabProps {
  model: ModelId
  slice: SliceAnswer
  /** The statement in the address, and the models that it reads beside the page's. */
  linked: Pick<WorkspaceView, 'sql' | 'sqlModels'>
  onChange: ChangeView
}

/** The user's own SQL over the files of the region and of the models that they choose, in a separate engine. */
export default function ConsoleTab(props: ConsoleTabProps) {
  return (
    <ExtraTexts part="console" waiting={<Skeleton height={480} />}>
      <OfReader {...props} />
    </ExtraTexts>
  )
}

function OfReader({ model, slice: { slice }, linked, onChange }: ConsoleTabProps) {
  const own = useOwnTable(useScope().regionId)
  const statements = useStatements(linked.sql, model)
  const sliceSql = useMemo(() => (canBeStatement(slice, []) ? sliceStatement(slice) : null), [slice])
  const console = useConsoleEngine(model, statements.state.models, own, sliceSql)
  const subject = sliceSql === null ? null : slice.subject
  return console === null ? (
    <Skeleton height={480} />
  ) : (
    <ConsoleView key={console.number} {...{ model, linked, onChange, console, own, statements, subject }} />
  )
}

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

/** The line in the engine's error message, counted from 1. */
function faultOf(error: unknown): { line: number; text: string } | null {
  const { details } = asFurlongError(error)
  const text = typeof details['reason'] === 'string' ? details['reason'] : ''
  const line = /\bLine (\d+):/.exec(text)?.[1]
  return line === undefined ? null : { line: Number(line), text }
}

/** The user's statements, one of which is that of the address: a saved view or a step back in history may change it. */
function useStatements(linked: string | null, model: ModelId) {
  const statements = useConsoleState(explained(useIntl(), EXAMPLES[0]!, model))
  const { follow } = statements
  useEffect(() => {
    follow(linked)
  }, [follow, linked])
  return statements
}

type Statements = ReturnType<typeof useConsoleState>

/** The tables that can be queried, and what the editor completes. `subject`: of the page's view, if it can be a table. */
function useSchema(ownTable: OwnTable | null, subject: Subject | null) {
  const intl = useIntl()
  const tables = useMemo(
    () => [
      ...(subject === null ? [] : [sliceColumns(subject)]),
      ...(ownTable === null ? [] : [ownColumns(ownTable)]),
      ...CONSOLE_TABLES,
    ],
    [ownTable, subject],
  )
  return { tables, schema: useMemo(() => schemaOf(intl, tables), [intl, tables]) }
}

interface ConsoleViewProps extends Omit<ConsoleTabProps, 'slice'> {
  console: ConsoleEngine
  own: OwnTable | null
  statements: Statements
  subject: Subject | null
}

function ConsoleView({
  model,
  linked,
  onChange,
  console,
  own: ownTable,
  statements,
  subject,
}: ConsoleViewProps) {
  const intl = useIntl()
  const { tables, schema } = useSchema(ownTable, subject)
  const { state } = statements
  const sql = state.tabs.find(({ id }) => id === state.active)?.sql ?? ''
  const { outcome, work } = useOutcome()
  const running = outcome.kind === 'running'
  const counts = useCounts(console, tables, running)
  const run = (): void => {
    if (running) return
    void work(async (number) => {
      const result = await console.query(withValues(sql))
      statements.remember({ sql, at: new Date().toISOString() })
      if (sql.length <= MAX_LINKED)
        onChange((newest) => ({ ...newest, sql, sqlModels: state.models.filter((each) => each !== model) }))
      return { kind: 'rows', number, sql: withValues(sql), result }
    })
  }
  const explain = (): void =>
    void work(async () => ({ kind: 'plan', text: await console.explain(withValues(sql)) }))
  const fault = useMemo(() => (outcome.kind === 'failed' ? faultOf(outcome.error) : null), [outcome])
  return (
    <ConsoleFrame state={outcome.kind}>
      {(full) => (
        <>
          <SchemaTree
            console={console}
            tables={tables}
            counts={counts}
            onInsert={(text) =>
              statements.write(`${sql}${sql.endsWith(' ') || sql === '' ? '' : ' '}${text}`)
            }
          >
            <ConsoleModels
              {...{ model, linked, onChange, statements }}
              opened={counts === null ? null : console.number}
            />
          </SchemaTree>
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
              {...{ model, running, full }}
              past={state.past}
              onRun={run}
              onCancel={() => console.cancel()}
              onExplain={explain}
              onOpen={statements.add}
            />
            <OutcomeView outcome={outcome} tall={full.mode !== 'off'} onCount={(of) => console.count(of)} />
          </div>
        </>
      )}
    </ConsoleFrame>
  )
}

interface ConsoleFrameProps {
  /** What the console shows. */
  state: Outcome['kind']
  children(full: ReturnType<typeof useFullScreen>): ReactNode
}

/** The console in the page or over the whole screen. */
function ConsoleFrame({ state, children }: ConsoleFrameProps) {
  const frame = useRef<HTMLDivElement>(null)
  const full = useFullScreen(frame)
  return (
    <div
      ref={frame}
      className={styles.frame}
      data-full={full.mode}
      popover={full.mode === 'window' ? 'manual' : undefined}
    >
      <div className={styles.console} data-testid="console" data-state={state}>
        {children(full)}
      </div>
    </div>
  )
}

interface ConsoleModelsProps extends Pick<ConsoleViewProps, 'model' | 'linked' | 'onChange' | 'statements'> {
  /** Changes when other files were opened. */
  opened: number | null
}

/** The models whose rows the tables have, and those that a shared statement reads. */
function ConsoleModels({ model, linked, onChange, statements, opened }: ConsoleModelsProps) {
  const files = useModelFiles(useScope().regionId, opened)
  const { chooseModels } = statements
  const { models: chosen } = statements.state
  const onLoad = useCallback(
    (models: ModelId[]): void => chooseModels([...chosen, ...models]),
    [chooseModels, chosen],
  )
  if (files === null) return null
  const onModels = (models: ModelId[]): void => {
    chooseModels(models)
    onChange((newest) => ({ ...newest, sqlModels: models.filter((each) => each !== model) }))
  }
  return (
    <>
      <LinkedModels {...files} {...{ model, chosen, onLoad }} linked={linked.sqlModels} />
      <ModelChoices {...files} {...{ model, chosen }} onChange={onModels} />
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

/** The open statements, one of which is in the editor. */
function StatementTabs({ statements }: { statements: Statements }) {
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
  /** The model whose rows the examples are about. */
  model: ModelId
  running: boolean
  past: readonly PastStatement[]
  full: ReturnType<typeof useFullScreen>
  onRun(): void
  onCancel(): void
  onExplain(): void
  /** Opens a statement in a new tab. */
  onOpen(sql: string): void
}

/** The console's toolbar and what it is for: runs and stops the statement, opens examples and earlier ones, fills the screen. */
function ConsoleBar(props: ConsoleBarProps) {
  const { model, running, past, full, onRun, onCancel, onExplain, onOpen } = props
  const isFull = full.mode !== 'off'
  const intl = useIntl()
  const word = useWord()
  const format = useFormat()
  const Icon = running ? Square : Play
  return (
    <>
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
            if (example) onOpen(explained(intl, example, model))
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
          onClick={full.toggle}
        />
      </div>
      <div className={styles.bar2}>
        <Note text="console.lead" values={{ seconds: CONSOLE_TIME_MS / 1000 }} />
        <HelpLink topic="console" text="console.help" />
      </div>
    </>
  )
}

/** A statement as one line, without its comments. */
const pastText = (sql: string, at: string): string =>
  `${at}: ${sql
    .replaceAll(/--[^\n]*\n/g, '')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 60)}`
