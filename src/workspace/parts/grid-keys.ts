import type { FocusEvent, KeyboardEvent } from 'react'

/** What of a table's cell has the focus: its button, or the cell itself. */
const focusOf = (cell: HTMLElement): HTMLElement => cell.querySelector<HTMLElement>('button') ?? cell

const cellsOf = (row: HTMLTableRowElement): HTMLTableCellElement[] => [...row.cells]

/** Number of columns before a cell. */
const columnOf = (cell: HTMLTableCellElement): number =>
  cellsOf(cell.parentElement as HTMLTableRowElement)
    .slice(0, cell.cellIndex)
    .reduce((sum, { colSpan }) => sum + colSpan, 0)

/** The cell of a row that a column is in. */
function cellAt(row: HTMLTableRowElement, column: number): HTMLTableCellElement | undefined {
  let end = 0
  return cellsOf(row).find((cell) => {
    end += cell.colSpan
    return column < end
  })
}

/** Where a key leads from a cell; `undefined` if it leads nowhere. */
function cellFrom(cell: HTMLTableCellElement, key: string): HTMLTableCellElement | undefined {
  const row = cell.parentElement as HTMLTableRowElement
  const { rows } = cell.closest('table')!
  const step = { ArrowUp: -1, ArrowDown: 1 }[key]
  const next = step === undefined ? undefined : rows[row.rowIndex + step]
  if (next) return cellAt(next, columnOf(cell))
  const { cells } = row
  return {
    ArrowLeft: cells[cell.cellIndex - 1],
    ArrowRight: cells[cell.cellIndex + 1],
    Home: cells[0],
    End: cells[cells.length - 1],
  }[key]
}

/**
 * Handlers of a table with `role="grid"`: the arrow keys, Home and End move between its cells, of which one is reached by Tab.
 * Every cell, or its button, has a `tabIndex`, the first one 0 and the others −1.
 */
export const GRID_KEYS = {
  onKeyDown: (event: KeyboardEvent<HTMLTableElement>): void => {
    const { target, key, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey || !(target instanceof Element)) return
    const cell = target.closest<HTMLTableCellElement>('td, th')
    const next = cell ? cellFrom(cell, key) : undefined
    if (!next) return
    event.preventDefault()
    focusOf(next).focus()
  },
  onFocus: ({ currentTarget, target }: FocusEvent<HTMLTableElement>): void => {
    for (const each of currentTarget.querySelectorAll<HTMLElement>('[tabindex="0"]')) each.tabIndex = -1
    target.tabIndex = 0
  },
}
