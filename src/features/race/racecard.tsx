import { ArrowDown, ArrowUp, Check, ChevronDown, LockKeyhole } from 'lucide-react'
import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import {
  CHANCE_SCALE,
  cardFigures,
  isAscending,
  orderedCard,
  type CardOrder,
  type CardFigures,
} from '../../../domain/racecard.ts'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { List, ScrollRegion, Small } from '../../ui/layout.tsx'
import { Hidden } from '../../ui/panel.tsx'
import { Placing } from './placing.tsx'
import styles from './racecard.module.css'
import { Link, useLocation } from 'react-router-dom'
import { loginPath } from '../../data/login-path.ts'
import { useToken } from '../../data/client/session.ts'
import { isHorseHit, rankOf } from '../../../domain/horse-hit.ts'
import { programNumber } from '../../../domain/program-number.ts'
import { useFormat } from '../../i18n/format.ts'
import { weightNumber } from '../../i18n/measures.ts'
import { Name, PersonName } from '../../i18n/name.tsx'
import { Bar } from '../../ui/bar.tsx'
import { MovingOdds } from '../../ui/moving-odds.tsx'
import { NumberCloth } from '../../ui/number-cloth.tsx'
import { Silks } from '../../ui/silks.tsx'
import texts from '../../ui/text.module.css'
import { FollowedMark } from '../../widgets/follow/follow.tsx'
import { RunnerDetails } from './runner-details.tsx'
import { LateMark, useTenMinuteOdds } from './late-mark.tsx'
import { ShortlistMark } from './runner-marks.tsx'
import { dotted, HAS, RunnerLines, RunnerWord, TEXTS, type RunnerText } from './runner-texts.tsx'

/** Minimum width of the table with all columns, in pixels. */
const TABLE = 900

interface RacecardProps {
  race: RaceInfo
  runners: readonly Competitor[]
  /** Whether the user has access to the predictions of the race. */
  open: boolean
  /** Whether to compare the model's prediction for each horse with the result (when coming from results). */
  judged: boolean
  /** Opens a race that is not open; the model's column stands veiled until then. */
  onOpen?: () => void
}

interface Sort {
  order: CardOrder
  reversed: boolean
}

/** The columns by which rows can be ordered, in order: those without any value are left out. */
function columnsOf(runners: readonly Competitor[], final: boolean): readonly CardOrder[] {
  const known = runners.some(({ probability }) => probability !== null)
  const edges = cardFigures(runners).some(({ edge }) => edge !== null)
  return [
    ...(final ? (['finish'] as const) : []),
    'number',
    'draw',
    'weight',
    'rating',
    'odds',
    ...(known ? (['model', 'fair'] as const) : []),
    ...(known && edges ? (['edge'] as const) : []),
  ]
}

/** Before the result, runners whose chances may be seen begin with the best; without them the numbers decide. */
const orderBefore = (runners: readonly Competitor[], open: boolean): CardOrder =>
  open && runners.some(({ probability }) => probability !== null) ? 'model' : 'number'

/**
 * The runners of a race: a table on wide screens, two lines per horse on phones; each expands to
 * its last runs and reasons.
 */
