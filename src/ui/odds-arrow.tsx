import { TrendingDown, TrendingUp } from 'lucide-react'
import { useIntl } from 'react-intl'
import { DRIFTER, STEAMER } from '../../domain/odds-replay.ts'
import texts from './text.module.css'

interface OddsArrowProps {
  /** Current odds over the first ones, minus 1; `null` if either is unknown. */
  movement: number | null
  /** The first odds as text. */
  from: string
}

/** Marks odds that shortened or drifted much since the first ones; nothing if they did not. */
export function OddsArrow({ movement, from }: OddsArrowProps) {
  const intl = useIntl()
  const moved =
    movement === null ? null : movement <= STEAMER ? 'steamer' : movement >= DRIFTER ? 'drifter' : null
  if (moved === null) return null
  const Arrow = moved === 'steamer' ? TrendingDown : TrendingUp
  return (
    <Arrow
      role="img"
      size={14}
      className={moved === 'steamer' ? texts.gain : texts.loss}
      aria-label={intl.formatMessage({ id: `race.${moved}` }, { odds: from })}
    />
  )
}
