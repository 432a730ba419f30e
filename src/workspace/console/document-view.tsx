import { ArrowDown, ArrowUp, FileText, Play, Plus, Square, Trash2, Undo2 } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, type MouseEvent, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { FormattedMessage } from 'react-intl'
import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { ToolButton } from '../parts/controls.tsx'
import { nameFault, namedFor } from './cell-names.ts'
import type { ConsoleTab, useConsoleState } from './console-state.ts'
import {
  addCell,
  loneStatement,
  moveCell,
  removeCell,
  restoreCell,
  type Cell,
  type SqlCell,
  type TextCell,
} from './document.ts'
import { withValues } from './parameters.ts'
import { SqlCellView, type SqlCellViewProps } from './sql-cell.tsx'
import type { CompletionSchema } from './sql-editor.tsx'
import { TextCellView } from './text-cell.tsx'
import type { ConsoleEngine, RunStep, useRuns } from './use-console.ts'
import styles from './console.module.css'

const MAX_CELLS = 60

interface DocumentViewProps {
  tab: ConsoleTab
  edit: ReturnType<typeof useConsoleState>['edit']
  console: ConsoleEngine
  runs: ReturnType<typeof useRuns>
  schema: CompletionSchema
  /** Names of the console's tables, in lower case, which no cell may have. */
  tables: readonly string[]
  /** Whether the console fills the screen. */
  tall: boolean
  /** Called when statements ran without an error. */
  onRan(): void
  /** Called with the cell that the reader works on. */
  onActive(id: number): void
  /** What is beside the button that runs everything. */
  children: ReactNode
}

/** What an outcome of a cell is found by. */
export const outcomeKey = (tab: Pick<ConsoleTab, 'id'>, cell: Pick<Cell, 'id'>): string =>
  `${tab.id} ${cell.id}`

const isSql = (cell: Cell): cell is SqlCell => cell.kind === 'sql'

/** Runs the cells of a document. */
function useCellRuns({ tab, console, runs, tables, onRan }: DocumentViewProps) {
  const { cells } = tab
  const running = runs.latest === 'running'
  const stepOf = (cell: SqlCell): RunStep => ({
    key: outcomeKey(tab, cell),
    work: async (number) => {
      const found = namedFor(cells, cell, tables)
      if ('fault' in found) return { kind: 'refused', fault: found.fault }
      const sql = withValues(cell.sql)
      const result = await console.query(sql, found.named)
      return { kind: 'rows', number, sql, named: found.named, result }
    },
  })
  return {
    running,
    run: (chosen: readonly SqlCell[]): void => {
      if (running) return
      void runs.run(chosen.map(stepOf)).then((good) => {
        if (good && chosen.length > 0) onRan()
      })
    },
    explain: (cell: SqlCell): void => {
      const work: RunStep['work'] = async () => {
        const found = namedFor(cells, cell, tables)
        if ('fault' in found) return { kind: 'refused', fault: found.fault }
        return { kind: 'plan', text: await console.explain(withValues(cell.sql), found.named) }
      }
      if (!running) void runs.run([{ key: outcomeKey(tab, cell), work }])
    },
    stop: (): void => {
      runs.stop()
      console.cancel()
    },
  }
}

