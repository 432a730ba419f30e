import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link, useLocation } from 'react-router-dom'
import {
  BOARD_FILTER_IDS,
  boardRows,
  isBoardAscending,
  orderedBoard,
  passes,
  recordedOdds,
  type BoardFilter,
  type BoardOrder,
  type BoardRow,
} from '../../../domain/market-board.ts'
import { EARLY_MIN, LATE_MIN, moveOf } from '../../../domain/odds-replay.ts'
import { programNumber } from '../../../domain/program-number.ts'
import { queryDayMarket, type DayMarketRace } from '../../../contract/api/market.ts'
import type { ScheduledRace } from '../../../contract/api/racing.ts'
import { askAgain, queryFor } from '../../data/client/call.ts'
import { useToken } from '../../data/client/session.ts'
import { onLiveRows } from '../../data/live.ts'
import { loginPath } from '../../data/login-path.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import { postTimeAmong } from '../../i18n/post-time.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { Name } from '../../i18n/name.tsx'
import { OneOfLong } from '../../ui/fields/choices.tsx'
import { LinkButton, ScrollRegion, Small, Stack, Table, TextCell } from '../../ui/layout.tsx'
import { NumberCloth, NumbersOf } from '../../ui/number-cloth.tsx'
import { Empty, ErrorNotice, Notice, Panel, Skeleton } from '../../ui/panel.tsx'
import { SortHeading } from '../../ui/sort-heading.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import styles from './market.module.css'
import { Movement } from './movement.tsx'

const HEIGHT = 560
/** Odds of many races arrive within seconds of each other: they are asked for once. */
const AGAIN_AFTER_MS = 5000
/** Width of the window from which on all columns have room, in pixels. */
const TABLE = 900

interface MarketBoardProps {
  regionId: string
  /** Of the region, `yyyy-mm-dd`. */
  day: string
  /** The day's races. */
  races: readonly ScheduledRace[]
}

/** The win odds of a day's starters at the moments that are customarily compared, those that moved most first. */
export default function MarketBoard(props: MarketBoardProps) {
  return (
    <ExtraTexts part="chances" waiting={<Skeleton height={HEIGHT} />}>
      <ForReader {...props} />
    </ExtraTexts>
  )
}

function ForReader(props: MarketBoardProps) {
  const { pathname, search } = useLocation()
  if (useToken() !== null) return <Loaded {...props} />
  return (
    <Notice>
      <FormattedMessage id="board.signIn" tagName="p" />
      <LinkButton to={loginPath(pathname + search)} text="session.signIn" />
    </Notice>
  )
}

function Loaded({ regionId, day, races }: MarketBoardProps) {
  const { language } = useLanguage()
  const market = useQuery(
    queryFor(queryDayMarket, { countryRegionId: regionId, today: day }, language, useToken()),
  )
  useNewOdds(races)
  if (market.error && !market.data)
    return <ErrorNotice error={market.error} onRetry={() => void market.refetch()} />
  if (!market.data) return <Skeleton height={HEIGHT} />
  const open = market.data.filter((race) => race.open)
  // A race without a prediction is opened by no voucher.
  const predicted = new Set(races.flatMap(({ id, predicted: isPredicted }) => (isPredicted ? [id] : [])))
  const locked = market.data.filter((race) => !race.open && predicted.has(race.raceId)).length
  return (
    <Stack>
      <Small text="board.lead" />
      {locked === 0 ? null : (
        <Notice>
          <FormattedMessage
            id="board.locked"
            values={{ open: open.length, count: open.length + locked }}
            tagName="p"
          />
          <LinkButton quiet to="/pages/race/viplist" text="subscribe.toVip" />
        </Notice>
      )}
      {open.length === 0 ? null : <Recorded open={open} races={races} />}
    </Stack>
  )
}

