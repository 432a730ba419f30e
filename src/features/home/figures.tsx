import { FormattedMessage } from 'react-intl'
import { useAccuracy, usePredictionsTotal } from '../../data/use-racing.ts'
import { NAMES, useManifest, useRegion } from '../../data/use-region.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { useFormat } from '../../i18n/format.ts'
import { OriginMark } from '../../ui/origin-mark.tsx'
import styles from './home.module.css'

/** How many predictions there are, how the last week’s did, and as of when. */
export function Figures() {
  const format = useFormat()
  const total = usePredictionsTotal().data
  const told = useAccuracy().data
  const bets = told ? told.hits + told.misses : 0
  const accuracy = told ? (bets === 0 ? null : told.hits / bets) : undefined
  const asOf = useManifest().data?.asOf
  const { region } = useRegion()
  const { language } = useLanguage()
  return (
    <>
      <dl className={styles.figures}>
        <div>
          <dt>
            <FormattedMessage id="home.total" />
          </dt>
          <dd>{total === undefined ? '…' : format.integer(total)}</dd>
        </div>
        <div>
          <dt>
            <FormattedMessage id="home.accuracy" />
          </dt>
          <dd>
            {accuracy === undefined ? '…' : accuracy === null ? '–' : format.percent(accuracy)}
            {told && bets > 0 ? (
              <>
                {' '}
                <OriginMark origin={told.origin} />
              </>
            ) : null}
          </dd>
        </div>
      </dl>
      <p className={styles.asOf}>
        {asOf === undefined || region === null ? (
          ' '
        ) : (
          <FormattedMessage
            id="home.figuresOf"
            values={{ region: region[NAMES[language]], instant: format.instant(asOf) }}
          />
        )}
      </p>
    </>
  )
}
