import { FormattedMessage } from 'react-intl'
import type { Tip } from '../../../contract/api/racing.ts'
import { useFormat } from '../../i18n/format.ts'
import { Name } from '../../i18n/name.tsx'
import { Bar } from '../../ui/bar.tsx'
import { NumberCloth } from '../../ui/number-cloth.tsx'
import { Small } from '../../ui/layout.tsx'
import { Spark } from '../../ui/spark.tsx'
import styles from './tip-details.module.css'

/** The first choice's odds over time, and all choices with their probabilities. */
export function TipDetails({ tip }: { tip: Tip }) {
  const format = useFormat()
  const [first] = tip.topCompetitors
  const most = Math.max(...tip.topCompetitors.map(({ probability }) => probability ?? 0), 0.01)
  return (
    <>
      {first?.name && tip.chartData.length > 1 ? (
        <p className={styles.odds}>
          <FormattedMessage
            id="tips.odds"
            values={{
              name: <Name language={first.nameLanguage}>{first.name}</Name>,
              first: format.odds(tip.chartData[0]!.odds),
              last: format.odds(tip.chartData.at(-1)!.odds),
            }}
          />
          <Spark values={tip.chartData.map(({ odds }) => odds)} className={styles.spark} />
        </p>
      ) : null}
      <ol className={styles.rows}>
        {tip.topCompetitors.map(({ ranking, horseNumber, name, nameLanguage, probability }) => (
          <li key={ranking} className={styles.row}>
            <NumberCloth value={horseNumber} />
            <span className={styles.horse}>
              {name === null ? (
                <FormattedMessage id="tips.hidden" />
              ) : (
                <Name language={nameLanguage}>{name}</Name>
              )}
              {probability === null ? null : <Bar share={probability} of={most} />}
            </span>
            <span className={styles.percent}>{probability === null ? '?' : format.percent(probability)}</span>
            <Small as="span">
              <FormattedMessage id="tips.rank" values={{ rank: ranking }} />
            </Small>
          </li>
        ))}
      </ol>
    </>
  )
}
