import { ChevronDown } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { useFormat } from '../../i18n/format.ts'
import { Name } from '../../i18n/name.tsx'
import { Chip } from '../../ui/chip.tsx'
import layout from '../../ui/layout.module.css'
import { Finish, isJudgedRight, Odds, type CardProps } from './card-parts.tsx'
import { RunnerDetails } from './runner-details.tsx'
import styles from './racecard.module.css'

/** A runner on a phone: two lines, with labelled odds and model probability. */
export function CardLine({ race, runner, figures, final, open, judged, shown, onToggle }: CardProps) {
  const format = useFormat()
  const withdrawn = runner.status === 'withdrawn'
  return (
    <li
      className={`${styles.line} ${withdrawn ? styles.withdrawn : ''} ${judged && isJudgedRight(runner) ? styles.right : ''}`}
      data-number={runner.horseNumber}
    >
      <button type="button" className={styles.lineHead} aria-expanded={shown} onClick={onToggle}>
        <span className={styles.cloth}>
          <Chip value={runner.horseNumber ?? '–'} tone={runner.ranking === '1' ? 'first' : 'plain'} />
          {final && !withdrawn ? <Finish runner={runner} judged={judged} /> : null}
        </span>
        <span className={styles.who}>
          <strong>
            <Name language={runner.nameLanguage}>{runner.name}</Name>
          </strong>
          <span className={layout.small}>
            {[runner.jockey, runner.trainer].filter((name) => name !== null).join(' · ')}
            {runner.draw === null ? null : (
              <>
                {' · '}
                <FormattedMessage id="race.drawOf" values={{ draw: runner.draw }} />
              </>
            )}
          </span>
        </span>
        {withdrawn ? (
          <span className={layout.small}>
            <FormattedMessage id="race.withdrawn" />
          </span>
        ) : (
          <span className={styles.pair}>
            <span className={styles.figure}>
              <span className={layout.small}>
                <FormattedMessage id="race.card.odds" />
              </span>
              <Odds runner={runner} movement={figures.movement} />
            </span>
            {runner.probability === null ? null : (
              <span className={styles.figure}>
                <span className={layout.small}>
                  <FormattedMessage id="race.card.model" />
                </span>
                <strong>{format.percent(runner.probability, 1)}</strong>
              </span>
            )}
          </span>
        )}
        <ChevronDown aria-hidden="true" size={16} className={styles.chevron} />
      </button>
      {shown ? (
        <div className={styles.details}>
          <RunnerDetails race={race} runner={runner} open={open} figures={figures} />
        </div>
      ) : null}
    </li>
  )
}
