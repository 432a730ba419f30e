import { useMemo } from 'react'
import type { LabBox } from '../../../analytics/lab-api.ts'
import type { BetRules } from '../../../domain/bet-table.ts'
import { LEVEL_TEN, type StakeRule } from '../../../domain/staking.ts'
import { useOwnSlots } from '../../data/analytics/own-rows.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { FIRST_SETTINGS, stakeAmountOf, type ComparedPlan } from './lab-settings.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

const BASIS_POINTS = 10_000

/**
 * A plan in words: its box if it makes some, its stakes, and every setting that is not the initial one, by the names of the
 * controls.
 */
export function usePlanWords(): (plan: ComparedPlan, isBox: boolean) => string {
  const word = useWord()
  const format = useFormat()
  const slots = useOwnSlots(useScope().regionId)?.slots
  return useMemo(() => {
    const columnName = (column: string): string =>
      slots?.find(({ slot }) => slot === column)?.name ?? word('lab.column.none')
    const decimal = (value: number): string => format.decimal(value, 2)
    const expected = (value: number): string => format.decimal(value, 3)
    const amount = (cents: number): string => format.decimal(cents / 100, cents % 100 === 0 ? 0 : 2)
    const part = (basisPoints: number): string => format.percent(basisPoints / BASIS_POINTS, 2)
    const setting = (name: string, value: string): string =>
      word('lab.compare.setting', { name: word(name), value })
    const given = (name: string, value: number | null, show: (value: number) => string): string[] =>
      value === null ? [] : [setting(name, show(value))]
    const boxWords = ({ pool, bankers, legs, by }: LabBox): string[] => [
      setting('lab.box.pool', word(`gameplay.${pool}`)),
      ...given('lab.box.bankers', bankers === 0 ? null : bankers, format.integer),
      setting(bankers === 0 ? 'lab.box.horses' : 'lab.box.legs', format.integer(legs)),
      setting('lab.box.by', word(`lab.box.by.${by}`)),
    ]
    const stakeWords = (rule: StakeRule, isBox: boolean): string[] => {
      const isAmount = rule.kind === 'level' || rule.kind === 'target' || rule.kind === 'column'
      return [
        ...(rule.kind === 'column' ? [setting('lab.column', columnName(rule.column))] : []),
        setting(
          isBox && isAmount ? 'lab.amount.combination' : `lab.amount.${rule.kind}`,
          (isAmount ? amount : format.percent)(stakeAmountOf(rule)),
        ),
      ]
    }
    const chanceWords = ({ minProbability, maxProbability }: BetRules, isBox: boolean): string[] => {
      const [least, most, show] = isBox
        ? (['lab.box.minExpected', 'lab.box.maxExpected', expected] as const)
        : (['lab.minProbability', 'lab.maxProbability', format.percent] as const)
      return [...given(least, minProbability, show), ...given(most, maxProbability, show)]
    }
    return ({ rules, plan, own, box }, isBox) => {
      const cost = (name: 'commission' | 'rebate' | 'rebateFrom' | 'unit', show: (value: number) => string) =>
        given(`lab.${name}`, plan[name] === LEVEL_TEN[name] ? null : plan[name], show)
      return [
        ...(isBox ? boxWords(box) : []),
        ...stakeWords(plan.rule, isBox),
        ...(rules.odds === FIRST_SETTINGS.rules.odds
          ? []
          : [setting('lab.odds', word(`lab.odds.${rules.odds}`))]),
        ...given('lab.minValue', rules.minValue, decimal),
        ...given('lab.maxValue', rules.maxValue, decimal),
        ...chanceWords(rules, isBox),
        ...given('lab.minEdge', rules.minEdge, format.percent),
        ...given('lab.minOdds', rules.minOdds, decimal),
        ...given('lab.maxOdds', rules.maxOdds, decimal),
        ...given('lab.maxRank', rules.maxRank, format.integer),
        ...given('lab.perRace', rules.perRace, format.integer),
        ...given('lab.perMeeting', rules.perMeeting, format.integer),
        ...given('lab.chances.share', own?.share ?? null, format.percent),
        ...given('lab.chances.shape', own?.shape ?? null, format.integer),
        ...given('lab.bankroll', plan.bankroll, amount),
        ...given('lab.maxBet', plan.maxBet, amount),
        ...given('lab.maxRace', plan.maxRace, amount),
        ...given('lab.maxShare', plan.maxShare, format.percent),
        ...cost('unit', amount),
        ...cost('commission', part),
        ...cost('rebate', part),
        ...cost('rebateFrom', amount),
        ...given('lab.pool', plan.pool, amount),
      ].join(BETWEEN_FACTS)
    }
  }, [word, format, slots])
}
