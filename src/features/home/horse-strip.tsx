import { useDeferredValue, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { queryRaceHorse, type HorsePage } from '../../../contract/api/horse.ts'
import { PAGE_SIZE, usePages } from '../../data/use-pages.ts'
import { useRegionDay } from '../../data/use-region.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'
import { Name } from '../../i18n/name.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import styles from './home.module.css'

type Horse = HorsePage['records'][number]
/** Maximum length that the call accepts. */
const LONGEST_TEXT = 40

/** The region's horses side by side, page by page, filtered by name or brand number. */
export default function HorseStrip() {
  const intl = useIntl()
  const regionId = useRegionDay()?.regionId ?? null
  const [typed, setTyped] = useState('')
  const text = useDeferredValue(typed.trim().slice(0, LONGEST_TEXT))
  const horses = usePages(
    queryRaceHorse,
    regionId === null
      ? null
      : { pageSize: PAGE_SIZE, countryRegionId: regionId, ...(text === '' ? {} : { text }) },
    intl.locale,
  )
  return (
    <>
      <TextField
        type="search"
        label={<FormattedMessage id="home.findHorse" />}
        value={typed}
        maxLength={LONGEST_TEXT}
        onChange={setTyped}
      />
      {horses.error ? <ErrorNotice error={horses.error} onRetry={horses.retry} /> : null}
      {horses.moreError ? <ErrorNotice error={horses.moreError} /> : null}
      {horses.error ? null : horses.isPending ? (
        <Skeleton height={84} />
      ) : horses.isEmpty ? (
        <FormattedMessage id={text === '' ? 'home.noHorses' : 'home.noHorseFound'} tagName="p" />
      ) : (
        <ul className={styles.horses} tabIndex={0} aria-label={intl.formatMessage({ id: 'home.horses' })}>
          {horses.rows.map((horse) => (
            <li key={horse.id}>
              <HorseCard horse={horse} />
            </li>
          ))}
          {horses.hasMore ? (
            <li className={styles.moreHorses}>
              <Button
                busy={horses.loading}
                onClick={() => void horses.loadMore()}
                text={horses.loading ? 'common.loading' : 'common.loadMore'}
              />
            </li>
          ) : null}
        </ul>
      )}
    </>
  )
}

function HorseCard({ horse }: { horse: Horse }) {
  const intl = useIntl()
  const { lastRating, birthYear } = horse
  const facts = [
    ...(lastRating === null ? [] : [intl.formatMessage({ id: 'home.rating' }, { rating: lastRating })]),
    // A name may have been given again years later.
    ...(birthYear === null ? [] : [intl.formatMessage({ id: 'horse.born' }, { year: String(birthYear) })]),
  ]
  return (
    <Link className={styles.horse} to={`/pages/race/HorseDetail?id=${encodeURIComponent(horse.id)}`}>
      <strong>
        <Name language={horse.nameLanguage}>{horse.name}</Name>
      </strong>
      {horse.number === horse.name ? null : <span className={styles.soft}>{horse.number}</span>}
      <span className={styles.soft}>{facts.length === 0 ? ' ' : facts.join(BETWEEN_FACTS)}</span>
    </Link>
  )
}
