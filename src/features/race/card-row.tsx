import { ChevronDown } from 'lucide-react'
import type { CardOrder } from '../../../domain/racecard.ts'
import { useFormat } from '../../i18n/format.ts'
import { Name } from '../../i18n/name.tsx'
import { Bar } from '../../ui/bar.tsx'
import { Chip } from '../../ui/chip.tsx'
import layout from '../../ui/layout.module.css'
import { Finish, isJudgedRight, Odds, type CardProps } from './card-parts.tsx'
import { RunnerDetails } from './runner-details.tsx'
import styles from './racecard.module.css'

interface CardRowProps extends CardProps {
  /** Columns after the names, in order. */
  columns: readonly CardOrder[]
  /** Number of columns in the table. */
  width: number
}

/** A runner as a row of the table, with its details in a row below if they are shown. */
export function CardRow({
  race,
  runner,
  figures,
  final,
  open,
  judged,
  most,
  shown,
  onToggle,
  columns,
  width,
}: CardRowProps) {
  const format = useFormat()
  const withdrawn = runner.status === 'withdrawn'
  const { probability } = runner
  const cell = (order: CardOrder): React.ReactNode => {
    if (order === 'draw') return runner.draw ?? '–'
    if (order === 'weight') return runner.actualWeight ?? '–'
    if (order === 'rating') return runner.ratingScore ?? '–'
    if (order === 'odds')
      // Before the result there is no other column to show a withdrawal.
      return withdrawn && !final ? (
        <Finish runner={runner} judged={false} />
      ) : (
        <Odds runner={runner} movement={figures.movement} />
      )
    if (order === 'model')
      return probability === null || withdrawn ? (
        '–'
      ) : (
        <span className={styles.model}>
          <Bar share={probability} of={most} />
          <strong>{format.percent(probability, 1)}</strong>
        </span>
      )
    if (order === 'fair') return figures.fairOdds === null ? '–' : format.decimal(figures.fairOdds, 2)
    return figures.edge === null ? (
      '–'
    ) : (
      <span className={figures.edge > 0 ? layout.gain : layout.soft}>
        {format.signedDecimal(figures.edge * 100, 1)}
      </span>
    )
  }
  return (
    <tbody className={shown ? styles.opened : ''} data-number={runner.horseNumber}>
      {/* The whole row is clickable for pointers; the keyboard uses the button in it. */}
      <tr
        className={`${styles.row} ${withdrawn ? styles.withdrawn : ''} ${judged && isJudgedRight(runner) ? styles.right : ''}`}
        onClick={(event) => {
          if (!(event.target as Element).closest('a, button')) onToggle()
        }}
      >
        {final ? (
          <td>
            <Finish runner={runner} judged={judged} />
          </td>
        ) : null}
        <td>
          <Chip value={runner.horseNumber ?? '–'} tone={runner.ranking === '1' ? 'first' : 'plain'} />
        </td>
        <th scope="row" className={styles.text}>
          <button type="button" className={styles.name} aria-expanded={shown} onClick={onToggle}>
            <span>
              <Name language={runner.nameLanguage}>{runner.name}</Name>
            </span>
            <ChevronDown aria-hidden="true" size={14} />
          </button>
        </th>
        <td className={styles.text}>{runner.jockey ?? '–'}</td>
        <td className={styles.text}>{runner.trainer ?? '–'}</td>
        {columns.map((order) => (
          <td key={order} data-column={order}>
            {cell(order)}
          </td>
        ))}
      </tr>
      {shown ? (
        <tr>
          <td colSpan={width} className={styles.details}>
            <RunnerDetails race={race} runner={runner} open={open} />
          </td>
        </tr>
      ) : null}
    </tbody>
  )
}
