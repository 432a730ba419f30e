import { Check, Minus, X } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import { groupBy } from '../../../domain/group-by.ts'
import type { RecordItem } from '../../../contract/api/racing.ts'
import { useFormat } from '../../i18n/format.ts'
import { OriginMark } from '../../ui/origin-mark.tsx'
import { Badge, List, Stack } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import styles from './home.module.css'

const GROUPS = 2
const LINES = 3
const ICONS = { hit: Check, miss: X, void: Minus } as const
const TONES = { hit: 'gain', miss: 'loss', void: 'soft' } as const

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
        <Stack key={lines[0]!.id} as="section" tight>
          <h3 className={styles.meeting}>
            {format.day(lines[0]!.date)} · {lines[0]!.stadiumName}
          </h3>
          <List>
            {lines.slice(0, LINES).map((line) => {
              const Icon = ICONS[line.outcome]
              return (
                <li key={line.id}>
                  <button type="button" className={styles.result} onClick={() => onOpen(line.raceId)}>
                    <span className={texts.strong}>
                      <FormattedMessage id="record.raceNumber" values={{ number: line.round }} />
                    </span>
                    <span>
                      <FormattedMessage
                        id="home.predictedAndWon"
                        values={{ predicted: line.predictionResults, won: line.results || '–' }}
                      />{' '}
                      <OriginMark origin={line.origin} />
                    </span>
                    <Badge tone={TONES[line.outcome]}>
                      <Icon aria-hidden="true" size={13} />
                      {intl.formatMessage({ id: `outcome.${line.outcome}` })}
                    </Badge>
                  </button>
                </li>
              )
            })}
          </List>
        </Stack>
      ))}
    </div>
  )
}
