import { distanceText } from '../../i18n/measures.ts'
import type { IntlShape } from 'react-intl'
import { useIntl } from 'react-intl'
import { orderedCard } from '../../../domain/racecard.ts'
import { clockOfCourse } from '../../../domain/course-clock.ts'
import { programNumber } from '../../../domain/program-number.ts'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useRaceWords } from '../../i18n/race-words.ts'
import type { CardContent } from '../../widgets/share-card/draw-card.ts'
import ShareCard from '../../widgets/share-card/share-card.tsx'

interface ShareRaceProps {
  race: RaceInfo
  runners: readonly Competitor[]
}

/** Shares a race and its runners, as the reader sees them, as a picture. */
export default function ShareRace({ race, runners }: ShareRaceProps) {
  const intl = useIntl()
  const format = useFormat()
  const words = useRaceWords()
  return (
    <ShareCard
      name={`furlong-${race.raceId}`}
      content={() => raceCard(race, runners, { intl, format, words })}
    />
  )
}

interface Language {
  intl: IntlShape
  format: Format
  words: ReturnType<typeof useRaceWords>
}

/** The card of a race: what was sent to the reader and nothing else, so a chance only if one was. */
function raceCard(
  race: RaceInfo,
  runners: readonly Competitor[],
  { intl, format, words }: Language,
): CardContent {
  const word = (id: string, values?: Record<string, string | number>): string =>
    intl.formatMessage({ id }, values)
  const final = race.status === 'final'
  const hasChances = runners.some(({ probability }) => probability !== null)
  const starting =
    race.competitionDate === null ? '' : ` ${format.timeIn(race.competitionDate, clockOfCourse(race.raceId))}`
  const heads = [
    final ? 'race.card.finish' : 'race.card.number',
    'race.horse',
    'race.jockey',
    'race.card.draw',
    'race.card.odds',
    ...(hasChances ? ['race.card.model'] : []),
  ]
  return {
    title: [race.stadiumName, word('record.raceNumber', { number: race.raceNumber })].join(BETWEEN_FACTS),
    facts: [
      race.name ?? '',
      `${format.day(race.date)}${starting}`,
      [
        race.distance === null ? null : distanceText({ intl, format }, race.distance, race.raceId),
        words.track(race.trackType, race.course),
        words.going(race.trackCondition),
        words.raceClass(race.raceClass),
      ]
        .filter((part) => part !== null)
        .join(BETWEEN_FACTS),
      ...(race.numbersByName ? [word('race.numbersByName')] : []),
    ],
    figures: [],
    table: {
      columns: heads.map((id) => ({
        head: word(id),
        kind: id === 'race.horse' ? 'name' : id === 'race.jockey' ? 'text' : 'figure',
      })),
      rows: orderedCard(runners, final ? 'finish' : 'number', false).map(({ runner }) => {
        const withdrawn = runner.status === 'withdrawn'
        const number = programNumber(runner) ?? '–'
        return [
          final ? runner.ranking || '–' : number,
          final ? `${number} ${runner.name}` : runner.name,
          runner.jockey ?? '–',
          runner.draw === null ? '–' : String(runner.draw),
          withdrawn ? word('race.withdrawn') : runner.odds === null ? '–' : format.odds(runner.odds),
          ...(hasChances
            ? [withdrawn || runner.probability === null ? '–' : format.percent(runner.probability)]
            : []),
        ]
      }),
    },
  }
}
