import { useEffect } from 'react'

/** What the keys of the workspace do. */
interface KeyActions {
  onClear(): void
  onUndo(): void
  /** Goes to the next or previous race of the list; `null` where none is open beside it. */
  onStep: ((by: 1 | -1) => void) | null
}

/** Whether the user types in a field, or a dialog is open; a check box takes no text. */
function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement && /^(checkbox|radio)$/.test(target.type)) return false
  return (
    target.closest('dialog') !== null ||
    target.isContentEditable ||
    /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)
  )
}

/**
 * Escape clears the filters, Ctrl+Z undoes the last gesture; beside a race, J and K go to the next and
 * previous one of the list. Ignored while the user types in a field.
 */
export function useKeys({ onClear, onUndo, onStep }: KeyActions): void {
  useEffect(() => {
    const plain: Readonly<Record<string, () => void>> = { j: () => onStep?.(1), k: () => onStep?.(-1) }
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isTyping(event)) return
      const control = event.ctrlKey || event.metaKey
      if (event.key === 'Escape') onClear()
      else if (!control && !event.altKey) plain[event.key]?.()
      else if (control && !event.shiftKey && event.key === 'z') {
        event.preventDefault()
        onUndo()
      }
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [onClear, onUndo, onStep])
}
