import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { PostgreSQL, sql, SQLDialect } from '@codemirror/lang-sql'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  type KeyBinding,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef, type RefObject } from 'react'
import styles from './console.module.css'

/** DuckDB's dialect: PostgreSQL's keywords and types, and its own. */
const DUCKDB = SQLDialect.define({
  ...PostgreSQL.spec,
  caseInsensitiveIdentifiers: true,
  keywords: `${PostgreSQL.spec.keywords ?? ''} qualify pivot unpivot asof positional anti semi summarize exclude replace columns lambda sample macro ilike`,
  types: `${PostgreSQL.spec.types ?? ''} tinyint utinyint usmallint uinteger ubigint hugeint double map struct union`,
})

const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--series-1)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--series-3)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--series-5)' },
  { tag: [tags.lineComment, tags.blockComment], color: 'var(--ink-soft)', fontStyle: 'italic' },
  { tag: [tags.typeName, tags.standard(tags.name)], color: 'var(--series-4)' },
])

const THEME = EditorView.theme({
  '&': { backgroundColor: 'var(--surface)', color: 'var(--ink)', fontSize: '13px', height: '100%' },
  // The scroller's font applies to both the line numbers and the lines, so that they align.
  '.cm-scroller': { fontFamily: 'ui-monospace, Menlo, Consolas, monospace', lineHeight: '18px' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--ink-soft)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--sunken)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft) !important',
  },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', border: '1px solid var(--line)', color: 'var(--ink)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--accent-ink)',
  },
  '.cm-completionDetail': { color: 'inherit', opacity: '0.75', fontStyle: 'normal' },
})

/**
 * Completes columns of the tables that the statement uses, anywhere in it: the library offers them
 * only after a table's name.
 */
const columnsOf =
  (schema: CompletionSchema) =>
  (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/\w+/)
    if (word === null && !context.explicit) return null
    const text = context.state.doc.toString().toLowerCase()
    const options = Object.entries(schema).flatMap(([table, columns]) =>
      new RegExp(`\\b${table}\\b`).test(text) ? columns.map((column) => ({ ...column, boost: 50 })) : [],
    )
    return { from: word?.from ?? context.pos, options, validFor: /^\w*$/ }
  }

/** Names an editor. */
const nameOf = (label: string): Extension =>
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' })

const runKey = (key: string, act: () => void): KeyBinding => ({
  key,
  preventDefault: true,
  run: (target) => {
    // The list would cover the end of the statement and of its result.
    closeCompletion(target)
    act()
    return true
  },
})

/** Columns by table, as the completion expects them. */
export type CompletionSchema = Readonly<Record<string, { label: string; detail: string; type: string }[]>>

interface SqlEditorProps {
  label: string
  value: string
  schema: CompletionSchema
  /** The error and its line, counted from 1; `null` if there is none. */
  fault: { line: number; text: string } | null
  onChange(value: string): void
  /** Whether it is as high as its text, as in a document, rather than of a height of its own. */
  grows: boolean
  /** Changes when the editor is to have the focus; 0 for never. */
  focused: number
  /** Called on Ctrl+Enter. */
  onRun(): void
  /** Called on Shift+Enter. */
  onRunAndGoOn(): void
  /** Called on an arrow up in the first line (−1) or down in the last (1). Returns whether the focus moves. */
  onLeave(by: -1 | 1): boolean
}

/** Whether the cursor is in the first or the last line, with nothing selected. */
const isAtEdge = ({ state: { doc, selection } }: EditorView, by: -1 | 1): boolean =>
  selection.main.empty && doc.lineAt(selection.main.head).number === (by < 0 ? 1 : doc.lines)

/** What an editor can do. `changing`: its name and its language. */
const extensionsOf = (
  changing: readonly Extension[],
  handlers: RefObject<Pick<SqlEditorProps, 'onChange' | 'onRun' | 'onRunAndGoOn' | 'onLeave'>>,
): Extension[] => [
  lineNumbers(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  autocompletion(),
  highlightActiveLine(),
  syntaxHighlighting(COLOURS),
  THEME,
  EditorView.lineWrapping,
  ...changing,
  keymap.of([
    runKey('Mod-Enter', () => handlers.current.onRun()),
    runKey('Shift-Enter', () => handlers.current.onRunAndGoOn()),
    ...closeBracketsKeymap,
    ...completionKeymap,
    // After those of the completion list.
    { key: 'ArrowUp', run: (target) => isAtEdge(target, -1) && handlers.current.onLeave(-1) },
    { key: 'ArrowDown', run: (target) => isAtEdge(target, 1) && handlers.current.onLeave(1) },
    ...historyKeymap,
    ...defaultKeymap,
  ]),
  EditorView.updateListener.of((update) => {
    if (update.docChanged) handlers.current.onChange(update.state.doc.toString())
  }),
]

/**
 * An SQL editor with DuckDB's keywords and the dataset's tables. Tab moves the focus,
 * as in every other field.
 */
export default function SqlEditor(props: SqlEditorProps) {
  const { label, value, schema, fault, grows, focused, onChange, onRun, onRunAndGoOn, onLeave } = props
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const language = useRef(new Compartment())
  const name = useRef(new Compartment())
  const handlers = useRef({ onChange, onRun, onRunAndGoOn, onLeave })
  useEffect(() => {
    handlers.current = { onChange, onRun, onRunAndGoOn, onLeave }
  })
  const first = useRef({ value, label })
  useEffect(() => {
    const editor = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: first.current.value,
        extensions: extensionsOf(
          [name.current.of(nameOf(first.current.label)), language.current.of([])],
          handlers,
        ),
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [])
  useEffect(() => {
    view.current?.dispatch({
      effects: language.current.reconfigure([
        sql({ dialect: DUCKDB, schema, upperCaseKeywords: true }),
        DUCKDB.language.data.of({ autocomplete: columnsOf(schema) }),
      ]),
    })
  }, [schema])
  useEffect(() => {
    const editor = view.current
    if (!editor || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])
  useEffect(() => {
    const editor = view.current
    if (!editor) return
    const { doc } = editor.state
    const line = fault === null ? null : doc.line(Math.min(Math.max(1, fault.line), doc.lines))
    editor.dispatch(
      setDiagnostics(
        editor.state,
        line === null ? [] : [{ from: line.from, to: line.to, severity: 'error', message: fault!.text }],
      ),
    )
  }, [fault])
  useEffect(() => {
    view.current?.dispatch({ effects: name.current.reconfigure(nameOf(label)) })
  }, [label])
  useEffect(() => {
    if (focused > 0) view.current?.focus()
  }, [focused])
  return <div ref={place} className={grows ? styles.growing : styles.editor} />
}
