import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { useMemo, useState, useId } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { marketOf, mixed, withByHand, LEAST_CHANCE, MAX_CHANCE } from '../../../domain/own-chances.ts'
import { placesFor, poolsOf } from '../../../domain/pool-rules.ts'
import { regionRules } from '../../../domain/region.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { HelpLink } from '../../ui/help-link.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import { Row, Small, ColumnHeadings, ScrollRegion, Table, TextCell } from '../../ui/layout.tsx'
import { NOTHING_SET, readChances, storeChances, type StoredChances } from './stored-chances.ts'
import styles from './chances.module.css'
import { Range } from '../../ui/fields/range.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import texts from '../../ui/text.module.css'
import type { GameplayClass } from '../../../domain/gameplay.ts'
import { combinationProbabilities } from '../../../domain/class-tables.ts'
import { SHAPE_RANGE } from '../../../domain/gamma-field.ts'
import { DataTable } from '../../ui/data-table.tsx'

/** A starter; `model` is its win probability by the model, and all of them add up to 1. */
interface Horse {
  number: number
  name: string
  model: number
  odds: number | null
}

/** The starters with a probability; `null` if the race is not supported: no probabilities, or coupled entries. */
function horsesOf(runners: readonly Competitor[]): Horse[] | null {
  const starters = runners.filter(({ status }) => status !== 'withdrawn')
  if (starters.length < 2 || starters.some(({ entryNumber }) => entryNumber !== null)) return null
  const horses = starters.flatMap(({ horseNumber, name, probability, odds }) =>
    horseNumber !== null && probability !== null && probability > 0
      ? [{ number: horseNumber, name, model: probability, odds }]
      : [],
  )
  if (horses.length < starters.length) return null
  const sum = horses.reduce((total, { model }) => total + model, 0)
  return horses.map((horse) => ({ ...horse, model: horse.model / sum })).toSorted((a, b) => b.model - a.model)
}

interface OwnChancesProps {
  race: RaceInfo
  runners: readonly Competitor[]
}

/** All pools from one win vector: the user's own probabilities, and the resulting prices of every bet type. */
export default function OwnChances(props: OwnChancesProps) {
  return (
    <ExtraTexts part="chances" waiting={<Skeleton height={320} />}>
      <Chances {...props} />
    </ExtraTexts>
  )
}

function Chances({ race, runners }: OwnChancesProps) {
  const horses = useMemo(() => horsesOf(runners), [runners])
  if (horses !== null) return <Editor race={race} runners={runners} horses={horses} />
  return (
    <Panel title={<FormattedMessage id="chances.title" />}>
      <FormattedMessage id="chances.notOffered" tagName="p" />
    </Panel>
  )
}

/** The win probabilities of the horses: the model's mixed with the market's, and those that were set by hand. */
function mixedChances(
  horses: readonly Horse[],
  market: readonly number[] | null,
  { share, byHand }: StoredChances,
): number[] {
  const model = horses.map((horse) => horse.model)
  return withByHand(
    market ? mixed(model, market, share) : model,
    horses.map(({ number }) => byHand[number] ?? null),
  )
}

function Editor({ race, runners, horses }: OwnChancesProps & { horses: readonly Horse[] }) {
  const [stored, setStored] = useState(() => readChances(race.raceId))
  const [set, setSet] = useState<StoredChances>(stored ?? NOTHING_SET)
  /** Whether the device stored the settings; `null` if it was not requested since they changed. */
  const [outcome, setOutcome] = useState<'saved' | 'refused' | null>(null)
  const market = useMemo(() => marketOf(horses.map(({ odds }) => odds)), [horses])
  const own = useMemo(() => mixedChances(horses, market, set), [horses, market, set])
  const change = (changed: Partial<StoredChances>): void => {
    setSet((before) => ({ ...before, ...changed }))
    setOutcome(null)
  }
  const save = (): void => {
    const saved = storeChances(race.raceId, {
      ...set,
      win: Object.fromEntries(horses.map(({ number }, at) => [number, own[at]!])),
      before: race.competitionDate !== null && Date.parse(race.competitionDate) > Date.now(),
    })
    setOutcome(saved ? 'saved' : 'refused')
    if (saved) setStored(set)
  }
  const reset = (): void => {
    setSet(NOTHING_SET)
    storeChances(race.raceId, null)
    setStored(null)
    setOutcome(null)
  }
  const region = regionRules(race.countryRegionId)
  return (
    <Panel
      title={<FormattedMessage id="chances.title" />}
      actions={
        <Row>
          <HelpLink topic="chances" text="chances.help" />
          <Button onClick={save} text="chances.save" />
          <Button onClick={reset} text="chances.reset" />
        </Row>
      }
    >
      <Small text="chances.lead" />
      <Small role="status">{outcome === null ? null : <FormattedMessage id={`chances.${outcome}`} />}</Small>
      {stored === null || race.isAnalyzer === 0 ? null : (
        <WinnersChance runners={runners} horses={horses} own={own} />
      )}
      <MixSettings set={set} hasMarket={market !== null} onChange={change} />
      <div className={styles.two}>
        <HorseChances
          horses={horses}
          own={own}
          onChance={(number, chance) => change({ byHand: { ...set.byHand, [number]: chance } })}
        />
        <PoolPrices
          horses={horses}
          own={own}
          shape={set.shape}
          pools={poolsOf(region)}
          // Where handicaps pay otherwise, the only names of races are English.
          places={placesFor(region, runners.length, race.name)}
        />
      </div>
    </Panel>
  )
}

