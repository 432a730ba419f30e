import { useQuery } from '@tanstack/react-query'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { queryRacePredictionAccuracy, type RecordItem } from '../../../contract/api/racing.ts'
import { queryFor } from '../../data/client/call.ts'
import { useToken } from '../../data/client/session.ts'
import { racePath } from '../../data/race-path.ts'
import { useRegionDay } from '../../data/use-region.ts'
import { useFormat } from '../../i18n/format.ts'
import { Entry, List, Small, Stack } from '../../ui/layout.tsx'
import { NumberCloth, NumbersOf } from '../../ui/number-cloth.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import texts from '../../ui/text.module.css'
import styles from './membership.module.css'

/** A race has at most one selected prediction of each bet type. */
const BET_TYPES = 10

/**
 * The settled predictions of the first race of the last meeting that has some: what VIP opens before every race, chosen by nobody.
 */
export function Sample() {
  const at = useRegionDay()
  const { locale } = useIntl()
  const format = useFormat()
  const token = useToken()
  const rows = useQuery({
    ...queryFor(
      queryRacePredictionAccuracy,
      at && { countryRegionId: at.regionId, today: at.today, pageSize: BET_TYPES },
      locale,
      token,
    ),
    retry: 1,
  })
  if (rows.isPending) return <Skeleton height={480} />
  const first = rows.data?.[0]
  if (first === undefined) return null
  const race = {
    racecourse: first.stadiumName,
    number: String(first.stadiumNum),
    day: format.longDay(first.date),
  }
  return (
    <Panel
      title={<FormattedMessage id="vip.sample" values={race} />}
      actions={
        <Link to={racePath(first.raceId, 'pr')}>
          <FormattedMessage id="vip.sample.open" />
        </Link>
      }
    >
      <Stack tight>
        <Small text="vip.sample.about" />
        <NumbersOf race={first}>
          <List className={styles.sample}>
            {rows
              .data!.filter(({ raceId }) => raceId === first.raceId)
              .toSorted((a, b) => a.gameplayClass - b.gameplayClass)
              .map((item) => (
                <SampleEntry key={item.id} item={item} />
              ))}
          </List>
        </NumbersOf>
      </Stack>
    </Panel>
  )
}

const TONES = { hit: texts.gain, miss: texts.loss, void: texts.soft } as const

function SampleEntry({ item }: { item: RecordItem }) {
  const format = useFormat()
  return (
    <Entry>
      <span>
        <strong>
          <FormattedMessage id={`gameplay.${item.gameplayClass}`} />
        </strong>
        <span className={styles.picks}>
          {item.predictionResults.split('-').map((number, index) => (
            // A double may name one number in both races.
            // oxlint-disable-next-line react/no-array-index-key
            <NumberCloth key={index} small value={number} tone={item.outcome === 'hit' ? 'hit' : 'plain'} />
          ))}
          <Small as="span">{format.percent(item.probability)}</Small>
        </span>
      </span>
      <span className={`${texts.right} ${TONES[item.outcome]}`}>
        <FormattedMessage id={`outcome.${item.outcome}`} />
        {item.profit === null ? null : (
          <>
            <br />
            {format.profit(item.profit)}
          </>
        )}
      </span>
    </Entry>
  )
}
