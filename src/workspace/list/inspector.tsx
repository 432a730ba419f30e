import { useQuery } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, ExternalLink, X } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { groupBy } from '../../../domain/group-by.ts'
import { clockOfCourse } from '../../../domain/course-clock.ts'
import { rankOf } from '../../../domain/horse-hit.ts'
import { programNumber } from '../../../domain/program-number.ts'
import { numberOf, textOf } from '../../../analytics/cells.ts'
import { useAnalytics, useScope } from '../../data/analytics/use-analytics.ts'
import { queryRaceLocks } from '../../../contract/api/model.ts'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { headToHeadPath } from '../../data/head-to-head-path.ts'
import { ONE_RACE, useCompetitors, useRace } from '../../data/use-race.ts'
import { DividendsTable } from '../../features/race/race-result.tsx'
import { useFormat } from '../../i18n/format.ts'
import { distanceText } from '../../i18n/measures.ts'
import { Name, PersonName } from '../../i18n/name.tsx'
import { useRaceWords } from '../../i18n/race-words.ts'
import { useWord } from '../../i18n/use-word.ts'
import { NumberCloth, NumbersOf } from '../../ui/number-cloth.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import { Chart } from '../../widgets/chart/chart.tsx'
import { PictureMenu } from '../../widgets/chart/picture-menu.tsx'
import { ToolButton } from '../parts/controls.tsx'
import { FailedAnswer } from '../parts/failed-answer.tsx'
import { FollowStar } from '../parts/follow-star.tsx'
import { useCaptionOf } from '../words/use-caption.ts'
import { Small } from '../../ui/layout.tsx'
import controls from '../parts/controls.module.css'
import panelStyles from '../parts/panel.module.css'
import tables from '../parts/table.module.css'
import styles from './inspector.module.css'
import { queryFor } from '../../data/client/call.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

const HEIGHT = 200
const TONES = ['series-1', 'series-2', 'series-3', 'series-4'] as const

interface InspectorProps {
  race: string
  /** Moves to the next (1) or previous (−1) race of the list; `null` if the page has no list. */
  onStep: ((by: 1 | -1) => void) | null
  onClose(): void
}

/** Goes to the next race, opens this one, and closes it. */
function InspectorTools({ race, onStep, onClose }: InspectorProps) {
  const word = useWord()
  const steps = [
    { by: -1, label: 'workspace.previousRace', key: 'K', icon: ArrowUp },
    { by: 1, label: 'workspace.nextRace', key: 'J', icon: ArrowDown },
  ] as const
  return (
    <div className={panelStyles.tools}>
      {(onStep ? steps : []).map(({ by, label, key, icon }) => (
        <ToolButton
          key={by}
          icon={icon}
          label={label}
          title={`${word(label)} (${key})`}
          aria-keyshortcuts={key}
          onClick={() => onStep?.(by)}
        />
      ))}
      <Link
        className={controls.tool}
        to={`/pages/race/HorseRace?id=${race}`}
        aria-label={word('workspace.openRace')}
      >
        <ExternalLink aria-hidden="true" size={16} />
      </Link>
      <ToolButton icon={X} label="common.close" onClick={onClose} />
    </div>
  )
}

/** Distance, track, going and class of a race. */
function Conditions({ race }: { race: RaceInfo }) {
  const intl = useIntl()
  const format = useFormat()
  const words = useRaceWords()
  return (
    <Small>
      {[
        race.distance === null ? null : distanceText({ intl, format }, race.distance, race.raceId),
        words.track(race.trackType, race.course),
        words.going(race.trackCondition),
        words.raceClass(race.raceClass),
      ]
        .filter(Boolean)
        .join(BETWEEN_FACTS)}
    </Small>
  )
}

/** One race beside the list: the finishing order, its odds over time, and its locks. */
export function Inspector(props: InspectorProps) {
  const { race: raceId } = props
  const word = useWord()
  const format = useFormat()
  const race = useRace(raceId)
  const locks = useQuery({ ...ONE_RACE, ...queryFor(queryRaceLocks, { raceId }) })
  const raceText = ({ date, stadiumName, raceNumber }: RaceInfo): string =>
    [format.day(date), stadiumName, word('record.raceNumber', { number: raceNumber })].join(BETWEEN_FACTS)
  const heading = race.data ? raceText(race.data) : raceId
  return (
    <aside className={styles.inspector} aria-label={word('workspace.inspector')}>
      <div className={panelStyles.head}>
        <h2>{heading}</h2>
        <InspectorTools {...props} />
      </div>
      {race.data ? <Conditions race={race.data} /> : null}
      {race.error ? <FailedAnswer error={race.error} /> : null}
      <NumbersOf race={race.data}>
        <FinishingOrder raceId={raceId} />
      </NumbersOf>
      <Dividends raceId={raceId} />
      <OddsLines raceId={raceId} race={heading} />
      {locks.data ? (
        <Small>
          <FormattedMessage id="workspace.locksOf" values={{ count: locks.data.entries.length }} />
        </Small>
      ) : null}
    </aside>
  )
}

