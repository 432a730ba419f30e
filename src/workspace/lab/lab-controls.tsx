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

function Rules({ settings, bets, onDraft, onCommit }: LabControlsProps) {
  const intl = useIntl()
  const format = useFormat()
  const word = (id: string): string => intl.formatMessage({ id })
  const { rules, universe } = settings
  const withRules = (changed: Partial<BetRules>): LabSettings => ({
    ...settings,
    rules: { ...rules, ...changed },
  })
  const commit = (): void => onCommit(settings)
  const counts = (of: readonly number[]) => [
    { value: '', label: word('lab.any') },
    ...of.map((count) => ({ value: String(count), label: format.integer(count) })),
  ]
  const numberOr = (text: string): number | null => (text === '' ? null : Number(text))
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
      onCommit={commit}
    />
  )
  return (
    <fieldset className={styles.group}>
      <legend>
        <FormattedMessage id="lab.bets" />
      </legend>
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
          <FormattedMessage id="lab.finalTold" />
        ) : bets === null ? null : (
          <FormattedMessage
            id={rules.odds === 'late' ? 'lab.lateTold' : 'lab.openingTold'}
            values={{
              opened: format.integer(rules.odds === 'late' ? bets.late : bets.opened),
              bets: format.integer(bets.bets),
            }}
          />
        )}
      </p>
      {range('lab.minValue', 'minValue', { min: 0.5, max: 2.5, step: 0.05, any: 'min' }, (value) =>
        format.decimal(value, 2),
      )}
      {range('lab.minProbability', 'minProbability', { min: 0, max: 0.6, step: 0.01, any: 'min' }, (value) =>
        format.percent(value, 0),
      )}
      {range('lab.maxProbability', 'maxProbability', { min: 0.01, max: 1, step: 0.01, any: 'max' }, (value) =>
        format.percent(value, 0),
      )}
      {range('lab.minEdge', 'minEdge', { min: 0, max: 0.2, step: 0.005, any: 'min' }, (value) =>
        format.percent(value),
      )}
      <NumberRow
        label={word('lab.minOdds')}
        value={rules.minOdds}
        min={1}
        max={10_000}
        step={0.5}
        onChange={(value) => onCommit(withRules({ minOdds: value }))}
      />
      <NumberRow
        label={word('lab.maxOdds')}
        value={rules.maxOdds}
        min={1}
        max={10_000}
        step={0.5}
        onChange={(value) => onCommit(withRules({ maxOdds: value }))}
      />
      <ChoiceRow
        label={word('lab.maxRank')}
        value={String(rules.maxRank ?? '')}
        choices={counts(RANKS)}
        onChange={(value) => onCommit(withRules({ maxRank: numberOr(value) }))}
      />
      <ChoiceRow
        label={word('lab.perRace')}
        value={String(rules.perRace ?? '')}
        choices={counts(COUNTS)}
        onChange={(value) => onCommit(withRules({ perRace: numberOr(value) }))}
      />
      <ChoiceRow
        label={word('lab.perMeeting')}
        value={String(rules.perMeeting ?? '')}
        choices={counts([...COUNTS, 10])}
        onChange={(value) => onCommit(withRules({ perMeeting: numberOr(value) }))}
      />
      {bets?.winOnly === false ? (
        <p className={styles.note}>
          <FormattedMessage id="lab.winOddsOnly" />
        </p>
      ) : null}
    </fieldset>
  )
}

const dollars = (cents: number | null): number | null => (cents === null ? null : cents / 100)
const cents = (amount: number | null): number | null => (amount === null ? null : Math.round(amount * 100))
const PERCENT = 100
const BASIS_POINTS = 100

function Stakes({ settings, onDraft, onCommit }: LabControlsProps) {
  const intl = useIntl()
  const format = useFormat()
  const word = (id: string): string => intl.formatMessage({ id })
  const { plan } = settings
  const { rule } = plan
  const withPlan = (changed: Partial<StakePlan>): LabSettings => ({
    ...settings,
    plan: { ...plan, ...changed },
  })
  const amount = stakeAmountOf(rule)
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
      {rule.kind === 'level' || rule.kind === 'target' ? (
        <NumberRow
          label={word(`lab.amount.${rule.kind}`)}
          value={dollars(amount)}
          min={1}
          step={10}
          onChange={(value) =>
            onCommit(withPlan({ rule: stakeRuleOf(rule.kind, cents(value) ?? FIRST_STAKE[rule.kind]) }))
          }
        />
      ) : rule.kind === 'share' ? (
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
      ) : (
        <ChoiceRow
          label={word('lab.amount.kelly')}
          value={String(amount)}
          choices={[...new Set([...KELLY, amount])].map((fraction) => ({
            value: String(fraction),
            label: fraction === 1 ? word('lab.kelly.full') : format.percent(fraction),
          }))}
          onChange={(value) => onCommit(withPlan({ rule: stakeRuleOf('kelly', Number(value)) }))}
        />
      )}
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
          <NumberRow
            label={word('lab.maxBet')}
            value={dollars(plan.maxBet)}
            step={10}
            onChange={(value) => onCommit(withPlan({ maxBet: cents(value) }))}
          />
          <NumberRow
            label={word('lab.maxRace')}
            value={dollars(plan.maxRace)}
            step={10}
            onChange={(value) => onCommit(withPlan({ maxRace: cents(value) }))}
          />
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
          <NumberRow
            label={word('lab.commission')}
            value={plan.commission / BASIS_POINTS}
            max={100}
            step={0.5}
            onChange={(value) => onCommit(withPlan({ commission: Math.round((value ?? 0) * BASIS_POINTS) }))}
          />
          <NumberRow
            label={word('lab.rebate')}
            value={plan.rebate / BASIS_POINTS}
            max={100}
            step={0.5}
            onChange={(value) => onCommit(withPlan({ rebate: Math.round((value ?? 0) * BASIS_POINTS) }))}
          />
          <NumberRow
            label={word('lab.pool')}
            value={dollars(plan.pool)}
            min={1}
            step={100_000}
            onChange={(value) => onCommit(withPlan({ pool: cents(value) }))}
          />
          <p className={styles.note}>
            <FormattedMessage id="lab.poolTold" />
          </p>
        </div>
      </details>
    </fieldset>
  )
}
