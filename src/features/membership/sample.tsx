import { useQuery } from '@tanstack/react-query'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { queryRacePredictionAccuracy, type RecordItem } from '../../../contract/api/racing.ts'
import { queryFor } from '../../data/client/call.ts'
import { useToken } from '../../data/client/session.ts'
import { racePath } from '../../data/race-path.ts'
import { useRegionDay } from '../../data/use-region.ts'
import { useFormat } from '../../i18n/format.ts'
import { ColumnHeadings, Row, ScrollRegion, Small, Stack, Table, TextCell } from '../../ui/layout.tsx'
import { NumberCloth } from '../../ui/number-cloth.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import texts from '../../ui/text.module.css'

/** A race has at most one selected prediction of each bet type. */
const BET_TYPES = 10
const COLUMNS = ['vip.sample.betType', 'vip.sample.picks', 'vip.sample.chance', 'vip.sample.result']
const LEFT: ReadonlySet<string> = new Set(COLUMNS.slice(0, 2))

/** The settled predictions of the last race that has some: what VIP opens before every race, chosen by nobody. */
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
        <ScrollRegion label="vip.sample" values={race}>
          <Table>
            <ColumnHeadings ids={COLUMNS} left={LEFT} />
            <tbody>
              {rows
                .data!.filter(({ raceId }) => raceId === first.raceId)
                .toSorted((a, b) => a.gameplayClass - b.gameplayClass)
                .map((item) => (
                  <SampleRow key={item.id} item={item} />
                ))}
            </tbody>
          </Table>
        </ScrollRegion>
      </Stack>
    </Panel>
  )
}

const TONES = { hit: texts.gain, miss: texts.loss, void: texts.soft } as const

function SampleRow({ item }: { item: RecordItem }) {
  const format = useFormat()
  return (
    <tr>
      <TextCell as="th" scope="row">
        <FormattedMessage id={`gameplay.${item.gameplayClass}`} />
      </TextCell>
      <TextCell>
        <Row as="span">
          {item.predictionResults.split('-').map((number, index) => (
            // A double may name one number in both races.
            // oxlint-disable-next-line react/no-array-index-key
            <NumberCloth key={index} small value={number} tone={item.outcome === 'hit' ? 'hit' : 'plain'} />
          ))}
        </Row>
      </TextCell>
      <td>{format.percent(item.probability)}</td>
      <td className={TONES[item.outcome]}>
        <FormattedMessage id={`outcome.${item.outcome}`} />
        {item.profit === null ? null : ` ${format.signedHkd(item.profit)}`}
      </td>
    </tr>
  )
}
