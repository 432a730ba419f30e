import type { ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { seasonLabel, seasonOf } from '../../../domain/region.ts'
import { useAccuracy, usePredictionsTotal } from '../../data/use-racing.ts'
import { regionName, useManifest, useRegion, useRegionDay } from '../../data/use-region.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { useFormat } from '../../i18n/format.ts'
import { OriginMark } from '../../ui/origin-mark.tsx'
import styles from './home.module.css'

const WEEK_DAYS = 7

/**
 * The number of predictions, the hit rates of the last week's and the season's first choices,
 * and the date of the data.
 */
export default function Figures() {
  const intl = useIntl()
  const format = useFormat()
  const total = usePredictionsTotal().data
  const asOf = useManifest().data?.asOf
  const models = useAccuracy('season').data?.models
  const { region } = useRegion()
  const today = useRegionDay()?.today
  const { language } = useLanguage()
  const season =
    region === null || today === undefined
      ? '…'
      : seasonLabel(region.seasonStartMonth, seasonOf(region, today))
  return (
    <>
      <dl className={styles.figures}>
        <HitRate span="season" title={<FormattedMessage id="home.seasonAccuracy" values={{ season }} />} />
        <HitRate span={WEEK_DAYS} title={<FormattedMessage id="home.accuracy" />} />
        <div>
          <FormattedMessage id="home.total" tagName="dt" />
          <dd>{total === undefined ? '…' : format.integer(total)}</dd>
        </div>
      </dl>
      <p className={styles.asOf}>
        {asOf === undefined || region === null ? (
          ' '
        ) : (
          <FormattedMessage
            id="home.figuresOf"
            values={{
              region: regionName(region, language),
              // Until the figures arrive, and without a connection, the known part is shown.
              models:
                models?.map((model) => intl.formatMessage({ id: `source.${model}` })).join(' · ') || '…',
              instant: format.instantIn(asOf, region.timeZone),
            }}
          />
        )}
      </p>
    </>
  )
}

/** Hits among the first choices to win, with their number. */
function HitRate({ span, title }: { span: number | 'season'; title: ReactNode }) {
  const format = useFormat()
  const accuracy = useAccuracy(span).data
  const bets = accuracy ? accuracy.hits + accuracy.misses : 0
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        {accuracy === undefined ? '…' : bets === 0 ? '–' : format.percent(accuracy.hits / bets)}
        {accuracy && bets > 0 ? (
          <small>
            <FormattedMessage
              id="home.hitsOf"
              values={{ hits: format.integer(accuracy.hits), bets: format.integer(bets) }}
            />{' '}
            <OriginMark origin={accuracy.origin} />
          </small>
        ) : null}
      </dd>
    </div>
  )
}
