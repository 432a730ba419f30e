import type { CSSProperties } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { DRIFTER, MARKS_MIN, oddsAt, STEAMER, type MarketLine } from '../../../domain/odds-replay.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { ScrollRegion, Table, TextCell } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import { TONES, useMinutesText } from './market-chart.tsx'
import styles from './market.module.css'

interface MarketTableProps {
  lines: readonly MarketLine[]
  /** Horses' names by number. */
  names: ReadonlyMap<number | null, string>
  /** Whether the last odds are the final ones. */
  final: boolean
  /** The shown moment, in milliseconds since 1970. */
  at: number
  highlighted: readonly number[]
  onHighlight(numbers: readonly number[]): void
}

/** Which horses shortened and drifted; a horse's number highlights its line in the chart. */
export function MarketTable({ lines, names, final, at, highlighted, onHighlight }: MarketTableProps) {
  const minutesText = useMinutesText()
  const wide = useWide()
  const toggle = (number: number): void =>
    onHighlight(
      highlighted.includes(number)
        ? highlighted.filter((each) => each !== number)
        : [...highlighted, number].slice(-TONES.length),
    )
  return (
    <ScrollRegion label="market.title">
      <Table data-testid="market">
        <thead>
          <tr>
            <Heading id="race.horse" />
            <Heading id="market.open" />
            {wide
              ? MARKS_MIN.map((minutes) => (
                  <th key={minutes} scope="col">
                    {minutesText(minutes)}
                  </th>
                ))
              : null}
            <Heading id={final ? 'market.final' : 'market.now'} />
            <Heading id="market.shown" />
            <Heading id="market.change" />
          </tr>
        </thead>
        <tbody>
          {lines
            .toSorted((a, b) => a.change - b.change)
            .map((line) => (
              <MarketRow
                key={line.horseNumber}
                line={line}
                name={names.get(line.horseNumber) ?? ''}
                at={at}
                rank={highlighted.indexOf(line.horseNumber)}
                onToggle={() => toggle(line.horseNumber)}
              />
            ))}
        </tbody>
      </Table>
    </ScrollRegion>
  )
}

const Heading = ({ id }: { id: string }) => (
  <th scope="col">
    <FormattedMessage id={id} />
  </th>
)

/** A highlighted horse's button has the colour of its line. */
const toneOf = (rank: number): CSSProperties | undefined =>
  rank < 0 ? undefined : { borderColor: `var(--${TONES[rank]!})` }

interface MarketRowProps {
  line: MarketLine
  name: string
  at: number
  /** Index of its colour; negative if the horse is not highlighted. */
  rank: number
  onToggle(): void
}

function MarketRow({ line, name, at, rank, onToggle }: MarketRowProps) {
  const intl = useIntl()
  const format = useFormat()
  const wide = useWide()
  const shown = oddsAt(line.ticks, at)
  const move = line.change <= STEAMER ? 'steamer' : line.change >= DRIFTER ? 'drifter' : null
  return (
    <tr data-number={line.horseNumber}>
      <TextCell scope="row" as="th">
        <button
          type="button"
          className={styles.show}
          style={toneOf(rank)}
          aria-pressed={rank >= 0}
          aria-label={intl.formatMessage({ id: 'market.show' }, { number: line.horseNumber, name })}
          onClick={onToggle}
        >
          {line.horseNumber}
        </button>{' '}
        {name}
      </TextCell>
      <td>{format.odds(line.open)}</td>
      {wide
        ? line.marks.map((odds, index) => (
            <td key={MARKS_MIN[index]}>{odds === null ? '–' : format.odds(odds)}</td>
          ))
        : null}
      <td className={texts.strong}>{format.odds(line.last)}</td>
      <td>{shown === null ? '–' : format.odds(shown)}</td>
      <td className={move === 'steamer' ? texts.gain : move === 'drifter' ? texts.loss : ''}>
        {format.signedPercent(line.change, 0)}
        {move === null || !wide ? null : (
          <>
            {' '}
            <FormattedMessage id={`market.${move}`} />
          </>
        )}
      </td>
    </tr>
  )
}
