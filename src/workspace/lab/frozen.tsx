import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { Link, useLocation } from 'react-router-dom'
import { without } from '../../../analytics/clauses.ts'
import { allOf, type Filter } from '../../../analytics/filter.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import {
  endFrozenRules,
  freezeRules,
  queryFrozenBets,
  queryFrozenRules,
  type FrozenBet,
  type FrozenRule,
} from '../../../contract/api/frozen.ts'
import { askAgain, call, queryFor } from '../../data/client/call.ts'
import { useToken } from '../../data/client/session.ts'
import { usePages } from '../../data/use-pages.ts'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { ColumnHeadings, Facts, Row, Table, TextCell, type Fact } from '../../ui/layout.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { OF_THE_PAST } from '../../../analytics/view/coming.ts'
import { Between } from '../parts/between.tsx'
import { RatioFigure } from '../parts/figure-cell.tsx'
import { HeadedPanel } from '../parts/headed-panel.tsx'
import { Note } from '../parts/note.tsx'
import { Scrolled } from '../parts/scrolled.tsx'
import { raceFilterOf } from '../../../analytics/view/view.ts'
import type { LabSettings } from './lab-settings.ts'
import styles from './lab.module.css'
import { HIT, MISS, VOID, type BetTable } from '../../../domain/bet-table.ts'
import { runStakes, type UnknownBets } from '../../../domain/staking.ts'
import { isCertain, returnOf, stakedBounds } from '../../../domain/staking-summary.ts'

const MAX_LISTED = 100

interface FrozenProps {
  settings: LabSettings
  where: Filter
  model: string
}

/** The slice without its period and outcomes: the part that applies to coming races. */
function comingFilter(where: Filter, model: string, universe: FrozenRule['universe']): Filter {
  const slice = without(where, [...OF_THE_PAST, 'model', 'origin'])
  const races = universe === 'kept' || slice === null ? slice : raceFilterOf(slice)
  return allOf({ dim: 'model', in: [model] }, { dim: 'origin', in: ['locked'] }, races)!
}

type Freezable = Pick<FrozenRule, 'universe' | 'plan'>

/** What of the settings is frozen, or the message id of why they cannot be. */
function freezableOf({ universe, own, plan }: LabSettings): Freezable | string {
  const { rule } = plan
  if (universe === 'boxes') return 'lab.frozenBoxes'
  if (own !== null) return 'lab.frozenOwn'
  if (rule.kind === 'column') return 'lab.frozenColumn'
  return { universe, plan: { ...plan, rule } }
}

/** Frozen rules: their bets are recorded before each race, and shown beside the backtest. */
export function Frozen({ settings, where, model }: FrozenProps) {
  const { regionId } = useScope()
  const token = useToken()
  const client = useQueryClient()
  const { search } = useLocation()
  const [name, setName] = useState('')
  const freezing = useRef(false)
  const rules = usePages(queryFrozenRules, { countryRegionId: regionId }, token)
  const freeze = useMutation({
    mutationFn: ({ universe, plan }: Freezable) =>
      call(freezeRules, {
        countryRegionId: regionId,
        name: name.trim(),
        address: search.slice(1),
        universe,
        filter: comingFilter(where, model, universe),
        rules: settings.rules,
        plan,
      }),
    onSuccess: () => {
      setName('')
      return askAgain(client, queryFrozenRules)
    },
    onSettled: () => {
      freezing.current = false
    },
  })
  const freezable = freezableOf(settings)
  const isRefused = typeof freezable === 'string'
  return (
    <HeadedPanel heading="lab.frozen" data-testid="frozen">
      <Note text="lab.frozenLead" />
      {isRefused ? <Note text={freezable} /> : null}
      <form
        className={styles.freeze}
        onSubmit={(event) => {
          event.preventDefault()
          // A second click may occur before the button is disabled.
          if (name.trim() === '' || freezing.current || isRefused) return
          freezing.current = true
          freeze.mutate(freezable)
        }}
      >
        <TextField
          label={<FormattedMessage id="lab.frozenName" />}
          maxLength={60}
          value={name}
          onChange={setName}
          beside={
            <Button
              type="submit"
              disabled={name.trim() === '' || freeze.isPending || isRefused}
              text="lab.freeze"
            />
          }
        />
      </form>
      {freeze.error ? <ErrorNotice error={freeze.error} /> : null}
      {rules.error ? (
        <ErrorNotice error={rules.error} onRetry={rules.retry} />
      ) : rules.isPending ? (
        <Skeleton height={60} />
      ) : (
        rules.rows.map((rule) => <FrozenLine key={rule.id} rule={rule} />)
      )}
      {rules.moreError ? <ErrorNotice error={rules.moreError} /> : null}
      {rules.hasMore ? (
        <Row>
          <Button busy={rules.loading} onClick={() => void rules.loadMore()} text="common.loadMore" />
        </Row>
      ) : null}
    </HeadedPanel>
  )
}