/** Changes the cells of a document, and moves the focus between them. */
function useCells({ tab: { cells }, edit }: Pick<DocumentViewProps, 'tab' | 'edit'>) {
  const [focus, setFocus] = useState({ id: 0, count: 0 })
  const [removed, setRemoved] = useState<{ cell: Cell; at: number } | null>(null)
  const focusOn = (id: number): void => setFocus(({ count }) => ({ id, count: count + 1 }))
  const change = (next: (now: readonly Cell[]) => readonly Cell[]): void => {
    setRemoved(null)
    edit((document) => ({ ...document, cells: next(document.cells) }))
  }
  return {
    /** Changes when a cell is to have the focus; 0 for never. */
    focusOf: (cell: Cell): number => (focus.id === cell.id ? focus.count : 0),
    /** Moves the focus to the cell above or below. Returns whether there is one. */
    leave: (at: number, by: -1 | 1): boolean => {
      const next = cells[at + by]
      if (next) focusOn(next.id)
      return next !== undefined
    },
    write: (id: number, part: Partial<SqlCell> | Partial<TextCell>): void =>
      change((now) => now.map((each) => (each.id === id ? ({ ...each, ...part } as Cell) : each))),
    add: (kind: Cell['kind']): void => {
      const next = addCell(cells, kind, cells.length - 1)
      change(() => next)
      focusOn(next.at(-1)!.id)
    },
    move: (cell: Cell, by: -1 | 1): void => change((now) => moveCell(now, cell.id, by)),
    remove: (cell: Cell, at: number): void => {
      change((now) => removeCell(now, cell.id))
      setRemoved({ cell, at })
    },
    /** Puts back what was removed last; `null` if the document has changed since. */
    restore: removed === null ? null : () => change((now) => restoreCell(now, removed.cell, removed.at)),
  }
}

/** What the editors complete: the tables, and the names of the cells. */
const useCompletion = (cells: readonly Cell[], schema: CompletionSchema): CompletionSchema =>
  useMemo(() => {
    const names = cells.flatMap((cell) => (isSql(cell) && cell.name !== '' ? [[cell.name, []]] : []))
    return { ...(Object.fromEntries(names) as CompletionSchema), ...schema }
  }, [cells, schema])

/** The cells of a document, with what runs, moves, adds and removes them. */
export function DocumentView(props: DocumentViewProps) {
  const { tab, console, runs, tables, tall, onActive, children } = props
  const { cells } = tab
  const { running, run, explain, stop } = useCellRuns(props)
  const { focusOf, leave, write, add, move, remove, restore } = useCells(props)
  const schema = useCompletion(cells, props.schema)
  const isLone = loneStatement(tab) !== null
  const sqlProps = (cell: SqlCell, at: number): SqlCellViewProps => ({
    cell,
    isLone,
    running,
    console,
    tall,
    schema,
    outcome: runs.outcomeOf(outcomeKey(tab, cell)),
    focused: focusOf(cell),
    onChange: (sql) => write(cell.id, { sql }),
    onRun: () => run([cell]),
    onRunAndGoOn: () => {
      run([cell])
      leave(at, 1)
    },
    onCancel: stop,
    onExplain: () => explain(cell),
    onLeave: (by) => leave(at, by),
  })
  return (
    <>
      <div className={styles.bar2}>
        {isLone ? null : (
          <RunAll
            running={running}
            onRun={() => run(cells.filter(isSql).filter(({ sql }) => sql.trim() !== ''))}
            onStop={stop}
          />
        )}
        {children}
      </div>
      {cells.map((cell, at) => (
        <CellFrame
          key={cell.id}
          {...{ cell, at, cells, tables, isLone }}
          onName={(name) => write(cell.id, { name })}
          onMove={(by) => move(cell, by)}
          onRemove={() => remove(cell, at)}
          onActive={() => onActive(cell.id)}
        >
          {(label) =>
            isSql(cell) ? (
              <SqlCellView {...sqlProps(cell, at)} />
            ) : (
              <TextCellView
                {...{ cell, label }}
                focused={focusOf(cell)}
                onChange={(text) => write(cell.id, { text })}
                onLeave={(by) => leave(at, by)}
              />
            )
          }
        </CellFrame>
      ))}
      {restore === null ? null : <Removed onUndo={restore} />}
      <AddCell isFull={cells.length >= MAX_CELLS} onAdd={add} />
    </>
  )
}

