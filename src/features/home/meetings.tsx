import { Check, Minus, X } from 'lucide-react'
import { Suspense } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { isMeasured } from '../../../domain/measured-courses.ts'
import { programNumber } from '../../../domain/program-number.ts'
import type { Meeting, MeetingRace } from '../../../contract/api/racing.ts'
import { useMeetings } from '../../data/use-racing.ts'
import { useRegionDay } from '../../data/use-region.ts'
import { useFormat } from '../../i18n/format.ts'
import { Name } from '../../i18n/name.tsx'
import { lazyOrNothing } from '../../ui/behaviour/lazy-or-nothing.ts'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { NumberCloth, NumbersOf } from '../../ui/number-cloth.tsx'
import { OriginMark } from '../../ui/origin-mark.tsx'
import { ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { Small, Stack, TextLink } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import styles from './meetings.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

// Real races mostly have none.
const Silks = lazyOrNothing(async () => ({ default: (await import('../../ui/silks.tsx')).Silks }))
const MeetingCourse = lazyOrNothing(() => import('./meeting-course.tsx'))

/** Of the course that is drawn on a wide screen: reserved until it is loaded. */
const COURSE_HEIGHT = 200
/** Races of the meeting before the last one. */
const EARLIER = 3
/** Of the races of a meeting with their sum: reserved until they are known. */
const HEIGHT = 190

interface MeetingsProps {
  onOpen(raceId: string): void
}

interface ResultsProps extends MeetingsProps {
  /** The day whose results are shown elsewhere; none by default. */
  except?: string | null
  /** Whether the course of the last meeting is drawn. */
  course?: boolean
}

/** The results of the last meeting, or of today's so far, and the first ones of the meeting before it. */
export function Meetings({ except = null, course = false, onOpen }: ResultsProps) {
  const today = useRegionDay()?.today
  const meetings = useMeetings()
  const [last, before] = (meetings.data ?? []).filter(({ date }) => date !== except)
  if (meetings.data && !last) return null
  return (
    <Panel
      title={<FormattedMessage id={last && last.date === today ? 'home.resultsSoFar' : 'home.lastRecord'} />}
      actions={
        <TextLink
          to={`/pages/race/PredictionResults${last ? `?month=${last.date.slice(0, 7)}` : ''}`}
          text="home.allResults"
        />
      }
    >
      {last ? (
        <Stack>
          <Races meeting={last} races={last.races} course={course} onOpen={onOpen} />
          {before ? <Races meeting={before} races={before.races.slice(0, EARLIER)} onOpen={onOpen} /> : null}
        </Stack>
      ) : meetings.error ? (
        <ErrorNotice error={meetings.error} onRetry={() => void meetings.refetch()} />
      ) : (
        <Skeleton height={HEIGHT} />
      )}
    </Panel>
  )
}

interface RacesProps extends MeetingsProps {
  meeting: Meeting
  races: readonly MeetingRace[]
  course?: boolean
}

/** Races of a meeting side by side: on a phone in a strip that is moved sideways. */
function Races({ meeting, races, course = false, onOpen }: RacesProps) {
  const wide = useWide()
  const format = useFormat()
  const title = `${format.longDay(meeting.date)}${BETWEEN_FACTS}${meeting.stadiumName}`
  return (
    <section className={styles.meeting}>
      <header className={styles.head}>
        <h3>{title}</h3>
        <Sum meeting={meeting} />
      </header>
      {course && wide && isMeasured(races[0]!.raceId) ? (
        <div style={{ minHeight: COURSE_HEIGHT }}>
          <Suspense fallback={null}>
            <MeetingCourse meeting={meeting} />
          </Suspense>
        </div>
      ) : null}
      <ol className={styles.races} tabIndex={0} aria-label={title}>
        {races.map((race) => (
          <li key={race.raceId}>
            <button type="button" className={styles.race} onClick={() => onOpen(race.raceId)}>
              <NumbersOf race={race}>
                <Race race={race} />
              </NumbersOf>
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** How many first choices of a meeting won, and what a flat stake on them returned. */
export function Sum({ meeting: { races } }: { meeting: Meeting }) {
  const format = useFormat()
  const picks = races.flatMap(({ pick }) => (pick === null || pick.outcome === 'void' ? [] : [pick]))
  if (picks.length === 0) return null
  const profits = picks.flatMap(({ profit }) => (profit === null ? [] : [Number(profit)]))
  const sum = profits.reduce((total, profit) => total + Math.round(profit * CENTS), 0)
  const origins = [...new Set(picks.map(({ origin }) => origin))]
  return (
    <Small>
      <FormattedMessage
        id="home.picksWon"
        values={{
          hits: format.integer(picks.filter(({ outcome }) => outcome === 'hit').length),
          bets: format.integer(picks.length),
        }}
      />
      {profits.length === picks.length ? `${BETWEEN_FACTS}${format.signedMoney(sum)}` : null}
      {origins.map((origin) => (
        <span key={origin}>
          {BETWEEN_FACTS}
          <OriginMark origin={origin} />
        </span>
      ))}
    </Small>
  )
}

const CENTS = 100
const ICONS = { hit: Check, miss: X, void: Minus } as const
const TONES = { hit: texts.gain, miss: texts.loss, void: texts.soft } as const

/** The winner of a race, which rank we gave it, and whether our first choice was right. */
function Race({ race: { raceNo, winners, rank, pick } }: { race: MeetingRace }) {
  const intl = useIntl()
  const format = useFormat()
  const [winner] = winners
  const Icon = pick && ICONS[pick.outcome]
  return (
    <>
      <span className={styles.top}>
        <strong>
          <FormattedMessage id="race.short" values={{ number: raceNo }} />
        </strong>
        {Icon && pick ? (
          <>
            <Small as="span">
              <FormattedMessage
                id="home.ourRank"
                values={{ rank: rank === null ? 'none' : format.integer(rank) }}
              />
            </Small>
            <Icon
              role="img"
              size={16}
              className={TONES[pick.outcome]}
              aria-label={intl.formatMessage({ id: `outcome.${pick.outcome}` })}
            />
          </>
        ) : null}
      </span>
      {winners.slice(0, 2).map((winner) => (
        <span key={winner.name} className={styles.winner}>
          <NumberCloth value={programNumber(winner)} small={winner.silks !== null} />
          {winner.silks === null ? null : (
            <span className={styles.silks}>
              <Suspense fallback={null}>
                <Silks text={winner.silks} small />
              </Suspense>
            </span>
          )}
          <span className={styles.name}>
            <Name language={winner.nameLanguage}>{winner.name}</Name>
          </span>
        </span>
      ))}
      <Small as="span">{winner?.dividend ? format.dividend(winner.dividend) : null}</Small>
    </>
  )
}