export function Racecard({ race, runners, open, judged, onOpen }: RacecardProps) {
  const wide = useWide(TABLE)
  useTenMinuteOdds(race, runners)
  // After an official result, runners are in finishing order.
  const final = race.status === 'final'
  const [sort, setSort] = useState<Sort>({
    order: final ? 'finish' : orderBefore(runners, open),
    reversed: false,
  })
  const rows = orderedCard(runners, sort.order, sort.reversed)
  // In a table the first one is expanded at first (specification section 2); a phone has room for seven that are not.
  const [shown, setShown] = useState<ReadonlySet<string>>(
    () => new Set(rows.slice(0, wide ? 1 : 0).map(({ runner }) => runner.horseId)),
  )
  const columns = columnsOf(runners, final)
  const toggle = (horseId: string): void => {
    const next = new Set(shown)
    if (!next.delete(horseId)) next.add(horseId)
    setShown(next)
  }
  const veiled =
    !open && onOpen !== undefined && race.models.length > 0 && !columns.includes('model') ? onOpen : null
  const common = { race, final, open, judged, veiled: veiled !== null }
  if (!wide)
    return (
      <div className={styles.phone} data-testid="racecard">
        <PhoneHeads columns={columns} sort={sort} onSort={setSort} onOpen={veiled} />
        <List className={styles.lines}>
          {rows.map((row) => (
            <RunnerLine
              key={row.runner.horseId}
              {...common}
              {...row}
              shown={shown.has(row.runner.horseId)}
              onToggle={() => toggle(row.runner.horseId)}
            />
          ))}
        </List>
      </div>
    )
  const shownTexts = TEXTS.filter((text) => runners.some(HAS[text]))
  const [first, ...figures] = columns.filter((order) => order !== 'number')
  const before = final ? first! : null
  const after = final ? figures : [first!, ...figures]
  return (
    <div className={styles.frame}>
      <ScrollRegion label="race.runners">
        <table className={styles.table} data-testid="racecard">
          <TableHead
            before={before}
            texts={shownTexts}
            after={after}
            sort={sort}
            onSort={setSort}
            onOpen={veiled}
          />
          {rows.map((row) => (
            <RunnerRow
              key={row.runner.horseId}
              {...common}
              {...row}
              texts={shownTexts}
              columns={after}
              width={columns.length + shownTexts.length + (veiled === null ? 3 : 4)}
              shown={shown.has(row.runner.horseId)}
              onToggle={() => toggle(row.runner.horseId)}
            />
          ))}
        </table>
      </ScrollRegion>
    </div>
  )
}

interface TableHeadProps {
  /** The column before the numbers; `null` for none. */
  before: CardOrder | null
  texts: readonly RunnerText[]
  after: readonly CardOrder[]
  sort: Sort
  onSort(sort: Sort): void
  /** What opens the race of a veiled column of the model. */
  onOpen: (() => void) | null
}

function TableHead({ before, texts: shownTexts, after, sort, onSort, onOpen }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {before === null ? null : <SortHeading order={before} sort={sort} onSort={onSort} />}
        <SortHeading order="number" sort={sort} onSort={onSort} />
        {(['race.horse', 'race.jockey', 'race.trainer'] as const).map((id) => (
          <th key={id} scope="col" className={styles.text}>
            <FormattedMessage id={id} />
          </th>
        ))}
        {shownTexts.map((id) => (
          <th key={id} scope="col" className={`${styles.text} ${styles.roomy}`}>
            <FormattedMessage id={`race.card.${id}`} />
          </th>
        ))}
        {after.map((order) => (
          <SortHeading key={order} order={order} sort={sort} onSort={onSort} />
        ))}
        {onOpen === null ? null : (
          <th scope="col">
            <VeiledHead className={styles.sort} onOpen={onOpen} />
          </th>
        )}
      </tr>
    </thead>
  )
}

/** The heading of the model's column in a race that is not open: it opens the race. */
function VeiledHead({ className, onOpen }: { className: string | undefined; onOpen(): void }) {
  const intl = useIntl()
  const token = useToken()
  const { pathname, search } = useLocation()
  const told = intl.formatMessage({ id: 'race.modelLocked' })
  const common = {
    className: `${className} ${styles.unlock}`,
    title: told,
    'aria-label': `${intl.formatMessage({ id: 'race.card.model' })}: ${told}`,
    children: (
      <>
        <LockKeyhole aria-hidden="true" size={14} />
        <FormattedMessage id="race.card.model" />
      </>
    ),
  }
  return token === null ? (
    <Link to={loginPath(pathname + search)} {...common} />
  ) : (
    <button type="button" onClick={onOpen} {...common} />
  )
}

/** Stands for a figure that is not there: no data of the race are behind it. */
const Veil = () => <span className={styles.veil} aria-hidden="true" />

