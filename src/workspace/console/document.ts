/** A cell with text in Markdown. */
export interface TextCell {
  kind: 'text'
  id: number
  text: string
}

/** A cell with a statement. */
export interface SqlCell {
  kind: 'sql'
  id: number
  /** Under which other cells read its rows; empty for a cell that no other reads. */
  name: string
  sql: string
}

export type Cell = TextCell | SqlCell

/** A document of the console: a tab. A statement of its own is a document of one cell without a name. */
export interface ConsoleDocument {
  /** Empty: the tab shows its number. */
  title: string
  cells: readonly Cell[]
}

/** Begins a line that says what the following lines are. */
const MARK = '-- %%'
const HEAD =
  /^-- %% (?:(?<document>document)(?: (?<title>.*))?|(?<text>text)|sql(?: (?<name>[\p{L}\p{N}_]+)(?<view> as view)?)?)$/u
/** A line of a cell that would be read as a mark has a backslash more in the file. */
const ESCAPED = /^-- (\\*)%%/

const escapedLine = (line: string): string => (ESCAPED.test(line) ? `-- \\${line.slice(3)}` : line)
const plainLine = (line: string): string => (/^-- \\+%%/.test(line) ? `-- ${line.slice(4)}` : line)
const commented = (line: string): string => (line === '' ? '--' : `-- ${line}`)
const uncommented = (line: string): string => line.replace(/^--(?: |$)/, '')

/** A document of one statement. */
export const documentOf = (sql: string): ConsoleDocument => ({
  title: '',
  cells: [{ kind: 'sql', id: 1, name: '', sql }],
})

/**
 * The statement of a document that has nothing else; `null` for any other.
 *
 * ```ts
 * loneStatement({ title: '', cells: [{ kind: 'sql', id: 1, name: '', sql: 'FROM race' }] }) // => 'FROM race'
 * ```
 */
export function loneStatement({ title, cells }: ConsoleDocument): string | null {
  const [cell] = cells
  const isLone = title === '' && cells.length === 1 && cell?.kind === 'sql' && cell.name === ''
  return isLone && !cell.sql.split('\n').some((line) => line.startsWith(MARK)) ? cell.sql : null
}

const viewLine = (name: string): string => `CREATE OR REPLACE TEMP VIEW "${name}" AS`

/**
 * A document as a file of SQL, which DuckDB's own shell runs too: texts are comments, and a cell that others read (`read`) is
 * a view. A document of one statement is that statement.
 *
 * ```ts
 * writeDocument({ title: 'Draw', cells: [{ kind: 'text', id: 1, text: 'By draw' }] }) // => '-- %% document Draw\n-- %% text\n-- By draw\n'
 * ```
 */
export function writeDocument(document: ConsoleDocument, read: ReadonlySet<string> = new Set()): string {
  const lone = loneStatement(document)
  if (lone !== null) return lone
  const cells = document.cells.map((cell) => {
    if (cell.kind === 'text')
      return [`${MARK} text`, ...cell.text.split('\n').map((line) => escapedLine(commented(line)))]
    const isView = cell.name !== '' && read.has(cell.name.toLowerCase())
    const words = ['sql', ...(cell.name === '' ? [] : [cell.name]), ...(isView ? ['as view'] : [])]
    const lines = cell.sql.split('\n').map(escapedLine)
    return [`${MARK} ${words.join(' ')}`, ...(isView ? [viewLine(cell.name)] : []), ...lines, ';']
  })
  return `${[`${MARK} document ${document.title}`, ...cells.flat()].join('\n')}\n`
}

type Head = Readonly<Record<string, string | undefined>>

function cellOf({ text, view, name = '' }: Head, lines: readonly string[], id: number): Cell {
  if (text !== undefined)
    return { kind: 'text', id, text: lines.map((line) => uncommented(plainLine(line))).join('\n') }
  const from = view !== undefined && lines[0] === viewLine(name) ? 1 : 0
  const own = lines.at(-1) === ';' ? lines.slice(from, -1) : lines.slice(from)
  return { kind: 'sql', id, name, sql: own.map(plainLine).join('\n') }
}

/**
 * Reads what `writeDocument` wrote; any other text is one statement.
 *
 * ```ts
 * readDocument('FROM race').cells // => [{ kind: 'sql', id: 1, name: '', sql: 'FROM race' }]
 * ```
 */
export function readDocument(text: string): ConsoleDocument {
  const lines = text.replaceAll(/\r\n?/g, '\n').split('\n')
  const [first = ''] = lines
  const document = HEAD.exec(first)?.groups
  if (document?.['document'] === undefined) return documentOf(text)
  // The file ends with a line break.
  if (lines.at(-1) === '') lines.pop()
  const parts: { head: Head; lines: string[] }[] = []
  for (const line of lines.slice(1)) {
    const head = HEAD.exec(line)?.groups
    if (head && head['document'] === undefined) parts.push({ head, lines: [] })
    else parts.at(-1)?.lines.push(line)
  }
  const cells = parts.map((part, at) => cellOf(part.head, part.lines, at + 1))
  return { title: document['title'] ?? '', cells: cells.length === 0 ? documentOf('').cells : cells }
}

const nextId = (cells: readonly Cell[]): number => Math.max(0, ...cells.map(({ id }) => id)) + 1

/** A name that no cell has: `q1`, `q2` and so on. */
function freeName(cells: readonly Cell[]): string {
  const taken = new Set(cells.flatMap((cell) => (cell.kind === 'sql' ? [cell.name.toLowerCase()] : [])))
  let number = 1
  while (taken.has(`q${number}`)) number += 1
  return `q${number}`
}

/** Gives every statement of a document of several cells a name. */
const withNames = (cells: readonly Cell[]): readonly Cell[] =>
  cells.reduce<readonly Cell[]>(
    (named, cell, at) =>
      cell.kind === 'sql' && cell.name === '' ? named.with(at, { ...cell, name: freeName(named) }) : named,
    cells,
  )

/** The cells with a new one after that at an index; −1: before all. Statements without a name get one. */
export function addCell(cells: readonly Cell[], kind: Cell['kind'], after: number): readonly Cell[] {
  const id = nextId(cells)
  const cell: Cell = kind === 'text' ? { kind, id, text: '' } : { kind, id, name: '', sql: '' }
  return withNames(cells.toSpliced(after + 1, 0, cell))
}

/** The cells with one moved up (−1) or down (1), where there is a place. */
export function moveCell(cells: readonly Cell[], id: number, by: -1 | 1): readonly Cell[] {
  const at = cells.findIndex((cell) => cell.id === id)
  const to = at + by
  const cell = cells[at]
  return cell === undefined || to < 0 || to >= cells.length
    ? cells
    : cells.toSpliced(at, 1).toSpliced(to, 0, cell)
}

/** The cells without one; the last leaves an empty statement. */
export function removeCell(cells: readonly Cell[], id: number): readonly Cell[] {
  const left = cells.filter((cell) => cell.id !== id)
  return left.length === 0 ? documentOf('').cells : left
}

/** The cells with one again that was removed at an index. */
export function restoreCell(cells: readonly Cell[], cell: Cell, at: number): readonly Cell[] {
  const isEmpty = cells.length === 1 && loneStatement({ title: '', cells }) === ''
  return isEmpty ? [cell] : cells.toSpliced(at, 0, { ...cell, id: nextId(cells) })
}
