import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { clockOfCourse } from '../../../domain/course-clock.ts'
import { groupBy } from '../../../domain/group-by.ts'
import { queryOddsTrack, type OddsPoint } from '../../../contract/api/racing.ts'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { ScrollArea, TableTwin } from '../../ui/layout.tsx'
import { Chart } from '../../widgets/chart/chart.tsx'
import { axisFrom, ticksApart } from './odds-axis.ts'
import styles from './odds-track.module.css'
import { useToken } from '../../data/client/session.ts'
import { queryFor } from '../../data/client/call.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

const HEIGHT = 240
const TONES = ['series-1', 'series-2', 'series-3', 'series-4'] as const

/** Win odds of a prediction's horses over time; fetched once, and again when new odds are pushed. */
export function OddsTrack({ rprId, raceId }: { rprId: string; raceId: string }) {
  const intl = useIntl()
  const track = useQuery({
    // The race is not part of the call, but its result changes the response.
    ...queryFor(queryOddsTrack, { rprId }, raceId, useToken()),
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  })
  const failed = track.isError
  useEffect(() => {
    if (failed) showToast(intl.formatMessage({ id: 'race.oddsFailed' }), 'bad')
  }, [failed, intl])
  if (track.error) return <ErrorNotice error={track.error} onRetry={() => void track.refetch()} />
  if (!track.data) return <Skeleton height={HEIGHT} />
  if (track.data.length === 0) return <FormattedMessage id="race.noOdds" tagName="p" />
  const [first] = track.data
  const timeZone = clockOfCourse(raceId)
  // A line needs two instants.
  return track.data.every(({ createTime }) => createTime === first!.createTime) ? (
    <Once points={track.data} timeZone={timeZone} />
  ) : (
    <Track points={track.data} timeZone={timeZone} />
  )
}

/** Odds that were recorded at one instant only. */
function Once({ points, timeZone }: { points: readonly OddsPoint[]; timeZone: string }) {
  const intl = useIntl()
  const format = useFormat()
  const odds = points.map(
    (point) =>
      `${intl.formatMessage({ id: 'tips.number' }, { number: point.horseNumber })}: ${format.odds(point.odds)}`,
  )
  return (
    <FormattedMessage
      id="race.oddsOnce"
      values={{
        time: format.shortInstantIn(points[0]!.createTime, timeZone),
        odds: odds.join(BETWEEN_FACTS),
      }}
      tagName="p"
    />
  )
}

function Track({ points, timeZone }: { points: readonly OddsPoint[]; timeZone: string }) {
  const intl = useIntl()
  const format = useFormat()
  const wide = useWide()
  const chart = useMemo(() => {
    const horses = [...groupBy(points, ({ horseNumber }) => horseNumber)]
    const times = [...new Set(points.map(({ createTime }) => createTime))].toSorted()
    const at = ticksApart(times, wide ? 5 : 3)
    const odds = axisFrom(points.map((point) => point.odds))
    return {
      label: intl.formatMessage({ id: 'race.oddsTrend' }),
      series: horses.map(([horseNumber, line], index) => ({
        kind: 'steps' as const,
        name: intl.formatMessage({ id: 'tips.number' }, { number: horseNumber }),
        tone: TONES[index % TONES.length]!,
        x: line.map(({ createTime }) => createTime),
        y: line.map((point) => point.odds),
        end: format.odds(line.at(-1)!.odds),
        hover: line.map(
          (point) =>
            `${horseNumber}: ${format.odds(point.odds)}\n${format.shortInstantIn(point.createTime, timeZone)}`,
        ),
      })),
      x: { title: '', ticks: { at, text: at.map((time) => format.shortInstantIn(time, timeZone)) } },
      y: {
        title: '',
        range: [odds.from, odds.to] as const,
        ticks: { at: odds.ticks, text: odds.ticks.map((tick) => format.decimal(tick, 1)) },
      },
    }
  }, [points, intl, format, timeZone, wide])
  return (
    <figure>
      <Chart {...chart} height={HEIGHT} />
      <TableTwin>
        <FormattedMessage id="record.asTable" tagName="summary" />
        <ScrollArea name={chart.label} className={styles.tall}>
          <DataTable
            rows={points}
            keyOf={({ createTime, horseNumber }) => `${createTime} ${horseNumber}`}
            columns={[
              { id: 'race.time', render: ({ createTime }) => format.shortInstantIn(createTime, timeZone) },
              { id: 'race.horseNo', render: ({ horseNumber }) => horseNumber },
              { id: 'record.odds', render: (point) => format.odds(point.odds) },
            ]}
          />
        </ScrollArea>
      </TableTwin>
    </figure>
  )
}
