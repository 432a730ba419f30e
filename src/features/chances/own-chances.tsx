import { useId, useMemo, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { GAMEPLAYS, type GameplayClass } from '../../../domain/gameplay.ts'
import { combinationProbabilities } from '../../../domain/harville.ts'
import { LEAST_CHANCE, marketOf, mixed, MAX_CHANCE, withByHand } from '../../../domain/own-chances.ts'
import { placesFor, regionRules } from '../../../domain/region.ts'
import type { Competitor, RaceInfo } from '../../data/calls/racing-calls.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { Heads } from '../../ui/heads.tsx'
import { HelpLink } from '../../ui/help-link.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import { Range } from '../../ui/fields/range.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import layout from '../../ui/layout.module.css'
import { EXPONENT_RANGE, keepChances, NOTHING_SET, readChances, type KeptChances } from './kept-chances.ts'
import styles from './chances.module.css'

const TOLD = 10

interface Horse {
  number: number
  name: string
  model: number
  odds: number | null
}

/**
 * The starters with a probability; `null` if the race is not supported: no probabilities, or coupled entries.
 */
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

/**
 * All pools from one win vector: the user's own probabilities, and the resulting prices of every bet type.
 */
export default function OwnChances(props: OwnChancesProps) {
  return (
    <ExtraTexts part="chances" waiting={<Skeleton height={320} />}>
      <Chances {...props} />
    </ExtraTexts>
  )
}

function Chances({ race, runners }: OwnChancesProps) {
  const intl = useIntl()
  const format = useFormat()
  const horses = useMemo(() => horsesOf(runners), [runners])
  const [kept, setKept] = useState(() => readChances(race.raceId))
  const [set, setSet] = useState<KeptChances>(kept ?? NOTHING_SET)
  const [told, setTold] = useState<'kept' | 'refused' | null>(null)
  const poolId = useId()
  const wide = useWide()
  const [betType, setBetType] = useState<GameplayClass>(1)
  const change = (changed: Partial<KeptChances>): void => {
    setSet((before) => ({ ...before, ...changed }))
    setTold(null)
  }
  const market = useMemo(() => (horses ? marketOf(horses.map(({ odds }) => odds)) : null), [horses])
  const own = useMemo(() => {
    if (!horses) return null
    const model = horses.map((horse) => horse.model)
    const base = market ? mixed(model, market, set.share) : model
    return withByHand(
      base,
      horses.map(({ number }) => set.byHand[number] ?? null),
    )
  }, [horses, market, set])
  const pools = useMemo(() => {
    if (!horses || !own) return null
    const places = placesFor(regionRules(race.countryRegionId), runners.length)
    const [horseOf, table] = [horses, combinationProbabilities(own, set.exponents, places)[betType]]
    return table
      .all()
      .toSorted((a, b) => b.probability - a.probability)
      .slice(0, TOLD)
      .map(({ horses: indexes, probability }) => ({
        numbers: indexes.map((index) => horseOf[index]!.number),
        probability,
      }))
  }, [horses, own, set.exponents, betType, race.countryRegionId, runners.length])
  if (!horses || !own || !pools)
    return (
      <Panel title={<FormattedMessage id="chances.title" />}>
        <FormattedMessage id="chances.notOffered" tagName="p" />
      </Panel>
    )
  const winners = runners.filter(({ ranking }) => ranking === '1').map(({ horseNumber }) => horseNumber)
  const ofWinner = (values: readonly number[]): number =>
    horses.reduce((sum, { number }, at) => sum + (winners.includes(number) ? values[at]! : 0), 0)
  const word = (id: string): string => intl.formatMessage({ id })
  const slider = (horse: Horse, at: number) => (
    <Range
      label={intl.formatMessage({ id: 'chances.of' }, { number: horse.number, name: horse.name })}
      inline
      min={LEAST_CHANCE}
      max={MAX_CHANCE}
      step={0.001}
      value={own[at]!}
      text={format.percent(own[at]!)}
      onChange={(chance) => change({ byHand: { ...set.byHand, [horse.number]: chance } })}
    />
  )
  return (
    <Panel
      title={<FormattedMessage id="chances.title" />}
      actions={
        <div className={layout.toolbar}>
          <HelpLink topic="chances" text="chances.help" />
          <Button
            onClick={() => {
              const saved = keepChances(race.raceId, {
                ...set,
                win: Object.fromEntries(horses.map(({ number }, at) => [number, own[at]!])),
                before: race.competitionDate !== null && Date.parse(race.competitionDate) > Date.now(),
              })
              setTold(saved ? 'kept' : 'refused')
              if (saved) setKept(set)
            }}
          >
            <FormattedMessage id="chances.keep" />
          </Button>
          <Button
            onClick={() => {
              setSet(NOTHING_SET)
              keepChances(race.raceId, null)
              setKept(null)
              setTold(null)
            }}
          >
            <FormattedMessage id="chances.reset" />
          </Button>
        </div>
      }
    >
      <p className={layout.small}>
        <FormattedMessage id="chances.lead" />
      </p>
      <p role="status" className={layout.small}>
        {told === null ? null : <FormattedMessage id={`chances.${told}`} />}
      </p>
      {kept === null || race.isAnalyzer === 0 || winners.length === 0 ? null : (
        <p data-testid="chances-result">
          <FormattedMessage
            id="chances.outcome"
            values={{
              own: format.percent(ofWinner(own)),
              model: format.percent(ofWinner(horses.map(({ model }) => model))),
            }}
          />
        </p>
      )}
      <div className={styles.sliders}>
        {market === null ? (
          <p className={layout.small}>
            <FormattedMessage id="chances.noMarket" />
          </p>
        ) : (
          <Range
            label={word('chances.share')}
            min={0}
            max={1}
            step={0.05}
            value={set.share}
            text={format.percent(set.share, 0)}
            onChange={(share) => change({ share })}
          />
        )}
        {(['second', 'third', 'fourth'] as const).map((stage) => (
          <Range
            key={stage}
            label={word(`chances.${stage}`)}
            {...EXPONENT_RANGE}
            step={0.01}
            value={set.exponents[stage]}
            text={format.decimal(set.exponents[stage], 2)}
            onChange={(value) => change({ exponents: { ...set.exponents, [stage]: value } })}
          />
        ))}
      </div>
      <div className={styles.two}>
        <div className={layout.scroll} tabIndex={0} role="region" aria-label={word('chances.title')}>
          <table className={layout.table} data-testid="own-chances">
            <Heads
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
                  <th scope="row" className={layout.left}>
                    {horse.number} {horse.name}
                    {wide ? null : slider(horse, at)}
                  </th>
                  <td>{format.percent(horse.model)}</td>
                  {wide ? <td>{slider(horse, at)}</td> : null}
                  <td>{format.odds(1 / own[at]!)}</td>
                  <td>{horse.odds === null ? '–' : format.odds(horse.odds)}</td>
                  <td className={horse.odds !== null && own[at]! * horse.odds > 1 ? layout.gain : ''}>
                    {horse.odds === null ? '–' : format.decimal(own[at]! * horse.odds, 2)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <div>
          <div className={styles.pool}>
            <label htmlFor={poolId}>
              <FormattedMessage id="record.betType" />
            </label>
            <select
              id={poolId}
              value={betType}
              onChange={(event) =>
                setBetType(GAMEPLAYS.find(({ class: id }) => id === Number(event.target.value))?.class ?? 1)
              }
            >
              {GAMEPLAYS.map(({ class: id }) => (
                <option key={id} value={id}>
                  {word(`gameplay.${id}`)}
                </option>
              ))}
            </select>
          </div>
          <table className={layout.table} data-testid="own-pool" data-type={betType}>
            <Heads ids={['record.prediction', 'record.probability', 'report.fairOdds']} />
            <tbody>
              {pools.map(({ numbers, probability }) => (
                <tr key={numbers.join('-')}>
                  <th scope="row" className={layout.left}>
                    {numbers.join('-')}
                  </th>
                  <td>{format.percent(probability, 2)}</td>
                  <td>{format.odds(1 / probability)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {pools.length === 0 ? <FormattedMessage id="chances.noPool" tagName="p" /> : null}
        </div>
      </div>
    </Panel>
  )
}
