import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import type { Stable } from '../../../contract/api/follow.ts'
import type { ScheduledRace } from '../../../contract/api/racing.ts'
import { rankOf } from '../../../domain/horse-hit.ts'
import { clockOfCourse } from '../../../domain/course-clock.ts'
import { meetingId } from '../../../domain/race-id.ts'
import { regionRules, seasonLabel } from '../../../domain/region.ts'
import { racePath } from '../../data/race-path.ts'
import type { FollowTarget } from '../../data/use-follows.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'
import { distanceText } from '../../i18n/measures.ts'
import { useFormat } from '../../i18n/format.ts'
import { Name } from '../../i18n/name.tsx'
import { List, Small } from '../../ui/layout.tsx'
import { Silks } from '../../ui/silks.tsx'
import { useRaceName } from './coming-entries.tsx'
import { FollowToggle } from '../../widgets/follow/follow.tsx'
import styles from './stable.module.css'

interface StableProps {
  stable: Stable
}

/** Says that nothing of a kind is followed, and where that begins. */
const None = ({ text }: { text: string }) => <Small text={text} />

/** Followed horses with their next race, their last runs and the user's newest note. */
export function FollowedHorses({ stable }: StableProps) {
  if (stable.horses.length === 0) return <None text="stable.noHorses" />
  return (
    <List>
      {stable.horses.map((horse) => (
        <HorseLine key={horse.id} horse={horse} stable={stable} />
      ))}
    </List>
  )
}

function HorseLine({ horse, stable }: StableProps & { horse: Stable['horses'][number] }) {
  const nameOf = useRaceName()
  const entry = stable.entries.find(({ horseId, withdrawn }) => horseId === horse.id && !withdrawn)
  const next = entry && stable.races.find(({ id }) => id === entry.raceId)
  return (
    <li className={styles.line} data-testid="stable-horse">
      <Silks text={horse.silks} />
      <div className={styles.about}>
        <Link className={styles.link} to={`/pages/race/HorseDetail?id=${encodeURIComponent(horse.id)}`}>
          <strong>
            <Name language={horse.nameLanguage}>{horse.name}</Name>
          </strong>{' '}
          {/* A horse without a name in the reader's language is called by its number. */}
          {horse.name === horse.number ? null : <Small as="span">{horse.number}</Small>}
        </Link>
        {next === undefined ? (
          <Small text="stable.notEntered" />
        ) : (
          <Link className={styles.link} to={racePath(next.id, 'schedule')}>
            <FormattedMessage id="stable.next" values={{ race: nameOf(next) }} />
          </Link>
        )}
        {horse.runs.map((run) => (
          <LastRun key={run.raceId} run={run} />
        ))}
        {horse.note === null ? null : <p className={styles.note}>{horse.note}</p>}
      </div>
      <FollowToggle of={{ kind: 'horse', target: horse.id }} name={horse.name} />
    </li>
  )
}

function LastRun({ run }: { run: Stable['horses'][number]['runs'][number] }) {
  const intl = useIntl()
  const format = useFormat()
  const rank = rankOf(run.place)
  const facts = [
    rank === null ? run.place || '–' : intl.formatMessage({ id: 'race.place' }, { rank }),
    run.stadiumName,
    ...(run.distanceM === null ? [] : [distanceText({ intl, format }, run.distanceM, run.raceId)]),
  ]
  return (
    <Small>
      <Link className={styles.link} to={racePath(run.raceId, 'schedule')}>
        {format.day(run.date)}
      </Link>
      {BETWEEN_FACTS}
      {facts.join(BETWEEN_FACTS)}
    </Small>
  )
}

/** Followed jockeys and trainers with their record of the season and how many runners they have to come. */
export function FollowedPeople({ stable }: StableProps) {
  if (stable.people.length === 0) return <None text="stable.noPeople" />
  return (
    <List>
      {stable.people.map((person) => (
        <PersonLine key={`${person.kind} ${person.id}`} person={person} stable={stable} />
      ))}
    </List>
  )
}

