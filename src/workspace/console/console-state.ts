import { useCallback, useEffect, useRef, useState } from 'react'
import { onDevice } from '../../storage/stored-text.ts'
import { MODEL_IDS, type ModelId } from '../../../contract/model-ids.ts'
import { CONSOLE_KEY } from '../../data/client/device-work.ts'
import { documentOf, readDocument, writeDocument, type Cell, type ConsoleDocument } from './document.ts'

/** A tab of the console: a document. */
export interface ConsoleTab extends ConsoleDocument {
  id: number
}

/** What was run: a statement, or a document of several cells as its file. */
export interface PastStatement {
  sql: string
  at: string
}

export interface ConsoleState {
  tabs: ConsoleTab[]
  active: number
  past: PastStatement[]
  /** Models whose rows are loaded beside those of the page's model. */
  models: ModelId[]
}

export const MAX_TABS = 30
const MAX_PAST = 50
/** Longer statements are not added to the history. */
const MAX_SQL = 20_000

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function isCell(value: unknown): value is Cell {
  if (!isObject(value) || typeof value['id'] !== 'number') return false
  if (value['kind'] === 'text') return typeof value['text'] === 'string'
  return value['kind'] === 'sql' && typeof value['name'] === 'string' && typeof value['sql'] === 'string'
}

/** A stored tab. Tabs of earlier versions have one statement, `sql`, and no cells. */
function tabIn(value: unknown): ConsoleTab[] {
  if (!isObject(value) || typeof value['id'] !== 'number') return []
  const { id, sql, title, cells } = value
  if (typeof sql === 'string') return [{ id, ...documentOf(sql) }]
  const good = Array.isArray(cells) ? cells.filter(isCell) : []
  return good.length === 0 ? [] : [{ id, title: typeof title === 'string' ? title : '', cells: good }]
}

function read(first: string): ConsoleState {
  try {
    const stored = onDevice.readJson(CONSOLE_KEY) as ConsoleState | null
    const tabs = ((stored?.tabs ?? []) as readonly unknown[]).flatMap(tabIn).slice(0, MAX_TABS)
    if (stored && tabs.length > 0) {
      const active = tabs.some(({ id }) => id === stored.active) ? stored.active : tabs[0]!.id
      const past = Array.isArray(stored.past) ? stored.past.slice(0, MAX_PAST) : []
      return { tabs, active, past, models: MODEL_IDS.filter((id) => stored.models?.includes(id)) }
    }
  } catch {
    // Unreadable state is replaced by the initial one.
  }
  return { tabs: [{ id: 1, ...documentOf(first) }], active: 1, past: [], models: [] }
}

/**
 * What a link or another view has, a statement or the file of a document, gets a separate tab, unless a tab has it or it was run here
 * before.
 */
function withLinked(state: ConsoleState, linked: string | null): ConsoleState {
  if (linked === null || state.past.some(({ sql }) => sql === linked)) return state
  const known = state.tabs.find((tab) => writeDocument(tab) === linked)
  if (known) return { ...state, active: known.id }
  return withTab(state, linked)
}

/** Never closes a tab for a new one: at the limit, the state is left unchanged. */
function withTab(state: ConsoleState, text: string): ConsoleState {
  if (state.tabs.length >= MAX_TABS) return state
  const id = Math.max(...state.tabs.map((tab) => tab.id)) + 1
  return { ...state, tabs: [...state.tabs, { id, ...readDocument(text) }], active: id }
}

/** Tabs and history of the console, stored on this device from the first change on. */
export function useConsoleState(first: string) {
  const [state, setState] = useState(() => read(first))
  /** The state as it was read: whoever changed nothing has no work on the device, nor after it was deleted there. */
  const untouched = useRef(state)
  useEffect(() => {
    // If storage is full or blocked, the state remains for this visit only.
    if (state !== untouched.current) onDevice.writeJson(CONSOLE_KEY, state)
  }, [state])
  useEffect(() => {
    // Another window wrote the state: adopt it.
    const follow = (event: StorageEvent): void => {
      if (event.key !== CONSOLE_KEY) return
      untouched.current = read('')
      setState(untouched.current)
    }
    globalThis.addEventListener('storage', follow)
    return () => globalThis.removeEventListener('storage', follow)
  }, [])
  return {
    state,
    follow: useCallback((sql: string | null): void => setState((before) => withLinked(before, sql)), []),
    /** Changes the document of the shown tab. */
    edit: useCallback(
      (change: (document: ConsoleDocument) => ConsoleDocument): void =>
        setState((before) => ({
          ...before,
          tabs: before.tabs.map((tab) =>
            tab.id === before.active ? { ...tab, ...change({ title: tab.title, cells: tab.cells }) } : tab,
          ),
        })),
      [],
    ),
    chooseModels: useCallback(
      (models: readonly ModelId[]): void =>
        setState((before) => ({ ...before, models: MODEL_IDS.filter((id) => models.includes(id)) })),
      [],
    ),
    select: (id: number): void => setState((before) => ({ ...before, active: id })),
    /** Opens a statement, or the file of a document. */
    add: (text: string): void => setState((before) => withTab(before, text)),
    close: (id: number): void =>
      setState((before) => {
        const left = before.tabs.filter((tab) => tab.id !== id)
        const tabs = left.length > 0 ? left : [{ id: 1, ...documentOf('') }]
        return { ...before, tabs, active: before.active === id ? tabs.at(-1)!.id : before.active }
      }),
    remember: (statement: PastStatement): void => {
      if (statement.sql.length > MAX_SQL) return
      setState((before) => ({
        ...before,
        past: [statement, ...before.past.filter(({ sql }) => sql !== statement.sql)].slice(0, MAX_PAST),
      }))
    },
  }
}
