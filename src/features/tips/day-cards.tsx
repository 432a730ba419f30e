import { ChevronDown } from 'lucide-react'
import { clockOfCourse } from '../../../domain/course-clock.ts'
import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { useLiveInstant } from '../../data/live.ts'
import { useFormat } from '../../i18n/format.ts'
import { Small } from '../../ui/layout.tsx'
import { NumbersOf } from '../../ui/number-cloth.tsx'
import { Silks } from '../../ui/silks.tsx'
import { Cloth, HorseName, PickFigures } from './pick.tsx'
import { TipDetails } from './tip-details.tsx'
import {
  missingTip,
  RaceLink,
  RaceNumberAndTime,
  TimeToRace,
  useConditions,
  type DayRights,
} from './tip-race.tsx'
import type { TipRace } from './use-tip-day.ts'
import styles from './day-cards.module.css'

interface DayCardsProps extends DayRights {
  /** Races of one meeting. */
  races: readonly TipRace[]
  /** Whether the races are today's, so that it is told how long it is to each. */
  isToday: boolean
  onOpen(raceId: string): void
}

/** The races of a meeting, each with the horses most likely to win, and with more of them where it is opened. */
export const DayCards = ({ races, ...rest }: DayCardsProps) => (
  <ul className={styles.cards}>
    {races.map((each) => (
      <NumbersOf key={each.race.id} race={each.race}>
        <RaceCard {...each} {...rest} />
      </NumbersOf>
    ))}
  </ul>
)

function RaceCard({ race, tip, isToday, onOpen, ...rights }: TipRace & Omit<DayCardsProps, 'races'>) {
  const conditions = useConditions()
  return (
    <li className={styles.card}>
      <div className={styles.head}>
        <RaceLink race={race} onOpen={onOpen}>
          <RaceNumberAndTime race={race} />
        </RaceLink>
        <Small as="span" className={styles.conditions}>
          {conditions(race)}
        </Small>
        {isToday && race.status === 'scheduled' ? (
          <strong className={styles.left}>
            <TimeToRace race={race} />
          </strong>
        ) : null}
        {race.status === 'abandoned' ? (
          <Small as="span">
            <FormattedMessage id="raceStatus.abandoned" />
          </Small>
        ) : null}
      </div>
      {race.status === 'abandoned' ? null : tip === null ? (
        <Missing what={missingTip(race, rights)} />
      ) : (
        <Choices race={race} tip={tip} />
      )}
    </li>
  )
}

/** Stands for the choices of a race without a tip. */
function Missing({ what }: { what: ReturnType<typeof missingTip> }) {
  if (what === 'none') return <Small text="race.notPredicted" />
  if (what === 'quiet') return null
  return (
    <div className={styles.others}>
      <Cloth horse={null} />
      <Cloth horse={null} />
      <Cloth horse={null} />
      <Cloth horse={null} />
    </div>
  )
}

/** The first choice of a race and the others; opened, all of them with their chances as bars. */
function Choices({ race, tip }: TipRace & { tip: NonNullable<TipRace['tip']> }) {
  const intl = useIntl()
  const format = useFormat()
  const [isOpen, setIsOpen] = useState(false)
  const news = useLiveInstant('tip', race.id)
  const [first, ...others] = tip.topCompetitors
  return (
    <>
      {first ? (
        <div className={styles.first}>
          <Cloth horse={first} first />
          <Silks text={first.silks} small />
          <span className={styles.firstName}>
            <HorseName horse={first} />
          </span>
          <PickFigures horse={first} final={race.status === 'final'} />
        </div>
      ) : null}
      <div className={styles.others}>
        {others.map((horse) => (
          <span key={horse.ranking} className={styles.other}>
            <Cloth horse={horse} small />
            {horse.name === null ? null : <HorseName horse={horse} />}
          </span>
        ))}
        <button
          type="button"
          className={styles.more}
          aria-expanded={isOpen}
          aria-label={intl.formatMessage({ id: 'tips.details' }, { number: race.stadiumNum })}
          onClick={() => setIsOpen(!isOpen)}
        >
          <ChevronDown aria-hidden="true" size={20} />
        </button>
      </div>
      {isOpen ? <TipDetails tip={tip} /> : null}
      {news === null ? null : (
        <Small>
          <FormattedMessage id="live.at" values={{ time: format.clockIn(news, clockOfCourse(race.id)) }} />
        </Small>
      )}
    </>
  )
}
