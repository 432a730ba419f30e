import { FormattedMessage } from 'react-intl'
import type { Tip } from '../../../contract/api/racing.ts'
import { useFormat } from '../../i18n/format.ts'
import { Name } from '../../i18n/name.tsx'
import { Bar } from '../../ui/bar.tsx'
import { Small } from '../../ui/layout.tsx'
import { Spark } from '../../ui/spark.tsx'
import { Cloth, HorseName, PickFigures } from './pick.tsx'
import styles from './tip-details.module.css'

/** Stands for figures that the user may not see. */
const HIDDEN = '?'

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
        {tip.topCompetitors.map((horse) => (
          <li key={horse.ranking} className={styles.row}>
            <Cloth horse={horse} />
            <span className={styles.horse}>
              {horse.name === null ? <FormattedMessage id="tips.hidden" /> : <HorseName horse={horse} />}
              {horse.probability === null ? null : <Bar share={horse.probability} of={most} />}
            </span>
            {horse.probability === null ? (
              <strong>{HIDDEN}</strong>
            ) : (
              <PickFigures horse={horse} final={tip.status === 'final'} />
            )}
            <Small as="span">
              <FormattedMessage id="tips.rank" values={{ rank: horse.ranking }} />
            </Small>
          </li>
        ))}
      </ol>
    </>
  )
}
