import { useMemo } from 'react'
import { FormattedMessage } from 'react-intl'
import { LAB_UNIVERSES, type LabBets, type LabResult } from '../../../analytics/lab-api.ts'
import { BETTING_ODDS } from '../../../domain/bet-table.ts'
import type { FilledSlot } from '../../../analytics/own-slots.ts'
import type { StakePlan, StakeRule } from '../../../domain/staking.ts'
import { SHAPE_RANGE } from '../../../domain/gamma-field.ts'
import { useOwnSlots } from '../../data/analytics/own-rows.ts'
import { poolsOf } from '../../../domain/pool-rules.ts'
import { HONG_KONG } from '../../../domain/region.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { storedWins } from '../../features/chances/stored-chances.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Note } from '../parts/note.tsx'
import {
  BOX_STAKES,
  FIRST_BANKROLL,
  FIRST_OWN,
  FIRST_SETTINGS,
  fittingBox,
  FIRST_STAKE,
  needsBankroll,
  planOf,
  planText,
  settingsOf,
  STAKE_KINDS,
  stakeAmountOf,
  stakeRuleOf,
  withRules,
  type LabSettings,
  type OwnSettings,
} from './lab-settings.ts'
import { BoxControls } from './box-controls.tsx'
import { CountRow } from './count-row.tsx'
import { ChoiceRow, NumberRow, RangeRow } from './range-row.tsx'
import styles from './lab.module.css'

export interface LabControlsProps {
  settings: LabSettings
  /** The loaded bets; `null` while they load. */
  bets: LabBets | null
  /** Races with the user's own probabilities in the last result. */
  races: LabResult['ownRaces']
  /** Called while a slider moves. */
  onDraft(next: LabSettings): void
  /** Called with the final value. */
  onCommit(next: LabSettings): void
}

const COUNTS = [1, 2, 3, 4, 5]
const MEETING_COUNTS = [...COUNTS, 10]
const RANKS = [1, 2, 3, 4, 5, 10]
const KELLY = [1, 0.5, 0.25, 0.125]

const withPlan = (settings: LabSettings, changed: Partial<StakePlan>): LabSettings => ({
  ...settings,
  plan: { ...settings.plan, ...changed },
})
const withOwn = (settings: LabSettings, changed: Partial<OwnSettings>): LabSettings => ({
  ...settings,
  own: { ...(settings.own ?? FIRST_OWN), ...changed },
})

/** Selects which bets are placed, by which rules, and how much is staked on each. */
export function LabControls(props: LabControlsProps) {
  const { settings, bets, onCommit } = props
  const wide = useWide()
  const form = (
    <form className={styles.controls} onSubmit={(event) => event.preventDefault()}>
      <fieldset className={styles.group}>
        <FormattedMessage id="lab.bets" tagName="legend" />
        <Universe {...props} />
        {settings.universe === 'boxes' ? (
          <BoxControls {...props} />
        ) : (
          <>
            <Odds {...props} />
            <Thresholds {...props} />
            <Counts {...props} />
            {bets?.winOnly === false ? <Note text="lab.winOddsOnly" /> : null}
          </>
        )}
      </fieldset>
      <OwnChances {...props} />
      <Stakes {...props} />
      <Button
        disabled={settings.against !== null && planText(settings) === planText(settings.against)}
        onClick={() => onCommit({ ...settings, against: planOf(settings) })}
        text={settings.against === null ? 'lab.compare.keep' : 'lab.compare.keepInstead'}
      />
      <Button
        disabled={settings === FIRST_SETTINGS}
        onClick={() => onCommit(FIRST_SETTINGS)}
        text="lab.reset"
      />
    </form>
  )
  // On a phone the result comes first, and the rules are collapsed above it.
  return wide ? (
    form
  ) : (
    <details className={styles.controls}>
      <FormattedMessage id="lab.rules" tagName="summary" />
      {form}
    </details>
  )
}

/** What bets are chosen from. */
function Universe({ settings, onCommit }: LabControlsProps) {
  const word = useWord()
  const pools = poolsOf({ id: useScope().regionId })
  /** The first box is of a pool that the region has. */
  const box = pools.includes(settings.box.pool)
    ? settings.box
    : fittingBox({ ...settings.box, pool: pools.at(-1)! })
  return (
    <ChoiceRow
      label="lab.universe"
      value={settings.universe}
      options={LAB_UNIVERSES.map((value) => ({ value, label: word(`lab.universe.${value}`) }))}
      onChange={(universe) => onCommit(settingsOf({ ...settings, universe, box }))}
    />
  )
}

