import { FormattedMessage, useIntl } from 'react-intl'
import { useFormat } from '../../i18n/format.ts'
import { Bar } from '../../ui/bar.tsx'
import { Hidden } from '../../ui/panel.tsx'
import { NumbersOf } from '../../ui/number-cloth.tsx'
import { Silks } from '../../ui/silks.tsx'
import { ScrollRegion, Small, Table, TextCell } from '../../ui/layout.tsx'
import { Cloth, HorseName, PickFigures } from './pick.tsx'
import { missingTip, RaceLink, RaceNumberAndTime, useConditions, type DayRights } from './tip-race.tsx'
import type { TipRace } from './use-tip-day.ts'
import styles from './day-table.module.css'

const RANKS = [1, 2, 3, 4] as const
/** A lead of the first choice over the second that fills the whole bar. */
const WHOLE_LEAD = 0.3
const POINTS = 100

interface DayTableProps extends DayRights {
  /** Races of one meeting. */
  races: readonly TipRace[]
  /** What the table is of, for screen readers. */
  name: string
  onOpen(raceId: string): void
}

/** Overview of a meeting: of every race the four horses most likely to win, with their chances and odds. */
export const DayTable = ({ races, name, ...rest }: DayTableProps) => (
  <div className={styles.glance}>
    <ScrollRegion label="tips.glanceOf" values={{ day: name }}>
      <Table className={styles.table} data-testid="glance">
        <colgroup>
          <col className={styles.raceColumn} />
          {RANKS.map((rank) => (
            <col key={rank} />
          ))}
          <col className={styles.fieldColumn} />
        </colgroup>
        <thead>
          <tr>
            <TextCell scope="col" as="th">
              <FormattedMessage id="tips.race" />
            </TextCell>
            {RANKS.map((rank) => (
              <TextCell key={rank} scope="col" as="th">
                <FormattedMessage id="tips.rank" values={{ rank }} />
              </TextCell>
            ))}
            <TextCell scope="col" as="th">
              <FormattedMessage id="tips.field" />
            </TextCell>
          </tr>
        </thead>
        <tbody>
          {races.map((each) => (
            <NumbersOf key={each.race.id} race={each.race}>
              <RaceRow {...each} {...rest} />
            </NumbersOf>
          ))}
        </tbody>
      </Table>
    </ScrollRegion>
  </div>
)

function RaceRow({ race, tip, onOpen, ...rights }: TipRace & Omit<DayTableProps, 'races' | 'name'>) {
  const conditions = useConditions()
  const missing = missingTip(race, rights)
  return (
    <tr className={styles.row}>
      <TextCell scope="row" as="th">
        <RaceLink race={race} onOpen={onOpen}>
          <RaceNumberAndTime race={race} />
        </RaceLink>
        <Small as="span" className={styles.line}>
          {conditions(race)}
        </Small>
      </TextCell>
      {race.status === 'abandoned' ? (
        <TextCell colSpan={RANKS.length}>
          <FormattedMessage id="raceStatus.abandoned" />
        </TextCell>
      ) : tip === null && missing === 'none' ? (
        <TextCell colSpan={RANKS.length}>
          <Small as="span" text="race.notPredicted" />
        </TextCell>
      ) : (
        RANKS.map((rank) => (
          <RankCell key={rank} rank={rank} race={race} tip={tip} hidden={missing === 'hidden'} />
        ))
      )}
      <TextCell>
        <FormattedMessage id="record.runners" values={{ count: race.starters }} />
        <Lead tip={tip} />
      </TextCell>
    </tr>
  )
}

function RankCell({ rank, race, tip, hidden }: TipRace & { rank: number; hidden: boolean }) {
  const horse = tip?.topCompetitors.find(({ ranking }) => ranking === rank) ?? null
  // A race of fewer horses has fewer choices.
  const isMissing = tip === null ? !hidden : horse === null
  if (isMissing) return <TextCell>–</TextCell>
  return (
    <TextCell>
      <span className={styles.cell}>
        <Cloth horse={horse} first={rank === 1} />
        <Silks text={horse?.silks ?? null} small />
        {horse === null || horse.horseNumber === null ? null : (
          <span className={styles.lines}>
            <HorseName horse={horse} />
            <PickFigures horse={horse} final={race.status === 'final'} />
          </span>
        )}
      </span>
    </TextCell>
  )
}

/** How far the first choice is ahead of the second: nothing where that is hidden. */
function Lead({ tip }: Pick<TipRace, 'tip'>) {
  const intl = useIntl()
  const format = useFormat()
  const [first, second] = tip?.topCompetitors ?? []
  if (first === undefined || second === undefined) return null
  if (first.probability === null || second.probability === null) return null
  const lead = first.probability - second.probability
  const points = format.decimal(lead * POINTS, 1)
  return (
    <>
      <Bar share={lead} of={WHOLE_LEAD} />
      <Hidden>{intl.formatMessage({ id: 'tips.ahead' }, { points })}</Hidden>
    </>
  )
}
