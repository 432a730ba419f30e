import { useMemo, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import {
  LAB_ORDERS,
  type LabResult,
  type LabBets as LoadedBets,
  type LabFigures as Figures,
  type LabStandard,
  type LabBet,
  type LabOrder,
} from '../../../analytics/lab-api.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import { ColumnHeadings } from '../../ui/layout.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Chart } from '../../widgets/chart/chart.tsx'
import type { ChartPicture } from '../../widgets/chart/picture.ts'
import { PictureMenu } from '../../widgets/chart/picture-menu.tsx'
import type { Series } from '../../widgets/chart/series.ts'
import { HeadedPanel } from '../parts/headed-panel.tsx'
import { FailedAnswer } from '../parts/failed-answer.tsx'
import { MONTH_TICKS, profitAxes } from '../query/profit-line.ts'
import { type ProfitDay } from '../../../analytics/view/profit-days.ts'
import { Scrolled } from '../parts/scrolled.tsx'
import { intervalText } from '../words/range-text.ts'
import { LabFiles } from './lab-files.tsx'
import { ResultFigures } from './result-figures.tsx'
import { corrected, resetVariants, useVariants } from './variants.ts'
import type { LabAnswer } from './use-lab.ts'
import tables from '../parts/table.module.css'
import styles from './lab.module.css'
import { useQuery, keepPreviousData } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import type { LabConnection } from '../../data/analytics/lab.ts'
import { keyOf } from '../../data/client/call.ts'
import { ChoiceRow } from './range-row.tsx'
import panelStyles from '../parts/panel.module.css'

const HEIGHT = 300

interface LabResultProps {
  answer: LabAnswer
  /** The result of the plan that is compared with it, if there is one. */
  other: Figures | null
  picture: ChartPicture
  onMonth(month: string): void
}

/** The result of the plan: figures, its profit curve with the simulated range, and its benchmarks. */
export function LabFigures({ answer, other, picture, onMonth }: LabResultProps) {
  const { result, fan, plan } = answer
  return (
    <>
      <ResultFigures result={result} fan={fan} plan={plan} onMonth={onMonth} />
      {result.certain ? (
        <>
          <Curve answer={answer} other={other} picture={picture} />
          <Beside result={result} />
        </>
      ) : (
        <p className={styles.note} data-testid="lab-untold">
          <FormattedMessage id="record.noProfitChart" />
        </p>
      )}
      <Variants />
    </>
  )
}

/** Converts days to the shape that the profit axes expect. */
const asDays = (days: readonly string[], profits: readonly number[]): ProfitDay[] =>
  days.map((day, at) => ({ day, count: 0, hits: 0, profit: 0, profitToDate: profits[at]!, peak: 0 }))

/** A cumulative profit as a line. */
const profitLine = (
  format: Format,
  name: string,
  tone: Series['tone'],
  { days, profits }: Figures['curve'],
): Series => ({
  kind: 'line',
  name,
  tone,
  x: days,
  y: profits.map((profit) => profit / 100),
  end: format.signedMoney(profits.at(-1)!),
  hover: profits.map((profit, at) => `${format.longDay(days[at]!)}\n${name}: ${format.signedMoney(profit)}`),
})

/** The line of the plan that is compared; `null` where there is none, or only bounds of its profit. */
const comparedCurve = (other: Figures | null): Figures['curve'] | null =>
  other !== null && other.certain && other.curve.days.length > 0 ? other.curve : null

