import { FormattedMessage } from 'react-intl'
import { contendersOf, CONTENDER_SHARE, isOpenRace } from '../../../domain/contenders.ts'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { useIsVip } from '../../data/use-session.ts'
import { useFormat } from '../../i18n/format.ts'
import { Badge, Row, Small, TextLink } from '../../ui/layout.tsx'
import { NumberCloth } from '../../ui/number-cloth.tsx'

/** How often a winner was among the contenders, season by season. */
const COVERAGE =
  '/pages/race/WinLossRecord?s=races&p=bars:season.contender_rate!~bars:contenders.contender_rate!'

/** Chances are rounded when they are locked; a sum further from 1 is of a field that has changed since. */
const SUM_TOLERANCE = 0.005

interface ContendersProps {
  race: RaceInfo
  runners: readonly Competitor[]
}

/**
 * The fewest horses that together have most of the chance, and whether the race is open; nothing while the chances of the
 * runners are not those of the whole field.
 */
export function Contenders({ race, runners }: ContendersProps) {
  const format = useFormat()
  const isVip = useIsVip()
  const chances = new Map(
    runners.flatMap(({ horseNumber, entryNumber, probability }) => {
      const number = entryNumber ?? horseNumber
      return number === null || probability === null ? [] : [[number, probability] as const]
    }),
  )
  const numbers = [...chances.keys()].toSorted((a, b) => a - b)
  const shares = numbers.map((number) => chances.get(number)!)
  const sum = shares.reduce((total, share) => total + share, 0)
  if (Math.abs(sum - 1) > SUM_TOLERANCE) return null
  const contenders = contendersOf(shares).map((index) => numbers[index]!)
  return (
    <Row>
      <FormattedMessage
        id="race.contenders"
        values={{
          contenders: contenders.length,
          starters: numbers.length,
          share: format.percent(CONTENDER_SHARE, 0),
        }}
        tagName="span"
      />
      {contenders.map((number) => (
        <NumberCloth key={number} value={number} small />
      ))}
      {isOpenRace(contenders.length, numbers.length) ? (
        <Badge>
          <FormattedMessage id="race.open" />
        </Badge>
      ) : null}
      {isVip ? (
        <Small as="span">
          <TextLink to={`${COVERAGE}&model=${race.headlineModel}`} text="race.contendersRecord" />
        </Small>
      ) : null}
    </Row>
  )
}
