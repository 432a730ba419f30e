import { BOX_ORDERS, type LabBox } from '../../../analytics/lab-api.ts'
import { combinationsOf, fewestLegs, mostBankers, MOST_BOX_HORSES } from '../../../domain/boxes.ts'
import { gameplayOf, RACE_TABS, type GameplayClass } from '../../../domain/gameplay.ts'
import { poolsOf } from '../../../domain/pool-rules.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Note } from '../parts/note.tsx'
import { CountRow } from './count-row.tsx'
import { fittingBox, withRules, type LabSettings } from './lab-settings.ts'
import { ChoiceRow, NumberRow } from './range-row.tsx'

/** The pools in the order in which a race's page has them. */
const POOLS = RACE_TABS.filter((pool) => pool !== null)

const MEETINGS = [1, 2, 3, 4, 5, 10]
const EXPECTED_PLACES = 3
const MOST_EXPECTED = 3

interface BoxControlsProps {
  settings: LabSettings
  onCommit(next: LabSettings): void
}

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at)

/** The pool of the boxes, how many horses and bankers each has, and which races get one. */
export function BoxControls({ settings, onCommit }: BoxControlsProps) {
  const word = useWord()
  const format = useFormat()
  const { box, rules, plan } = settings
  const { pool, bankers, legs, by } = box
  const offered = poolsOf({ id: useScope().regionId })
  // A shared link may name a pool that the region lacks.
  const pools = POOLS.filter((each) => each === pool || offered.includes(each))
  const change = (changed: Partial<LabBox>): void =>
    onCommit({ ...settings, box: fittingBox({ ...box, ...changed }) })
  const combinations = combinationsOf(box)
  const expected = (label: string, field: 'minProbability' | 'maxProbability') => (
    <NumberRow
      label={label}
      value={rules[field]}
      max={MOST_EXPECTED}
      step={0.01}
      places={EXPECTED_PLACES}
      onChange={(value) => onCommit(withRules(settings, { [field]: value }))}
    />
  )
  return (
    <>
      <ChoiceRow
        label="lab.box.pool"
        value={String(pool)}
        options={pools.map((each) => ({ value: String(each), label: word(`gameplay.${each}`) }))}
        onChange={(value) => change({ pool: Number(value) as GameplayClass })}
      />
      {mostBankers(pool) === 0 ? null : (
        <ChoiceRow
          label="lab.box.bankers"
          value={String(bankers)}
          options={numbers(0, mostBankers(pool)).map((each) => ({
            value: String(each),
            label: word('lab.box.bankerCount', { bankers: each }),
          }))}
          onChange={(value) => change({ bankers: Number(value) })}
        />
      )}
      <ChoiceRow
        label={bankers === 0 ? 'lab.box.horses' : 'lab.box.legs'}
        value={String(legs)}
        options={numbers(fewestLegs(pool, bankers), MOST_BOX_HORSES - bankers).map((each) => ({
          value: String(each),
          label: format.integer(each),
        }))}
        onChange={(value) => change({ legs: Number(value) })}
      />
      <ChoiceRow
        label="lab.box.by"
        value={by}
        options={BOX_ORDERS.map((value) => ({ value, label: word(`lab.box.by.${value}`) }))}
        onChange={(value) => change({ by: value })}
      />
      <Note
        text={plan.rule.kind === 'level' ? 'lab.box.cost' : 'lab.box.combinations'}
        values={{
          combinations,
          cost: plan.rule.kind === 'level' ? format.money(plan.rule.stake * combinations) : '',
        }}
      />
      {bankers > 0 && gameplayOf(pool).rule === 'order' ? (
        <Note text="lab.box.bankersFirst" values={{ bankers }} />
      ) : null}
      {expected('lab.box.minExpected', 'minProbability')}
      {expected('lab.box.maxExpected', 'maxProbability')}
      <CountRow
        settings={settings}
        label="lab.perMeeting"
        field="perMeeting"
        offered={MEETINGS}
        onCommit={onCommit}
      />
    </>
  )
}
