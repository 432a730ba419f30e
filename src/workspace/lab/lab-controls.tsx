import { FormattedMessage, useIntl } from 'react-intl'
import { LAB_UNIVERSES, type LabBets, type LabResult } from '../../../analytics/lab-api.ts'
import { BETTING_ODDS, type BetRules } from '../../../domain/bet-table.ts'
import type { StakePlan } from '../../../domain/staking.ts'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import {
  FIRST_BANKROLL,
  FIRST_SETTINGS,
  FIRST_STAKE,
  needsBankroll,
  STAKE_KINDS,
  stakeAmountOf,
  stakeRuleOf,
  type LabSettings,
} from './lab-settings.ts'
import { OwnChances } from './own-chances.tsx'
import { ChoiceRow, NumberRow, RangeRow } from './range-row.tsx'
import styles from './lab.module.css'

interface LabControlsProps {
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
const RANKS = [1, 2, 3, 4, 5, 10]
const KELLY = [1, 0.5, 0.25, 0.125]

/** Selects which bets are placed, by which rules, and how much is staked on each. */
export function LabControls(props: LabControlsProps) {
  const { settings, onCommit } = props
  const wide = useWide()
  const form = (
    <form className={styles.controls} onSubmit={(event) => event.preventDefault()}>
      <Rules {...props} />
      <OwnChances {...props} />
      <Stakes {...props} />
      <Button disabled={settings === FIRST_SETTINGS} onClick={() => onCommit(FIRST_SETTINGS)}>
        <FormattedMessage id="lab.reset" />
      </Button>
    </form>
  )
  // On a phone the result comes first, and the rules are collapsed above it.
  return wide ? (
    form
  ) : (
    <details className={styles.controls}>
      <summary>
        <FormattedMessage id="lab.rules" />
      </summary>
      {form}
    </details>
  )
}

interface BetRulesProps extends LabControlsProps {
  withRules(changed: Partial<BetRules>): LabSettings
}

/** Which bets are made. */
function Rules(props: LabControlsProps) {
  const { settings, bets } = props
  const withRules = (changed: Partial<BetRules>): LabSettings => ({
    ...settings,
    rules: { ...settings.rules, ...changed },
  })
  return (
    <fieldset className={styles.group}>
      <legend>
        <FormattedMessage id="lab.bets" />
      </legend>
      <Universe {...props} withRules={withRules} />
      <Thresholds {...props} withRules={withRules} />
      <Counts {...props} withRules={withRules} />
      {bets?.winOnly === false ? (
        <p className={styles.note}>
          <FormattedMessage id="lab.winOddsOnly" />
        </p>
      ) : null}
    </fieldset>
  )
}

/** The predictions that bets are chosen from, and the odds they are judged by. */
function Universe({ settings, bets, onCommit, withRules }: BetRulesProps) {
  const intl = useIntl()
  const format = useFormat()
  const word = (id: string): string => intl.formatMessage({ id })
  const { rules, universe } = settings
  return (
    <>
      <ChoiceRow
        label={word('lab.universe')}
        value={universe}
        choices={LAB_UNIVERSES.map((each) => ({ value: each, label: word(`lab.universe.${each}`) }))}
        onChange={(value) =>
          onCommit({ ...settings, universe: LAB_UNIVERSES.find((each) => each === value) ?? universe })
        }
      />
      <ChoiceRow
        label={word('lab.odds')}
        value={rules.odds}
        choices={BETTING_ODDS.map((each) => ({
          value: each,
          label: word(`lab.odds.${each}`),
        }))}
        onChange={(value) =>
          onCommit(withRules({ odds: BETTING_ODDS.find((each) => each === value) ?? rules.odds }))
        }
      />
      <p className={styles.note}>
        {rules.odds === 'final' ? (
          <FormattedMessage id="lab.finalHint" />
        ) : bets === null ? null : (
          <FormattedMessage
            id={rules.odds === 'late' ? 'lab.lateHint' : 'lab.openingHint'}
            values={{
              opened: format.integer(rules.odds === 'late' ? bets.late : bets.opened),
              bets: format.integer(bets.bets),
            }}
          />
        )}
      </p>
    </>
  )
}

/** Limits of value, probability, edge and odds. */
function Thresholds({ settings, onDraft, onCommit, withRules }: BetRulesProps) {
  const intl = useIntl()
  const format = useFormat()
  const word = (id: string): string => intl.formatMessage({ id })
  const { rules } = settings
  const range = (
    label: string,
    field: 'minValue' | 'minProbability' | 'maxProbability' | 'minEdge',
    limits: { min: number; max: number; step: number; any: 'min' | 'max' },
    show: (value: number) => string,
  ) => (
    <RangeRow
      label={word(label)}
      {...limits}
      value={rules[field]}
      show={show}
      onDraft={(value) => onDraft(withRules({ [field]: value }))}
      onCommit={() => onCommit(settings)}
    />
  )
  const odds = (label: string, field: 'minOdds' | 'maxOdds') => (
    <NumberRow
      label={word(label)}
      value={rules[field]}
      min={1}
      max={10_000}
      step={0.5}
      onChange={(value) => onCommit(withRules({ [field]: value }))}
    />
  )
  const percent = (value: number): string => format.percent(value, 0)
  return (
    <>
      {range('lab.minValue', 'minValue', { min: 0.5, max: 2.5, step: 0.05, any: 'min' }, (value) =>
        format.decimal(value, 2),
      )}
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
function Counts({ settings, onCommit, withRules }: BetRulesProps) {
  const intl = useIntl()
  const format = useFormat()
  const word = (id: string): string => intl.formatMessage({ id })
  const count = (label: string, field: 'maxRank' | 'perRace' | 'perMeeting', offered: readonly number[]) => (
    <ChoiceRow
      label={word(label)}
      value={String(settings.rules[field] ?? '')}
      choices={[
        { value: '', label: word('lab.any') },
        ...offered.map((each) => ({ value: String(each), label: format.integer(each) })),
      ]}
      onChange={(value) => onCommit(withRules({ [field]: value === '' ? null : Number(value) }))}
    />
  )
  return (
    <>
      {count('lab.maxRank', 'maxRank', RANKS)}
      {count('lab.perRace', 'perRace', COUNTS)}
      {count('lab.perMeeting', 'perMeeting', [...COUNTS, 10])}
    </>
  )
}

const dollars = (cents: number | null): number | null => (cents === null ? null : cents / 100)
const cents = (amount: number | null): number | null => (amount === null ? null : Math.round(amount * 100))
const PERCENT = 100
const BASIS_POINTS = 100

interface StakePlanProps extends Omit<LabControlsProps, 'bets' | 'races'> {
  withPlan(changed: Partial<StakePlan>): LabSettings
}

/** How much each bet stakes. */
function Stakes({ settings, onDraft, onCommit }: LabControlsProps) {
  const intl = useIntl()
  const word = (id: string): string => intl.formatMessage({ id })
  const { plan } = settings
  const { rule } = plan
  const withPlan = (changed: Partial<StakePlan>): LabSettings => ({
    ...settings,
    plan: { ...plan, ...changed },
  })
  const parts: StakePlanProps = { settings, onDraft, onCommit, withPlan }
  return (
    <fieldset className={styles.group}>
      <legend>
        <FormattedMessage id="lab.stakes" />
      </legend>
      <ChoiceRow
        label={word('lab.kind')}
        value={rule.kind}
        choices={STAKE_KINDS.map((kind) => ({ value: kind, label: word(`lab.kind.${kind}`) }))}
        onChange={(value) => {
          const kind = STAKE_KINDS.find((each) => each === value) ?? 'level'
          const next = stakeRuleOf(kind, FIRST_STAKE[kind])
          onCommit(
            withPlan({
              rule: next,
              bankroll: needsBankroll(next) ? (plan.bankroll ?? FIRST_BANKROLL) : plan.bankroll,
            }),
          )
        }}
      />
      <StakeAmount {...parts} />
      <NumberRow
        label={word('lab.bankroll')}
        value={dollars(plan.bankroll)}
        min={10}
        step={1000}
        onChange={(value) =>
          onCommit(withPlan({ bankroll: cents(value) ?? (needsBankroll(rule) ? FIRST_BANKROLL : null) }))
        }
      />
      <details className={styles.more}>
        <summary>
          <FormattedMessage id="lab.more" />
        </summary>
        <div className={styles.inner}>
          <StakeLimits {...parts} />
          <PoolTerms {...parts} />
        </div>
      </details>
    </fieldset>
  )
}

/** The amount or the share that the rule needs. */
function StakeAmount({ settings, onDraft, onCommit, withPlan }: StakePlanProps) {
  const intl = useIntl()
  const format = useFormat()
  const word = (id: string): string => intl.formatMessage({ id })
  const { rule } = settings.plan
  const amount = stakeAmountOf(rule)
  switch (rule.kind) {
    case 'level':
    case 'target':
      return (
        <NumberRow
          label={word(`lab.amount.${rule.kind}`)}
          value={dollars(amount)}
          min={1}
          step={10}
          onChange={(value) =>
            onCommit(withPlan({ rule: stakeRuleOf(rule.kind, cents(value) ?? FIRST_STAKE[rule.kind]) }))
          }
        />
      )
    case 'share':
      return (
        <RangeRow
          label={word('lab.amount.share')}
          min={0.005}
          max={0.2}
          step={0.005}
          any="none"
          value={amount}
          show={(value) => format.percent(value)}
          onDraft={(value) => onDraft(withPlan({ rule: stakeRuleOf('share', value ?? FIRST_STAKE.share) }))}
          onCommit={() => onCommit(settings)}
        />
      )
    default:
      return (
        <ChoiceRow
          label={word('lab.amount.kelly')}
          value={String(amount)}
          choices={[...new Set([...KELLY, amount])].map((fraction) => ({
            value: String(fraction),
            label: fraction === 1 ? word('lab.kelly.full') : format.percent(fraction),
          }))}
          onChange={(value) => onCommit(withPlan({ rule: stakeRuleOf('kelly', Number(value)) }))}
        />
      )
  }
}

/** Largest stakes, and the unit they are rounded to. */
function StakeLimits({ settings: { plan }, onCommit, withPlan }: StakePlanProps) {
  const intl = useIntl()
  const word = (id: string): string => intl.formatMessage({ id })
  const limit = (label: string, field: 'maxBet' | 'maxRace') => (
    <NumberRow
      label={word(label)}
      value={dollars(plan[field])}
      step={10}
      onChange={(value) => onCommit(withPlan({ [field]: cents(value) }))}
    />
  )
  return (
    <>
      {limit('lab.maxBet', 'maxBet')}
      {limit('lab.maxRace', 'maxRace')}
      <NumberRow
        label={word('lab.maxShare')}
        value={plan.maxShare === null ? null : Math.round(plan.maxShare * PERCENT * 10) / 10}
        max={100}
        onChange={(value) => onCommit(withPlan({ maxShare: value === null ? null : value / PERCENT }))}
      />
      <NumberRow
        label={word('lab.unit')}
        value={dollars(plan.unit)}
        min={0.01}
        step={1}
        onChange={(value) => onCommit(withPlan({ unit: cents(value) ?? FIRST_SETTINGS.plan.unit }))}
      />
    </>
  )
}

/** What the operator takes and gives back, and the size of the pool. */
function PoolTerms({ settings: { plan }, onCommit, withPlan }: StakePlanProps) {
  const intl = useIntl()
  const word = (id: string): string => intl.formatMessage({ id })
  const share = (label: string, field: 'commission' | 'rebate') => (
    <NumberRow
      label={word(label)}
      value={plan[field] / BASIS_POINTS}
      max={100}
      step={0.5}
      onChange={(value) => onCommit(withPlan({ [field]: Math.round((value ?? 0) * BASIS_POINTS) }))}
    />
  )
  return (
    <>
      {share('lab.commission', 'commission')}
      {share('lab.rebate', 'rebate')}
      <NumberRow
        label={word('lab.pool')}
        value={dollars(plan.pool)}
        min={1}
        step={100_000}
        onChange={(value) => onCommit(withPlan({ pool: cents(value) }))}
      />
      <p className={styles.note}>
        <FormattedMessage id="lab.poolHint" />
      </p>
    </>
  )
}
