import type { ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { seasonLabel, seasonOf } from '../../../domain/region.ts'
import { useAccuracy, usePredictionsTotal } from '../../data/use-racing.ts'
import { regionName, useLastRaceDay, useManifest, useRegion } from '../../data/use-region.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { OriginMark } from '../../ui/origin-mark.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import styles from './home.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

const WEEK_DAYS = 7
/** Of the figures with their words. */
const FIGURES_HEIGHT = { wide: 166, phone: 236 } as const

/**
 * The number of predictions, the hit rates of the first choices of the last week of racing and of its season, and the
 * last race day.
 */
export default function Figures() {
  const intl = useIntl()
  const format = useFormat()
  const total = usePredictionsTotal()
  const manifest = useManifest()
  // Without a connection nothing is loading, and the known part is shown.
  const [ofSeason, ofWeek] = [useAccuracy('season'), useAccuracy(WEEK_DAYS)]
  const loading = manifest.isPending || [total, ofSeason, ofWeek].some(({ isLoading }) => isLoading)
  const wide = useWide()
  const models = ofSeason.data?.models ?? []
  const { region } = useRegion()
  const last = useLastRaceDay()
  const { language } = useLanguage()
  const season =
    region && last ? seasonLabel(region.seasonStartMonth, seasonOf(region, last)) : last === null ? '–' : '…'
  // Each figure would make its part higher, and move what stands below.
  if (loading) return <Skeleton height={wide ? FIGURES_HEIGHT.wide : FIGURES_HEIGHT.phone} />
  return (
    <>
      <dl className={styles.figures}>
        <HitRate rate={ofSeason} title={<FormattedMessage id="home.seasonAccuracy" values={{ season }} />} />
        <HitRate rate={ofWeek} title={<FormattedMessage id="home.accuracy" />} />
        <div>
          <FormattedMessage id="home.total" tagName="dt" />
          <dd>{total.data === undefined ? (total.error ? '–' : '…') : format.integer(total.data)}</dd>
        </div>
      </dl>
      <p className={styles.asOf}>
        {region === null || !last ? (
          ' '
        ) : (
          <FormattedMessage
            id="home.figuresOf"
            values={{
              // Until the figures arrive, and without a connection, the known part is shown.
              source: [
                regionName(region, language),
                ...models.map((model) => intl.formatMessage({ id: `source.${model}` })),
              ].join(BETWEEN_FACTS),
              day: format.day(last),
            }}
          />
        )}
      </p>
    </>
  )
}

/** Hits among the first choices to win, with their number. */
function HitRate({
  rate: { data: accuracy, error },
  title,
}: {
  rate: ReturnType<typeof useAccuracy>
  title: ReactNode
}) {
  const format = useFormat()
  const bets = accuracy ? accuracy.hits + accuracy.misses : 0
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        {accuracy === undefined && !error ? '…' : bets === 0 ? '–' : format.percent(accuracy!.hits / bets)}
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
