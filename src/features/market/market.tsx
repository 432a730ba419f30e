import { useQuery } from '@tanstack/react-query'
import { useMemo, useState, useEffect, type CSSProperties } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { marketLines, type MarketLine, oddsAt, MARKS_MIN } from '../../../domain/odds-replay.ts'
import { clockOfCourse } from '../../../domain/course-clock.ts'
import { queryRaceMarket, type Competitor, type RaceInfo } from '../../../contract/api/racing.ts'
import { useMinute } from '../../data/use-now.ts'
import { useRegionDay } from '../../data/use-region.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { OneOf } from '../../ui/fields/choices.tsx'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { HelpLink } from '../../ui/help-link.tsx'
import { Range } from '../../ui/fields/range.tsx'
import { Row, Small, ScrollRegion, Table, TextCell, TextLink } from '../../ui/layout.tsx'
import styles from './market.module.css'
import { Movement } from './movement.tsx'
import { useToken } from '../../data/client/session.ts'
import { queryFor } from '../../data/client/call.ts'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Chart } from '../../widgets/chart/chart.tsx'
import texts from '../../ui/text.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

/** Minutes before post time at which the chart starts. */
const WINDOWS = { hour: 60, day: 720, whole: Number.POSITIVE_INFINITY } as const
type Window = keyof typeof WINDOWS
interface MarketProps {
  race: RaceInfo
  runners: readonly Competitor[]
}

/**
 * The win market of a race over time: curves that can be replayed, and a table of which
 * horses shortened and drifted.
 */
export default function Market(props: MarketProps) {
  return (
    <ExtraTexts part="chances" waiting={<Skeleton height={HEIGHT} />}>
      <Loaded {...props} />
    </ExtraTexts>
  )
}