/** The odds that bets are judged by. */
function Odds({ settings, bets, onCommit }: LabControlsProps) {
  const word = useWord()
  const format = useFormat()
  const { odds } = settings.rules
  return (
    <>
      <ChoiceRow
        label="lab.odds"
        value={odds}
        options={BETTING_ODDS.map((value) => ({ value, label: word(`lab.odds.${value}`) }))}
        onChange={(value) => onCommit(withRules(settings, { odds: value }))}
      />
      {odds === 'final' ? (
        <Note text="lab.finalHint" />
      ) : (
        <Note
          text={odds === 'late' ? 'lab.lateHint' : 'lab.openingHint'}
          values={{
            opened: bets === null ? '…' : format.integer(odds === 'late' ? bets.late : bets.opened),
            bets: bets === null ? '…' : format.integer(bets.bets),
          }}
        />
      )}
    </>
  )
}

/** Limits of value, probability, edge and odds. */
function Thresholds({ settings, onDraft, onCommit }: LabControlsProps) {
  const format = useFormat()
  const range = (
    label: string,
    field: 'minValue' | 'minProbability' | 'maxProbability' | 'minEdge',
    limits: { min: number; max: number; step: number; any: 'min' | 'max' },
    show: (value: number) => string,
  ) => (
    <RangeRow
      label={label}
      {...limits}
      value={settings.rules[field]}
      show={show}
      onDraft={(value) => onDraft(withRules(settings, { [field]: value }))}
      onCommit={() => onCommit(settings)}
    />
  )
  const odds = (label: string, field: 'minOdds' | 'maxOdds') => (
    <NumberRow
      label={label}
      value={settings.rules[field]}
      min={1}
      max={10_000}
      step={0.5}
      onChange={(value) => onCommit(withRules(settings, { [field]: value }))}
    />
  )
  const decimal = (value: number): string => format.decimal(value, 2)
  const percent = (value: number): string => format.percent(value, 0)
  return (
    <>
      {range('lab.minValue', 'minValue', { min: 0.5, max: 2.5, step: 0.05, any: 'min' }, decimal)}
      {range('lab.minProbability', 'minProbability', { min: 0, max: 0.6, step: 0.01, any: 'min' }, percent)}
      {range('lab.maxProbability', 'maxProbability', { min: 0.01, max: 1, step: 0.01, any: 'max' }, percent)}
      {range('lab.minEdge', 'minEdge', { min: 0, max: 0.2, step: 0.005, any: 'min' }, (value) =>
        format.percent(value),
      )}
      {odds('lab.minOdds', 'minOdds')}
      {odds('lab.maxOdds', 'maxOdds')}
    </>
  )
}

/** How many bets are made at most. */
function Counts(props: LabControlsProps) {
  return (
    <>
      <CountRow {...props} label="lab.maxRank" field="maxRank" offered={RANKS} />
      <CountRow {...props} label="lab.perRace" field="perRace" offered={COUNTS} />
      <CountRow {...props} label="lab.perMeeting" field="perMeeting" offered={MEETING_COUNTS} />
    </>
  )
}

