import type { ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { oddsMoves } from '../../../domain/odds-moves.ts'
import { programNumber } from '../../../domain/program-number.ts'
import type { Meeting, MeetingRace, ScheduledRace } from '../../../contract/api/racing.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import { Name } from '../../i18n/name.tsx'
import { useCompetitors } from '../../data/use-race.ts'
import { useMeetings } from '../../data/use-racing.ts'
import { NumberCloth, NumbersOf } from '../../ui/number-cloth.tsx'
import { Panel } from '../../ui/panel.tsx'
import { List, Row, Small, TextLink } from '../../ui/layout.tsx'
import { Silks } from '../../ui/silks.tsx'
import texts from '../../ui/text.module.css'
import { Sum } from './meetings.tsx'
import styles from './live-feed.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

interface LiveFeedProps {
  /** The region's day, `yyyy-mm-dd`. */
  today: string
  /** The next race; `null` after the last one. */
  next: ScheduledRace | null
  /** Stands for it until its texts are loaded. */
  waiting: ReactNode
  onOpen(raceId: string): void
}

/**
 * What happens on a race day, newest first: withdrawals and large moves of the odds of the next race, then the results.
 * Its parts are those that pushed messages keep up to date.
 */
export default function LiveFeed({ waiting, ...of }: LiveFeedProps) {
  return (
    <ExtraTexts part="race-day" waiting={waiting}>
      <Feed {...of} />
    </ExtraTexts>
  )
}

function Feed({ today, next, onOpen }: Omit<LiveFeedProps, 'waiting'>) {
  const meetings = (useMeetings().data ?? []).filter(({ date }) => date === today)
  return (
    <Panel
      title={<FormattedMessage id="home.feed" />}
      actions={
        <Row>
          <TextLink to={`/pages/race/racehome?day=${today}&view=market`} text="home.feed.market" />
          <TextLink to={`/pages/race/PredictionResults?month=${today.slice(0, 7)}`} text="home.allResults" />
        </Row>
      }
    >
      <div className={styles.feed} data-testid="live-feed">
        <List className={styles.items}>
          {next === null ? null : (
            <NumbersOf race={next}>
              <NextRaceNews race={next} onOpen={onOpen} />
            </NumbersOf>
          )}
          {meetings.flatMap(({ stadiumName, races }) =>
            races.toReversed().map((race) => (
              <NumbersOf key={race.raceId} race={race}>
                <Result race={race} course={meetings.length > 1 ? stadiumName : null} onOpen={onOpen} />
              </NumbersOf>
            )),
          )}
        </List>
        {meetings.length === 0 ? <Small text="home.feed.none" /> : null}
        {meetings.map((meeting: Meeting) => (
          <Sum key={meeting.stadiumName} meeting={meeting} />
        ))}
      </div>
    </Panel>
  )
}

function NextRaceNews({ race, onOpen }: { race: ScheduledRace; onOpen(raceId: string): void }) {
  const intl = useIntl()
  const format = useFormat()
  const runners = useCompetitors(race.id).data ?? []
  return (
    <>
      {runners
        .filter(({ status }) => status === 'withdrawn')
        .map((runner) => (
          <Item key={runner.horseId} raceId={race.id} number={race.stadiumNum} onOpen={onOpen}>
            <NumberCloth value={programNumber(runner)} small />
            <s>
              <Name language={runner.nameLanguage}>{runner.name}</Name>
            </s>
            <Small as="span" text="race.withdrawn" />
          </Item>
        ))}
      {oddsMoves(runners).map(({ runner, from, to, movement }) => (
        <Item key={runner.horseId} raceId={race.id} number={race.stadiumNum} onOpen={onOpen}>
          <NumberCloth value={programNumber(runner)} small />
          <span>
            <Name language={runner.nameLanguage}>{runner.name}</Name>
          </span>
          <span className={movement < 0 ? texts.gain : texts.loss}>
            {intl.formatMessage(
              { id: 'home.feed.move' },
              { from: format.odds(from), to: format.odds(to), change: format.signedPercent(movement, 0) },
            )}
          </span>
        </Item>
      ))}
    </>
  )
}

function Result({
  race: { raceId, raceNo, winners, pick },
  course,
  onOpen,
}: {
  race: MeetingRace
  /** Its racecourse, if there are several today. */
  course: string | null
  onOpen(raceId: string): void
}) {
  const intl = useIntl()
  const format = useFormat()
  const [winner] = winners
  return (
    <Item raceId={raceId} number={raceNo} course={course} onOpen={onOpen}>
      {winners.map((won) => (
        <span key={won.name} className={styles.winner}>
          <NumberCloth value={programNumber(won)} small tone="first" />
          <Silks text={won.silks} small />
          <Name language={won.nameLanguage}>{won.name}</Name>
        </span>
      ))}
      <Small as="span">
        {winner?.dividend ? format.dividend(winner.dividend) : null}
        {pick === null ? null : (
          <span className={pick.outcome === 'hit' ? texts.gain : undefined}>
            {BETWEEN_FACTS}
            {intl.formatMessage(
              { id: 'home.feed.pick' },
              { number: pick.horseNumber, outcome: pick.outcome },
            )}
          </span>
        )}
      </Small>
    </Item>
  )
}

interface ItemProps extends Pick<LiveFeedProps, 'onOpen'> {
  raceId: string
  number: number
  course?: string | null
  children: ReactNode
}

const Item = ({ raceId, number, course = null, onOpen, children }: ItemProps) => (
  <li>
    <button type="button" className={styles.item} onClick={() => onOpen(raceId)}>
      <strong>
        {course === null ? null : `${course} `}
        <FormattedMessage id="race.short" values={{ number }} />
      </strong>
      <span className={styles.what}>{children}</span>
    </button>
  </li>
)