function AddCell({ isFull, onAdd }: { isFull: boolean; onAdd(kind: Cell['kind']): void }) {
  return (
    <div className={styles.bar2}>
      <Button disabled={isFull} onClick={() => onAdd('sql')}>
        <Plus aria-hidden="true" size={16} />
        <FormattedMessage id="console.addSql" />
      </Button>
      <Button disabled={isFull} onClick={() => onAdd('text')}>
        <FileText aria-hidden="true" size={16} />
        <FormattedMessage id="console.addText" />
      </Button>
    </div>
  )
}

function RunAll({ running, onRun, onStop }: { running: boolean; onRun(): void; onStop(): void }) {
  const Icon = running ? Square : Play
  return (
    <Button primary onClick={running ? onStop : onRun}>
      <Icon aria-hidden="true" size={16} />
      <FormattedMessage id={running ? 'console.stopAll' : 'console.runAll'} />
    </Button>
  )
}

/** Says that a cell was removed; its button has the focus, which was in the cell. */
function Removed({ onUndo }: { onUndo(): void }) {
  const place = useRef<HTMLParagraphElement>(null)
  useEffect(() => place.current?.querySelector('button')?.focus(), [])
  return (
    <p ref={place} role="status" className={styles.bar2}>
      <FormattedMessage id="console.removed" />
      <Button onClick={onUndo}>
        <Undo2 aria-hidden="true" size={16} />
        <FormattedMessage id="console.undo" />
      </Button>
    </p>
  )
}

interface CellFrameProps extends Pick<DocumentViewProps, 'tables'> {
  cell: Cell
  at: number
  cells: readonly Cell[]
  isLone: boolean
  onName(name: string): void
  onMove(by: -1 | 1): void
  onRemove(): void
  onActive(): void
  /** `label`: names the text of the cell. */
  children(label: string): ReactNode
}

/** Only what a name may have: other signs are underscores. */
const asName = (text: string): string => text.replaceAll(/[^\p{L}\p{N}_]+/gu, '_').slice(0, 40)

/** A cell with its name and its tools; a statement of its own has none. */
function CellFrame(props: CellFrameProps) {
  const { cell, at, cells, tables, isLone, onName, onMove, onRemove, onActive, children } = props
  const word = useWord()
  const number = at + 1
  const label = word('console.cell', { number })
  const fault = isSql(cell) ? nameFault(cells, cell, tables) : null
  const move = (by: -1 | 1) => (event: MouseEvent<HTMLButtonElement>) => {
    const button = event.currentTarget
    // The cell may be put elsewhere in the page, which takes the focus from its button.
    flushSync(() => onMove(by))
    button.focus()
  }
  return (
    <div
      className={isLone ? styles.lone : styles.cell}
      role={isLone ? undefined : 'group'}
      aria-label={isLone ? undefined : label}
      data-testid="console-cell"
      onFocusCapture={onActive}
    >
      {isLone ? null : (
        <div className={styles.cellHead}>
          {isSql(cell) ? (
            <TextField
              label={<FormattedMessage id="console.cellName" values={{ number }} />}
              value={cell.name}
              spellCheck={false}
              autoCapitalize="none"
              autoComplete="off"
              error={fault === null ? undefined : word(`console.name.${fault}`)}
              onChange={(name) => onName(asName(name))}
            />
          ) : (
            <span>{label}</span>
          )}
          <ToolButton
            icon={ArrowUp}
            label="console.moveUp"
            values={{ number: String(number) }}
            titled
            className={styles.end}
            disabled={at === 0}
            onClick={move(-1)}
          />
          <ToolButton
            icon={ArrowDown}
            label="console.moveDown"
            values={{ number: String(number) }}
            titled
            disabled={at === cells.length - 1}
            onClick={move(1)}
          />
          <ToolButton
            icon={Trash2}
            label="console.remove"
            values={{ number: String(number) }}
            titled
            onClick={onRemove}
          />
        </div>
      )}
      {children(word('console.textOf', { number }))}
    </div>
  )
}