/** Selects the probabilities that rules and stakes use: the predicted ones, or the user's own. */
function OwnChances({ settings, races, onDraft, onCommit }: LabControlsProps) {
  const word = useWord()
  const format = useFormat()
  const { own } = settings
  const saved = useMemo(() => new Set(storedWins().map(({ raceId }) => raceId)).size, [])
  const commit = (): void => onCommit(settings)
  return (
    <fieldset className={styles.group}>
      <FormattedMessage id="lab.chances" tagName="legend" />
      <ChoiceRow
        label="lab.chances.of"
        value={own === null ? 'predicted' : 'own'}
        options={(['predicted', 'own'] as const).map((value) => ({
          value,
          label: word(`lab.chances.${value}`),
        }))}
        onChange={(value) => onCommit({ ...settings, own: value === 'own' ? FIRST_OWN : null })}
      />
      {own === null ? null : (
        <>
          <RangeRow
            label="lab.chances.share"
            min={0}
            max={1}
            step={0.05}
            value={own.share}
            show={(value) => format.percent(value, 0)}
            onDraft={(value) => onDraft(withOwn(settings, { share: value ?? FIRST_OWN.share }))}
            onCommit={commit}
          />
          <RangeRow
            label="lab.chances.shape"
            min={SHAPE_RANGE.least}
            max={SHAPE_RANGE.most}
            step={1}
            value={own.shape}
            show={(value) => format.integer(value)}
            onDraft={(value) => onDraft(withOwn(settings, { shape: value ?? FIRST_OWN.shape }))}
            onCommit={commit}
          />
          {saved === 0 ? null : (
            <label className={styles.check}>
              <input
                type="checkbox"
                checked={own.saved}
                onChange={() => onCommit(withOwn(settings, { saved: !own.saved }))}
              />
              <FormattedMessage id="lab.chances.saved" values={{ races: saved }} />
            </label>
          )}
          {races === null ? null : (
            <p className={styles.note} data-testid="own-races">
              <FormattedMessage
                id="lab.chances.races"
                values={{ own: format.integer(races.own), all: format.integer(races.all) }}
              />
            </p>
          )}
        </>
      )}
    </fieldset>
  )
}

/** Amounts are whole cents, and shares of a win or a loss whole hundredths of a percent. */
const PLACES = 2
const MOST_OF_UNIT = 10_000
const dollars = (cents: number | null): number | null => (cents === null ? null : cents / 100)
const cents = (amount: number | null): number | null => (amount === null ? null : Math.round(amount * 100))
const PERCENT = 100
const BASIS_POINTS = 100

/** How much each bet stakes. */
function Stakes(props: LabControlsProps) {
  const { settings, onCommit } = props
  const word = useWord()
  const { rule, bankroll } = settings.plan
  const slots = useOwnSlots(useScope().regionId)?.slots ?? []
  const kinds = (settings.universe === 'boxes' ? BOX_STAKES : STAKE_KINDS).filter(
    // There are no columns without a file, but in an address there may be.
    (kind) => kind !== 'column' || slots.length > 0 || rule.kind === 'column',
  )
  return (
    <fieldset className={styles.group}>
      <FormattedMessage id="lab.stakes" tagName="legend" />
      <ChoiceRow
        label="lab.kind"
        value={rule.kind}
        options={kinds.map((value) => ({ value, label: word(`lab.kind.${value}`) }))}
        onChange={(kind) => {
          const next = stakeRuleOf(kind, FIRST_STAKE[kind])
          const least = needsBankroll(next) ? FIRST_BANKROLL : null
          onCommit(withPlan(settings, { rule: next, bankroll: bankroll ?? least }))
        }}
      />
      {rule.kind === 'column' ? (
        <StakeColumn {...props} rule={rule} slots={slots} />
      ) : (
        <StakeAmount {...props} />
      )}
      <NumberRow
        label="lab.bankroll"
        value={dollars(bankroll)}
        min={10}
        step={1000}
        places={PLACES}
        needed={needsBankroll(rule)}
        onChange={(value) => onCommit(withPlan(settings, { bankroll: cents(value) }))}
      />
      <details className={styles.more}>
        <FormattedMessage id="lab.more" tagName="summary" />
        <div className={styles.inner}>
          <StakeLimits {...props} />
        </div>
      </details>
    </fieldset>
  )
}

interface StakeColumnProps extends LabControlsProps {
  rule: Extract<StakeRule, { kind: 'column' }>
  slots: readonly FilledSlot[]
}

/** The column of the reader's own that stakes are by, and what its unit is worth. */
function StakeColumn({ settings, rule, slots, onCommit }: StakeColumnProps) {
  const word = useWord()
  const { column, each } = rule
  const offered = slots.map(({ slot, name }) => ({ value: slot as string, label: name }))
  const commit = (changed: Partial<typeof rule>): void =>
    onCommit(withPlan(settings, { rule: { ...rule, ...changed } }))
  return (
    <>
      <ChoiceRow
        label="lab.column"
        value={column}
        options={
          offered.some(({ value }) => value === column)
            ? offered
            : [{ value: column, label: word('lab.column.none') }, ...offered]
        }
        onChange={(next) => commit({ column: next })}
      />
      <NumberRow
        label="lab.amount.column"
        value={dollars(each)}
        min={0.01}
        step={1}
        places={PLACES}
        needed
        onChange={(value) => commit({ each: cents(value) ?? FIRST_STAKE.column })}
      />
      <Note text="lab.column.hint" />
    </>
  )
}