function FrozenLine({ rule }: { rule: FrozenRule }) {
  const format = useFormat()
  const client = useQueryClient()
  const [open, setOpen] = useState(false)
  const end = useMutation({
    mutationFn: () => call(endFrozenRules, { id: rule.id }),
    onSuccess: () => askAgain(client, queryFrozenRules),
  })
  return (
    <details
      className={styles.frozen}
      data-frozen={rule.name}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <strong>{rule.name}</strong>{' '}
        <span className={styles.note}>
          <FormattedMessage
            id="lab.frozenSummary"
            values={{
              since: format.instant(rule.frozenAt),
              races: rule.races,
              missed: rule.missed,
              bets: rule.bets,
              ended: rule.endedAt === null ? 'no' : 'yes',
            }}
          />
        </span>
      </summary>
      {open ? <Recorded rule={rule} /> : null}
      <Row>
        <Link to={`/pages/race/WinLossRecord?${rule.address}`}>
          <FormattedMessage id="lab.itsBacktest" />
        </Link>
        {rule.endedAt === null ? (
          <Button onClick={() => end.mutate()} disabled={end.isPending} text="lab.endFrozen" />
        ) : null}
      </Row>
      {end.error ? <ErrorNotice error={end.error} /> : null}
    </details>
  )
}

/** The sums of recorded bets; bounds of what was won where too many winners have no dividend. */
function Totals({ record, plan }: { record: ReturnType<typeof recordOf>; plan: FrozenRule['plan'] }) {
  const format = useFormat()
  const figures: Fact[] = [
    ['lab.figure.bets', format.integer(record.bets)],
    ['lab.frozenWaiting', format.integer(record.waiting)],
    ['record.hits', format.integer(record.hits)],
    ['lab.frozenStaked', format.money(record.staked)],
    ...(record.bounds === null
      ? ([
          ['record.profit', format.signedMoney(record.profit)],
          ['record.return', <RatioFigure key="return" ratio={record.returned} show={format.signedPercent} />],
        ] satisfies Fact[])
      : ([
          [
            'record.profit',
            <Between key="profit" interval={record.bounds.profit} show={format.signedMoney} />,
          ],
          [
            'record.return',
            record.bounds.returned === null ? (
              '–'
            ) : (
              <Between key="return" interval={record.bounds.returned} show={format.signedPercent} />
            ),
          ],
        ] satisfies Fact[])),
  ]
  return (
    <>
      <Facts facts={figures} />
      {record.bounds === null ? null : (
        <Note text="record.unknownHits" values={{ hits: record.unknownHits }} />
      )}
      {record.rounded === 0 ? null : (
        <Note text="lab.rounded" values={{ bets: record.rounded, unit: format.money(plan.unit) }} />
      )}
    </>
  )
}

