import { useIntl, type IntlShape } from 'react-intl'
import { rankOf } from '../../../domain/horse-hit.ts'
import type { Horse } from '../../../contract/api/horse.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import type { CardContent } from '../../widgets/share-card/draw-card.ts'
import ShareCard from '../../widgets/share-card/share-card.tsx'

/** Runs that a card has room for. */
const SHOWN_RUNS = 8
const PLACED = 3

/** Shares a horse's record and its last runs as a picture. */
export default function ShareHorse({ horse }: { horse: Horse }) {
  const intl = useIntl()
  const format = useFormat()
  return <ShareCard name={`furlong-${horse.id}`} content={() => horseCard(horse, { intl, format })} />
}

/** The card of a horse: starts, wins and places of its known runs, and the last of them. */
function horseCard(horse: Horse, { intl, format }: { intl: IntlShape; format: Format }): CardContent {
  const word = (id: string): string => intl.formatMessage({ id })
  const runs = horse.form.filter(({ started }) => started)
  const within = (rank: number): string =>
    format.integer(
      runs.filter(({ place }) => (rankOf(place ?? '') ?? Number.POSITIVE_INFINITY) <= rank).length,
    )
  const columns = ['record.day', 'record.stadium', 'horse.place', 'race.distanceM', 'record.odds']
  return {
    title: horse.name,
    facts: [
      [horse.nameEn, horse.number].filter((text) => text !== null && text !== horse.name).join(BETWEEN_FACTS),
    ],
    figures: [
      [word('horse.starts'), format.integer(runs.length)],
      [word('horse.wins'), within(1)],
      [word('horse.placed'), within(PLACED)],
      [word('horse.lastRating'), horse.lastRating === null ? '–' : format.integer(horse.lastRating)],
    ],
    table:
      runs.length === 0
        ? null
        : {
            columns: columns.map((id) => ({
              head: word(id),
              kind: id === 'record.stadium' ? 'name' : 'figure',
            })),
            rows: runs
              .slice(0, SHOWN_RUNS)
              .map(({ date, stadiumName, place, distanceM, odds }) => [
                format.day(date),
                stadiumName ?? '–',
                place ?? '–',
                distanceM === null ? '–' : format.integer(distanceM),
                odds === null ? '–' : format.odds(odds),
              ]),
          },
  }
}
