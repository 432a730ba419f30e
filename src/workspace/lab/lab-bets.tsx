import { useQuery, keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { Link } from 'react-router-dom'
import { LAB_ORDERS, type LabBet, type LabOrder, type LabResult } from '../../../analytics/lab-api.ts'
import type { LabConnection } from '../../data/analytics/lab.ts'
import { keyOf } from '../../data/client/call.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/panel.tsx'
import { ColumnHeadings } from '../../ui/layout.tsx'
import { HeadedPanel } from '../parts/headed-panel.tsx'
import { Scrolled } from '../parts/scrolled.tsx'
import { ChoiceRow } from './range-row.tsx'
import styles from './lab.module.css'
import panelStyles from '../parts/panel.module.css'
import tables from '../parts/table.module.css'

const PAGE = 50

interface LabBetsProps {
  lab: LabConnection
  /** The run that made the bets. */
  result: LabResult
  /** Whether every bet is a win bet, so that the type need not be shown for each. */
  winOnly: boolean
  month: string | null
  onMonth(month: string | null): void
}

/** The bets of the plan, page by page, each with a link to its race. */
export function LabBets({ lab, result, winOnly, month, onMonth }: LabBetsProps) {
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
          </div>
        </>
      }
    >
      {page.error ? <ErrorNotice error={page.error} /> : null}
      <Scrolled label={word('lab.list')}>
        <table className={tables.table}>
          <ColumnHeadings
            ids={[
              'record.day',
              'dimension.race_no',
              ...(winOnly ? [] : ['record.betType']),
              'record.prediction',
              'record.probability',
              'record.odds',
              'lab.stake',
              'record.outcome',
              'record.profit',
            ]}
          />
          <tbody>
            {(page.data?.bets ?? []).map((bet) => (
              <Bet key={`${bet.raceId} ${bet.betType} ${bet.combination}`} bet={bet} winOnly={winOnly} />
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

function Bet({ bet, winOnly }: { bet: LabBet; winOnly: boolean }) {
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
      {winOnly ? null : <td>{word(`gameplay.${bet.betType}`)}</td>}
      <td>{bet.combination}</td>
      <td>{format.percent(bet.probability)}</td>
      <td>{bet.odds === null ? '–' : format.odds(bet.odds)}</td>
      <td>{format.money(bet.stake)}</td>
      <td>{word(`outcome.${bet.outcome}`)}</td>
      <td className={tone}>{profit === null ? word('record.unknownShort') : format.signedMoney(profit)}</td>
    </tr>
  )
}