/** What the user and the model gave the winner; nothing until there is one. */
function WinnersChance({
  runners,
  horses,
  own,
}: Pick<OwnChancesProps, 'runners'> & Pick<PoolPricesProps, 'horses' | 'own'>) {
  const format = useFormat()
  const winners = runners.filter(({ ranking }) => ranking === '1').map(({ horseNumber }) => horseNumber)
  const ofWinner = (values: readonly number[]): number =>
    horses.reduce((sum, { number }, at) => sum + (winners.includes(number) ? values[at]! : 0), 0)
  if (winners.length === 0) return null
  return (
    <p data-testid="chances-result">
      <FormattedMessage
        id="chances.outcome"
        values={{
          own: format.percent(ofWinner(own)),
          model: format.percent(ofWinner(horses.map(({ model }) => model))),
        }}
      />
    </p>
  )
}

interface MixSettingsProps {
  set: StoredChances
  /** Whether every horse has odds, so that the market's probabilities are known. */
  hasMarket: boolean
  onChange(changed: Partial<StoredChances>): void
}

/** How much of the market is mixed in, and how certain the places behind the winner are. */
function MixSettings({ set, hasMarket, onChange }: MixSettingsProps) {
  const intl = useIntl()
  const format = useFormat()
  return (
    <div className={styles.sliders}>
      {hasMarket ? (
        <Range
          label={intl.formatMessage({ id: 'chances.share' })}
          min={0}
          max={1}
          step={0.05}
          value={set.share}
          text={format.percent(set.share, 0)}
          onChange={(share) => onChange({ share })}
        />
      ) : (
        <Small text="chances.noMarket" />
      )}
      <Range
        label={intl.formatMessage({ id: 'chances.shape' })}
        min={SHAPE_RANGE.least}
        max={SHAPE_RANGE.most}
        step={1}
        value={set.shape}
        text={format.integer(set.shape)}
        onChange={(shape) => onChange({ shape })}
      />
    </div>
  )
}

/** Each horse's win probability by the model and by the user, its fair odds, and what its odds are worth. */
function HorseChances({
  horses,
  own,
  onChance,
}: Pick<PoolPricesProps, 'horses' | 'own'> & { onChance(number: number, chance: number): void }) {
  const intl = useIntl()
  const format = useFormat()
  const wide = useWide()
  const slider = (horse: Horse, at: number) => (
    <Range
      label={intl.formatMessage({ id: 'chances.of' }, { number: horse.number, name: horse.name })}
      inline
      min={LEAST_CHANCE}
      max={MAX_CHANCE}
      step={0.001}
      value={own[at]!}
      text={format.percent(own[at]!)}
      onChange={(chance) => onChance(horse.number, chance)}
    />
  )
  return (
    <ScrollRegion label="chances.title">
      <Table data-testid="own-chances">
        <ColumnHeadings
          ids={[
            'race.horse',
            'chances.model',
            // On a phone the slider is below the name.
            ...(wide ? ['chances.own'] : []),
            'report.fairOdds',
            'record.odds',
            'chances.value',
          ]}
        />
        <tbody>
          {horses.map((horse, at) => (
            <tr key={horse.number} data-number={horse.number}>
              <TextCell scope="row" as="th">
                {horse.number} {horse.name}
                {wide ? null : slider(horse, at)}
              </TextCell>
              <td>{format.percent(horse.model)}</td>
              {wide ? <td>{slider(horse, at)}</td> : null}
              <td>{format.odds(1 / own[at]!)}</td>
              <td>{horse.odds === null ? '–' : format.odds(horse.odds)}</td>
              <td className={horse.odds !== null && own[at]! * horse.odds > 1 ? texts.gain : ''}>
                {horse.odds === null ? '–' : format.decimal(own[at]! * horse.odds, 2)}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </ScrollRegion>
  )
}

/** How many combinations are shown, the most probable ones. */
const MAX_SHOWN = 10

interface PoolPricesProps {
  horses: readonly Horse[]
  /** The user's win probabilities, in the order of the horses. */
  own: readonly number[]
  /** Shape of the finishing times. */
  shape: number
  /** Bet types of the region. */
  pools: readonly GameplayClass[]
  /** How many horses count as placed. */
  places: number
}

/** The probabilities and fair odds that the win probabilities imply for a bet type. */
function PoolPrices({ horses, own, shape, pools, places }: PoolPricesProps) {
  const intl = useIntl()
  const format = useFormat()
  const id = useId()
  const [betType, setBetType] = useState<GameplayClass>(1)
  const combinations = useMemo(() => {
    const { [betType]: table } = combinationProbabilities(own, { shape }, places)
    return table
      .all()
      .toSorted((a, b) => b.probability - a.probability)
      .slice(0, MAX_SHOWN)
      .map(({ horses: indexes, probability }) => ({
        numbers: indexes.map((index) => horses[index]!.number).join('-'),
        probability,
      }))
  }, [horses, own, shape, places, betType])
  return (
    <div>
      <div className={styles.pool}>
        <label htmlFor={id}>
          <FormattedMessage id="record.betType" />
        </label>
        <select
          id={id}
          value={betType}
          onChange={(event) => setBetType(pools.find((each) => each === Number(event.target.value)) ?? 1)}
        >
          {pools.map((each) => (
            <option key={each} value={each}>
              {intl.formatMessage({ id: `gameplay.${each}` })}
            </option>
          ))}
        </select>
      </div>
      <DataTable
        data-testid="own-pool"
        data-type={betType}
        rows={combinations}
        keyOf={({ numbers }) => numbers}
        columns={[
          { id: 'record.prediction', render: ({ numbers }) => numbers, kind: 'name' },
          { id: 'record.probability', render: ({ probability }) => format.percent(probability, 2) },
          { id: 'report.fairOdds', render: ({ probability }) => format.odds(1 / probability) },
        ]}
      />
      {combinations.length === 0 ? <FormattedMessage id="chances.noPool" tagName="p" /> : null}
    </div>
  )
}