function PersonLine({ person, stable }: StableProps & { person: Stable['people'][number] }) {
  const format = useFormat()
  const nameOf = useRaceName()
  const { kind, id, name, nameLanguage, season, runs, wins, placed } = person
  const idOf = kind === 'jockey' ? 'jockeyId' : 'trainerId'
  const entries = stable.entries.filter((entry) => entry[idOf] === id && !entry.withdrawn)
  const first = stable.races.find((race) => race.id === entries[0]?.raceId)
  return (
    <li className={styles.line} data-testid="stable-person">
      <div className={styles.about}>
        <span>
          <strong>
            <Name language={nameLanguage}>{name}</Name>
          </strong>{' '}
          <Small as="span" text={`race.${kind}`} />
        </span>
        {season === null ? null : (
          <Small>
            <FormattedMessage
              id="stable.record"
              values={{
                season: seasonLabel(regionRules(person.countryRegionId).seasonStartMonth, season),
                runs: format.integer(runs),
                wins: format.integer(wins),
                placed: format.integer(placed),
                rate: runs === 0 ? '–' : format.percent(wins / runs),
              }}
            />
          </Small>
        )}
        {first === undefined ? (
          <Small text="stable.noRides" />
        ) : (
          <Link className={styles.link} to={racePath(first.id, 'schedule')}>
            <FormattedMessage id="stable.rides" values={{ count: entries.length, race: nameOf(first) }} />
          </Link>
        )}
      </div>
      <FollowToggle of={{ kind, target: id }} name={name} />
    </li>
  )
}

/** Followed meetings and single races, and what is followed but no longer stored. */
export function FollowedRaces({ stable: { follows, horses, people, races } }: StableProps) {
  const stored = new Set([
    ...horses.map(({ id }) => id),
    ...people.map(({ id }) => id),
    ...races.flatMap(({ id }) => [id, meetingId(id)]),
  ])
  const lines = follows.filter(
    ({ kind, target }) => kind === 'race' || kind === 'meeting' || !stored.has(target),
  )
  if (lines.length === 0) return <None text="stable.noRaces" />
  return (
    <List>
      {lines.map(({ kind, target }) => {
        const found = races.find(({ id }) => id === target || meetingId(id) === target)
        return found === undefined ? (
          <GoneLine key={`${kind} ${target}`} of={{ kind, target }} />
        ) : kind === 'meeting' ? (
          <MeetingLine key={target} races={races.filter(({ id }) => meetingId(id) === target)} />
        ) : (
          <RaceLine key={target} race={found} />
        )
      })}
    </List>
  )
}

function RaceLine({ race }: { race: ScheduledRace }) {
  const format = useFormat()
  const name = useRaceName()(race)
  const start = race.competitionDate
  const time = start === null ? 'unknown' : format.timeIn(start, clockOfCourse(race.id))
  return (
    <li className={styles.line}>
      <div className={styles.about}>
        <Link className={styles.link} to={racePath(race.id, 'schedule')}>
          {name}
        </Link>
        <Small>
          <FormattedMessage id={`raceStatus.${race.status}`} values={{ time }} />
        </Small>
      </div>
      <FollowToggle of={{ kind: 'race', target: race.id }} name={name} />
    </li>
  )
}

/** A meeting: its page is that of the first race that was not run yet, after the last one of the last. */
function MeetingLine({ races }: { races: readonly ScheduledRace[] }) {
  const format = useFormat()
  const next = races.find(({ status }) => status === 'scheduled') ?? races.at(-1)!
  const run = races.filter(({ status }) => status === 'final').length
  const name = [format.longDay(next.date), next.stadiumName].join(BETWEEN_FACTS)
  return (
    <li className={styles.line}>
      <div className={styles.about}>
        <Link className={styles.link} to={racePath(next.id, 'schedule')}>
          {name}
        </Link>
        <Small>
          <FormattedMessage id="stable.racesRun" values={{ run, count: races.length }} />
        </Small>
      </div>
      <FollowToggle of={{ kind: 'meeting', target: meetingId(next.id) }} name={name} />
    </li>
  )
}

/** Something that an import or a correction removed: it can only be unfollowed, or come back. */
const GoneLine = ({ of }: { of: FollowTarget }) => (
  <li className={styles.line}>
    <div className={styles.about}>
      {of.target}
      <Small text="stable.gone" />
    </div>
    <FollowToggle of={of} name={of.target} />
  </li>
)
