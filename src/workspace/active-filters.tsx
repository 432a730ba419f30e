import { ChevronDown, X } from 'lucide-react'
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import { inModelOrder, without } from '../../analytics/clauses.ts'
import { conjuncts, dimensionsOf, type Filter } from '../../analytics/filter.ts'
import { seasonLabel } from '../../domain/region.ts'
import type { AnswerRow } from '../../analytics/cells.ts'
import { useRegion } from '../data/use-region.ts'
import { useWord } from '../i18n/use-word.ts'
import { useWide } from '../ui/behaviour/use-wide.ts'
import { Small } from '../ui/layout.tsx'
import { Skeleton } from '../ui/panel.tsx'
import { Popover } from '../ui/popover.tsx'
import { AddFilter, focusAddFilter } from './add-filter.tsx'
import type { Brush } from './query/use-brush.ts'
import type { SliceAnswer } from './query/use-slice.ts'
import { useFilterNames } from './query/values.ts'
import { EVERY } from '../../analytics/view/dimension-of.ts'
import { cleared } from '../../analytics/view/view.ts'
import { canBeFollowed, RowStar } from './parts/follow-star.tsx'
import { writeView } from './state/write-view.ts'
import { useWorkspace } from './state/workspace-context.ts'
import { useClauseText } from './words/filter-text.ts'
import styles from './active-filters.module.css'

const ClauseEditor = lazy(() => import('./panels/clause-editor.tsx'))

const NO_NAMES: ReadonlyMap<string, AnswerRow> = new Map()
/** Dimensions that the bar of a phone shows anyway. */
const IN_BAR = ['bet_type', 'prediction_type']
const ORDER = Object.keys(EVERY.dimensions)

interface ActiveFiltersProps {
  /** The selection that is applied. */
  filter: Filter | null
  /** What every slice of the record is a part of. */
  base: Filter
  answer: SliceAnswer | null
  brush: Brush
  onClear(): void
  /** What is before them on their line. */
  children?: ReactNode
}

/** The clauses of a filter as chips: one for a dimension, in the order of the model, and one for what has several. */
interface ChipSpec {
  key: string
  /** The dimension that its popover edits; `null` for a clause of an address that no control can show. */
  dim: string | null
  /** `null` for one whose last value was taken away while it was open. */
  part: Filter | null
}

function chipsOf(filter: Filter | null, open: string | null): ChipSpec[] {
  const chips = conjuncts(filter).map((part): ChipSpec => {
    const clause = 'not' in part ? part.not : part
    const dim = 'dim' in clause ? clause.dim : null
    return { key: dim ?? JSON.stringify(part), dim, part }
  })
  const isShown = open === null || chips.some(({ dim }) => dim === open)
  const all = isShown ? chips : [...chips, { key: open, dim: open, part: null }]
  const placeOf = ({ dim }: ChipSpec): number => (dim === null ? ORDER.length : ORDER.indexOf(dim))
  return all
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((chip, at, sorted) => (sorted[at - 1]?.key === chip.key ? { ...chip, key: `${chip.key}-2` } : chip))
}

/**
 * Everything that restricts the figures as a line of chips, each of which is edited in place and removed, and a way to add
 * another; on a phone only what its bar does not show.
 */