/** A column's heading, which orders the rows by the column, and the other way if they already are. */
function SortHeading({ order, sort, onSort }: { order: CardOrder; sort: Sort; onSort(sort: Sort): void }) {
  const active = sort.order === order
  const ascending = isAscending(order, sort.reversed)
  const Arrow = ascending ? ArrowUp : ArrowDown
  return (
    <th scope="col" aria-sort={active ? (ascending ? 'ascending' : 'descending') : undefined}>
      <button
        type="button"
        className={styles.sort}
        onClick={() => onSort({ order, reversed: active && !sort.reversed })}
      >
        <FormattedMessage id={`race.card.${order}`} />
        {active ? <Arrow aria-hidden="true" size={14} /> : null}
      </button>
    </th>
  )
}

/** On a phone: in the row of headings above the figures of the lines. */
const BESIDE: ReadonlySet<CardOrder> = new Set(['odds', 'model'])

interface PhoneHeadsProps {
  columns: readonly CardOrder[]
  sort: Sort
  onSort(sort: Sort): void
  onOpen: (() => void) | null
}

/** The headings of the lines on a phone: those of the two figures above them, the others in a row that scrolls. */
function PhoneHeads({ columns, sort, onSort, onOpen }: PhoneHeadsProps) {
  const intl = useIntl()
  const heads = (shown: readonly CardOrder[]) =>
    shown.map((order) => <PhoneHead key={order} order={order} sort={sort} onSort={onSort} />)
  return (
    <div className={styles.heads} role="group" aria-label={intl.formatMessage({ id: 'race.sortBy' })}>
      <span className={styles.otherHeads}>{heads(columns.filter((order) => !BESIDE.has(order)))}</span>
      {heads(columns.filter((order) => BESIDE.has(order)))}
      {onOpen === null ? null : (
        <VeiledHead className={`${styles.head} ${styles.figureHead}`} onOpen={onOpen} />
      )}
    </div>
  )
}

function PhoneHead({ order, sort, onSort }: { order: CardOrder; sort: Sort; onSort(sort: Sort): void }) {
  const active = sort.order === order
  const ascending = isAscending(order, sort.reversed)
  const Arrow = ascending ? ArrowUp : ArrowDown
  return (
    <button
      type="button"
      className={`${styles.head} ${BESIDE.has(order) ? styles.figureHead : ''}`}
      aria-pressed={active}
      onClick={() => onSort({ order, reversed: active && !sort.reversed })}
    >
      <FormattedMessage id={`race.card.${order}`} />
      {active ? (
        <>
          <Arrow aria-hidden="true" size={12} />
          <Hidden>
            {' '}
            <FormattedMessage id={ascending ? 'race.sortedUp' : 'race.sortedDown'} />
          </Hidden>
        </>
      ) : null}
    </button>
  )
}

/** Props shared by both forms of a runner's row. */
interface RunnerProps {
  race: RaceInfo
  runner: Competitor
  figures: CardFigures
  final: boolean
  open: boolean
  judged: boolean
  /** Whether a veil stands for the model's figures. */
  veiled: boolean
  /** Whether its details are shown. */
  shown: boolean
  onToggle(): void
}

/** A runner's name, which is struck through once the runner is withdrawn, and marked if the user follows it or has it on the shortlist. */
function HorseName({ race, runner }: { race: RaceInfo; runner: Competitor }) {
  const { horseId, name, nameLanguage, status } = runner
  const Tag = status === 'withdrawn' ? 's' : 'span'
  return (
    <>
      <Tag>
        <Name language={nameLanguage}>{name}</Name>
      </Tag>
      <FollowedMark horseId={horseId} />
      <ShortlistMark raceId={race.raceId} horseId={horseId} />
    </>
  )
}

