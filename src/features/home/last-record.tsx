import { Check, Minus, X } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import { groupBy } from '../../../domain/group-by.ts'
import type { RecordItem } from '../../data/calls/racing-calls.ts'
import { useFormat } from '../../i18n/format.ts'
import { OriginMark } from '../../ui/origin-mark.tsx'
import layout from '../../ui/layout.module.css'
import styles from './home.module.css'

const GROUPS = 2
const LINES = 3
const ICONS = { hit: Check, miss: X, void: Minus } as const
const TONES = { hit: layout.gain, miss: layout.loss, void: layout.soft } as const

/** Results of the first choices at the last meetings, by day and racecourse. */
export function LastRecord({
  items,
  onOpen,
}: {
  items: readonly RecordItem[]
  onOpen(raceId: string): void
}) {
  const intl = useIntl()
  const format = useFormat()
  const groups = [...groupBy(items, ({ date, stadiumName }) => `${date} ${stadiumName}`).values()]
  if (groups.length === 0) return <FormattedMessage id="home.noRecord" tagName="p" />
  return (
    <div className={styles.meetings}>
      {groups.slice(0, GROUPS).map((lines) => (
        <section key={lines[0]!.id} className={layout.tight}>
          <h3 className={styles.meeting}>
            {format.day(lines[0]!.date)} · {lines[0]!.stadiumName}
          </h3>
          <ul className={layout.list}>
            {lines.slice(0, LINES).map((line) => {
              const Icon = ICONS[line.outcome]
              return (
                <li key={line.id}>
                  <button type="button" className={styles.result} onClick={() => onOpen(line.raceId)}>
                    <span className={layout.strong}>
                      <FormattedMessage id="record.raceNumber" values={{ number: line.round }} />
                    </span>
                    <span>
                      <FormattedMessage
                        id="home.predictedAndWon"
                        values={{ predicted: line.predictionResults, won: line.results || '–' }}
                      />{' '}
                      <OriginMark origin={line.origin} />
                    </span>
                    <span className={`${layout.badge} ${TONES[line.outcome]}`}>
                      <Icon aria-hidden="true" size={13} />
                      {intl.formatMessage({ id: `outcome.${line.outcome}` })}
                    </span>
                  </button>
                </li>
              )
            })}
          </ul>
        </section>
      ))}
    </div>
  )
}
