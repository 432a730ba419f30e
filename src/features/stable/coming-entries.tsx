import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import type { Stable, StableEntry } from '../../../contract/api/follow.ts'
import type { ScheduledRace } from '../../../contract/api/racing.ts'
import { programNumber } from '../../../domain/program-number.ts'
import { clockOfCourse } from '../../../domain/course-clock.ts'
import { racePath } from '../../data/race-path.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'
import { useFormat } from '../../i18n/format.ts'
import { Name, PersonName } from '../../i18n/name.tsx'
import { Button } from '../../ui/button.tsx'
import { List, Row, Small, Stack, TextLink } from '../../ui/layout.tsx'
import { NumberCloth, NumbersOf } from '../../ui/number-cloth.tsx'
import { FollowedMark } from '../../widgets/follow/follow.tsx'
import styles from './stable.module.css'

/** Day, racecourse, number and time of a race as words. */
export function useRaceName(): (race: ScheduledRace) => string {
  const intl = useIntl()
  const format = useFormat()
  return ({ id, date, stadiumName, stadiumNum, competitionDate }) =>
    [
      format.longDay(date),
      `${stadiumName} ${intl.formatMessage({ id: 'race.short' }, { number: stadiumNum })}`,
      ...(competitionDate === null ? [] : [format.timeIn(competitionDate, clockOfCourse(id))]),
    ].join(BETWEEN_FACTS)
}

const BETWEEN_PEOPLE = ' / '

/** Races that are shown at first: who follows a jockey has one in nearly every race. */
const SHOWN = 6

/** The races to come in which something runs that the user follows, in their order, each with these runners. */
export function ComingEntries({ stable: { entries, races } }: { stable: Stable }) {
  const nameOf = useRaceName()
  const [isWhole, setWhole] = useState(false)
  const coming = races
    .map((race) => ({ race, runners: entries.filter(({ raceId }) => raceId === race.id) }))
    .filter(({ runners }) => runners.length > 0)
  if (coming.length === 0)
    return (
      <p>
        <FormattedMessage id="stable.noEntries" />{' '}
        <TextLink to="/pages/race/racehome" text="stable.toRaces" />
      </p>
    )
  return (
    <Stack tight>
      <List as="ol" className={styles.coming}>
        {coming.slice(0, isWhole ? undefined : SHOWN).map(({ race, runners }) => (
          <li key={race.id} className={styles.race} data-testid="coming-race">
            <Link className={styles.link} to={racePath(race.id, 'schedule')}>
              {nameOf(race)}
            </Link>
            <ul>
              <NumbersOf race={race}>
                {runners.map((runner) => (
                  <Runner key={runner.horseId} runner={runner} />
                ))}
              </NumbersOf>
            </ul>
          </li>
        ))}
      </List>
      {isWhole || coming.length <= SHOWN ? null : (
        <Row>
          <Button onClick={() => setWhole(true)}>
            <FormattedMessage id="stable.all" values={{ count: coming.length }} />
          </Button>
        </Row>
      )}
    </Stack>
  )
}

function Runner({ runner }: { runner: StableEntry }) {
  const { horseId, name, nameLanguage, draw, withdrawn } = runner
  const Tag = withdrawn ? 's' : 'span'
  return (
    <li className={styles.runner}>
      <NumberCloth value={programNumber(runner) ?? '–'} small />
      <span className={styles.who}>
        <Link className={styles.link} to={`/pages/race/HorseDetail?id=${encodeURIComponent(horseId)}`}>
          <Tag>
            <Name language={nameLanguage}>{name}</Name>
          </Tag>
        </Link>
        <FollowedMark horseId={horseId} />
        <Small>
          {withdrawn ? (
            <FormattedMessage id="race.withdrawn" />
          ) : draw === null ? null : (
            <FormattedMessage id="race.drawOf" values={{ draw }} />
          )}
          {withdrawn || draw !== null ? BETWEEN_FACTS : null}
          <PersonName name={runner.jockey} language={runner.jockeyLanguage} />
          {BETWEEN_PEOPLE}
          <PersonName name={runner.trainer} language={runner.trainerLanguage} />
        </Small>
      </span>
    </li>
  )
}
