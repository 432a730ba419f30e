import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { useHorses } from '../../data/use-racing.ts'
import { NameMark } from '../../i18n/name-mark.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import styles from './home.module.css'

/** Horses of the region, side by side. */
export function HorseStrip() {
  const intl = useIntl()
  const horses = useHorses()
  if (horses.error) return <ErrorNotice error={horses.error} onRetry={() => void horses.refetch()} />
  if (!horses.data) return <Skeleton height={84} />
  if (horses.data.records.length === 0) return <FormattedMessage id="home.noHorses" tagName="p" />
  return (
    <ul className={styles.horses} tabIndex={0} aria-label={intl.formatMessage({ id: 'home.horses' })}>
      {horses.data.records.map((horse) => (
        <li key={horse.id}>
          <Link className={styles.horse} to={`/pages/race/HorseDetail?id=${encodeURIComponent(horse.id)}`}>
            <strong>
              {horse.name}
              <NameMark language={horse.nameLanguage} />
            </strong>
            <span className={styles.soft}>{horse.number}</span>
            <span className={styles.soft}>
              {horse.lastRating === null ? (
                ' '
              ) : (
                <FormattedMessage id="home.rating" values={{ rating: horse.lastRating }} />
              )}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