/** A runner on a phone: three lines, with the odds, and the model's probability and edge below the headings. */
function RunnerLine({ race, runner, figures, final, open, judged, veiled, shown, onToggle }: RunnerProps) {
  const withdrawn = runner.status === 'withdrawn'
  return (
    <li
      className={`${styles.line} ${withdrawn ? styles.withdrawn : ''} ${judged && isJudgedRight(runner) ? styles.right : ''}`}
      data-number={runner.horseNumber}
    >
      <button type="button" className={styles.lineHead} aria-expanded={shown} onClick={onToggle}>
        <span className={styles.cloth}>
          <span className={styles.worn}>
            <NumberCloth
              value={programNumber(runner) ?? '–'}
              tone={runner.ranking === '1' ? 'first' : 'plain'}
              small={runner.silks !== null}
            />
            <Silks text={runner.silks} />
          </span>
          {final && !withdrawn ? <Finish runner={runner} judged={judged} /> : null}
        </span>
        <span className={styles.who}>
          <strong>
            <HorseName race={race} runner={runner} />
            <ChevronDown aria-hidden="true" size={14} />
          </strong>
          <RunnerLines runner={runner} />
        </span>
        {withdrawn ? (
          <Small as="span" text="race.withdrawn" />
        ) : (
          <span className={styles.pair}>
            <span className={styles.figure}>
              <Hidden>
                <FormattedMessage id="race.card.odds" />{' '}
              </Hidden>
              <Odds runner={runner} movement={figures.movement} />
              {final ? <OurRank runner={runner} /> : null}
            </span>
            {runner.probability !== null ? (
              <ModelFigure probability={runner.probability} figures={figures} />
            ) : veiled ? (
              <span className={styles.figure}>
                <Veil />
              </span>
            ) : null}
          </span>
        )}
      </button>
      {shown ? (
        <div className={styles.details}>
          <RunnerDetails race={race} runner={runner} open={open} figures={figures} />
        </div>
      ) : null}
    </li>
  )
}

/** The model's probability of a runner on a phone, and its edge. */
function ModelFigure({ probability, figures }: { probability: number; figures: CardFigures }) {
  const format = useFormat()
  return (
    <span className={styles.figure}>
      <Hidden>
        <FormattedMessage id="race.card.model" />{' '}
      </Hidden>
      <strong>{format.percent(probability)}</strong>
      <Bar share={probability} of={CHANCE_SCALE} />
      {figures.edge === null ? null : (
        <span className={styles.edge}>
          <Hidden>
            <FormattedMessage id="race.card.edge" />{' '}
          </Hidden>
          <Price order="edge" figures={figures} />
        </span>
      )}
    </span>
  )
}

interface RunnerRowProps extends RunnerProps {
  texts: readonly RunnerText[]
  /** Columns after the names, in order. */
  columns: readonly CardOrder[]
  /** Number of columns in the table. */
  width: number
}

/** A runner as a row of the table, with its details in a row below if they are shown. */
function RunnerRow({ texts: shownTexts, columns, width, ...of }: RunnerRowProps) {
  const { race, runner, final, open, judged, veiled, shown, onToggle } = of
  const withdrawn = runner.status === 'withdrawn'
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
            <Finish runner={runner} judged={judged} beside />
          </td>
        ) : null}
        <td>
          <span className={styles.worn}>
            <NumberCloth
              value={programNumber(runner) ?? '–'}
              tone={runner.ranking === '1' ? 'first' : 'plain'}
            />
            <Silks text={runner.silks} />
          </span>
        </td>
        <th scope="row" className={styles.text}>
          <button type="button" className={styles.name} aria-expanded={shown} onClick={onToggle}>
            <HorseName race={race} runner={runner} />
            <ChevronDown aria-hidden="true" size={14} />
          </button>
          <span className={styles.below}>
            {dotted(
              shownTexts
                .filter((text) => HAS[text](runner))
                .map((text) => [text, <RunnerWord key={text} of={text} runner={runner} />]),
            )}
          </span>
        </th>
        <td className={styles.text}>
          <PersonName name={runner.jockey} language={runner.jockeyLanguage} />
        </td>
        <td className={styles.text}>
          <PersonName name={runner.trainer} language={runner.trainerLanguage} />
        </td>
        {shownTexts.map((text) => (
          <td key={text} className={`${styles.text} ${styles.roomy}`}>
            <RunnerWord of={text} runner={runner} />
          </td>
        ))}
        {columns.map((order) => (
          <td key={order} data-column={order}>
            <Cell order={order} {...of} />
          </td>
        ))}
        {veiled ? <td>{withdrawn ? '–' : <Veil />}</td> : null}
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

