import { ChevronDown, Lock } from 'lucide-react'
import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { groupBy } from '../../../domain/group-by.ts'
import { clockOfCourse } from '../../../domain/course-clock.ts'
import { useLiveInstant } from '../../data/live.ts'
import { useSchedule, useTips } from '../../data/use-racing.ts'
import { useRegionDay } from '../../data/use-region.ts'
import { useIsVip } from '../../data/use-session.ts'
import type { ScheduledRace, Tip } from '../../../contract/api/racing.ts'
import { useFormat } from '../../i18n/format.ts'
import { offsetAmong, postTimeAmong } from '../../i18n/post-time.ts'
import { Name } from '../../i18n/name.tsx'
import { Button } from '../../ui/button.tsx'
import { ListEnd, Small, Stack } from '../../ui/layout.tsx'
import { NumbersOf } from '../../ui/number-cloth.tsx'
import { Silks } from '../../ui/silks.tsx'
import { Cloth, PickFigures } from './pick.tsx'
import { TipDetails } from './tip-details.tsx'
import { useConditions } from './tip-race.tsx'
import styles from './tips.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

/** Number of races per day shown at first: VIPs can expand the rest, others see no more (decisions section 3). */
const FIRST = { vip: 5, others: 3 }

interface TipCardsProps {
  tips: readonly Tip[]
  onOpen(raceId: string): void
}

/** Tips of coming races by day: the model's most probable horses, as far as the user may see them. */
export default function TipCards({ tips, ...rest }: TipCardsProps) {
  return (
    <Stack>
      {[...groupBy(tips, ({ date }) => date)].map(([day, ofDay]) => (
        <Day key={day} day={day} tips={ofDay} {...rest} />
      ))}
    </Stack>
  )
}

function Day({ day, tips, onOpen }: TipCardsProps & { day: string }) {
  const format = useFormat()
  const isVip = useIsVip() === true
  const isToday = useRegionDay()?.today === day
  const races = (useSchedule().data ?? []).filter(({ date }) => date === day)
  const seen = useTips().data ?? []
  const closed = races.filter(
    ({ id, status, predicted }) =>
      predicted && status === 'scheduled' && seen.every(({ raceId }) => raceId !== id),
  )
  const [all, setAll] = useState(false)
  const first = isVip ? FIRST.vip : FIRST.others
  // Races that a member has unlocked are shown in addition to the first ones.
  const shown = all || !isVip ? tips : tips.slice(0, first)
  return (
    <section className={styles.day}>
      <h3 className={styles.date}>
        {[format.longDay(day), offsetAmong(format, tips.map(asRace))].filter(Boolean).join(BETWEEN_FACTS)}
      </h3>
      <ul className={styles.tips}>
        {shown.map((tip) => (
          <NumbersOf key={tip.raceId} race={tip}>
            <TipCard tip={tip} race={races.find(({ id }) => id === tip.raceId)} onOpen={onOpen} />
          </NumbersOf>
        ))}
      </ul>
      {isVip && tips.length >= first && !all ? (
        <ListEnd>
          <Button onClick={() => setAll(true)} aria-expanded={false}>
            <FormattedMessage id="tips.viewAll" values={{ count: tips.length }} />
          </Button>
        </ListEnd>
      ) : null}
      {!isVip && closed.length > 0 ? (
        <Link className={styles.upsell} to="/pages/race/viplist">
          <Lock aria-hidden="true" size={16} />
          <FormattedMessage
            id="tips.upsell"
            values={{ count: closed.length, day: isToday ? 'today' : 'other' }}
          />
        </Link>
      ) : null}
    </section>
  )
}

/** The race of a tip, as far as its post time needs it. */
const asRace = ({ raceId: id, date, time }: Tip) => ({ id, date, time })

interface TipCardProps {
  tip: Tip
  /** The race as the schedule has it, once that is known. */
  race: ScheduledRace | undefined
  onOpen(raceId: string): void
}

function TipCard({ tip, race, onOpen }: TipCardProps) {
  const intl = useIntl()
  const format = useFormat()
  const conditions = useConditions()
  const [open, setOpen] = useState(false)
  const news = useLiveInstant('tip', tip.raceId)
  const [first, ...others] = tip.topCompetitors
  return (
    <li className={styles.tip}>
      <button type="button" className={styles.race} onClick={() => onOpen(tip.raceId)}>
        <span className={styles.no}>
          <FormattedMessage id="record.raceNumber" values={{ number: tip.raceNo }} />
        </span>
        <Small as="span">
          {[tip.stadiumName, postTimeAmong(format, asRace(tip)), race && conditions(race)]
            .filter(Boolean)
            .join(BETWEEN_FACTS)}
        </Small>
      </button>
      <div className={styles.numbers}>
        {first?.name ? null : <Cloths choices={tip.topCompetitors} />}
        <button
          type="button"
          className={styles.more}
          aria-expanded={open}
          aria-label={intl.formatMessage({ id: 'tips.details' }, { number: tip.raceNo })}
          onClick={() => setOpen(!open)}
        >
          <ChevronDown aria-hidden="true" size={20} />
        </button>
      </div>
      {first?.name ? (
        // The first choice stands before the others.
        <span className={styles.first}>
          <Cloth horse={first} first />
          <Silks text={first.silks} small />
          <span className={styles.firstName}>
            <Name language={first.nameLanguage}>{first.name}</Name>
          </span>
          <PickFigures horse={first} final={tip.status === 'final'} />
          <span className={styles.numbers}>
            <Cloths choices={others} />
          </span>
        </span>
      ) : null}
      {open ? <TipDetails tip={tip} /> : null}
      {news === null ? null : (
        <Small>
          <FormattedMessage id="live.at" values={{ time: format.clockIn(news, clockOfCourse(tip.raceId)) }} />
        </Small>
      )}
    </li>
  )
}

/** Saddle numbers of choices, best first; a hidden one is a question mark. */
const Cloths = ({ choices }: { choices: Tip['topCompetitors'] }) =>
  choices.map((horse) => <Cloth key={horse.ranking} horse={horse} first={horse.ranking === 1} />)
