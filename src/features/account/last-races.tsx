import { useQuery } from '@tanstack/react-query'
import { Check, LockKeyholeOpen, Minus, X } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { programNumber } from '../../../domain/program-number.ts'
import { clockOfCourse } from '../../../domain/course-clock.ts'
import { queryRaceSubscribe, type SubscribedRace } from '../../../contract/api/racing.ts'
import { queryFor } from '../../data/client/call.ts'
import { useToken } from '../../data/client/session.ts'
import { racePath } from '../../data/race-path.ts'
import { useIsVip } from '../../data/use-session.ts'
import { useRegionDay } from '../../data/use-region.ts'
import { useFormat } from '../../i18n/format.ts'
import { Name } from '../../i18n/name.tsx'
import { Entry, LinkButton, List, Small, TextLink } from '../../ui/layout.tsx'
import { Empty, ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { NumberCloth, NumbersOf } from '../../ui/number-cloth.tsx'
import texts from '../../ui/text.module.css'
import styles from './centre.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

const COUNT = 3

/** The races that the customer unlocked last, to go on with. */
export function LastRaces() {
  const at = useRegionDay()
  const { locale } = useIntl()
  const token = useToken()
  const isVip = useIsVip()
  const races = useQuery({
    ...queryFor(
      queryRaceSubscribe,
      at && { countryRegionId: at.regionId, today: at.today, pageSize: COUNT },
      locale,
      token,
    ),
    retry: 1,
  })
  return (
    <Panel
      title={<FormattedMessage id="centre.continue" />}
      actions={races.data?.length ? <TextLink to="/pages/race/Subscribe" text="common.viewAll" /> : null}
    >
      <div className={styles.races}>
        {races.error ? <ErrorNotice error={races.error} onRetry={() => void races.refetch()} /> : null}
        {races.isPending ? <Skeleton height={180} /> : null}
        {races.data?.length === 0 ? (
          <Empty
            icon={LockKeyholeOpen}
            action={<LinkButton quiet to="/pages/race/racehome" text="pay.toTips" />}
            text={isVip ? 'centre.allOpen' : 'races.noneSubscribed'}
          />
        ) : null}
        {at !== null && races.data?.length ? (
          <>
            <List>
              {races.data.map((race) => (
                <NumbersOf key={race.id} race={race}>
                  <RaceEntry race={race} />
                </NumbersOf>
              ))}
            </List>
            {races.data.length < COUNT ? (
              <LinkButton quiet className={styles.more} to="/pages/race/racehome" text="pay.toTips" />
            ) : null}
          </>
        ) : null}
      </div>
    </Panel>
  )
}

/** A race with what it was won by and what became of our pick, or when it is. */
function RaceEntry({ race }: { race: SubscribedRace }) {
  const format = useFormat()
  const { winners, pick } = race
  return (
    <Entry>
      <Link className={styles.race} to={racePath(race.id, 'subscribe')}>
        <strong>
          {race.stadiumName} <FormattedMessage id="race.short" values={{ number: race.stadiumNum }} />
          {race.name === null ? null : (
            <>
              {BETWEEN_FACTS}
              <Name language={race.nameLanguage}>{race.name}</Name>
            </>
          )}
        </strong>
        <Small as="span">{format.longDay(race.date)}</Small>
        {winners.length === 0 ? null : (
          <span className={styles.winners}>
            <Small as="span" text="centre.wonBy" />
            {winners.map((winner) => (
              <span key={winner.name} className={styles.winner}>
                <NumberCloth small value={programNumber(winner) ?? '–'} tone="first" />
                <Name language={winner.nameLanguage}>{winner.name}</Name>
              </span>
            ))}
          </span>
        )}
      </Link>
      {pick === null ? (
        <Small as="span">
          <FormattedMessage
            id={`raceStatus.${race.status}`}
            values={{
              time:
                race.competitionDate === null
                  ? 'unknown'
                  : format.timeIn(race.competitionDate, clockOfCourse(race.id)),
            }}
          />
        </Small>
      ) : (
        <OurPick pick={pick} />
      )}
    </Entry>
  )
}

const ICONS = { hit: Check, miss: X, void: Minus } as const
const TONES = { hit: texts.gain, miss: texts.loss, void: texts.soft } as const

/** The first choice to win, whether it did, and what a flat stake on it brought. */
function OurPick({ pick: { horseNumber, outcome, profit } }: { pick: NonNullable<SubscribedRace['pick']> }) {
  const format = useFormat()
  const Icon = ICONS[outcome]
  return (
    <span className={styles.pick}>
      <span className={styles.winner}>
        <Small as="span" text="centre.ourPick" />
        <NumberCloth small value={horseNumber} tone={outcome === 'hit' ? 'hit' : 'plain'} />
      </span>
      <span className={`${styles.winner} ${TONES[outcome]}`}>
        <Icon aria-hidden="true" size={16} />
        <FormattedMessage id={`outcome.${outcome}`} />
        {profit === null ? null : <span>{format.profit(profit)}</span>}
      </span>
    </span>
  )
}
