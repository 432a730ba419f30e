import { useQuery } from '@tanstack/react-query'
import { useMemo, useState, useEffect } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { marketLines, type MarketLine } from '../../../domain/odds-replay.ts'
import { queryRaceMarket, type Competitor, type RaceInfo } from '../../../contract/api/racing.ts'
import { useMinute } from '../../data/use-now.ts'
import { zoneOfRace } from '../../data/use-race.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { OneOf } from '../../ui/fields/choices.tsx'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { HelpLink } from '../../ui/help-link.tsx'
import { Range } from '../../ui/fields/range.tsx'
import { Small } from '../../ui/layout.tsx'
import { HEIGHT, MarketChart, TONES, useMinutesText } from './market-chart.tsx'
import { MarketTable } from './market-table.tsx'
import styles from './market.module.css'
import { queryFor } from '../../data/client/call.ts'

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
    ...queryFor(queryRaceMarket, { raceId: race.raceId }),
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
      : `${minutesText(minutesLeft)} · ${format.time(new Date(at).toISOString(), zoneOfRace(race))}`
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

interface Replay {
  /** Index of the shown moment. */
  position: number
  /** Index of the last moment. */
  end: number
  playing: boolean
  /** Plays on from the shown moment, or from the first if the last is shown; or pauses. */
  toggle(): void
  /** Shows a moment and pauses. */
  show(position: number): void
  /** Shows the last moment, also when more follow, and pauses. */
  showEnd(): void
}

/** The shown one of `count` moments, which can be played one after another. At first it is the last. */
function useReplay(count: number): Replay {
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
    position,
    end,
    playing,
    toggle: () => {
      if (!playing && position === end) setMoment(0)
      setPlaying(!playing)
    },
    show: (shown) => stopAt(shown >= end ? null : shown),
    showEnd: () => stopAt(null),
  }
}
