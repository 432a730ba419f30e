import { FormattedMessage } from 'react-intl'
import type { Competitor, ScheduledRace, Tip } from '../../../contract/api/racing.ts'
import { useCompetitors } from '../../data/use-race.ts'
import { useTips } from '../../data/use-racing.ts'
import { useFormat } from '../../i18n/format.ts'
import { Name } from '../../i18n/name.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Button } from '../../ui/button.tsx'
import { NumberCloth } from '../../ui/number-cloth.tsx'
import { ErrorNotice, Hidden } from '../../ui/panel.tsx'
import { Small } from '../../ui/layout.tsx'
import styles from './next-runners.module.css'

const SHOWN = { wide: 6, phone: 4 } as const
/** Stands for a chance that the user may not see. */
const HIDDEN = '?'
/** Of a runner, in pixels. */
const ROW = 44

interface NextRunnersProps {
  race: ScheduledRace
  onOpen(raceId: string): void
}

/** The runners of the next race that matter most: by the chances that the user may see, then by their odds. */
export function NextRunners({ race, onOpen }: NextRunnersProps) {
  const runners = useCompetitors(race.id)
  const tip = useTips().data?.find(({ raceId }) => raceId === race.id)
  const wide = useWide()
  if (race.starters === 0) return null
  const shown = Math.min(race.starters, wide ? SHOWN.wide : SHOWN.phone)
  const lines = runners.data ? linesOf(runners.data, tip) : []
  const withdrawn = (runners.data ?? []).filter(({ status }) => status === 'withdrawn')
  return (
    <>
      <div className={styles.runners} style={{ minHeight: (shown + 1) * ROW }}>
        {runners.error && !runners.data ? (
          <ErrorNotice error={runners.error} onRetry={() => void runners.refetch()} />
        ) : (
          <Runners lines={lines.slice(0, shown)} />
        )}
      </div>
      <div className={styles.foot}>
        <Small>
          {withdrawn.length === 0 ? null : (
            <FormattedMessage
              id="home.withdrawn"
              values={{ numbers: withdrawn.map(({ horseNumber }) => horseNumber).join(', ') }}
            />
          )}
        </Small>
        <Button onClick={() => onOpen(race.id)} text="home.wholeRace" />
      </div>
    </>
  )
}

interface Line {
  runner: Competitor
  /** `null` if the user may not see it, or if there is none. */
  chance: number | null
}

/** The starters, the most probable first; those without a chance by their odds, then by their number. */
function linesOf(runners: readonly Competitor[], tip: Tip | undefined): Line[] {
  const chances = new Map(
    tip?.topCompetitors.map(({ horseNumber, probability }) => [horseNumber, probability]),
  )
  const last = Number.POSITIVE_INFINITY
  return runners
    .filter(({ status }) => status !== 'withdrawn')
    .map((runner) => ({ runner, chance: runner.probability ?? chances.get(runner.horseNumber) ?? null }))
    .toSorted(
      (a, b) =>
        (b.chance ?? 0) - (a.chance ?? 0) ||
        (a.runner.odds ?? last) - (b.runner.odds ?? last) ||
        (a.runner.horseNumber ?? last) - (b.runner.horseNumber ?? last),
    )
}

function Runners({ lines }: { lines: readonly Line[] }) {
  const format = useFormat()
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">
            <FormattedMessage id="race.horse" />
          </th>
          <th scope="col">
            <FormattedMessage id="race.card.model" />
          </th>
          <th scope="col">
            <FormattedMessage id="race.card.odds" />
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ runner, chance }) => (
          <tr key={runner.horseId}>
            <th scope="row">
              <span className={styles.horse}>
                <NumberCloth value={runner.horseNumber} />
                <span className={styles.name}>
                  <Name language={runner.nameLanguage}>{runner.name}</Name>
                  {runner.jockey === null ? null : <Small as="span">{runner.jockey}</Small>}
                </span>
              </span>
            </th>
            <td className={styles.chance}>
              {chance === null ? (
                <>
                  <span aria-hidden="true">{HIDDEN}</span>
                  <Hidden>
                    <FormattedMessage id="tips.hidden" />
                  </Hidden>
                </>
              ) : (
                format.percent(chance)
              )}
            </td>
            <td>{runner.odds === null ? '–' : format.odds(runner.odds)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
