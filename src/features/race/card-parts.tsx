import { Check, TrendingDown, TrendingUp } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import { DRIFTER, STEAMER } from '../../../domain/odds-replay.ts'
import type { CardFigures } from '../../../domain/racecard.ts'
import { isHorseHit, rankOf } from '../../../domain/horse-hit.ts'
import type { Competitor, RaceInfo } from '../../data/calls/racing-calls.ts'
import { useFormat } from '../../i18n/format.ts'
import layout from '../../ui/layout.module.css'
import styles from './racecard.module.css'

/** Props shared by both forms of a runner's row. */
export interface CardProps {
  race: RaceInfo
  runner: Competitor
  figures: CardFigures
  final: boolean
  open: boolean
  judged: boolean
  /** Largest probability of the race. */
  most: number
  /** Whether its details are shown. */
  shown: boolean
  onToggle(): void
}

/** Whether the model was right about the horse. */
export const isJudgedRight = ({ ranking, predictedRank }: Competitor): boolean =>
  isHorseHit(rankOf(ranking), predictedRank)

/** The last recorded win odds, and whether they shortened or drifted since the first ones. */
export function Odds({ runner, movement }: { runner: Competitor; movement: number | null }) {
  const intl = useIntl()
  const format = useFormat()
  if (runner.odds === null || runner.status === 'withdrawn') return '–'
  const moved =
    movement === null ? null : movement <= STEAMER ? 'steamer' : movement >= DRIFTER ? 'drifter' : null
  const Arrow = moved === 'steamer' ? TrendingDown : TrendingUp
  return (
    <span className={styles.odds}>
      {moved === null ? null : (
        <Arrow
          role="img"
          size={14}
          className={moved === 'steamer' ? layout.gain : layout.loss}
          aria-label={intl.formatMessage({ id: `race.${moved}` }, { odds: format.odds(runner.openingOdds!) })}
        />
      )}
      {format.odds(runner.odds)}
    </span>
  )
}

/** Where a horse finished, or why it did not. */
export function Finish({ runner, judged }: { runner: Competitor; judged: boolean }) {
  const intl = useIntl()
  const rank = rankOf(runner.ranking)
  return (
    <span className={styles.finish}>
      {runner.status === 'withdrawn' ? (
        <FormattedMessage id="race.withdrawn" />
      ) : rank !== null ? (
        <FormattedMessage id="race.place" values={{ rank }} />
      ) : runner.status === 'unfinished' ? (
        runner.ranking || <FormattedMessage id="race.unfinished" />
      ) : (
        runner.ranking || '–'
      )}
      {judged && isJudgedRight(runner) ? (
        <Check
          role="img"
          size={14}
          className={layout.gain}
          aria-label={intl.formatMessage({ id: 'race.predictedRight' })}
        />
      ) : null}
    </span>
  )
}