function Recorded({ rule }: { rule: FrozenRule }) {
  const format = useFormat()
  const bets = useQuery({ ...queryFor(queryFrozenBets, { id: rule.id }, useToken()), staleTime: 30_000 })
  const record = useMemo(() => (bets.data ? recordOf(rule, bets.data) : null), [rule, bets.data])
  if (bets.error) return <ErrorNotice error={bets.error} onRetry={() => void bets.refetch()} />
  if (!bets.data || record === null) return <Skeleton height={120} />
  const profitOf = (bet: FrozenBet): string => {
    const cents = record.profits.get(bet) ?? null
    return cents === null ? '–' : format.signedMoney(cents)
  }
  return (
    <>
      <Totals record={record} plan={rule.plan} />
      {bets.data.length === 0 ? null : (
        <Scrolled label={rule.name}>
          <Table data-testid="frozen-bets">
            <ColumnHeadings
              ids={[
                'lab.frozenRace',
                'lab.frozenBet',
                'record.odds',
                'lab.frozenChance',
                'lab.frozenOutcome',
                'record.profit',
              ]}
            />
            <tbody>
              {bets.data
                .slice(-MAX_LISTED)
                .toReversed()
                .map((bet) => (
                  <tr key={`${bet.raceId} ${bet.gameplayClass} ${bet.combination}`}>
                    <TextCell scope="row" as="th">
                      <Link to={`/pages/race/HorseRace?id=${bet.raceId}`}>
                        {format.day(bet.date)} {bet.stadiumName}{' '}
                        <FormattedMessage id="record.raceNumber" values={{ number: bet.raceNo }} />
                      </Link>
                    </TextCell>
                    <td>
                      <FormattedMessage id={`gameplay.${bet.gameplayClass}`} /> {bet.combination}
                    </td>
                    <td>{bet.odds === null ? '–' : format.odds(bet.odds)}</td>
                    <td>{format.percent(bet.probability)}</td>
                    <FormattedMessage id={`lab.outcome.${bet.outcome ?? 'waiting'}`} tagName="td" />
                    <td>{profitOf(bet)}</td>
                  </tr>
                ))}
            </tbody>
          </Table>
        </Scrolled>
      )}
    </>
  )
}

const CODES = { hit: HIT, miss: MISS, void: VOID } as const

/**
 * The result of recorded bets (in race order) at the stakes of their plan, settled like the lab's backtests. `waiting`:
 * recorded, but not settled yet; `profits`: in cents of each settled bet, `null` if unknown.
 */
function recordOf({ plan, rules }: FrozenRule, bets: readonly FrozenBet[]) {
  const settled = bets.filter(({ outcome }) => outcome !== null)
  const table = tableOf(settled)
  const staked = (unknown: UnknownBets) =>
    runStakes(table, new Uint8Array(table.size).fill(1), rules, plan, { unknown, detail: true })
  const run = staked('out')
  return {
    /** Where too many winners have no dividend: the lowest and highest profit and return possible. */
    bounds: isCertain(run) ? null : stakedBounds(staked('worst'), staked('best')),
    unknownHits: run.unknownHits,
    /** Recorded bets that the plan rounds down to nothing. */
    rounded: run.rounded,
    bets: run.bets,
    hits: run.hits,
    waiting: bets.length - settled.length,
    unknown: run.unknown,
    staked: run.staked,
    profit: run.profit,
    returned: returnOf(run),
    profits: new Map(settled.map((bet, at) => [bet, bet.profitCents === null ? null : run.profits![at]!])),
  }
}

function tableOf(bets: readonly FrozenBet[]): BetTable {
  const column = (of: (bet: FrozenBet) => number | null): Float64Array =>
    Float64Array.from(bets, (bet) => of(bet) ?? Number.NaN)
  const races: number[] = []
  const meetings: number[] = []
  const days: string[] = []
  for (const [at, bet] of bets.entries()) {
    const before = bets[at - 1]
    if (before?.raceId === bet.raceId) continue
    if (before?.date !== bet.date || before.stadiumId !== bet.stadiumId) {
      meetings.push(races.length)
      days.push(bet.date)
    }
    races.push(at)
  }
  return {
    size: bets.length,
    races: Int32Array.of(...races, bets.length),
    meetings: Int32Array.of(...meetings, races.length),
    days,
    probability: column(({ probability }) => probability),
    market: column(({ marketProbability }) => marketProbability),
    finalOdds: column(({ odds }) => odds),
    openingOdds: column(({ openingOdds }) => openingOdds),
    lateOdds: column(({ odds }) => odds),
    rank: column(({ rank }) => rank),
    outcome: Uint8Array.from(bets, ({ outcome }) => CODES[outcome!]),
    profit: column(({ profitCents }) => profitCents),
    win: Uint8Array.from(bets, ({ gameplayClass }) => (gameplayClass === 1 ? 1 : 0)),
  }
}