/** Asks again for the day's odds once new ones, or a result, of one of its races arrive. */
function useNewOdds(races: readonly ScheduledRace[]): void {
  const client = useQueryClient()
  const ids = races.map(({ id }) => id).join(' ')
  useEffect(() => {
    const shown = new Set(ids.split(' '))
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onLiveRows((rows) => {
      if (!rows.some(({ raceId }) => shown.has(raceId))) return
      timer ??= setTimeout(() => {
        timer = undefined
        void askAgain(client, queryDayMarket)
      }, AGAIN_AFTER_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [client, ids])
}

interface RecordedProps {
  /** Races whose odds over time may be seen. */
  open: readonly DayMarketRace[]
  races: readonly ScheduledRace[]
}

function Recorded({ open, races }: RecordedProps) {
  const recorded = recordedOdds(open.flatMap(({ runners }) => runners))
  if (recorded === 'none') return <Empty text="board.none" />
  if (recorded === 'last-only') return <Empty text="board.lastOnly" />
  return <Board open={open} races={races} />
}

type Row = BoardRow<DayMarketRace, DayMarketRace['runners'][number]>

function Board({ open, races }: RecordedProps) {
  const intl = useIntl()
  const [filter, setFilter] = useState<BoardFilter>('movers')
  const [sort, setSort] = useState<Sort>({ order: 'change', reversed: false })
  const rows = useMemo(() => boardRows<Row['runner'], DayMarketRace>(open), [open])
  const shown = orderedBoard(
    rows.filter((row) => passes(filter, row)),
    sort.order,
    sort.reversed,
  )
  return (
    <Panel title={<FormattedMessage id="board.title" />}>
      <OneOfLong
        legend={intl.formatMessage({ id: 'board.show' })}
        value={filter}
        choices={BOARD_FILTER_IDS.map((value) => ({
          value,
          label: intl.formatMessage(
            { id: `board.show.${value}` },
            { count: rows.filter((row) => passes(value, row)).length },
          ),
        }))}
        onChange={(chosen) => setFilter(BOARD_FILTER_IDS.find((each) => each === chosen) ?? 'movers')}
      />
      {shown.length === 0 ? (
        <Empty text={`board.empty.${filter}`} />
      ) : (
        <BoardTable rows={shown} races={races} sort={sort} onSort={setSort} />
      )}
      <Small text="board.explained" />
    </Panel>
  )
}

interface Sort {
  order: BoardOrder
  reversed: boolean
}

const NARROW: readonly BoardOrder[] = ['opening', 'odds', 'change']
/** With places: a phone has no room for the first odds too, which the change and the last odds say. */
const NARROW_PLACED: readonly BoardOrder[] = ['odds', 'change', 'place']
const WIDE: readonly BoardOrder[] = ['opening', 'thirty', 'ten', 'odds', 'change', 'late', 'share']
const WIDE_PLACED: readonly BoardOrder[] = [...WIDE, 'place']
/** In minutes before post time. */
const MARKS: Partial<Record<BoardOrder, number>> = { thirty: EARLY_MIN, ten: LATE_MIN, late: LATE_MIN }

interface BoardTableProps {
  rows: readonly Row[]
  races: readonly ScheduledRace[]
  sort: Sort
  onSort(sort: Sort): void
}

function BoardTable({ rows, races, sort, onSort }: BoardTableProps) {
  const intl = useIntl()
  const wide = useWide(TABLE)
  const isPlaced = rows.some(({ runner }) => runner.ranking !== '')
  const columns = wide ? (isPlaced ? WIDE_PLACED : WIDE) : isPlaced ? NARROW_PLACED : NARROW
  const byId = new Map(races.map((race) => [race.id, race]))
  const isOver = races.every(({ status }) => status !== 'scheduled')
  const courses = new Set(races.map(({ stadiumName }) => stadiumName))
  const heading = (order: BoardOrder) => {
    const active = sort.order === order
    const minutes = MARKS[order]
    return (
      <SortHeading
        key={order}
        order={active ? (isBoardAscending(order, sort.reversed) ? 'ascending' : 'descending') : 'none'}
        onToggle={() => onSort({ order, reversed: active && !sort.reversed })}
      >
        {order === 'odds' && isOver
          ? intl.formatMessage({ id: 'market.final' })
          : intl.formatMessage({ id: `board.${order}` }, minutes === undefined ? {} : { minutes })}
      </SortHeading>
    )
  }
  return (
    <ScrollRegion label="board.title">
      <Table data-testid="market-board" className={styles.board}>
        <thead>
          <tr>
            {heading('race')}
            <TextCell as="th" scope="col">
              <FormattedMessage id="race.horse" />
            </TextCell>
            {columns.map(heading)}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <BoardLine
              key={`${row.race.raceId} ${row.runner.horseId}`}
              row={row}
              race={byId.get(row.race.raceId)}
              course={courses.size > 1}
              columns={columns}
              wide={wide}
            />
          ))}
        </tbody>
      </Table>
    </ScrollRegion>
  )
}

interface BoardLineProps {
  row: Row
  /** `undefined` while the schedule does not have it yet. */
  race: ScheduledRace | undefined
  /** Whether the racecourse is named. */
  course: boolean
  columns: readonly BoardOrder[]
  wide: boolean
}

function BoardLine({ row, race, course, columns, wide }: BoardLineProps) {
  const intl = useIntl()
  const format = useFormat()
  const { raceId } = row.race
  const { horseNumber, name, nameLanguage } = row.runner
  const number = intl.formatMessage(
    { id: 'race.short' },
    { number: race?.stadiumNum ?? Number(raceId.slice(-2)) },
  )
  return (
    <tr data-race={raceId} data-number={horseNumber}>
      <TextCell>
        <Link className={styles.race} to={`/pages/race/HorseRace?id=${raceId}&tab=market`}>
          <strong>{course && race !== undefined ? `${race.stadiumName} ${number}` : number}</strong>
          <Small as="span">{race === undefined ? null : postTimeAmong(format, race)}</Small>
        </Link>
      </TextCell>
      <TextCell as="th" scope="row" className={styles.horse}>
        <span>
          <NumbersOf race={race}>
            <NumberCloth value={programNumber(row.runner) ?? '–'} small />
          </NumbersOf>
          <Name language={nameLanguage}>{name}</Name>
        </span>
      </TextCell>
      {columns.map((order) => (
        <td key={order} data-column={order}>
          <Figure order={order} row={row} wide={wide} />
        </td>
      ))}
    </tr>
  )
}

function Figure({ order, row, wide }: { order: BoardOrder; row: Row; wide: boolean }) {
  const format = useFormat()
  const { runner, movement, late, share, gained } = row
  const odds = (value: number | null): string => (value === null ? '–' : format.odds(value))
  switch (order) {
    case 'opening':
      return odds(runner.openingOdds)
    case 'thirty':
      return odds(runner.thirtyMinuteOdds)
    case 'ten':
      return odds(runner.tenMinuteOdds)
    case 'odds':
      return <strong>{odds(runner.odds)}</strong>
    case 'change':
      return (
        <>
          <Movement movement={movement} named={wide} />
          {/* A phone has no column for it. */}
          {wide || moveOf(late) === null ? null : (
            <Small className={styles.late}>
              <FormattedMessage
                id="board.lateMove"
                values={{ change: <Movement movement={late} named={false} />, minutes: LATE_MIN }}
              />
            </Small>
          )}
        </>
      )
    case 'late':
      return <Movement movement={late} named />
    case 'share':
      return share === null ? (
        '–'
      ) : (
        <>
          {format.percent(share, 1)}
          {gained === null ? null : (
            <Small as="span" className={styles.gained}>
              {format.signedDecimal(gained * 100, 1)}
            </Small>
          )}
        </>
      )
    case 'place':
      return runner.ranking || '–'
    case 'race':
      return null
  }
}
