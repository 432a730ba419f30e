import type { ConsoleRows } from '../../data/analytics/console-rows.ts'
import type { Cell, ConsoleDocument } from './document.ts'

/** Rows of a result in a file of Markdown. */
export const MARKDOWN_ROWS = 100

export interface MarkdownWords {
  /** Says that a table has the first rows of more. */
  part(shown: number, result: ConsoleRows): string
  /** Says that a statement was not run. */
  notRun: string
}

/** A value in a cell of a table: nothing in it ends the cell, or is read as HTML. */
const cellText = (value: string | null): string =>
  (value ?? '')
    .replaceAll(/[\\|`*_[\]]/g, String.raw`\$&`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/\r\n?|\n/g, '<br>')

function tableOf({ columns, rows }: ConsoleRows): string {
  const line = (cells: readonly (string | null)[]): string => `| ${cells.map(cellText).join(' | ')} |`
  const sides = columns.map(({ kind }) => (kind === 'number' ? '---:' : '---'))
  return [
    line(columns.map(({ name }) => name)),
    `| ${sides.join(' | ')} |`,
    ...rows.slice(0, MARKDOWN_ROWS).map(line),
  ].join('\n')
}

/** Code in a fence that is longer than any in it. */
function fenced(sql: string): string {
  const longest = Math.max(2, ...(sql.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}sql\n${sql}\n${fence}`
}

/**
 * A document as Markdown with the results of its statements, of each at most `MARKDOWN_ROWS` rows, which the file says.
 * `resultOf`: the rows of a cell; `null` where it was not run.
 */
export function markdownOf(
  { title, cells }: ConsoleDocument,
  resultOf: (cell: Cell) => ConsoleRows | null,
  words: MarkdownWords,
): string {
  const parts = cells.flatMap((cell) => {
    if (cell.kind === 'text') return [cell.text]
    const result = resultOf(cell)
    const name = cell.name === '' ? [] : [`\`${cell.name}\``]
    if (result === null) return [...name, fenced(cell.sql), `*${words.notRun}*`]
    const shown = Math.min(result.rows.length, MARKDOWN_ROWS)
    const isPart = result.truncated || shown < result.rows.length
    return [...name, fenced(cell.sql), tableOf(result), ...(isPart ? [`*${words.part(shown, result)}*`] : [])]
  })
  return `${[...(title === '' ? [] : [`# ${title}`]), ...parts].join('\n\n')}\n`
}

/** The name of a document's file, without the extension. */
export const documentFileName = ({ title }: Pick<ConsoleDocument, 'title'>): string =>
  title
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60) || 'furlong-document'