function Loaded({ race, runners }: MarketProps) {
  const market = useQuery({
    ...queryFor(queryRaceMarket, { raceId: race.raceId }, useToken()),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const now = useMinute()
  const regionDay = useRegionDay()
  const lines = useMemo(
    () => marketLines(market.data ?? [], race.competitionDate, now),
    [market.data, race.competitionDate, now],
  )
  if (market.data?.length === 0 && race.status !== 'scheduled') return null
  return (
    <Panel
      title={<FormattedMessage id="market.title" />}
      actions={
        <Row>
          {regionDay?.regionId === race.countryRegionId ? (
            <TextLink to={`/pages/race/racehome?day=${race.date}&view=market`} text="board.open" />
          ) : null}
          <HelpLink topic="market" text="market.help" />
        </Row>
      }
    >
      {market.error ? (
        <ErrorNotice error={market.error} onRetry={() => void market.refetch()} />
      ) : !market.data ? (
        <Skeleton height={HEIGHT} />
      ) : lines.length === 0 ? (
        <FormattedMessage id="market.none" tagName="p" />
      ) : (
        <Replay race={race} runners={runners} lines={lines} />
      )}
    </Panel>
  )
}

const largestMoves = (lines: readonly MarketLine[]): number[] =>
  lines
    .toSorted((a, b) => Math.abs(Math.log1p(b.change)) - Math.abs(Math.log1p(a.change)))
    .slice(0, TONES.length)
    .map(({ horseNumber }) => horseNumber)

function Replay({ race, runners, lines }: MarketProps & { lines: readonly MarketLine[] }) {
  const intl = useIntl()
  const format = useFormat()
  const minutesText = useMinutesText()
  const [requested, setRequested] = useState<Window | null>(null)
  const [chosen, setChosen] = useState<readonly number[] | null>(null)
  const highlighted = chosen ?? largestMoves(lines)
  const last = Math.max(...lines.map(({ ticks }) => ticks.at(-1)!.at))
  // If post time is unknown, minutes count back from the last tick.
  const off = race.competitionDate === null ? last : Date.parse(race.competitionDate)
  const all = useMemo(
    () => [...new Set(lines.flatMap(({ ticks }) => ticks.map(({ at }) => at)))].toSorted((a, b) => a - b),
    [lines],
  )
  const within = (each: Window): number[] => all.filter((at) => at >= off - WINDOWS[each] * 60_000)
  // Days before the race there are no odds of race day yet.
  const window = requested ?? (within('day').length > 1 ? 'day' : 'whole')
  const moments = within(window)
  const replay = useReplay(moments.length)
  const at = moments[replay.position] ?? last
  const minutesLeft = (off - at) / 60_000
  const momentText =
    minutesLeft >= 1440
      ? minutesText(minutesLeft)
      : `${minutesText(minutesLeft)}${BETWEEN_FACTS}${format.timeIn(new Date(at).toISOString(), clockOfCourse(race.raceId))}`
  const names = new Map(runners.map((runner) => [runner.horseNumber, runner.name]))
  const first = Math.min(...lines.map(({ ticks }) => ticks[0]!.at))
  // Movement needs two recordings; the current odds are in the racecard.
  if (all.length < 2) return <FormattedMessage id="market.first" tagName="p" />
  return (
    <>
      <Small text="market.lead" />
      <OneOf
        legend={<FormattedMessage id="market.window" />}
        value={window}
        choices={(['hour', 'day', 'whole'] as const).map((each) => ({
          value: each,
          label: <FormattedMessage id={`market.window.${each}`} />,
        }))}
        onChange={(value) => {
          setRequested(value as Window)
          replay.showEnd()
        }}
      />
      <MarketChart
        lines={lines}
        names={names}
        highlighted={highlighted}
        from={Math.max(first, off - WINDOWS[window] * 60_000)}
        until={last}
        at={at}
        off={off}
      />
      <div className={styles.player}>
        <Button
          onClick={replay.toggle}
          disabled={replay.end === 0}
          text={replay.playing ? 'market.pause' : 'market.play'}
        />
        <Range
          label={intl.formatMessage({ id: 'market.moment' })}
          min={0}
          max={Math.max(replay.end, 1)}
          step={1}
          value={replay.position}
          text={momentText}
          onChange={replay.show}
        />
      </div>
      <MarketTable
        lines={lines}
        names={names}
        final={race.status !== 'scheduled'}
        at={at}
        highlighted={highlighted}
        onHighlight={setChosen}
      />
    </>
  )
}

/** Duration of a replay, whatever the number of moments. */
const REPLAY_MS = 10_000
const STEP_MS = 100

/** The shown one of `count` moments, which can be played one after another. At first it is the last. */
function useReplay(count: number) {
  /** Index of the shown moment; `null` for the last. */
  const [moment, setMoment] = useState<number | null>(null)
  const [playing, setPlaying] = useState(false)
  const end = Math.max(count - 1, 0)
  const position = Math.min(moment ?? end, end)
  useEffect(() => {
    if (!playing) return
    const step = Math.max(1, Math.ceil((end * STEP_MS) / REPLAY_MS))
    const timer = setInterval(() => {
      setMoment((before) => {
        const next = (before ?? 0) + step
        if (next >= end) setPlaying(false)
        return next >= end ? null : next
      })
    }, STEP_MS)
    return () => clearInterval(timer)
  }, [playing, end])
  const stopAt = (shown: number | null): void => {
    setPlaying(false)
    setMoment(shown)
  }
  return {
    /** Index of the shown moment. */
    position,
    /** Index of the last moment. */
    end,
    playing,
    /** Plays on from the shown moment, or from the first if the last is shown; or pauses. */
    toggle: (): void => {
      if (!playing && position === end) setMoment(0)
      setPlaying(!playing)
    },
    /** Shows a moment and pauses. */
    show: (shown: number): void => stopAt(shown >= end ? null : shown),
    /** Shows the last moment, also when more follow, and pauses. */
    showEnd: (): void => stopAt(null),
  }
}

/** A time before the race, given in minutes, in words: days and hours where minutes would say little. */
function useMinutesText(): (minutes: number) => string {
  const intl = useIntl()
  const format = useFormat()
  return (minutes) =>
    intl.formatMessage(
      { id: 'market.before' },
      minutes >= 2880
        ? { unit: 'days', count: format.integer(Math.round(minutes / 1440)) }
        : minutes >= 120
          ? { unit: 'hours', count: format.integer(Math.round(minutes / 60)) }
          : { unit: minutes <= 0 ? 'off' : 'minutes', count: format.integer(Math.round(minutes)) },
    )
}

const HEIGHT = 280
/** Colours of the highlighted horses, in this order. */
const TONES = ['series-1', 'series-2', 'series-3', 'series-4'] as const

const ROUND_ODDS = [1.1, 1.5, 2, 3, 5, 8, 12, 20, 30, 50, 99, 200, 500]
const ROUND_MINUTES = [11_520, 7200, 4320, 2880, 1440, 720, 480, 240, 120, 60, 45, 30, 15, 10, 5, 2]

/** A logarithmic axis of odds, so that a fall from 20 to 10 is as long as one from 4 to 2. */
function logAxis(odds: readonly number[]): { from: number; to: number; ticks: number[] } {
  const from = Math.min(...odds) * 0.92
  const to = Math.max(...odds) * 1.08
  return { from, to, ticks: ROUND_ODDS.filter((tick) => tick >= from && tick <= to) }
}

/** Round minutes (negative before post time) from `from` to 0, spaced so that at most about `most` labels fit. */
function minuteTicks(from: number, most: number): number[] {
  const least = -from / most
  const ticks = [0]
  for (const minutes of ROUND_MINUTES.toReversed()) {
    if (minutes <= -from && minutes + ticks.at(-1)! >= least) ticks.push(-minutes)
  }
  return ticks.toReversed()
}

interface MarketChartProps {
  lines: readonly MarketLine[]
  /** Horses' names by number. */
  names: ReadonlyMap<number | null, string>
  /** Numbers of the highlighted horses, at most as many as `TONES`. */
  highlighted: readonly number[]
  /** Instants in milliseconds since 1970: where the chart starts and ends, the shown moment, and post time. */
  from: number
  until: number
  at: number
  off: number
}

/** What a line shows from the start of the chart to the shown moment. */
function pointsOf(line: MarketLine, from: number, at: number): { at: number; odds: number }[] {
  const before = oddsAt(line.ticks, from)
  const points = [
    ...(before === null ? [] : [{ at: from, odds: before }]),
    ...line.ticks.filter((tick) => tick.at > from && tick.at <= at),
  ]
  // A line extends as far as the others even if its odds did not change.
  const last = points.at(-1)
  return last && last.at < at ? [...points, { at, odds: last.odds }] : points
}

/** The odds of every horse up to the shown moment, the highlighted ones in colour and on top. */
function MarketChart({ lines, names, highlighted, from, until, at, off }: MarketChartProps) {
  const intl = useIntl()
  const format = useFormat()
  const minutesText = useMinutesText()
  const wide = useWide()
  const x = minuteTicks((from - off) / 60_000, wide ? 6 : 4)
  const y = logAxis(lines.flatMap(({ ticks }) => ticks.map(({ odds }) => odds)))
  const series = lines
    .toSorted(
      (a, b) => Number(highlighted.includes(a.horseNumber)) - Number(highlighted.includes(b.horseNumber)),
    )
    .map((line) => {
      const points = pointsOf(line, from, at)
      const name = `${line.horseNumber} ${names.get(line.horseNumber) ?? ''}`
      return {
        kind: 'stairs' as const,
        name,
        tone: TONES[highlighted.indexOf(line.horseNumber)] ?? ('soft' as const),
        x: points.map((point) => (point.at - off) / 60_000),
        y: points.map(({ odds }) => odds),
        ...(highlighted.includes(line.horseNumber) && points.length > 0
          ? { end: format.odds(points.at(-1)!.odds) }
          : {}),
        hover: points.map(
          (point) =>
            `${name}\n${format.odds(point.odds)}${BETWEEN_FACTS}${minutesText((off - point.at) / 60_000)}`,
        ),
      }
    })
  return (
    <Chart
      label={intl.formatMessage({ id: 'market.title' })}
      series={series}
      x={{
        title: '',
        range: [(from - off) / 60_000, Math.max(0, (until - off) / 60_000)],
        ticks: { at: x, text: x.map((minutes) => minutesText(-minutes)) },
      }}
      y={{
        title: '',
        logarithmic: true,
        range: [y.from, y.to],
        ticks: { at: y.ticks, text: y.ticks.map((tick) => format.odds(tick)) },
      }}
      height={HEIGHT}
    />
  )
}

interface MarketTableProps extends Pick<MarketChartProps, 'lines' | 'names' | 'highlighted' | 'at'> {
  /** Whether the last odds are the final ones. */
  final: boolean
  onHighlight(numbers: readonly number[]): void
}

/** Which horses shortened and drifted; a horse's number highlights its line in the chart. */
function MarketTable({ lines, names, final, at, highlighted, onHighlight }: MarketTableProps) {
  const minutesText = useMinutesText()
  const wide = useWide()
  const toggle = (number: number): void =>
    onHighlight(
      highlighted.includes(number)
        ? highlighted.filter((each) => each !== number)
        : [...highlighted, number].slice(-TONES.length),
    )
  return (
    <ScrollRegion label="market.title">
      <Table data-testid="market">
        <thead>
          <tr>
            <Heading id="race.horse" />
            <Heading id="market.open" />
            {wide
              ? MARKS_MIN.map((minutes) => (
                  <th key={minutes} scope="col">
                    {minutesText(minutes)}
                  </th>
                ))
              : null}
            <Heading id={final ? 'market.final' : 'market.now'} />
            <Heading id="market.shown" />
            <Heading id="market.change" />
          </tr>
        </thead>
        <tbody>
          {lines
            .toSorted((a, b) => a.change - b.change)
            .map((line) => (
              <MarketRow
                key={line.horseNumber}
                line={line}
                name={names.get(line.horseNumber) ?? ''}
                at={at}
                rank={highlighted.indexOf(line.horseNumber)}
                onToggle={() => toggle(line.horseNumber)}
              />
            ))}
        </tbody>
      </Table>
    </ScrollRegion>
  )
}

const Heading = ({ id }: { id: string }) => (
  <th scope="col">
    <FormattedMessage id={id} />
  </th>
)

/** A highlighted horse's button has the colour of its line. */
const toneOf = (rank: number): CSSProperties | undefined =>
  rank < 0 ? undefined : { borderColor: `var(--${TONES[rank]!})` }

interface MarketRowProps {
  line: MarketLine
  name: string
  at: number
  /** Index of its colour; negative if the horse is not highlighted. */
  rank: number
  onToggle(): void
}

function MarketRow({ line, name, at, rank, onToggle }: MarketRowProps) {
  const intl = useIntl()
  const format = useFormat()
  const wide = useWide()
  const shown = oddsAt(line.ticks, at)
  return (
    <tr data-number={line.horseNumber}>
      <TextCell scope="row" as="th">
        <button
          type="button"
          className={styles.show}
          style={toneOf(rank)}
          aria-pressed={rank >= 0}
          aria-label={intl.formatMessage({ id: 'market.show' }, { number: line.horseNumber, name })}
          onClick={onToggle}
        >
          {line.horseNumber}
        </button>{' '}
        {name}
      </TextCell>
      <td>{format.odds(line.open)}</td>
      {wide
        ? line.marks.map((odds, index) => (
            <td key={MARKS_MIN[index]}>{odds === null ? '–' : format.odds(odds)}</td>
          ))
        : null}
      <td className={texts.strong}>{format.odds(line.last)}</td>
      <td>{shown === null ? '–' : format.odds(shown)}</td>
      <td>
        <Movement movement={line.change} named={wide} />
      </td>
    </tr>
  )
}