function Curve({ answer: { result, fan }, other, picture }: Omit<LabResultProps, 'onMonth'>) {
  const word = useWord()
  const format = useFormat()
  const wide = useWide()
  const { curve } = result
  const chart = useMemo(() => {
    const { days, profits } = curve
    if (days.length === 0) return null
    const own = word('record.profitToDate')
    // The points of a fan are numbers of meetings, which are spread evenly over the days of the curve.
    const dayAt = (point: number): string =>
      days[Math.min(days.length - 1, Math.round((point * days.length) / fan!.at.at(-1)!) - 1)] ?? days[0]!
    const compared = comparedCurve(other)
    const fanLine = (at: number, name: string, band: boolean, tone: Series['tone']): Series => ({
      kind: 'line',
      name,
      tone,
      ...(band ? { band } : {}),
      x: [days[0]!, ...fan!.at.map(dayAt)],
      y: [0, ...fan!.lines[at]!.map((profit) => profit / 100)],
      ...(at === 2 ? { end: format.signedMoney(fan!.lines[at]!.at(-1) ?? 0) } : {}),
      hover: ['', ...fan!.lines[at]!.map((profit) => `${name}: ${format.signedMoney(profit)}`)],
    })
    const series: Series[] = [
      ...(fan === null || fan.at.length === 0
        ? []
        : [
            fanLine(0, word('lab.fan.low'), false, 'soft'),
            fanLine(4, word('lab.fan.high'), true, 'soft'),
            fanLine(2, word('lab.fan.median'), false, 'soft'),
          ]),
      profitLine(format, own, 'accent', curve),
      ...(compared === null ? [] : [profitLine(format, word('lab.compare.other'), 'series-2', compared)]),
    ]
    const lines = [asDays(days, profits)]
    if (compared !== null) lines.push(asDays(compared.days, compared.profits))
    if (fan !== null) for (const at of [0, 4]) lines.push(asDays(fan.at.map(dayAt), fan.lines[at]!))
    return {
      label: word('lab.curveSummary', {
        days: days.length,
        profit: format.signedMoney(profits.at(-1)!),
        low: fan === null ? '…' : format.signedMoney(fan.lines[0]!.at(-1) ?? 0),
        high: fan === null ? '…' : format.signedMoney(fan.lines[4]!.at(-1) ?? 0),
      }),
      series,
      ...profitAxes(lines[0]!, lines, format, wide ? MONTH_TICKS.wide : MONTH_TICKS.narrow),
    }
  }, [curve, other, fan, word, format, wide])
  return (
    <HeadedPanel
      heading="lab.curve"
      aria-label={word('lab.curve')}
      data-panel="lab-curve"
      beside={
        <>
          <span className={styles.note}>
            {fan === null ? null : <FormattedMessage id="lab.fanLegend" values={{ courses: fan.courses }} />}
          </span>
          {chart === null ? null : <PictureMenu picture={picture} />}
        </>
      }
    >
      {chart === null ? (
        <FormattedMessage id="lab.noBets" tagName="p" />
      ) : (
        <Chart {...chart} height={HEIGHT} picture={picture} />
      )}
    </HeadedPanel>
  )
}

