import { ArrowLeft, Plus, Search } from 'lucide-react'
import { lazy, Suspense, useEffect, useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { FormattedMessage } from 'react-intl'
import { useWord } from '../i18n/use-word.ts'
import { Button } from '../ui/button.tsx'
import { Skeleton } from '../ui/panel.tsx'
import { Popover } from '../ui/popover.tsx'
import type { FoundFilters } from './panels/found-filters.tsx'
import type { Brush } from './query/use-brush.ts'
import type { SliceAnswer } from './query/use-slice.ts'
import { useOpenedByLink } from './state/use-opened-by-link.ts'
import styles from './add-filter.module.css'

const Found = lazy(() => import('./panels/found-filters.tsx'))
const ClauseEditor = lazy(() => import('./panels/clause-editor.tsx'))

const opener = (): HTMLElement | null => document.querySelector('[data-add-filter] > button')

/** Opens what finds dimensions and values to filter by, if it is on the page. */
export const openAddFilter = (): void => opener()?.click()

/** Focuses the button after a filter has gone, with the button that removed it. */
export const focusAddFilter = (): void => opener()?.focus()

/** What is typed and entered, and what of it is open. */
function useFinding() {
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const [queue, setQueue] = useState<readonly string[]>([])
  const [dim, setDim] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const found = useRef<FoundFilters>(null)
  // Letters may come before the browser says that it has opened, so only closing discards them.
  const onOpen = (isOpen: boolean): void => {
    setOpen(isOpen)
    if (isOpen) return
    setTyped('')
    setQueue([])
    setDim(null)
  }
  const enter = (): void => {
    if (found.current?.choose() === true || typed.trim() === '') return
    setQueue((before) => [...before, typed])
    setTyped('')
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.nativeEvent.isComposing || (step === undefined && event.key !== 'Enter')) return
    event.preventDefault()
    if (step === undefined) enter()
    else found.current?.move(step)
  }
  return { open, typed, queue, dim, input, found, onKeyDown, onOpen, setTyped, setQueue, setDim }
}

interface AddFilterProps {
  slice: SliceAnswer | null
  brush: Brush
  model: string
}

/**
 * Finds what the slice can be filtered by: typing finds dimensions and values. A value is added and the next can be typed;
 * a dimension opens all of its values.
 */
export function AddFilter({ slice, brush, model }: AddFilterProps) {
  const word = useWord()
  const list = useId()
  const { open, typed, queue, dim, input, found, onKeyDown, onOpen, setTyped, setQueue, setDim } =
    useFinding()
  useOpenedByLink('filter', openAddFilter)
  return (
    <span data-add-filter>
      <Popover
        className={styles.add}
        label={`${word('workspace.addFilter')} (F)`}
        button={
          <>
            <Plus aria-hidden="true" size={16} />
            <FormattedMessage id="workspace.filter" />
          </>
        }
        onOpen={onOpen}
      >
        <div className={styles.picker}>
          {dim === null ? (
            <Field
              ref={input}
              list={list}
              isOpen={open}
              value={typed}
              onChange={setTyped}
              onKeyDown={onKeyDown}
            />
          ) : (
            <Back
              dim={dim}
              onBack={() => {
                setDim(null)
                setTimeout(() => input.current?.focus(), 0)
              }}
            />
          )}
          <Suspense fallback={<Skeleton height={240} />}>
            {!open ? null : slice === null ? (
              <Skeleton height={240} />
            ) : dim === null ? (
              <Found
                ref={found}
                id={list}
                input={input}
                slice={slice}
                model={model}
                typed={typed}
                queue={queue}
                onTaken={() => setQueue((before) => before.slice(1))}
                onDimension={setDim}
                onValue={() => {
                  setTyped('')
                  input.current?.focus()
                }}
              />
            ) : (
              <ClauseEditor focused dim={dim} slice={slice} brush={brush} model={model} />
            )}
          </Suspense>
        </div>
      </Popover>
    </span>
  )
}

interface FieldProps {
  ref: RefObject<HTMLInputElement | null>
  /** The id of the list that it searches. */
  list: string
  isOpen: boolean
  value: string
  onChange(value: string): void
  onKeyDown(event: KeyboardEvent): void
}

/** Where the reader types. It is there before the list, so that no letter is lost. */
function Field({ ref, list, isOpen, value, onChange, onKeyDown }: FieldProps) {
  const name = useWord()('workspace.findFilter')
  // Tells the browser which element of its popover has the focus when it opens.
  useEffect(() => ref.current?.setAttribute('autofocus', ''), [ref])
  return (
    <label className={styles.search}>
      <Search aria-hidden="true" size={16} />
      <input
        ref={ref}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={list}
        aria-autocomplete="list"
        autoComplete="off"
        value={value}
        placeholder={name}
        aria-label={name}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </label>
  )
}

/** The dimension that is edited, as the way back to all of them. */
const Back = ({ dim, onBack }: { dim: string; onBack(): void }) => (
  <Button onClick={onBack}>
    <ArrowLeft aria-hidden="true" size={16} />
    <FormattedMessage id={`dimension.${dim}`} />
  </Button>
)
