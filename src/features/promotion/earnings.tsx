import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { FormattedMessage } from 'react-intl'
import type { ResultOf } from '../../../contract/api/endpoint.ts'
import { settlementPage } from '../../../contract/api/trade.ts'
import { groupBy } from '../../../domain/group-by.ts'
import { addMonths, businessDay } from '../../../domain/membership.ts'
import { keyOf, call } from '../../data/client/call.ts'
import { useToken } from '../../data/client/session.ts'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Entry, List, Row, Small, Stack } from '../../ui/layout.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import styles from './promotion.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

const MAX_PAGES = 20
const PAGE = 100

type Instalment = ResultOf<typeof settlementPage>['records'][number]

/** Every instalment of a provider, for the calendar and the chart. */
export function useInstalments() {
  const token = useToken()
  return useQuery({
    queryKey: keyOf(settlementPage, { pageSize: PAGE }, token),
    queryFn: async ({ signal }): Promise<Instalment[]> => {
      const all: Instalment[] = []
      for (let pageNo = 1; pageNo <= MAX_PAGES; pageNo += 1) {
        const { records, pages } = await call(settlementPage, { pageNo, pageSize: PAGE }, signal)
        all.push(...records)
        if (pageNo >= pages) break
      }
      return all
    },
    retry: 1,
  })
}

/** The instalments that settle in a month, and their sums in whole cents. */
interface SettlementMonth {
  month: string
  instalments: readonly Instalment[]
  settled: number
  waiting: number
}

const sumOf = (rows: readonly Instalment[], state: Instalment['state']): number =>
  rows
    .filter((row) => row.state === state)
    .reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0)

const byMonth = (instalments: readonly Instalment[]): SettlementMonth[] =>
  [...groupBy(instalments, ({ settlesOn }) => settlesOn.slice(0, 7))]
    .map(([month, rows]) => ({
      month,
      instalments: rows.toSorted((a, b) => a.settlesOn.localeCompare(b.settlesOn)),
      settled: sumOf(rows, 'settled'),
      waiting: sumOf(rows, 'waiting'),
    }))
    .toSorted((a, b) => a.month.localeCompare(b.month))

/** So many past months are shown at first. */
const PAST_MONTHS = 3

/** What settles in each month, what of it is settled, and the instalments. */
export function SettlementCalendar() {
  const instalments = useInstalments()
  const [today] = useState(() => businessDay(new Date()))
  const [earlier, setEarlier] = useState(false)
  if (instalments.error)
    return <ErrorNotice error={instalments.error} onRetry={() => void instalments.refetch()} />
  if (!instalments.data) return <Skeleton height={320} />
  const all = byMonth(instalments.data)
  if (all.length === 0) return <FormattedMessage id="promotion.noFees" tagName="p" />
  const first = earlier ? '' : addMonths(`${today.slice(0, 7)}-01`, -PAST_MONTHS).slice(0, 7)
  const months = all.filter(({ month }) => month >= first)
  const most = Math.max(...all.map(({ settled, waiting }) => settled + waiting))
  // What comes next is what is looked for.
  const next = (months.find(({ waiting }) => waiting > 0) ?? months.at(-1))?.month
  return (
    <Stack>
      <Row className={styles.legend} aria-hidden="true">
        <span className={styles.settled} />
        <FormattedMessage id="settlementState.settled" />
        <span className={styles.waiting} />
        <FormattedMessage id="settlementState.waiting" />
      </Row>
      {months.length < all.length ? (
        <Row>
          <Button onClick={() => setEarlier(true)} text="promotion.earlier" />
        </Row>
      ) : null}
      {months.map((each) => (
        <Month key={each.month} {...each} most={most} open={each.month === next} />
      ))}
    </Stack>
  )
}

interface MonthProps extends SettlementMonth {
  /** The largest sum of a month, which a full bar stands for. */
  most: number
  /** At first. */
  open: boolean
}

function Month({ month, instalments, settled, waiting, most, open }: MonthProps) {
  const format = useFormat()
  const share = (cents: number): { width: string } => ({
    width: `${most === 0 ? 0 : (cents / most) * 100}%`,
  })
  return (
    <details className={styles.month} open={open}>
      <summary>
        <span>{format.month(month)}</span>
        <strong>{format.hkdCents(settled + waiting)}</strong>
        <span className={styles.bar} aria-hidden="true">
          <span className={styles.settled} style={share(settled)} />
          <span className={styles.waiting} style={share(waiting)} />
        </span>
        <Small as="span" className={styles.parts}>
          {(['settled', 'waiting'] as const).map((state) => {
            const cents = state === 'settled' ? settled : waiting
            return cents === 0 ? null : (
              <span key={state}>
                <FormattedMessage id={`settlementState.${state}`} /> {format.hkdCents(cents)}
              </span>
            )
          })}
        </Small>
        <ChevronDown aria-hidden="true" size={18} />
      </summary>
      <List>
        {instalments.map((row) => (
          <InstalmentEntry key={`${row.orderId} ${row.number}`} instalment={row} />
        ))}
      </List>
    </details>
  )
}

const TONES = { waiting: 'accent', settled: 'gain', cancelled: 'loss' } as const

function InstalmentEntry({ instalment: row }: { instalment: Instalment }) {
  const format = useFormat()
  return (
    <Entry>
      <span>
        <strong>{format.hkd(row.amount)}</strong>
        {BETWEEN_FACTS}
        {row.nickname}
        <br />
        <Small as="span">
          {format.day(row.settlesOn)}
          {BETWEEN_FACTS}
          <FormattedMessage id="promotion.part" values={{ number: row.number, of: row.of }} />
        </Small>
      </span>
      <Badge tone={TONES[row.state]}>
        <FormattedMessage id={`settlementState.${row.state}`} />
      </Badge>
    </Entry>
  )
}
