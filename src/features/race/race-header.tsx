import { Check, FileText } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { rankOf } from '../../../domain/horse-hit.ts'
import { clockOfCourse } from '../../../domain/course-clock.ts'
import { useLiveInstant } from '../../data/live.ts'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { useRaceWords } from '../../i18n/race-words.ts'
import { Name } from '../../i18n/name.tsx'
import { useFormat } from '../../i18n/format.ts'
import { distanceText } from '../../i18n/measures.ts'
import { FollowToggle } from '../../widgets/follow/follow.tsx'
import follows from '../../widgets/follow/follow.module.css'
import { TimeLeft } from './time-left.tsx'
import { NumberCloth } from '../../ui/number-cloth.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Badge, LinkButton, PageTitle, Row, Small } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import { Placing } from './placing.tsx'
import styles from './race.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

interface RaceHeaderProps {
  race: RaceInfo
  /** The runners known so far. */
  runners: readonly Competitor[]
}

/** Name, time, place and ground of a race, and when it was last updated while the page was open. */
export function RaceHeader({
  race,
  runners,
  report = false,
  ref,
  aside = null,
}: RaceHeaderProps & {
  /** Whether this is the report's own header, which does not link to the report. */
  report?: boolean
  ref?: Ref<HTMLElement>
  /** Beside it on wide screens. */
  aside?: ReactNode
}) {
  const format = useFormat()
  const wide = useWide()
  return (
    <header ref={ref} className={aside === null ? undefined : styles.aside}>
      <div className={styles.head}>
        <Row spread className={styles.titleRow}>
          <Title race={race} wide={wide} />
          <Row>
            <Status race={race} wide={wide} />
            {report ? null : <FollowRace race={race} />}
            {race.isSubscribe === 1 && !report && wide ? (
              <LinkButton quiet to={`/pages/race/ReportView?id=${race.raceId}`}>
                <FileText aria-hidden="true" size={16} />
                <FormattedMessage id="race.viewReport" />
              </LinkButton>
            ) : null}
          </Row>
        </Row>
        <Conditions race={race} before={wide ? [] : [race.stadiumName, format.day(race.date)]} />
        {race.tips === null || !(wide || report) ? null : <TipsLine race={race} runners={runners} />}
        <Remarks race={race} />
        <LastUpdate raceId={race.raceId} />
      </div>
      {aside === null ? null : (
        <div className={`${styles.beside} ${race.starters > 0 ? styles.withField : ''}`}>{aside}</div>
      )}
    </header>
  )
}

/** What a reader has to know of a race's result or its numbers. */
const Remarks = ({ race: { amended, numbersByName } }: { race: RaceInfo }) => (
  <>
    {amended ? <Small data-testid="amended" text="race.amended" /> : null}
    {numbersByName ? <Small text="race.numbersByName" /> : null}
  </>
)

/** As the race is called in lists: its racecourse, day and number. */
function FollowRace({ race }: { race: RaceInfo }) {
  const intl = useIntl()
  const format = useFormat()
  const number = intl.formatMessage({ id: 'record.raceNumber' }, { number: race.raceNumber })
  return (
    <span className={follows.flat}>
      <FollowToggle
        of={{ kind: 'race', target: race.raceId }}
        name={[race.stadiumName, format.day(race.date), number].join(BETWEEN_FACTS)}
      />
    </span>
  )
}

interface HeadProps {
  race: RaceInfo
  wide: boolean
}

/** Place, number and name of a race and its time; on a phone number and name alone. */
function Title({ race, wide }: HeadProps) {
  const format = useFormat()
  const number = (
    <FormattedMessage id={wide ? 'record.raceNumber' : 'race.short'} values={{ number: race.raceNumber }} />
  )
  if (!wide)
    return (
      <PageTitle as="div">
        <h1>
          {number}
          {race.name ? (
            <>
              {BETWEEN_FACTS}
              <Name language={race.nameLanguage}>{race.name}</Name>
            </>
          ) : null}
        </h1>
      </PageTitle>
    )
  return (
    <PageTitle as="div">
      <h1>
        {race.stadiumName}
        {BETWEEN_FACTS}
        {number}
      </h1>
      <p>
        {race.name ? (
          <>
            <Name language={race.nameLanguage}>{race.name}</Name>
            {BETWEEN_FACTS}
          </>
        ) : null}
        {format.day(race.date)}
        {race.competitionDate ? ` ${format.timeIn(race.competitionDate, clockOfCourse(race.raceId))}` : ''}
      </p>
    </PageTitle>
  )
}

