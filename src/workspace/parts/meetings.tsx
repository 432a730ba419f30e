import type { ReactNode } from 'react'
import { groupBy } from '../../../domain/group-by.ts'
import { numberOf, textOf, type AnswerRow } from '../../../analytics/cells.ts'
import { useFormat } from '../../i18n/format.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { localName } from '../../i18n/names.ts'
import styles from './meetings.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

interface MeetingsProps {
  /** Rows with their day and racecourse, in list order. */
  rows: readonly AnswerRow[]
  /** Renders one row as an item of its meeting's list. */
  children(row: AnswerRow): ReactNode
}

/** Rows grouped under their meetings. */
export function Meetings({ rows, children }: MeetingsProps) {
  const format = useFormat()
  const { language } = useLanguage()
  const meetings = groupBy(rows, (row) => `${textOf(row, 'day')} ${numberOf(row, 'racecourse')}`)
  return [...meetings].map(([meeting, list]) => (
    <section key={meeting} className={styles.meeting}>
      <h3>
        {format.longDay(textOf(list[0]!, 'day'))}
        {BETWEEN_FACTS}
        {localName(language, list[0]!, 'racecourse')?.text ?? ''}
      </h3>
      <ol className={styles.lines}>{list.map(children)}</ol>
    </section>
  ))
}
