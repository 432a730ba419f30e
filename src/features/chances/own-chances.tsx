import { useMemo, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { marketOf, mixed, withByHand } from '../../../domain/own-chances.ts'
import { placesFor, regionRules } from '../../../domain/region.ts'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { HelpLink } from '../../ui/help-link.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import { Row, Small } from '../../ui/layout.tsx'
import { horsesOf, type Horse } from './horses.ts'
import { HorseChances } from './horse-chances.tsx'
import { MixSettings } from './mix-settings.tsx'
import { PoolPrices } from './pool-prices.tsx'
import { NOTHING_SET, readChances, storeChances, type StoredChances } from './stored-chances.ts'
import styles from './chances.module.css'

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
          exponents={set.exponents}
          places={placesFor(regionRules(race.countryRegionId), runners.length)}
        />
      </div>
    </Panel>
  )
}

interface WinnersChanceProps {
  runners: readonly Competitor[]
  horses: readonly Horse[]
  own: readonly number[]
}

/** What the user and the model gave the winner; nothing until there is one. */
function WinnersChance({ runners, horses, own }: WinnersChanceProps) {
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