export function ActiveFilters({ filter, base, answer, brush, onClear, children }: ActiveFiltersProps) {
  const word = useWord()
  const wide = useWide()
  const { region } = useRegion()
  const { view, basis, onChange, onFilter } = useWorkspace()
  const [open, setOpen] = useState<string | null>(null)
  const filters = useMemo(() => [filter], [filter])
  const { subject } = basis
  const of = useMemo(() => ({ subject, base }), [subject, base])
  const names = useFilterNames(filters, of, answer?.names ?? NO_NAMES)
  const text = useClauseText(basis.model, names)
  const shown = wide ? filter : without(filter, IN_BAR)
  if (!wide && shown === null && view.holdOut === null) return null
  const chips = chipsOf(inModelOrder(EVERY, shown), open)
  const isCleared = writeView(view).toString() === writeView(cleared(view)).toString()
  return (
    <div className={styles.line}>
      {children}
      <ul className={styles.chips} aria-label={word('workspace.chosenFilters')}>
        {chips.map(({ key, dim, part }) => (
          <Chip
            key={key}
            label={part === null ? word(`dimension.${dim}`) : text.textOf(part)}
            words={<ClauseWords dim={dim} part={part} text={text} />}
            star={<ClauseStar part={part} text={text} names={names} />}
            onRemove={() => onFilter((newest) => without(newest, part ? [...dimensionsOf(part)] : [dim!]))}
            editor={
              dim !== null &&
              answer !== null &&
              (open === dim || null) && (
                <Suspense fallback={<Skeleton height={160} />}>
                  <ClauseEditor focused dim={dim} slice={answer} brush={brush} model={basis.model} />
                </Suspense>
              )
            }
            {...(dim === null
              ? {}
              : { onOpen: (isOpen) => setOpen((before) => (isOpen ? dim : before === dim ? null : before)) })}
          />
        ))}
        {view.holdOut === null ? null : (
          <Chip
            label={word('workspace.holdOut', {
              season: seasonLabel(region?.seasonStartMonth ?? 9, view.holdOut),
            })}
            onRemove={() => onChange((newest) => ({ ...newest, holdOut: null, revealed: false }))}
          />
        )}
        {chips.length === 0 && isCleared ? <Small as="li" text={`workspace.noFilter.${subject}`} /> : null}
        <li>
          <AddFilter slice={answer} brush={brush} model={basis.model} />
        </li>
        {chips.length === 0 && isCleared ? null : (
          <li>
            <button type="button" className={styles.clear} onClick={onClear}>
              <FormattedMessage id="record.clearFilters" />
            </button>
          </li>
        )}
      </ul>
    </div>
  )
}

interface ClauseWordsProps {
  dim: string | null
  part: Filter | null
  text: ReturnType<typeof useClauseText>
}

/** A clause as a short sentence whose subject stands out. */
function ClauseWords({ dim, part, text }: ClauseWordsProps) {
  if (dim === null) return text.textOf(part!)
  const isNot = part !== null && 'not' in part
  const clause = part !== null && 'not' in part ? part.not : part
  return (
    <FormattedMessage
      id={`workspace.chip.${clause === null ? 'any' : isNot ? 'isNot' : 'is'}`}
      values={{
        name: (
          <strong key="name">
            <FormattedMessage id={`dimension.${dim}`} />
          </strong>
        ),
        values: clause !== null && 'dim' in clause ? text.valuesOf(clause) : '',
      }}
    />
  )
}

interface ClauseStarProps {
  part: Filter | null
  text: ReturnType<typeof useClauseText>
  names: ReadonlyMap<string, AnswerRow>
}

/** Follows what a clause selects, if that is one horse, jockey or trainer alone. */
function ClauseStar({ part, text, names }: ClauseStarProps) {
  if (part === null || !('in' in part) || part.in.length !== 1 || !canBeFollowed(part.dim)) return null
  const row = names.get(`${part.dim} ${String(part.in[0])}`)
  return <RowStar dim={part.dim} row={row} name={text.valuesOf(part)} />
}

interface ChipProps {
  /** What it filters by, as text. */
  label: string
  /** The same as it is shown, if it is not shown as that text. */
  words?: ReactNode
  /** Follows what it selects. */
  star?: ReactNode
  /** What its popover shows while it is open. */
  editor?: ReactNode
  /** Called when its popover opens and closes; without one it cannot be edited. */
  onOpen?: (isOpen: boolean) => void
  onRemove(): void
}

/** A filter: a button that opens what edits it, and one that removes it. */
function Chip({ label, words = label, star, editor, onOpen, onRemove }: ChipProps) {
  const word = useWord()
  return (
    <li className={styles.chip}>
      {onOpen === undefined ? (
        <span className={styles.text}>{words}</span>
      ) : (
        <Popover
          className={styles.edit}
          label={word('workspace.editFilter', { filter: label })}
          button={
            <>
              <span className={styles.text}>{words}</span>
              <ChevronDown aria-hidden="true" size={14} />
            </>
          }
          onOpen={onOpen}
        >
          {editor}
        </Popover>
      )}
      {star}
      <button
        type="button"
        className={styles.cross}
        aria-label={word('workspace.removeFilter', { filter: label })}
        onClick={() => {
          onRemove()
          focusAddFilter()
        }}
      >
        <X aria-hidden="true" size={14} />
      </button>
    </li>
  )
}
