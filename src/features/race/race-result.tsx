import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import type { GameplayClass } from '../../../domain/gameplay.ts'
import { rankOf } from '../../../domain/horse-hit.ts'
import { placesFor } from '../../../domain/pool-rules.ts'
import { programNumber } from '../../../domain/program-number.ts'
import { dividendsQuery } from '../../data/analytics/remote.ts'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { useFormat } from '../../i18n/format.ts'
import { Name, PersonName } from '../../i18n/name.tsx'
import { useRaceWords } from '../../i18n/race-words.ts'
import { NumberCloth } from '../../ui/number-cloth.tsx'
import { Silks } from '../../ui/silks.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { Columns, ScrollRegion, Small, Stack, Table, TextCell } from '../../ui/layout.tsx'
import { Panel, Skeleton, Hidden } from '../../ui/panel.tsx'
import { Placing } from './placing.tsx'
import styles from './race.module.css'
import { numberOf, numberOrNull, textOf, type AnswerRow } from '../../../analytics/cells.ts'

const SHOWN_PLACES = 4
/** Height of about fifteen lines, the usual number of a race's dividends. */
const DIVIDENDS_HEIGHT = 480

/** Order of those without a place: those that finished, those that did not, and those that did not start. */
const UNPLACED: Readonly<Record<Competitor['status'], number>> = {
  declared: 100,
  finished: 100,
  unfinished: 101,
  withdrawn: 102,
}
const orderOf = ({ ranking, status }: Competitor): number => rankOf(ranking) ?? UNPLACED[status]

/** A finished race for all users: the order of finish, on a phone its first four at first, and the dividends of every pool. */
export function RaceResult({ race, runners }: { race: RaceInfo; runners: readonly Competitor[] }) {
  const isWide = useWide()
  const [isWhole, setWhole] = useState(false)
  const id = useId()
  const dividends = useQuery(dividendsQuery(race.countryRegionId, race.raceId))
  const field = runners.toSorted((a, b) => orderOf(a) - orderOf(b))
  const placed = field.filter((runner) => orderOf(runner) <= SHOWN_PLACES)
  const ran = field.filter(({ status }) => status !== 'withdrawn').length
  if (placed.length === 0) return null
  return (
    <Panel title={<FormattedMessage id="race.section.result" />}>
      <Columns>
        <Stack>
          <Finishers id={id} field={field} runners={isWide || isWhole ? field : placed} isWide={isWide} />
          {isWide || field.length === placed.length ? null : (
            <Button aria-expanded={isWhole} aria-controls={id} onClick={() => setWhole((before) => !before)}>
              <FormattedMessage id="race.result.whole" values={{ runners: ran }} />
            </Button>
          )}
        </Stack>
        {dividends.data && dividends.data.rows.length > 0 ? (
          <ScrollRegion label="report.dividends">
            <DividendsTable rows={dividends.data.rows} />
            {isPartial(dividends.data.rows, race, field) ? <Small text="race.dividendsPartial" /> : null}
          </ScrollRegion>
        ) : dividends.isPending ? (
          <Skeleton height={DIVIDENDS_HEIGHT} />
        ) : null}
      </Columns>
    </Panel>
  )
}

const PLACE: GameplayClass = 2
const QUINELLA_PLACE: GameplayClass = 4

/** Lines of the quinella place after a race without a dead heat. */
const PAIRS = 3

/**
 * Whether pools that pay several dividends lack some: a source may have the first line of each pool alone. A pool that was
 * refunded as a whole has one line without a combination. Races with entries are not judged: their horses are one bet, and
 * where two of an entry are placed the pool has a line less.
 */
function isPartial(rows: readonly AnswerRow[], race: RaceInfo, field: readonly Competitor[]): boolean {
  if (field.some(({ entryNumber }) => entryNumber !== null)) return false
  const starters = field.filter(({ status }) => status !== 'withdrawn').length
  const isShort = (betType: GameplayClass, least: number): boolean => {
    const lines = rows.filter((row) => numberOf(row, 'bet_type') === betType)
    return lines.length > 0 && lines.length < least && lines.every((row) => textOf(row, 'combination') !== '')
  }
  return (
    isShort(PLACE, placesFor({ id: race.countryRegionId }, starters, race.name)) ||
    isShort(QUINELLA_PLACE, PAIRS)
  )
}

interface FinishersProps {
  id: string
  /** All runners: whether a column is shown depends on them, so that its width stays. */
  field: readonly Competitor[]
  /** Those that are shown. */
  runners: readonly Competitor[]
  isWide: boolean
}

function Finishers({ id, field, runners, isWide }: FinishersProps) {
  const format = useFormat()
  const words = useRaceWords()
  const facts: Column<Competitor>[] = [
    ...(isWide
      ? [
          { id: 'race.running', render: ({ runningPosition }: Competitor) => runningPosition },
          { id: 'race.draw', render: ({ draw }: Competitor) => draw },
          {
            id: 'horse.time',
            render: ({ finishTimeMs }: Competitor) =>
              finishTimeMs === null ? null : format.runningTime(finishTimeMs),
          },
        ]
      : []),
    { id: 'race.margin', render: ({ finishLength }) => finishLength && words.margin(finishLength) },
    { id: 'record.odds', render: ({ odds }) => (odds === null ? null : format.odds(odds)) },
  ]
  return (
    <DataTable
      id={id}
      label="race.section.result"
      className={styles.finishers}
      data-testid="finishers"
      rows={runners}
      keyOf={({ horseId }) => horseId}
      columns={[
        { id: 'race.horse', render: (runner) => <Finisher runner={runner} />, kind: 'name' },
        ...facts.filter(({ render }) => field.some((runner) => (render(runner) ?? null) !== null)),
      ]}
    />
  )
}

const Finisher = ({ runner }: { runner: Competitor }) => (
  <span className={styles.placed}>
    <span>
      <Placing runner={runner} />
    </span>
    <NumberCloth value={programNumber(runner) ?? '–'} tone={runner.ranking === '1' ? 'first' : 'plain'} />
    <Silks text={runner.silks} />
    <span className={styles.winner}>
      <span>
        <Link to={`/pages/race/HorseDetail?id=${runner.horseId}`}>
          <Name language={runner.nameLanguage}>{runner.name}</Name>
        </Link>
      </span>
      {runner.jockey ? (
        <Small as="span">
          <PersonName name={runner.jockey} language={runner.jockeyLanguage} />
        </Small>
      ) : null}
    </span>
  </span>
)

/** Dividends by bet type, for the stake for which the region publishes them. */
export function DividendsTable({ rows }: { rows: readonly AnswerRow[] }) {
  const intl = useIntl()
  const format = useFormat()
  return (
    <Table className={styles.dividends} data-testid="dividends">
      <Small as="caption" text="report.dividends" />
      <tbody>
        {rows.map((row, index) => {
          const paid = numberOrNull(row, 'dividend_cents')
          const pool = numberOf(row, 'bet_type')
          const name = intl.formatMessage({ id: `gameplay.${pool}` })
          const isSame = index > 0 && numberOf(rows[index - 1]!, 'bet_type') === pool
          return (
            <tr key={`${pool} ${textOf(row, 'combination')}`}>
              <TextCell scope="row" as="th">
                {isSame ? <Hidden>{name}</Hidden> : name}
              </TextCell>
              <td>{textOf(row, 'combination')}</td>
              <td>
                {textOf(row, 'status') === 'refund' ? (
                  <FormattedMessage id="race.refund" />
                ) : paid === null ? (
                  '–'
                ) : (
                  format.dividendCents(paid)
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </Table>
  )
}
