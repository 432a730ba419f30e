import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import type { Tip } from '../../data/calls/racing-calls.ts'
import { useFormat } from '../../i18n/format.ts'
import { Chip } from '../../ui/chip.tsx'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import layout from '../../ui/layout.module.css'
import styles from './tips.module.css'

interface DayTableProps {
  tips: readonly Tip[]
  /** Address of a race. */
  hrefOf(raceId: string): string
}

const PLACES = [1, 2, 3, 4] as const

/** Overview of a whole day: the four most probable winners of every race with their probabilities. */
export function DayTable({ tips, hrefOf }: DayTableProps) {
  const intl = useIntl()
  const format = useFormat()
  const severalCourses = new Set(tips.map(({ stadiumName }) => stadiumName)).size > 1
  return (
    <div className={styles.glance}>
      <ScrollRegion label="tips.glanceOf" values={{ day: format.longDay(tips[0]?.date ?? '') }}>
        <table className={layout.table} data-testid="glance">
          <thead>
            <tr>
              <th scope="col" className={layout.left}>
                <FormattedMessage id="tips.race" />
              </th>
              {PLACES.map((rank) => (
                <th key={rank} scope="col" className={layout.left}>
                  <FormattedMessage id="tips.rank" values={{ rank }} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {tips.map((tip) => (
              <tr key={tip.raceId}>
                <th scope="row" className={layout.left}>
                  <Link to={hrefOf(tip.raceId)}>
                    <FormattedMessage id="record.raceNumber" values={{ number: tip.raceNo }} />
                  </Link>
                  {severalCourses ? <span className={layout.small}> {tip.stadiumName}</span> : null}
                  {tip.time === null ? null : <span className={layout.small}> {tip.time.slice(0, 5)}</span>}
                </th>
                {PLACES.map((rank) => {
                  const runner = tip.topCompetitors.find(({ ranking }) => ranking === rank)
                  return (
                    <td key={rank} className={layout.left}>
                      {runner === undefined || runner.probability === null ? (
                        '–'
                      ) : (
                        <span className={styles.cell}>
                          <Chip
                            value={runner.horseNumber}
                            tone={rank === 1 ? 'first' : 'plain'}
                            label={intl.formatMessage(
                              { id: 'tips.number' },
                              { number: runner.horseNumber ?? '?' },
                            )}
                          />
                          <span className={styles.cellName}>{runner.name}</span>
                          <strong>{format.percent(runner.probability)}</strong>
                        </span>
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </div>
  )
}