/** The same stakes on the favourite and spread over the field, and the distribution of stakes. */
function Beside({ result }: { result: LabResult }) {
  const word = useWord()
  const format = useFormat()
  const rows: [string, LabStandard | null][] = [
    ['lab.beside.own', { staked: result.staked, profit: result.profit }],
    ['lab.beside.favourite', result.favourite],
    ['lab.beside.chance', result.random],
  ]
  const profitText = ({ profit, bounds }: LabStandard): string =>
    bounds === undefined ? format.signedMoney(profit) : intervalText(word, bounds.profit, format.signedMoney)
  const returnText = ({ staked, profit, bounds }: LabStandard): string => {
    if (bounds === undefined) return staked > 0 ? format.signedPercent(profit / staked) : '–'
    return bounds.returned === null ? '–' : intervalText(word, bounds.returned, format.signedPercent)
  }
  const sizes = <Sizes sizes={result.sizes} />
  // A box has no favourite, and every box of a race is not a bet that anybody makes.
  if (result.boxes !== null) return sizes
  return (
    <div className={styles.two}>
      <HeadedPanel heading="lab.beside">
        <Scrolled label={word('lab.beside')}>
          <table className={tables.table} data-testid="lab-beside">
            <ColumnHeadings
              ids={['lab.beside.on', 'lab.figure.stakedShort', 'record.profit', 'record.return']}
            />
            <tbody>
              {rows.map(([id, standard]) => (
                <tr key={id} data-key={id}>
                  <th scope="row">
                    <FormattedMessage id={id} />
                  </th>
                  <td>{standard ? format.money(standard.staked) : '…'}</td>
                  <td>{standard ? profitText(standard) : '…'}</td>
                  <td>{standard ? returnText(standard) : '–'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolled>
      </HeadedPanel>
      {sizes}
    </div>
  )
}

/** How many bets have a stake of up to each amount. */
function Sizes({ sizes }: Pick<LabResult, 'sizes'>) {
  const word = useWord()
  const format = useFormat()
  const most = Math.max(...sizes.map(({ bets }) => bets), 1)
  return (
    <HeadedPanel heading="lab.sizes" aria-label={word('lab.sizes')}>
      {sizes.length === 0 ? (
        <FormattedMessage id="lab.noBets" tagName="p" />
      ) : (
        <ul className={styles.sizes}>
          {sizes.map(({ upTo, bets }) => (
            <li key={upTo}>
              <FormattedMessage id="lab.upTo" values={{ amount: format.money(upTo) }} tagName="span" />
              <span
                className={styles.bar}
                style={{ inlineSize: `${(100 * bets) / most}%` }}
                aria-hidden="true"
              />
              <span>{format.integer(bets)}</span>
            </li>
          ))}
        </ul>
      )}
    </HeadedPanel>
  )
}

/** The number of variants viewed, and the best return corrected for it. */
function Variants() {
  const format = useFormat()
  const variants = useVariants()
  const left = corrected(variants)
  return (
    <p className={styles.note} data-testid="lab-variants" data-variants={variants.keys.length}>
      <FormattedMessage id="lab.variants" values={{ count: variants.keys.length }} />{' '}
      {variants.best === null || left === null ? null : (
        <FormattedMessage
          id="lab.bestVariant"
          values={{ best: format.signedPercent(variants.best.returned), left: format.signedPercent(left) }}
        />
      )}{' '}
      <Button onClick={resetVariants} text="workspace.resetCount" />
    </p>
  )
}

const PAGE = 50

interface LabBetsProps {
  lab: LabConnection
  /** The run that made the bets. */
  result: LabResult
  /** The bets that were loaded. */
  loaded: LoadedBets
  month: string | null
  onMonth(month: string | null): void
}

/** The bets of the plan, page by page, each with a link to its race. */
export function LabBets({ lab, result, loaded, month, onMonth }: LabBetsProps) {
  const isBoxes = result.boxes !== null
  // Win bets, or boxes of one pool, whose type is not shown for each.
  const isOneType = loaded.winOnly || isBoxes
  const format = useFormat()
  const [order, setOrder] = useState<LabOrder>('newest')
  const [size, setSize] = useState(PAGE)
  const page = useQuery({
    queryKey: keyOf('lab-bets', lab.number, result.number, order, month, size),
    queryFn: () => lab.bets(order, month, 0, size),
    placeholderData: keepPreviousData,
    // The worker has only the latest run, so older pages are not cached.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const word = useWord()
  return (
    <HeadedPanel
      heading="lab.list"
      data-testid="lab-bets"
      aria-busy={page.isPlaceholderData}
      beside={
        <>
          {month === null ? null : (
            <Button onClick={() => onMonth(null)}>
              {word('lab.monthOnly', { month: format.month(month) })}
            </Button>
          )}
          <div className={panelStyles.tools}>
            <ChoiceRow
              label="lab.order"
              value={order}
              options={LAB_ORDERS.map((value) => ({ value, label: word(`lab.order.${value}`) }))}
              onChange={(value) => setOrder(value)}
            />
            <LabFiles lab={lab} rows={loaded.bets} month={month} />
          </div>
        </>
      }
    >
      {page.error ? <FailedAnswer error={page.error} /> : null}
      <Scrolled label={word('lab.list')}>
        <table className={tables.table}>
          <ColumnHeadings
            ids={[
              'record.day',
              'workspace.raceShort',
              ...(isOneType ? [] : ['record.betType']),
              'record.prediction',
              ...(isBoxes ? ['lab.box.count', 'lab.box.expected'] : ['record.probability', 'record.odds']),
              'lab.stake',
              'record.outcome',
              'record.profit',
            ]}
          />
          <tbody>
            {(page.data?.bets ?? []).map((bet) => (
              <Bet
                key={`${bet.raceId} ${bet.betType} ${bet.combination}`}
                bet={bet}
                isOneType={isOneType}
                isBox={isBoxes}
              />
            ))}
          </tbody>
        </table>
      </Scrolled>
      {page.data && page.data.total > size ? (
        <Button onClick={() => setSize(size + PAGE)}>
          {word('lab.moreBets', { left: format.integer(page.data.total - size) })}
        </Button>
      ) : null}
    </HeadedPanel>
  )
}

function Bet({ bet, isOneType, isBox }: { bet: LabBet; isOneType: boolean; isBox: boolean }) {
  const format = useFormat()
  const word = useWord()
  const { profit } = bet
  const tone = profit === null || profit === 0 ? '' : profit > 0 ? styles.gain : styles.loss
  return (
    <tr data-race={bet.raceId}>
      <td>{format.day(bet.day)}</td>
      <td>
        <Link to={`/pages/race/HorseRace?id=${bet.raceId}`}>
          <FormattedMessage id="record.raceNumber" values={{ number: bet.raceNo }} />
        </Link>
      </td>
      {isOneType ? null : <td>{word(`gameplay.${bet.betType}`)}</td>}
      <td>{bet.combination}</td>
      {isBox ? (
        <>
          <td>{format.integer(bet.combinations)}</td>
          <td>{format.decimal(bet.probability, 3)}</td>
        </>
      ) : (
        <>
          <td>{format.percent(bet.probability)}</td>
          <td>{bet.odds === null ? '–' : format.odds(bet.odds)}</td>
        </>
      )}
      <td>{format.money(bet.stake)}</td>
      <td>{word(`outcome.${bet.outcome}`)}</td>
      <td className={tone}>{profit === null ? word('record.unknownShort') : format.signedMoney(profit)}</td>
    </tr>
  )
}
