import { Check, ChevronRight } from 'lucide-react'
import {
  useCallback,
  useDeferredValue,
  useEffect,
  useImperativeHandle,
  useMemo,
  useState,
  type RefObject,
} from 'react'
import { FormattedMessage } from 'react-intl'
import { afterPick, pickedValues } from '../../../analytics/clauses.ts'
import type { Filter } from '../../../analytics/filter.ts'
import { offeredDimensions } from '../../../analytics/offered.ts'
import { MODELS } from '../../../analytics/models.ts'
import type { Reading } from '../../../analytics/questions/readings.ts'
import { useFormat } from '../../i18n/format.ts'
import { knownNames } from '../../i18n/names.ts'
import { useWord } from '../../i18n/use-word.ts'
import { LinkButton } from '../../ui/layout.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import type { SliceAnswer } from '../query/use-slice.ts'
import { useEveryValue, type FoundValue } from '../query/values.ts'
import { useQuestion, type Answerable } from '../questions/use-questions.ts'
import { useReadingWords } from '../questions/use-reading-words.ts'
import { dimensionOf } from '../../../analytics/view/dimension-of.ts'
import { withReading } from '../state/question-view.ts'
import { groupOf, RAIL_GROUPS } from '../state/rail-groups.ts'
import type { Subject } from '../../../analytics/view/view.ts'
import { useNewest, useWorkspace } from '../state/workspace-context.ts'
import { useDimensionText } from '../words/dimension-text.ts'
import { withPredictionType } from './rail.tsx'
import { countOf } from '../../../analytics/view/totals.ts'
import styles from './found-filters.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

const MOST_DIMENSIONS = 6
const MOST_VALUES = 14
const MOST_READINGS = 3
const NO_NAMES: Answerable['names'] = new Map()
const BETWEEN_WORDS = /[\s,·/()&]+/

/** What the keyboard does with the list. */
export interface FoundFilters {
  /** Marks the next or the previous one. */
  move(step: number): void
  /** Takes the one that is marked; `false` if there is none yet. */
  choose(): boolean
}

interface Entry {
  key: string
  dim: string
  name: string
  /** A value of the dimension; undefined for the dimension itself. */
  found?: FoundValue
  label: string
  text: string
  words: readonly string[]
  /** What the whole text asks for, as a question. */
  asked?: { reading: Reading; chips: readonly string[]; notes: readonly string[] }
}

const entryOf = (entry: Omit<Entry, 'text' | 'words'>, text: string): Entry => ({
  ...entry,
  text: text.toLowerCase(),
  words: text.toLowerCase().split(BETWEEN_WORDS),
})

/** How far an entry is from what is typed, 0 if each typed word is a word of it; `null` if one is not in it. */
function distance({ text, words }: Entry, typed: readonly string[]): number | null {
  let sum = 0
  for (const each of typed) {
    if (words.includes(each)) continue
    if (words.some((word) => word.startsWith(each))) sum += 1
    else if (text.includes(each)) sum += 2
    else return null
  }
  return sum
}

/** The nearest entries; those of the same distance stay in their order. */
function nearest(entries: readonly Entry[], typed: readonly string[], most: number): Entry[] {
  const found = entries.flatMap((entry) => {
    const far = distance(entry, typed)
    return far === null ? [] : [{ entry, far }]
  })
  return found
    .toSorted((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ entry }) => entry)
}

/** Dimensions that the reader may filter by, in the order of the filters beside the page. */
function useDimensions(slice: SliceAnswer): readonly string[] {
  const { where } = slice
  const { subject, history, own } = slice.slice
  return useMemo(() => {
    const offered = offeredDimensions(MODELS[subject], where, history, own)
    const placeOf = (dim: string): number =>
      ['bet_type', 'prediction_type'].includes(dim) ? -1 : RAIL_GROUPS.indexOf(groupOf(dim))
    return offered.filter((dim) => dim !== 'meeting').toSorted((a, b) => placeOf(a) - placeOf(b))
  }, [subject, where, history, own])
}

/** What the text asks for as a question: readings about the rows on screen, if there are any. */
function useAsked(text: string, subject: Subject): readonly Entry[] {
  const { basis } = useWorkspace()
  const { model, origin } = basis
  const base = useMemo(
    (): Filter => ({
      and: [
        { dim: 'model', in: [model] },
        { dim: 'origin', in: [origin] },
      ],
    }),
    [model, origin],
  )
  const question = useQuestion(text, base, subject)
  const { chipsOf, notesOf } = useReadingWords(model, question?.names ?? NO_NAMES)
  if (question === null) return []
  const { readings } = question
  const ofSubject = readings.filter((reading) => reading.subject === readings[0]!.subject)
  return ofSubject.slice(0, MOST_READINGS).map((reading, at): Entry => {
    const chips = chipsOf(reading, false)
    const asked = { reading, chips, notes: notesOf(question) }
    return {
      ...entryOf({ key: `question ${at}`, dim: '', name: '', label: chips.join(BETWEEN_FACTS) }, ''),
      asked,
    }
  })
}

/** Every dimension and value as entries that can be found. */
function useEntries(slice: SliceAnswer, model: string) {
  const word = useWord()
  const valueText = useDimensionText(model)
  const offered = useDimensions(slice)
  const { values, isComplete } = useEveryValue(slice, offered)
  const dimensions = useMemo(
    () =>
      offered.map((dim) => {
        const name = word(`dimension.${dim}`)
        return entryOf({ key: dim, dim, name, label: name }, name)
      }),
    [offered, word],
  )
  const entries = useMemo(
    () =>
      values
        .toSorted((a, b) => countOf(b.row) - countOf(a.row))
        .map((found) => {
          const { dim, value, row } = found
          const name = word(`dimension.${dim}`)
          const label = valueText(dim, row)
          const plain = dimensionOf(dim).names ? knownNames(row, dim) : String(value)
          const key = `${dim} ${String(value)}`
          return entryOf({ key, dim, name, found, label }, `${name} ${label} ${plain}`)
        }),
    [values, valueText, word],
  )
  return { dimensions, entries, isComplete }
}

