import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/fields/text-field.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import type { TextCell } from './document.ts'
import styles from './console.module.css'

const MarkdownText = lazy(() => import('./markdown-text.tsx'))

interface TextCellViewProps {
  cell: TextCell
  /** Names the text. */
  label: string
  /** Changes when the cell is to have the focus; 0 for never. */
  focused: number
  onChange(text: string): void
  /** Moves the focus to the cell above (−1) or below (1). Returns whether there is one. */
  onLeave(by: -1 | 1): boolean
}

/** Whether the cursor of a text area is in its first or its last line, with nothing selected. */
function isAtEdge({ value, selectionStart, selectionEnd }: HTMLTextAreaElement, by: -1 | 1): boolean {
  const beyond = by < 0 ? value.slice(0, selectionStart) : value.slice(selectionEnd)
  return selectionStart === selectionEnd && !beyond.includes('\n')
}

const ARROWS: Readonly<Record<string, -1 | 1>> = { ArrowUp: -1, ArrowDown: 1 }

type KeyAction = 'begin' | 'end' | 'go-on' | -1 | 1

/** What a key does in a text that is edited; `null` for nothing beyond the usual. */
function editedAction(event: KeyboardEvent, area: HTMLTextAreaElement): KeyAction | null {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return 'end'
  if (event.key === 'Escape') return 'end'
  const by = ARROWS[event.key]
  return by !== undefined && isAtEdge(area, by) ? by : null
}

/** The same of any key in the cell: the buttons have keys of their own. */
function actionOf(event: KeyboardEvent): KeyAction | null {
  const { target, key } = event
  const area = target instanceof HTMLTextAreaElement ? target : null
  const isShown = target instanceof HTMLElement && 'shown' in target.dataset
  if (area === null && !isShown) return null
  if (key === 'Enter' && event.shiftKey) return 'go-on'
  if (area !== null) return editedAction(event, area)
  return key === 'Enter' ? 'begin' : (ARROWS[key] ?? null)
}

/** Text as it is read; Enter or the button shows its Markdown to change. */
export function TextCellView({ cell, label, focused, onChange, onLeave }: TextCellViewProps) {
  const word = useWord()
  const [isEdited, setEdited] = useState(cell.text === '')
  const place = useRef<HTMLDivElement>(null)
  const isFirst = useRef(true)
  const focus = (): void => place.current?.querySelector<HTMLElement>('textarea, [data-shown]')?.focus()
  useEffect(() => {
    if (focused > 0) focus()
  }, [focused])
  useEffect(() => {
    // Whoever begins or ends to edit has the focus there.
    if (!isFirst.current) focus()
    isFirst.current = false
  }, [isEdited])
  const onKey = (event: KeyboardEvent): void => {
    const action = actionOf(event)
    if (action === null || (typeof action === 'number' && !onLeave(action))) return
    event.preventDefault()
    // Escape would clear the page's filters.
    event.stopPropagation()
    if (action === 'begin') setEdited(true)
    if (action === 'end' || action === 'go-on') setEdited(false)
    if (action === 'go-on') onLeave(1)
  }
  const newest = useRef(onKey)
  useEffect(() => {
    newest.current = onKey
  })
  useEffect(() => {
    const element = place.current!
    const listener = (event: KeyboardEvent): void => newest.current(event)
    element.addEventListener('keydown', listener)
    return () => element.removeEventListener('keydown', listener)
  }, [])
  return (
    <div ref={place}>
      {isEdited ? (
        <>
          <TextArea
            label={label}
            value={cell.text}
            rows={Math.min(16, cell.text.split('\n').length + 2)}
            placeholder={word('console.textHint')}
            onChange={onChange}
          />
          <Button onClick={() => setEdited(false)} text="console.textDone" />
        </>
      ) : (
        <>
          <div className={styles.text} role="group" aria-label={label} tabIndex={0} data-shown="">
            {cell.text.trim() === '' ? (
              <FormattedMessage id="console.textEmpty" tagName="p" />
            ) : (
              <Suspense fallback={<Skeleton height={40} />}>
                <MarkdownText text={cell.text} />
              </Suspense>
            )}
          </div>
          <Button onClick={() => setEdited(true)} text="console.textEdit" />
        </>
      )}
    </div>
  )
}
