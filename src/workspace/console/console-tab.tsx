import { Plus, X, Maximize, Minimize } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { FormattedMessage, useIntl, type IntlShape } from 'react-intl'
import { CONSOLE_TIME_MS } from '../../../analytics/console-api.ts'
import type { Table } from '../../../analytics/table.ts'
import type { ModelId } from '../../../contract/model-ids.ts'
import type { ConsoleRows } from '../../data/analytics/console-rows.ts'
import { useModelFiles } from '../../data/analytics/model-files.ts'
import { useOwnTable, type OwnTable } from '../../data/analytics/own-rows.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { saveFile } from '../../ui/behaviour/save-file.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { HelpLink } from '../../ui/help-link.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import { Popover } from '../../ui/popover.tsx'
import { showToast } from '../../ui/toast.tsx'
import { ToolButton, ToolSelect } from '../parts/controls.tsx'
import { Note } from '../parts/note.tsx'
import type { SliceAnswer } from '../query/use-slice.ts'
import { canBeStatement, sliceStatement } from '../query/view-statement.ts'
import type { ChangeView } from '../state/use-view.ts'
import type { Subject, WorkspaceView } from '../../../analytics/view/view.ts'
import { namesRead } from './cell-names.ts'
import { MAX_TABS, useConsoleState, type ConsoleTab as Tab } from './console-state.ts'
import { CONSOLE_TABLES, meaningOf, ownColumns, sliceColumns, sqlName, typeText } from './console-tables.ts'
import { documentFileName, markdownOf } from './document-files.ts'
import { DocumentView, outcomeKey } from './document-view.tsx'
import { readDocument, writeDocument, type Cell, type ConsoleDocument } from './document.ts'
import { EXAMPLES, explained } from './examples.ts'
import { useFullScreen } from './full-screen.ts'
import { LinkedModels, ModelChoices } from './model-choices.tsx'
import { SchemaTree } from './schema-tree.tsx'
import type { CompletionSchema } from './sql-editor.tsx'
import { useConsoleEngine, useCounts, useRuns, type ConsoleEngine, type Outcome } from './use-console.ts'
import styles from './console.module.css'

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
  const { tables, schema } = useSchema(ownTable, subject)
  const { state } = statements
  const runs = useRuns()
  const counts = useCounts(console, tables, runs.latest === 'running')
  const [activeCell, setActiveCell] = useState(0)
  const tab = state.tabs.find(({ id }) => id === state.active) ?? state.tabs[0]!
  const names = useMemo(() => tables.map(({ name }) => name.toLowerCase()), [tables])
  const onRan = (): void => {
    const text = writeDocument(tab)
    statements.remember({ sql: text, at: new Date().toISOString() })
    if (text.length > MAX_LINKED) return
    const sqlModels = state.models.filter((each) => each !== model)
    onChange((newest) => ({ ...newest, sql: text, sqlModels }))
  }
  return (
    <ConsoleFrame state={runs.latest === 'refused' ? 'failed' : runs.latest}>
      {(full) => (
        <>
          <SchemaTree
            console={console}
            tables={tables}
            counts={counts}
            onInsert={(text) => statements.edit((document) => withInserted(document, activeCell, text))}
          >
            <ConsoleModels
              {...{ model, linked, onChange, statements }}
              opened={counts === null ? null : console.number}
            />
          </SchemaTree>
          <div className={styles.main}>
            <StatementTabs statements={statements} />
            <DocumentView
              key={tab.id}
              {...{ tab, console, runs, schema, onRan }}
              edit={statements.edit}
              tables={names}
              tall={full.mode !== 'off'}
              onActive={setActiveCell}
            >
              <ConsoleBar
                {...{ model, full, tab, statements }}
                read={() => namesRead(tab.cells, names)}
                resultOf={(cell) => {
                  const outcome = runs.outcomeOf(outcomeKey(tab, cell))
                  return outcome.kind === 'rows' ? outcome.result : null
                }}
              />
            </DocumentView>
            <div className={styles.bar2}>
              <Note text="console.lead" values={{ seconds: CONSOLE_TIME_MS / 1000 }} />
              <HelpLink topic="console" text="console.help" />
            </div>
          </div>
        </>
      )}
    </ConsoleFrame>
  )
}

