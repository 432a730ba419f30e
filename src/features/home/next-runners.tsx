import { FormattedMessage } from 'react-intl'
import { CHANCE_SCALE, cardFigures, type CardFigures } from '../../../domain/racecard.ts'
import { programNumber, programOrder } from '../../../domain/program-number.ts'
import type { Competitor, ScheduledRace, Tip } from '../../../contract/api/racing.ts'
import { useCompetitors } from '../../data/use-race.ts'
import { useTips } from '../../data/use-racing.ts'
import { useIsVip, useSession, vouchersLeft } from '../../data/use-session.ts'
import { useFormat } from '../../i18n/format.ts'
import { Name, PersonName } from '../../i18n/name.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Bar } from '../../ui/bar.tsx'
import { Button } from '../../ui/button.tsx'
import { MovingOdds } from '../../ui/moving-odds.tsx'
import { NumberCloth, NumbersOf } from '../../ui/number-cloth.tsx'
import { ErrorNotice, Hidden } from '../../ui/panel.tsx'
import { Small } from '../../ui/layout.tsx'
import { Silks } from '../../ui/silks.tsx'
import texts from '../../ui/text.module.css'
import styles from './next-runners.module.css'

/** Stands for a chance that the user may not see. */
const HIDDEN = '?'
const POINTS = 100

interface NextRunnersProps {
  race: ScheduledRace
  /** How many runners there is room for. */
  shown: number
  onOpen(raceId: string): void
}

/** The runners of the next race, those that matter most first: by the chances that the user may see, then by their odds. */
export default function NextRunners({ race, shown, onOpen }: NextRunnersProps) {
  const runners = useCompetitors(race.id)
  const isVip = useIsVip() === true
  const vouchers = vouchersLeft(useSession().data)
  const tip = useTips().data?.find(({ raceId }) => raceId === race.id)
  const found = runners.data ?? []
  const isPredicted = race.predicted || tip !== undefined
  const isLocked = isPredicted && !isVip && found.every(({ probability }) => probability === null)
  const withdrawn = found.filter(({ status }) => status === 'withdrawn')
  return (
    <>
      <div className={styles.runners}>
        {runners.error && !runners.data ? (
          <ErrorNotice error={runners.error} onRetry={() => void runners.refetch()} />
        ) : (
          <NumbersOf race={race}>
            <Runners lines={linesOf(found, tip).slice(0, shown)} isLocked={isLocked} />
          </NumbersOf>
        )}
      </div>
      <div className={styles.foot}>
        <Small>
          {isPredicted ? null : <FormattedMessage id="race.notPredicted" />}
          {isPredicted || withdrawn.length === 0 ? null : ' '}
          {withdrawn.length === 0 ? null : (
            <FormattedMessage
              id="home.withdrawn"
              values={{ numbers: withdrawn.map(programNumber).join(', ') }}
            />
          )}
        </Small>
        <Button onClick={() => onOpen(race.id)}>
          {isLocked && vouchers > 0 ? (
            <FormattedMessage id="home.unlock" values={{ count: vouchers }} />
          ) : (
            <FormattedMessage id="home.wholeRace" />
          )}
        </Button>
      </div>
    </>
  )
}

interface Line {
  runner: Competitor
  figures: CardFigures
  /** `null` if the user may not see it, or if there is none. */
  chance: number | null
  edge: number | null
}

/** The starters, the most probable first; those without a chance by their odds, then by their number. */
function linesOf(runners: readonly Competitor[], tip: Tip | undefined): Line[] {
  const chosen = new Map(tip?.topCompetitors.map((horse) => [horse.horseNumber, horse]))
  const figures = cardFigures(runners)
  const last = Number.POSITIVE_INFINITY
  return runners
    .map((runner, index) => {
      const choice = chosen.get(runner.horseNumber)
      return {
        runner,
        figures: figures[index]!,
        chance: runner.probability ?? choice?.probability ?? null,
        edge: figures[index]!.edge ?? choice?.edge ?? null,
      }
    })
    .filter(({ runner }) => runner.status !== 'withdrawn')
    .toSorted(
      (a, b) =>
        (b.chance ?? 0) - (a.chance ?? 0) ||
        (a.runner.odds ?? last) - (b.runner.odds ?? last) ||
        (programOrder(a.runner) ?? last) - (programOrder(b.runner) ?? last),
    )
}

/** On a wide screen with silks, bars of the chances, and the edge where one is known. */
function Runners({ lines, isLocked }: { lines: readonly Line[]; isLocked: boolean }) {
  const wide = useWide()
  const format = useFormat()
  const hasModel = isLocked || lines.some(({ chance }) => chance !== null)
  const hasEdge = wide && lines.some(({ edge }) => edge !== null)
  const columns = [
    'race.horse',
    ...(hasModel ? ['race.card.model'] : []),
    'race.card.odds',
    ...(hasEdge ? ['race.card.edge'] : []),
  ]
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          {columns.map((id) => (
            <th key={id} scope="col">
              <FormattedMessage id={id} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map(({ runner, figures, chance, edge }) => (
          <tr key={runner.horseId}>
            <th scope="row">
              <span className={styles.horse}>
                <NumberCloth value={programNumber(runner)} small={wide} />
                {wide ? <Silks text={runner.silks} small /> : null}
                <span className={styles.who}>
                  <span className={styles.name}>
                    <Name language={runner.nameLanguage}>{runner.name}</Name>
                  </span>
                  {runner.jockey === null ? null : (
                    <Small as="span" className={styles.jockey}>
                      <PersonName name={runner.jockey} language={runner.jockeyLanguage} />
                    </Small>
                  )}
                </span>
              </span>
            </th>
            {hasModel ? (
              <td>
                <Chance chance={chance} isLocked={isLocked} wide={wide} />
              </td>
            ) : null}
            <td>
              <MovingOdds
                odds={runner.odds}
                from={runner.openingOdds}
                movement={figures.movement}
                format={format.odds}
              />
            </td>
            {hasEdge ? (
              <td>
                <Edge edge={edge} />
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Chance({ chance, isLocked, wide }: { chance: number | null; isLocked: boolean; wide: boolean }) {
  const format = useFormat()
  if (chance === null)
    return isLocked ? (
      <>
        <span aria-hidden="true">{HIDDEN}</span>
        <Hidden>
          <FormattedMessage id="tips.hidden" />
        </Hidden>
      </>
    ) : (
      '–'
    )
  return (
    <span className={styles.chance}>
      {wide ? <Bar share={chance} of={CHANCE_SCALE} /> : null}
      <strong>{format.percent(chance)}</strong>
    </span>
  )
}

function Edge({ edge }: { edge: number | null }) {
  const format = useFormat()
  if (edge === null) return '–'
  return <span className={edge > 0 ? texts.gain : texts.soft}>{format.signedDecimal(edge * POINTS, 1)}</span>
}
