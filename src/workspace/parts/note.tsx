import { FormattedMessage } from 'react-intl'
import { dimensionsOf, type Filter } from '../../../analytics/filter.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Notice } from '../../ui/panel.tsx'
import type { Subject } from '../../../analytics/view/view.ts'
import { listed } from '../words/filter-text.ts'
import panelStyles from './panel.module.css'

interface NoteProps {
  /** Message id of what is said, and the message's values. */
  text: string
  values?: Readonly<Record<string, string | number>>
}

/** What explains a panel, in a line of its own. */
export const Note = ({ text, values }: NoteProps) => (
  <p className={panelStyles.note}>
    <FormattedMessage id={text} values={values} />
  </p>
)

/** These apply to bets alone: views of starters say so in their own words. */
const OF_BETS = ['bet_type', 'prediction_type']

interface NotAppliedProps {
  where: Filter | null
  /** The part of it that a view of other rows applies. */
  applied: Filter | null
  /** The rows of that view. */
  rows?: Exclude<Subject, 'predictions'>
}

/** Names the filters that a view does not apply: it counts other races than the figures above it. */
export function NotApplied({ where, applied, rows = 'runners' }: NotAppliedProps) {
  const word = useWord()
  const known = dimensionsOf(applied)
  const filters = [...dimensionsOf(where)].filter((dim) => !known.has(dim) && !OF_BETS.includes(dim))
  if (filters.length === 0) return null
  const names = filters.map((dim) => word(`dimension.${dim}`))
  return (
    <Notice kind="warn">
      <FormattedMessage id={`workspace.notApplied.${rows}`} values={{ filters: listed(word, names) }} />
    </Notice>
  )
}
