import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState, type CSSProperties } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import {
  DRIFTER,
  marketLines,
  MARKS_MIN,
  oddsAt,
  STEAMER,
  type MarketLine,
} from '../../../domain/odds-replay.ts'
import { keyOf } from '../../data/client/keys.ts'
import { fetchMarket, type Competitor, type RaceInfo } from '../../data/calls/racing-calls.ts'
import { useMinute } from '../../data/use-now.ts'
import { zoneOfRace } from '../../data/use-race.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { OneOf } from '../../ui/fields/choices.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { HelpLink } from '../../ui/help-link.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import { Range } from '../../ui/fields/range.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import layout from '../../ui/layout.module.css'
import { Chart } from '../../widgets/chart/chart.tsx'
import { logAxis, minuteTicks } from './market-axis.ts'
import styles from './market.module.css'

const HEIGHT = 280
const TONES = ['series-1', 'series-2', 'series-3', 'series-4'] as const
/** Minutes before post time at which the chart starts. */
const WINDOWS = { hour: 60, day: 720, whole: Number.POSITIVE_INFINITY } as const
type Window = keyof typeof WINDOWS
/** Duration of a replay, whatever the window. */
const REPLAY_MS = 10_000
const STEP_MS = 100

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
    queryKey: keyOf('market', race.raceId),
    queryFn: ({ signal }) => fetchMarket(race.raceId, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const now = useMinute()
  const lines = useMemo(
    () => marketLines(market.data ?? [], race.competitionDate, now),
    [market.data, race.competitionDate, now],
  )
  if (market.data?.length === 0 && race.status !== 'scheduled') return null
  return (
    <Panel
      title={<FormattedMessage id="market.title" />}
      actions={<HelpLink topic="market" text="market.help" />}
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

/** A highlighted horse's button has the colour of its line. */
const toneOf = (rank: number): CSSProperties | undefined =>
  rank < 0 ? undefined : { borderColor: `var(--${TONES[rank]!})` }

function Replay({ race, runners, lines }: MarketProps & { lines: readonly MarketLine[] }) {
  const intl = useIntl()
  const format = useFormat()
  const wide = useWide()
  const [asked, setWindow] = useState<Window | null>(null)
  const [chosen, setChosen] = useState<readonly number[] | null>(null)
  /** Index of the shown moment; `null` for the last. */
  const [moment, setMoment] = useState<number | null>(null)
  const [playing, setPlaying] = useState(false)
  const shown = chosen ?? largestMoves(lines)
  const last = Math.max(...lines.map(({ ticks }) => ticks.at(-1)!.at))
  // If post time is unknown, minutes count back from the last tick.
  const off = race.competitionDate === null ? last : Date.parse(race.competitionDate)
  const all = useMemo(
    () => [...new Set(lines.flatMap(({ ticks }) => ticks.map(({ at }) => at)))].toSorted((a, b) => a - b),
    [lines],
  )
  const within = (each: Window): number[] => all.filter((at) => at >= off - WINDOWS[each] * 60_000)
  // Days before the race there are no odds of race day yet.
  const window = asked ?? (within('day').length > 1 ? 'day' : 'whole')
  const moments = within(window)
  const end = Math.max(moments.length - 1, 0)
  const position = Math.min(moment ?? end, end)
  const at = moments[position] ?? last
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
  const minutesText = (minutes: number): string =>
    intl.formatMessage(
      { id: 'market.before' },
      minutes >= 2880
        ? { unit: 'days', count: format.integer(Math.round(minutes / 1440)) }
        : minutes >= 120
          ? { unit: 'hours', count: format.integer(Math.round(minutes / 60)) }
          : { unit: minutes <= 0 ? 'off' : 'minutes', count: format.integer(Math.round(minutes)) },
    )
  const toGo = (off - at) / 60_000
  const momentText =
    toGo >= 1440
      ? minutesText(toGo)
      : `${minutesText(toGo)} · ${format.time(new Date(at).toISOString(), zoneOfRace(race))}`
  const names = new Map(runners.map((runner) => [runner.horseNumber, runner.name]))
  const from = Math.max(Math.min(...lines.map(({ ticks }) => ticks[0]!.at)), off - WINDOWS[window] * 60_000)
  const x = minuteTicks((from - off) / 60_000, wide ? 6 : 4)
  const y = logAxis(lines.flatMap(({ ticks }) => ticks.map(({ odds }) => odds)))
  const series = lines
    .toSorted((a, b) => Number(shown.includes(a.horseNumber)) - Number(shown.includes(b.horseNumber)))
    .map((line) => {
      const rank = shown.indexOf(line.horseNumber)
      const before = oddsAt(line.ticks, from)
      const points = [
        ...(before === null ? [] : [{ at: from, odds: before }]),
        ...line.ticks.filter((tick) => tick.at > from && tick.at <= at),
      ]
      // A line extends as far as the others even if its odds did not change.
      const until = points.at(-1)
      if (until && until.at < at) points.push({ at, odds: until.odds })
      const name = `${line.horseNumber} ${names.get(line.horseNumber) ?? ''}`
      return {
        kind: 'stairs' as const,
        name,
        tone: TONES[rank] ?? ('soft' as const),
        x: points.map((point) => (point.at - off) / 60_000),
        y: points.map(({ odds }) => odds),
        hover: points.map(
          (point) => `${name}<br>${format.odds(point.odds)} · ${minutesText((off - point.at) / 60_000)}`,
        ),
      }
    })
  const label = intl.formatMessage({ id: 'market.title' })
  // Movement needs two recordings; the current odds are in the racecard.
  if (all.length < 2) return <FormattedMessage id="market.first" tagName="p" />
  return (
    <>
      <p className={layout.small}>
        <FormattedMessage id="market.lead" />
      </p>
      <OneOf
        legend={<FormattedMessage id="market.window" />}
        value={window}
        choices={(['hour', 'day', 'whole'] as const).map((each) => ({
          value: each,
          label: <FormattedMessage id={`market.window.${each}`} />,
        }))}
        onChange={(value) => {
          setWindow(value as Window)
          setMoment(null)
          setPlaying(false)
        }}
      />
      <Chart
        label={label}
        series={series}
        x={{
          title: '',
          range: [(from - off) / 60_000, Math.max(0, (last - off) / 60_000)],
          ticks: { at: x, text: x.map((minutes) => minutesText(-minutes)) },
        }}
        y={{
          title: '',
          logarithmic: true,
          range: [y.from, y.to],
          ticks: { at: y.ticks, text: y.ticks.map((tick) => format.odds(tick)) },
        }}
        height={HEIGHT}
        legend={false}
      />
      <div className={styles.player}>
        <Button
          onClick={() => {
            if (!playing && position === end) setMoment(0)
            setPlaying(!playing)
          }}
          disabled={end === 0}
        >
          <FormattedMessage id={playing ? 'market.pause' : 'market.play'} />
        </Button>
        <Range
          label={intl.formatMessage({ id: 'market.moment' })}
          min={0}
          max={Math.max(end, 1)}
          step={1}
          value={position}
          text={momentText}
          onChange={(value) => {
            setPlaying(false)
            setMoment(value >= end ? null : value)
          }}
        />
      </div>
      <div className={layout.scroll} tabIndex={0} role="region" aria-label={label}>
        <table className={layout.table} data-testid="market">
          <thead>
            <tr>
              <th scope="col">
                <FormattedMessage id="race.horse" />
              </th>
              <th scope="col">
                <FormattedMessage id="market.open" />
              </th>
              {wide
                ? MARKS_MIN.map((minutes) => (
                    <th key={minutes} scope="col">
                      {minutesText(minutes)}
                    </th>
                  ))
                : null}
              <th scope="col">
                <FormattedMessage id={race.status === 'scheduled' ? 'market.now' : 'market.final'} />
              </th>
              <th scope="col">
                <FormattedMessage id="market.shown" />
              </th>
              <th scope="col">
                <FormattedMessage id="market.change" />
              </th>
            </tr>
          </thead>
          <tbody>
            {lines
              .toSorted((a, b) => a.change - b.change)
              .map((line) => {
                const there = oddsAt(line.ticks, at)
                const move = line.change <= STEAMER ? 'steamer' : line.change >= DRIFTER ? 'drifter' : null
                const name = names.get(line.horseNumber) ?? ''
                return (
                  <tr key={line.horseNumber} data-number={line.horseNumber}>
                    <th scope="row" className={layout.left}>
                      <button
                        type="button"
                        className={styles.show}
                        style={toneOf(shown.indexOf(line.horseNumber))}
                        aria-pressed={shown.includes(line.horseNumber)}
                        aria-label={intl.formatMessage(
                          { id: 'market.show' },
                          { number: line.horseNumber, name },
                        )}
                        onClick={() =>
                          setChosen(
                            shown.includes(line.horseNumber)
                              ? shown.filter((each) => each !== line.horseNumber)
                              : [...shown, line.horseNumber].slice(-TONES.length),
                          )
                        }
                      >
                        {line.horseNumber}
                      </button>{' '}
                      {name}
                    </th>
                    <td>{format.odds(line.open)}</td>
                    {wide
                      ? line.marks.map((odds, index) => (
                          <td key={MARKS_MIN[index]}>{odds === null ? '–' : format.odds(odds)}</td>
                        ))
                      : null}
                    <td className={layout.strong}>{format.odds(line.last)}</td>
                    <td>{there === null ? '–' : format.odds(there)}</td>
                    <td className={move === 'steamer' ? layout.gain : move === 'drifter' ? layout.loss : ''}>
                      {format.signedPercent(line.change, 0)}
                      {move === null || !wide ? null : (
                        <>
                          {' '}
                          <FormattedMessage id={`market.${move}`} />
                        </>
                      )}
                    </td>
                  </tr>
                )
              })}
          </tbody>
        </table>
      </div>
    </>
  )
}