/** The amount or the share that the rule needs. */
function StakeAmount({ settings, onDraft, onCommit }: LabControlsProps) {
  const word = useWord()
  const format = useFormat()
  const { rule } = settings.plan
  const { kind } = rule
  const amount = stakeAmountOf(rule)
  switch (kind) {
    case 'level':
    case 'target':
      return (
        <NumberRow
          label={settings.universe === 'boxes' ? 'lab.amount.combination' : `lab.amount.${kind}`}
          value={dollars(amount)}
          min={1}
          step={10}
          places={PLACES}
          needed
          onChange={(value) =>
            onCommit(withPlan(settings, { rule: stakeRuleOf(kind, cents(value) ?? FIRST_STAKE[kind]) }))
          }
        />
      )
    case 'share':
      return (
        <RangeRow
          label="lab.amount.share"
          min={0.005}
          max={0.2}
          step={0.005}
          value={amount}
          show={(value) => format.percent(value)}
          onDraft={(value) =>
            onDraft(withPlan(settings, { rule: stakeRuleOf(kind, value ?? FIRST_STAKE.share) }))
          }
          onCommit={() => onCommit(settings)}
        />
      )
    default:
      return (
        <ChoiceRow
          label="lab.amount.kelly"
          value={String(amount)}
          options={[...new Set([...KELLY, amount])].map((fraction) => ({
            value: String(fraction),
            label: fraction === 1 ? word('lab.kelly.full') : format.percent(fraction),
          }))}
          onChange={(value) => onCommit(withPlan(settings, { rule: stakeRuleOf(kind, Number(value)) }))}
        />
      )
  }
}

/** Largest stakes, the unit they are rounded to, what the operator takes and gives back, and the size of the pool. */
function StakeLimits({ settings, onCommit }: LabControlsProps) {
  const { plan } = settings
  const { regionId } = useScope()
  const limit = (label: string, field: 'maxBet' | 'maxRace') => (
    <NumberRow
      label={label}
      value={dollars(plan[field])}
      step={10}
      places={PLACES}
      onChange={(value) => onCommit(withPlan(settings, { [field]: cents(value) }))}
    />
  )
  const share = (label: string, field: 'commission' | 'rebate') => (
    <NumberRow
      label={label}
      value={plan[field] / BASIS_POINTS}
      max={100}
      step={0.5}
      places={PLACES}
      needed
      onChange={(value) => onCommit(withPlan(settings, { [field]: Math.round((value ?? 0) * BASIS_POINTS) }))}
    />
  )
  return (
    <>
      {limit('lab.maxBet', 'maxBet')}
      {limit('lab.maxRace', 'maxRace')}
      <NumberRow
        label="lab.maxShare"
        value={plan.maxShare === null ? null : Number((plan.maxShare * PERCENT).toFixed(PLACES))}
        max={100}
        places={PLACES}
        onChange={(value) =>
          onCommit(withPlan(settings, { maxShare: value === null ? null : value / PERCENT }))
        }
      />
      <NumberRow
        label="lab.unit"
        value={dollars(plan.unit)}
        min={0.01}
        max={MOST_OF_UNIT}
        places={PLACES}
        needed
        onChange={(value) => onCommit(withPlan(settings, { unit: cents(value) ?? FIRST_SETTINGS.plan.unit }))}
      />
      {share('lab.commission', 'commission')}
      {share('lab.rebate', 'rebate')}
      {plan.rebate === 0 ? null : (
        <>
          <NumberRow
            label="lab.rebateFrom"
            value={plan.rebateFrom === 0 ? null : dollars(plan.rebateFrom)}
            step={1000}
            places={PLACES}
            onChange={(value) => onCommit(withPlan(settings, { rebateFrom: cents(value) ?? 0 }))}
          />
          {regionId === HONG_KONG.id ? <Note text="lab.rebateHint" /> : null}
        </>
      )}
      {settings.universe === 'boxes' ? null : (
        <>
          <NumberRow
            label="lab.pool"
            value={dollars(plan.pool)}
            min={1}
            step={100_000}
            places={PLACES}
            onChange={(value) => onCommit(withPlan(settings, { pool: cents(value) }))}
          />
          <Note text="lab.poolHint" />
        </>
      )}
    </>
  )
}