type CellProps = Pick<RunnerProps, 'runner' | 'figures' | 'final'> & { order: CardOrder }

/** The content of a column after the names. */
function Cell({ order, runner, figures, final }: CellProps) {
  if (order === 'draw') return runner.draw ?? '–'
  if (order === 'weight') return <Weight runner={runner} />
  if (order === 'rating') return runner.ratingScore ?? '–'
  if (order === 'odds')
    // Before the result there is no other column to show a withdrawal.
    return runner.status === 'withdrawn' && !final ? (
      <Finish runner={runner} judged={false} />
    ) : (
      <Odds runner={runner} movement={figures.movement} />
    )
  if (order === 'model') return <ModelChance runner={runner} />
  return <Price order={order} figures={figures} />
}

function Weight({ runner: { actualWeight, horseId } }: Pick<CellProps, 'runner'>) {
  const intl = useIntl()
  const format = useFormat()
  return weightNumber({ intl, format }, actualWeight, horseId) ?? '–'
}

function ModelChance({ runner }: Pick<CellProps, 'runner'>) {
  const format = useFormat()
  const { probability, status } = runner
  if (probability === null || status === 'withdrawn') return '–'
  return (
    <span className={styles.model}>
      <Bar share={probability} of={CHANCE_SCALE} />
      <strong>{format.percent(probability)}</strong>
    </span>
  )
}

/** The model's fair odds, or how much the recorded odds are above them. */
function Price({ order, figures: { fairOdds, edge } }: Pick<CellProps, 'order' | 'figures'>) {
  const format = useFormat()
  if (order === 'fair') return fairOdds === null ? '–' : format.decimal(fairOdds, 2)
  if (edge === null) return '–'
  return <span className={edge > 0 ? texts.gain : texts.soft}>{format.signedDecimal(edge * 100, 1)}</span>
}

/** Whether the model was right about the horse. */
const isJudgedRight = ({ ranking, predictedRank }: Competitor): boolean =>
  isHorseHit(rankOf(ranking), predictedRank)

/** The last recorded win odds of a runner that was not withdrawn, marked if they moved much late. */
function Odds({ runner, movement }: { runner: Competitor; movement: number | null }) {
  const format = useFormat()
  return (
    <>
      <LateMark runner={runner} />
      <MovingOdds
        odds={runner.status === 'withdrawn' ? null : runner.odds}
        from={runner.openingOdds}
        movement={movement}
        format={format.odds}
      />
    </>
  )
}

/** As which one we had predicted a horse that ran; it stands out if it finished so. */
function OurRank({ runner }: { runner: Competitor }) {
  if (runner.predictedRank === null || runner.status === 'withdrawn') return null
  return (
    <span className={`${styles.ours} ${isJudgedRight(runner) ? styles.agreed : ''}`}>
      <FormattedMessage id="home.ourRank" values={{ rank: runner.predictedRank }} />
    </span>
  )
}

interface FinishProps {
  runner: Competitor
  judged: boolean
  /** Whether our rank stands beside it. */
  beside?: boolean
}

/** Where a horse finished, or why it did not. */
function Finish({ runner, judged, beside = false }: FinishProps) {
  const intl = useIntl()
  return (
    <span className={styles.finish}>
      <Placing runner={runner} />
      {judged && isJudgedRight(runner) ? (
        <Check
          role="img"
          size={14}
          className={texts.gain}
          aria-label={intl.formatMessage({ id: 'race.predictedRight' })}
        />
      ) : null}
      {beside ? <OurRank runner={runner} /> : null}
    </span>
  )
}
