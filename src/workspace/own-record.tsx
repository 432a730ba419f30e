import { Check, Minus, X } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import { groupBy } from '../../domain/group-by.ts'
import { fetchRecords, type RecordItem } from '../data/racing-calls.ts'
import { useToken } from '../data/session.ts'
import { usePages } from '../data/use-pages.ts'
import { useRegionDay } from '../data/use-region.ts'
import { useFormat } from '../i18n/format.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { More } from '../ui/more.tsx'
import { Panel, Skeleton } from '../ui/panel.tsx'
import { OriginMark } from '../ui/origin-mark.tsx'
import layout from '../ui/layout.module.css'
import styles from './workspace.module.css'
import { keyOf } from '../data/keys.ts'

const ICONS = { hit: Check, miss: X, void: Minus } as const
const TONES = { hit: layout.gain, miss: layout.loss, void: layout.soft } as const

/** What a member may see of the record line by line: the last seven days, and every race that he opened. */
export function OwnRecord({ onOpen }: { onOpen(raceId: string): void }) {
  const intl = useIntl()
  const format = useFormat()
  const at = useRegionDay()
  const token = useToken()
  const pages = usePages(
    keyOf('own-record', at?.regionId, at?.today, intl.locale, token),
    (pageNo, signal) => fetchRecords({ countryRegionId: at!.regionId, today: at!.today, pageNo }, signal),
    at !== null,
  )
  const groups = [...groupBy(pages.rows, ({ date, stadiumName }) => `${date} ${stadiumName}`).values()]
  return (
    <Panel title={<FormattedMessage id="record.own" />}>
      {pages.error ? <ErrorNotice error={pages.error} onRetry={pages.retry} /> : null}
      {pages.isPending ? <Skeleton height={260} /> : null}
      {!pages.isPending && pages.rows.length === 0 ? <FormattedMessage id="races.empty" tagName="p" /> : null}
      {groups.map((lines) => (
        <section key={lines[0]!.id} className={layout.tight}>
          <h3 className={styles.meeting}>
            {format.day(lines[0]!.date)} · {lines[0]!.stadiumName}
          </h3>
          <ul className={layout.list}>
            {lines.map((line) => (
              <Line key={line.id} line={line} onOpen={onOpen} />
            ))}
          </ul>
        </section>
      ))}
      {pages.rows.length > 0 ? (
        <More hasMore={pages.hasMore} loading={pages.loading} onMore={pages.more} />
      ) : null}
    </Panel>
  )
}

function Line({ line, onOpen }: { line: RecordItem; onOpen(raceId: string): void }) {
  const intl = useIntl()
  const format = useFormat()
  const Icon = ICONS[line.outcome]
  return (
    <li>
      <button type="button" className={styles.ownLine} onClick={() => onOpen(line.raceId)}>
        <span>
          <strong>
            <FormattedMessage id="record.raceNumber" values={{ number: line.round }} />
          </strong>{' '}
          · {intl.formatMessage({ id: `gameplay.${line.gameplayClass}` })}
          <br />
          <span className={layout.small}>
            <FormattedMessage
              id="home.predictedAndWon"
              values={{ predicted: line.predictionResults, won: line.results || '–' }}
            />
            {' · '}
            <OriginMark origin={line.origin} />
          </span>
        </span>
        <span className={layout.right}>
          <span className={`${layout.badge} ${TONES[line.outcome]}`}>
            <Icon aria-hidden="true" size={13} />
            {intl.formatMessage({ id: `outcome.${line.outcome}` })}
          </span>
          <br />
          <span className={layout.small}>
            {line.profit === null
              ? intl.formatMessage({ id: 'record.unknownShort' })
              : format.signedHkd(line.profit)}
            {line.odds === null ? '' : ` · ${format.odds(line.odds)}`}
          </span>
        </span>
      </button>
    </li>
  )
}
