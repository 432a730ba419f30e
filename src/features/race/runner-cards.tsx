import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { isHorseHit, rankOf } from '../../../domain/horse-hit.ts'
import type { Competitor } from '../../data/racing-calls.ts'
import { useFormat } from '../../i18n/format.ts'
import { NameMark } from '../../i18n/name-mark.tsx'
import { useRaceWords } from '../../i18n/race-words.ts'
import { Chip } from '../../ui/chip.tsx'
import { Facts } from '../../ui/facts.tsx'
import layout from '../../ui/layout.module.css'
import styles from './race.module.css'

interface RunnerCardsProps {
  runners: readonly Competitor[]
  /** Whether the model’s word about each horse is held against the result (when coming from results). */
  judged: boolean
}

/** The field: a card a horse, the first one open. */
export function RunnerCards({ runners, judged }: RunnerCardsProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(runners.slice(0, 1).map(({ horseId }) => horseId)),
  )
  return (
    <ul className={layout.list}>
      {runners.map((runner) => (
        <Runner
          key={runner.horseId}
          runner={runner}
          judged={judged}
          open={open.has(runner.horseId)}
          onToggle={() => {
            const next = new Set(open)
            if (!next.delete(runner.horseId)) next.add(runner.horseId)
            setOpen(next)
          }}
        />
      ))}
    </ul>
  )
}

interface RunnerProps {
  runner: Competitor
  judged: boolean
  open: boolean
  onToggle(): void
}

function Runner({ runner, judged, open, onToggle }: RunnerProps) {
  const intl = useIntl()
  const format = useFormat()
  const words = useRaceWords()
  const hit = judged && isHorseHit(rankOf(runner.ranking), runner.predictedRank)
  const rank =
    runner.status === 'withdrawn'
      ? intl.formatMessage({ id: 'race.withdrawn' })
      : runner.ranking !== ''
        ? runner.ranking
        : intl.formatMessage({ id: runner.status === 'unfinished' ? 'race.unfinished' : 'race.waiting' })
  return (
    <li className={`${styles.runner} ${hit ? styles.hit : ''}`}>
      <button type="button" className={styles.runnerHead} aria-expanded={open} onClick={onToggle}>
        <Chip value={runner.horseNumber ?? '–'} tone={hit ? 'hit' : 'plain'} />
        <span className={styles.who}>
          <strong>
            {runner.horseName}
            <NameMark language={runner.nameLanguage} />
          </strong>
          <span className={layout.small}>
            {[runner.jockey, runner.trainer].filter((name) => name !== null).join(' · ')}
            {runner.entryNumber === null ? null : (
              <>
                {' '}
                <FormattedMessage id="race.entry" values={{ number: runner.entryNumber }} />
              </>
            )}
          </span>
        </span>
        <span className={styles.figures}>
          <span>{runner.odds === null ? '–' : format.odds(runner.odds)}</span>
          <span className={layout.small}>
            {runner.status === 'withdrawn' ? (
              rank
            ) : runner.probability !== null ? (
              format.percent(runner.probability, 2)
            ) : rankOf(runner.ranking) !== null ? (
              <FormattedMessage id="race.place" values={{ rank: rankOf(runner.ranking) }} />
            ) : (
              rank
            )}
          </span>
        </span>
        <ChevronDown aria-hidden="true" size={18} className={styles.chevron} />
      </button>
      {open ? (
        <div className={styles.runnerBody}>
          <Facts
            facts={[
              ['race.result', rank],
              ...(hit ? ([['race.hit', intl.formatMessage({ id: 'outcome.hit' })]] as const) : []),
              ['race.track', words.track(runner.trackType, null)],
              ['race.weather', words.weather(runner.weather) ?? <FormattedMessage id="race.unknown" />],
              ['race.number', runner.raceNumber],
              [
                'race.distance',
                runner.distance === null ? null : (
                  <FormattedMessage id="record.metres" values={{ metres: format.integer(runner.distance) }} />
                ),
              ],
              ['race.going', words.going(runner.trackCondition)],
              ['race.class', words.raceClass(runner.raceClass)],
              ['race.draw', runner.draw],
              ['race.ratingScore', runner.ratingScore],
              ['race.jockey', runner.jockey],
              ['race.trainer', runner.trainer],
              ['race.actualWeight', runner.actualWeight],
              ['race.declaredWeight', runner.declaredWeight],
              ['race.margin', runner.finishLength],
              ['race.running', runner.runningPosition],
            ]}
          />
          <Link
            className={styles.horseLink}
            to={`/pages/race/HorseDetail?id=${encodeURIComponent(runner.horseId)}`}
          >
            <FormattedMessage id="race.toHorse" />
          </Link>
        </div>
      ) : null}
    </li>
  )
}