/** A document with a word inserted at the end of its active statement, or of its first. */
function withInserted(document: ConsoleDocument, active: number, text: string): ConsoleDocument {
  const statements = document.cells.filter((cell) => cell.kind === 'sql')
  const chosen = statements.find(({ id }) => id === active) ?? statements[0]
  const cells = document.cells.map((cell) => {
    if (cell !== chosen || cell.kind !== 'sql') return cell
    const space = cell.sql.endsWith(' ') || cell.sql === '' ? '' : ' '
    return { ...cell, sql: `${cell.sql}${space}${text}` }
  })
  return { ...document, cells }
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

/** The open statements, one of which is in the editor. */
function StatementTabs({ statements }: { statements: Statements }) {
  const word = useWord()
  const { state } = statements
  return (
    <div className={styles.tabs} role="group" aria-label={word('console.statements')}>
      {state.tabs.map(({ id, title }, at) => (
        <span key={id} className={styles.tab} data-active={id === state.active}>
          <button type="button" aria-pressed={id === state.active} onClick={() => statements.select(id)}>
            {title.trim() === '' ? (
              <FormattedMessage id="console.statement" values={{ number: at + 1 }} />
            ) : (
              title
            )}
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

interface ConsoleBarProps {
  /** The model whose rows the examples are about. */
  model: ModelId
  tab: Tab
  statements: Statements
  full: ReturnType<typeof useFullScreen>
  /** The names under which cells are read by others. */
  read(): ReadonlySet<string>
  /** The rows of a cell; `null` where it was not run. */
  resultOf(cell: Cell): ConsoleRows | null
}

/** The console's toolbar: names the document, opens examples and earlier statements, saves files, fills the screen. */
function ConsoleBar({ model, tab, statements, full, read, resultOf }: ConsoleBarProps) {
  const intl = useIntl()
  const word = useWord()
  const format = useFormat()
  const { past } = statements.state
  const isFull = full.mode !== 'off'
  return (
    <>
      <ToolSelect
        label="console.examples"
        value=""
        options={EXAMPLES.map(({ key }) => ({ value: key, label: word(`console.example.${key}`) }))}
        onChange={(value) => {
          const example = EXAMPLES.find(({ key }) => key === value)
          if (example) statements.add(explained(intl, example, model))
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
            if (chosen) statements.add(chosen.sql)
          }}
        >
          <option value="">{word('console.history')}</option>
        </ToolSelect>
      )}
      <DocumentMenu {...{ tab, statements, read, resultOf }} />
      <ToolButton
        icon={isFull ? Minimize : Maximize}
        label="console.fullScreen"
        titled
        className={styles.end}
        aria-pressed={isFull}
        onClick={full.toggle}
      />
    </>
  )
}

/** Files of this size are no statements that somebody wrote. */
const MAX_FILE_BYTES = 1_000_000

/** Names the document, and saves or opens it as a file. */
function DocumentMenu({ tab, statements, read, resultOf }: Omit<ConsoleBarProps, 'model' | 'full'>) {
  const word = useWord()
  const format = useFormat()
  const input = useRef<HTMLInputElement>(null)
  const isFull = statements.state.tabs.length >= MAX_TABS
  const save = (extension: string, type: string, text: string): void =>
    saveFile(`${documentFileName(tab)}.${extension}`, new Blob([text], { type }))
  const saveMarkdown = (): void => {
    const words = {
      notRun: word('console.notRun'),
      part: (shown: number, { rows, truncated }: ConsoleRows) =>
        truncated
          ? word('console.firstOfMore', { shown: format.integer(shown), rows: format.integer(rows.length) })
          : word('console.firstOf', { shown: format.integer(shown), rows: format.integer(rows.length) }),
    }
    save('md', 'text/markdown;charset=utf-8', markdownOf(tab, resultOf, words))
  }
  const open = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    if (file.size > MAX_FILE_BYTES) {
      showToast(word('console.fileTooLarge', { limit: format.bytes(MAX_FILE_BYTES) }), 'bad')
      return
    }
    statements.add(await file.text())
  }
  return (
    <Popover button={<FormattedMessage id="console.document" />} label={word('console.document')}>
      {(close) => {
        const item = (text: string, act: () => void, disabled = false) => (
          <Button
            text={text}
            disabled={disabled}
            onClick={() => {
              close()
              act()
            }}
          />
        )
        return (
          <div className={styles.menu}>
            <TextField
              label={<FormattedMessage id="console.title" />}
              value={tab.title}
              maxLength={80}
              onChange={(title) => statements.edit((document) => ({ ...document, title }))}
            />
            {item('console.saveSql', () => save('sql', 'application/sql', writeDocument(tab, read())))}
            {item('console.saveMarkdown', saveMarkdown)}
            {item('console.openSql', () => input.current?.click(), isFull)}
            <input
              ref={input}
              type="file"
              accept=".sql,text/plain"
              hidden
              aria-label={word('console.openSql')}
              onChange={({ currentTarget }) => {
                void open(currentTarget.files?.[0]).catch(() => undefined)
                currentTarget.value = ''
              }}
            />
          </div>
        )
      }}
    </Popover>
  )
}

/** A statement as one line, without its comments; a document by its title. */
function pastText(sql: string, at: string): string {
  const { title } = readDocument(sql)
  const text = title === '' ? sql.replaceAll(/--[^\n]*\n/g, '') : title
  return `${at}: ${text.replaceAll(/\s+/g, ' ').slice(0, 60)}`
}