interface FoundProps {
  ref: RefObject<FoundFilters | null>
  id: string
  /** The field that what is typed is in. */
  input: RefObject<HTMLInputElement | null>
  slice: SliceAnswer
  model: string
  typed: string
  /** What was entered before there was anything to take: the first that it finds is taken, once everything is there. */
  queue: readonly string[]
  /** The first text of the queue was dealt with. */
  onTaken(): void
  onDimension(dim: string): void
  /** A value was added or taken away. */
  onValue(): void
}

/** Dimensions and values that are found by what is typed, as the list of the field above it. */
export default function Found({ ref, id, input, slice, model, typed, queue, ...on }: FoundProps) {
  const { onChange, onFilter } = useWorkspace()
  const { subject, history } = slice.slice
  const { dimensions, entries, isComplete } = useEntries(slice, model)
  const findAll = useCallback(
    (text: string): readonly Entry[] => {
      const words = text.split(BETWEEN_WORDS).filter(Boolean)
      if (words.length === 0) return dimensions
      return [...nearest(dimensions, words, MOST_DIMENSIONS), ...nearest(entries, words, MOST_VALUES)]
    },
    [dimensions, entries],
  )
  const now = typed.trim().toLowerCase()
  const text = useDeferredValue(now)
  const found = useMemo(() => findAll(text), [findAll, text])
  const shown = [...found, ...useAsked(text, subject)]
  const count = shown.length
  const [marked, setMarked] = useState({ text, at: 0 })
  const at = marked.text === text ? Math.min(marked.at, shown.length - 1) : 0
  const take = ({ dim, found, asked }: Entry): void => {
    if (asked) onChange((newest) => withReading(newest, asked.reading, history))
    else if (found === undefined) on.onDimension(dim)
    else onFilter((newest) => afterFound(newest, found))
  }
  const choose = (entry: Entry): void => {
    take(entry)
    if (entry.found !== undefined || entry.asked) on.onValue()
  }
  const [next] = queue
  useEffect(() => {
    if (next === undefined || !isComplete) return
    const [first] = findAll(next.trim().toLowerCase())
    on.onTaken()
    if (first !== undefined) take(first)
  })
  useImperativeHandle(ref, () => ({
    move: (step) => {
      const next = (at + step + shown.length) % Math.max(1, shown.length)
      setMarked({ text, at: next })
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
    },
    choose: () => {
      // The list may be behind what is typed.
      const entry = (now === text ? shown : findAll(now))[now === text ? at : 0]
      if (entry === undefined && !isComplete) return false
      if (entry !== undefined) choose(entry)
      return true
    },
  }))
  useEffect(() => {
    if (count > 0) input.current?.setAttribute('aria-activedescendant', `${id}-${at}`)
    else input.current?.removeAttribute('aria-activedescendant')
  }, [input, id, at, count])
  return (
    <FoundList id={id} at={at} shown={shown} isComplete={isComplete} history={history} onChoose={choose} />
  )
}

interface FoundListProps {
  id: string
  /** The place of the marked entry. */
  at: number
  shown: readonly Entry[]
  isComplete: boolean
  history: boolean
  onChoose(entry: Entry): void
}

function FoundList({ id, at, shown, isComplete, history, onChoose }: FoundListProps) {
  const word = useWord()
  return (
    <>
      <div
        role="listbox"
        id={id}
        className={styles.list}
        data-empty={shown.length === 0}
        aria-label={word('workspace.findFilter')}
      >
        {shown.map((entry, index) => (
          <Option
            key={entry.key}
            id={`${id}-${index}`}
            entry={entry}
            isMarked={index === at}
            onChoose={() => onChoose(entry)}
          />
        ))}
      </div>
      {shown.length > 0 ? null : isComplete ? (
        <FormattedMessage id="workspace.foundNothing" tagName="p" />
      ) : (
        <Skeleton height={240} />
      )}
      {history ? null : <LinkButton to="/pages/race/viplist" text="record.upsell" />}
    </>
  )
}

/** The filter with a value that was found, or without it if it was there. */
const afterFound = (filter: Filter | null, { dim, value }: FoundValue): Filter | null =>
  dim === 'prediction_type' ? withPredictionType(filter, Number(value)) : afterPick(filter, dim, value, 'add')

interface OptionProps {
  id: string
  entry: Entry
  isMarked: boolean
  onChoose(): void
}

function Option({ id, entry: { dim, name, found, label, asked }, isMarked, onChoose }: OptionProps) {
  const word = useWord()
  const format = useFormat()
  const isPicked = useNewest(
    ({ filter }) => found !== undefined && pickedValues(filter, dim).includes(found.value),
  )
  return (
    // The keys are those of the field, which has the focus.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      role="option"
      id={id}
      aria-selected={isPicked}
      data-marked={isMarked}
      data-asked={asked !== undefined}
      className={styles.option}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <span className={styles.label}>
        {found === undefined && asked === undefined ? label : <>{label} </>}
        {found === undefined ? null : <small>{name}</small>}
        {asked?.notes.map((note) => (
          <small key={note}>{note}</small>
        ))}
      </span>
      {asked ? (
        <small>{word('question.apply')}</small>
      ) : found === undefined ? (
        <ChevronRight aria-hidden="true" size={14} />
      ) : (
        <small>{format.integer(countOf(found.row))}</small>
      )}
      {isPicked ? <Check aria-hidden="true" size={14} /> : null}
    </div>
  )
}
