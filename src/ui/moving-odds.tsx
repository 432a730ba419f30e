import { TrendingDown, TrendingUp } from 'lucide-react'
import { useIntl } from 'react-intl'
import { moveOf } from '../../domain/odds-replay.ts'
import styles from './moving-odds.module.css'
import texts from './text.module.css'

interface MovingOddsProps {
  /** The last recorded odds; `null` if there are none. */
  odds: number | null
  /** The first recorded odds; `null` if there are none, or without access to them. */
  from: number | null
  /** Those over these, minus 1; `null` if either is unknown. */
  movement: number | null
  /** Odds as text. */
  format(odds: number): string
}

/** Odds, and whether they shortened or drifted much since the first ones. */
export function MovingOdds({ odds, from, movement, format }: MovingOddsProps) {
  if (odds === null) return '–'
  return (
    <span className={styles.odds}>
      {from === null ? null : <Arrow movement={movement} from={format(from)} />}
      {format(odds)}
    </span>
  )
}

function Arrow({ movement, from }: { movement: number | null; from: string }) {
  const intl = useIntl()
  const moved = moveOf(movement)
  if (moved === null) return null
  const Trend = moved === 'steamer' ? TrendingDown : TrendingUp
  return (
    <Trend
      role="img"
      size={14}
      className={moved === 'steamer' ? texts.gain : texts.loss}
      aria-label={intl.formatMessage({ id: `race.${moved}` }, { odds: from })}
    />
  )
}
