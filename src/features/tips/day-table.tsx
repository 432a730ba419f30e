import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import type { Tip } from '../../../contract/api/racing.ts'
import { useFormat } from '../../i18n/format.ts'
import { Chip } from '../../ui/chip.tsx'
import { ScrollRegion, Small, Table, TextCell } from '../../ui/layout.tsx'
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
        <Table data-testid="glance">
          <thead>
            <tr>
              <TextCell scope="col" as="th">
                <FormattedMessage id="tips.race" />
              </TextCell>
              {PLACES.map((rank) => (
                <TextCell key={rank} scope="col" as="th">
                  <FormattedMessage id="tips.rank" values={{ rank }} />
                </TextCell>
              ))}
            </tr>
          </thead>
          <tbody>
            {tips.map((tip) => (
              <tr key={tip.raceId}>
                <TextCell scope="row" as="th">
                  <Link to={hrefOf(tip.raceId)}>
                    <FormattedMessage id="record.raceNumber" values={{ number: tip.raceNo }} />
                  </Link>
                  {severalCourses ? <Small as="span"> {tip.stadiumName}</Small> : null}
                  {tip.time === null ? null : <Small as="span"> {tip.time.slice(0, 5)}</Small>}
                </TextCell>
                {PLACES.map((rank) => {
                  const runner = tip.topCompetitors.find(({ ranking }) => ranking === rank)
                  return (
                    <TextCell key={rank}>
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
                    </TextCell>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </Table>
      </ScrollRegion>
    </div>
  )
}