/** Whether the race is to come, when, and how long until then; a phone has the time in the row of the meeting's races. */
function Status({ race, wide }: HeadProps) {
  const format = useFormat()
  const start = race.competitionDate
  const status = (
    <FormattedMessage
      id={`raceStatus.${race.status}`}
      values={{ time: start ? format.timeIn(start, clockOfCourse(race.raceId)) : 'unknown' }}
    />
  )
  if (race.status !== 'scheduled') return <Badge tone="soft">{status}</Badge>
  return (
    <>
      {wide ? <Badge tone="accent">{status}</Badge> : null}
      <strong className={styles.left}>
        <TimeLeft start={start} otherwise={wide ? null : status} />
      </strong>
    </>
  )
}

/** When the race was last updated while the page was open. */
function LastUpdate({ raceId }: { raceId: string }) {
  const format = useFormat()
  const odds = useLiveInstant('odds', raceId)
  const result = useLiveInstant('result', raceId)
  const news = [odds, result]
    .filter((each) => each !== null)
    .toSorted()
    .at(-1)
  if (news === undefined) return null
  return (
    <p className={styles.news}>
      <FormattedMessage id="live.at" values={{ time: format.clockIn(news, clockOfCourse(raceId)) }} />
    </p>
  )
}

/** Distance, ground, class and weather in one line; `before`: what it begins with. */
function Conditions({ race, before }: { race: RaceInfo; before: readonly string[] }) {
  const intl = useIntl()
  const format = useFormat()
  const words = useRaceWords()
  return (
    <p className={styles.conditions}>
      {[
        ...before,
        race.distance === null ? null : distanceText({ intl, format }, race.distance, race.raceId),
        words.track(race.trackType, race.course),
        words.going(race.trackCondition),
        race.rating === null
          ? words.raceClass(race.raceClass)
          : intl
              .formatMessage(
                { id: 'race.ratings' },
                { raceClass: words.raceClass(race.raceClass) ?? '', range: race.rating.replace('-', '–') },
              )
              .trim(),
        // On a phone what is not known takes no room.
        words.weather(race.weather ?? (before.length > 0 ? null : 'unknown')),
      ]
        .filter((part) => part !== null)
        .join(BETWEEN_FACTS)}
    </p>
  )
}

const CHOICES = [1, 2, 3, 4] as const

/** The first choices of the tip, and after an official result where each of them finished. */
export function TipsLine({ race, runners }: RaceHeaderProps) {
  const tips = race.tips!
  const numbers = CHOICES.map((choice) => tips[`raceCompetitor${choice}Num`])
  const shown = tips.open ? numbers.filter((number) => number !== null) : [numbers[0], null, null, null]
  return (
    <p className={styles.tips}>
      <FormattedMessage id="race.aiTips" />
      {shown.map((number, index) => (
        // A horse can be the choice of several, and a hidden one has no number.
        // eslint-disable-next-line react/no-array-index-key
        <Tip key={index} number={number ?? null} race={race} runners={runners} />
      ))}
    </p>
  )
}

const FIRST_FOUR = 4

/** The horse that a bet on a number is on: of an entry, the one that finished first. */
function horseOf(number: number | null, runners: readonly Competitor[]): Competitor | undefined {
  const own = runners.filter(
    ({ horseNumber, entryNumber }) => number !== null && (entryNumber ?? horseNumber) === number,
  )
  const places = own.map(({ ranking }) => rankOf(ranking) ?? runners.length + 1)
  return own[places.indexOf(Math.min(...places))]
}

function Tip({ number, race, runners }: RaceHeaderProps & { number: number | null }) {
  const runner = horseOf(number, runners)
  if (!runner) return <NumberCloth value={number} tone="first" />
  const name = (
    <span>
      <Name language={runner.nameLanguage}>{runner.name}</Name>
    </span>
  )
  if (race.status !== 'final')
    return (
      <span className={styles.tip}>
        <NumberCloth value={number} tone="first" />
        {name}
      </span>
    )
  const rank = rankOf(runner.ranking)
  const placed = rank !== null && rank <= FIRST_FOUR
  // The strip of the meeting has this mark for a winner too.
  const isWinner = rank === 1
  return (
    <span className={styles.tip}>
      <NumberCloth value={number} tone={placed ? 'hit' : 'plain'} />
      {name}
      <span className={isWinner ? texts.gain : texts.soft}>
        {isWinner ? <Check aria-hidden="true" size={14} /> : null}
        <Placing runner={runner} />
      </span>
    </span>
  )
}