/** The order of finish, and a way to the races of both who finished in front. */
function FinishingOrder({ raceId }: { raceId: string }) {
  const { data, error } = useCompetitors(raceId)
  const placed = useMemo(
    () =>
      (data ?? [])
        .filter(({ ranking }) => ranking !== '')
        .toSorted((a, b) => placeOf(a.ranking) - placeOf(b.ranking)),
    [data],
  )
  if (!data) return error ? null : <Skeleton height={320} />
  const [first, second] = placed
  return (
    <>
      <FinishingTable placed={placed} />
      {first === undefined || second === undefined ? null : (
        <Link to={headToHeadPath(first.horseId, second.horseId)}>
          <FormattedMessage id="workspace.headToHead" />
        </Link>
      )}
    </>
  )
}

function FinishingTable({ placed }: { placed: readonly Competitor[] }) {
  const format = useFormat()
  return (
    <table className={tables.table}>
      <tbody>
        {placed.map((runner) => (
          <tr key={runner.horseId}>
            <th scope="row" className={styles.horse}>
              <span className={styles.runner}>
                <span className={styles.place}>{runner.ranking}</span>
                <NumberCloth
                  value={programNumber(runner) ?? '–'}
                  tone={rankOf(runner.ranking) === 1 ? 'first' : 'plain'}
                  small
                />
                <span className={styles.name}>
                  <Name language={runner.nameLanguage}>{runner.name}</Name>
                </span>
                <FollowStar of={{ kind: 'horse', target: runner.horseId }} name={runner.name} />
              </span>
            </th>
            <td>
              <span className={styles.runner}>
                <span className={styles.name}>
                  <PersonName name={runner.jockey} language={runner.jockeyLanguage} />
                </span>
                {runner.jockey === null || runner.jockeyId === null ? null : (
                  <FollowStar of={{ kind: 'jockey', target: runner.jockeyId }} name={runner.jockey} />
                )}
              </span>
            </td>
            <td>{runner.odds === null ? '–' : format.odds(runner.odds)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The dividends; nothing until they are known. */
function Dividends({ raceId }: { raceId: string }) {
  const answer = useAnalytics({ named: { name: 'dividends', raceId } }, { priority: 'visible' })
  const rows = answer.isPlaceholderData ? undefined : answer.data?.rows
  return !rows || rows.length === 0 ? null : <DividendsTable rows={rows} />
}

/** Sort key: places first, then codes. */
const placeOf = (ranking: string): number => (/^\d+$/.test(ranking) ? Number(ranking) : 999)

/** Odds over time of the four horses with the shortest final odds, from the dataset. */
function OddsLines({ raceId, race }: { raceId: string; race: string }) {
  const saver = useRef(null)
  const word = useWord()
  const format = useFormat()
  const { history } = useScope()
  const captionOf = useCaptionOf()
  const trend = useAnalytics(
    { named: { name: 'odds_trend', raceId } },
    { priority: 'visible', enabled: history },
  )
  const rows = trend.isPlaceholderData ? undefined : trend.data?.rows
  const chart = useMemo(() => {
    if (!rows || rows.length === 0) return null
    const horses = [...groupBy(rows, (row) => numberOf(row, 'horse_no'))]
      .toSorted(([, a], [, b]) => numberOf(a.at(-1)!, 'odds') - numberOf(b.at(-1)!, 'odds'))
      .slice(0, TONES.length)
    const zone = clockOfCourse(raceId)
    return {
      label: word('race.oddsTrend'),
      series: horses.map(([horse, line], index) => ({
        kind: 'steps' as const,
        name: word('tips.number', { number: horse }),
        tone: TONES[index]!,
        x: line.map((row) => textOf(row, 'seen_at')),
        y: line.map((row) => numberOf(row, 'odds')),
        end: format.odds(numberOf(line.at(-1)!, 'odds')),
        hover: line.map(
          (row) => `${format.clockIn(textOf(row, 'seen_at'), zone)}\n${format.odds(numberOf(row, 'odds'))}`,
        ),
      })),
      x: { title: '' },
      y: { title: '', reversed: true },
    }
  }, [rows, word, format, raceId])
  if (!chart) return null
  const picture = { name: `furlong-odds-${raceId}`, caption: () => captionOf([chart.label, race]), saver }
  return (
    <>
      <div className={panelStyles.head}>
        <h3>{chart.label}</h3>
        <PictureMenu picture={picture} />
      </div>
      <Chart {...chart} height={HEIGHT} picture={picture} />
    </>
  )
}
