import { LineChart, LockKeyhole } from 'lucide-react'
import { Fragment, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { CHANCE_SCALE } from '../../../domain/racecard.ts'
import { gameplayOf, type GameplayClass } from '../../../domain/gameplay.ts'
import { rankedHorses } from '../../../domain/horse-hit.ts'
import { programNumber } from '../../../domain/program-number.ts'
import {
  queryRacePredictionCache,
  type Competitor,
  type Prediction,
  type RaceInfo,
} from '../../../contract/api/racing.ts'
import { useToken } from '../../data/client/session.ts'
import { usePages } from '../../data/use-pages.ts'
import { useFormat } from '../../i18n/format.ts'
import { Name } from '../../i18n/name.tsx'
import { NumberCloth } from '../../ui/number-cloth.tsx'
import { Empty, ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { useDelayed } from '../../ui/behaviour/use-delayed.ts'
import { List, Row, Small, Stack, LinkButton } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import { OddsTrack } from './odds-track.tsx'
import styles from './race.module.css'
import { useLocation } from 'react-router-dom'
import { rememberWantedRace } from '../../data/wanted-race.ts'
import { loginPath } from '../../data/login-path.ts'
import { Button } from '../../ui/button.tsx'
import { OriginMark } from '../../ui/origin-mark.tsx'
import { OneOfLong } from '../../ui/fields/choices.tsx'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

/**
 * An empty list is reported after this time (specification section 5), because
 * predictions may be about to arrive.
 */
const NO_DATA_MS = 3000
const HIGHLIGHTED = 4
const HORSES = [1, 2, 3, 4] as const

interface PredictionsProps {
  race: RaceInfo
  runners: readonly Competitor[]
  gameplayClass: GameplayClass
  /** The model whose predictions are shown. */
  model: string
}

/** A race's predictions of one bet type, most probable first, with their outcomes. */
export function Predictions({ race, runners, gameplayClass, model }: PredictionsProps) {
  const intl = useIntl()
  const token = useToken()
  const pages = usePages(
    queryRacePredictionCache,
    { raceId: race.raceId, gameplayClass, model },
    intl.locale,
    token,
  )
  const waited = useDelayed(pages.isEmpty, NO_DATA_MS)
  const { numbersShown } = gameplayOf(gameplayClass)
  const ranked = rankedHorses(runners, numbersShown)
  const printed = new Map(runners.map((runner) => [runner.horseNumber, programNumber(runner)]))
  if (pages.error) return <ErrorNotice error={pages.error} onRetry={pages.retry} />
  if (pages.rows.length === 0) return waited ? <Empty text="race.noData" /> : <Skeleton height={260} />
  return (
    <Stack>
      {race.isAnalyzer === 1 ? (
        <section className={styles.ranked} aria-label={intl.formatMessage({ id: 'race.actual' })}>
          <span className={texts.soft}>
            <FormattedMessage id="race.actual" />
          </span>
          <ol>
            {ranked.map(({ rank, horseNumber }) => (
              <li key={horseNumber}>
                <Small as="span">
                  <FormattedMessage id="race.place" values={{ rank }} />
                </Small>
                <NumberCloth value={printed.get(horseNumber) ?? horseNumber} tone="first" />
              </li>
            ))}
          </ol>
        </section>
      ) : null}
      <List as="ol" className={styles.predictions}>
        {pages.rows.map((prediction) => (
          <Line key={prediction.id} prediction={prediction} runners={runners} />
        ))}
      </List>
      <LoadMore {...pages} />
    </Stack>
  )
}

interface LineProps {
  prediction: Prediction
  runners: readonly Competitor[]
}

function Line({ prediction, runners }: LineProps) {
  const intl = useIntl()
  const format = useFormat()
  const [chart, setChart] = useState(false)
  const { ranking, probability, odds, oddsPaid, outcome } = prediction
  const numbers = HORSES.map((at) => prediction[`raceCompetitor${at}Num`]).filter((number) => number !== null)
  const classes = [
    styles.prediction,
    ranking <= HIGHLIGHTED ? styles.top : '',
    outcome === 'hit' ? styles.hit : '',
  ].join(' ')
  return (
    <li className={classes}>
      <div className={styles.predictionHead}>
        <span
          className={styles.share}
          aria-hidden="true"
          style={{ width: `${Math.min(100, (probability / CHANCE_SCALE) * 100)}%` }}
        />
        <span className={styles.rank}>{ranking}</span>
        <PredictedHorses prediction={prediction} numbers={numbers} runners={runners} />
        <span className={styles.figures}>
          <strong>{format.chance(probability)}</strong>
          <Small as="span">
            {odds === null ? (
              // Before the dividends only some bet types have odds; what the chance alone would pay is always known.
              <FormattedMessage id="race.fairOdds" values={{ odds: format.decimal(1 / probability, 1) }} />
            ) : (
              <FormattedMessage
                id={oddsPaid ? 'race.oddsPaid' : 'record.oddsAre'}
                values={{ odds: format.odds(odds) }}
              />
            )}
          </Small>
        </span>
        <button
          type="button"
          className={styles.chartToggle}
          aria-expanded={chart}
          aria-label={intl.formatMessage({
            id: chart ? 'race.hideOdds' : numbers.length > 1 ? 'race.showWinOdds' : 'race.showOdds',
          })}
          onClick={() => setChart(!chart)}
        >
          <LineChart aria-hidden="true" size={18} />
        </button>
      </div>
      {chart ? (
        <div className={styles.track}>
          {numbers.length > 1 ? <Small text="race.oddsOfHorses" /> : null}
          <OddsTrack rprId={prediction.id} raceId={prediction.raceId} />
        </div>
      ) : null}
    </li>
  )
}

/**
 * The horses of a prediction, what kind of prediction it is and what became of it, on two lines. `numbers`: in the order
 * of the horses' names.
 */
function PredictedHorses({
  prediction,
  numbers,
  runners,
}: Pick<LineProps, 'prediction' | 'runners'> & { numbers: readonly number[] }) {
  const { ranking, names, outcome } = prediction
  const cloths = (
    <span className={styles.chips}>
      {numbers.map((number, index) => (
        <NumberCloth
          key={number}
          value={number}
          small={numbers.length > 1}
          tone={outcome === 'hit' ? 'hit' : ranking === 1 && index === 0 ? 'first' : 'plain'}
        />
      ))}
    </span>
  )
  const named = names.map((name, index) => (
    <Fragment key={numbers[index]}>
      {index === 0 ? null : BETWEEN_FACTS}
      <Name language={runners.find(({ horseNumber }) => horseNumber === numbers[index])?.nameLanguage}>
        {name}
      </Name>
    </Fragment>
  ))
  return numbers.length === 1 ? (
    <>
      {cloths}
      <span className={styles.names}>
        <strong>{named}</strong>
        <Notes prediction={prediction} />
      </span>
    </>
  ) : (
    <span className={`${styles.names} ${styles.several}`}>
      <span className={styles.combined}>
        {cloths}
        <Notes prediction={prediction} />
      </span>
      <Small as="span">{named}</Small>
    </span>
  )
}

/** What kind of prediction it is, and what became of it. */
function Notes({ prediction: { predictionTypes, outcome, profit } }: { prediction: Prediction }) {
  const intl = useIntl()
  const format = useFormat()
  const tone = outcome === 'hit' ? texts.gain : outcome === 'miss' ? texts.loss : undefined
  return (
    <Small as="span">
      {predictionTypes
        .map((type) => intl.formatMessage({ id: `predictionType.${type}` }))
        .join(BETWEEN_FACTS)}
      {outcome === null ? null : (
        <>
          {predictionTypes.length === 0 ? '' : BETWEEN_FACTS}
          <span className={tone}>
            {intl.formatMessage({ id: `outcome.${outcome}` })}
            {profit === null ? '' : ` ${format.profit(profit)}`}
          </span>
        </>
      )}
    </Small>
  )
}

interface LockedPredictionsProps {
  raceId: string
  /** Visitors have to sign in first. */
  signedIn: boolean
  onOpen(): void
}

/** Shown instead of predictions: how to unlock them. */
export function LockedPredictions(props: LockedPredictionsProps) {
  return (
    <div className={styles.locked}>
      <LockKeyhole aria-hidden="true" size={34} strokeWidth={1.5} />
      <FormattedMessage id="race.locked" tagName="p" />
      <Ways {...props} />
    </div>
  )
}

/** Shown below runners without the model's figures: what unlocking the race would show. */
export function OpenRace(props: LockedPredictionsProps) {
  return (
    <div className={styles.opener}>
      <p>
        <LockKeyhole aria-hidden="true" size={16} /> <FormattedMessage id="race.modelLocked" />
      </p>
      <Ways {...props} />
    </div>
  )
}

function Ways({ raceId, signedIn, onOpen }: LockedPredictionsProps) {
  const { pathname, search } = useLocation()
  return (
    <Row>
      {signedIn ? (
        <Button primary onClick={onOpen} text="subscribe.confirm" />
      ) : (
        <LinkButton to={loginPath(pathname + search)} text="session.signIn" />
      )}
      <LinkButton
        quiet
        to="/pages/race/viplist"
        onClick={() => rememberWantedRace(raceId)}
        text="subscribe.toVip"
      />
    </Row>
  )
}

interface ModelChoiceProps {
  race: RaceInfo
  model: string
  onChange(model: string): void
}

/**
 * Selects the model whose predictions of a race are shown; once the race has been run, also
 * shows when they were made.
 */
export function ModelChoice({ race, model, onChange }: ModelChoiceProps) {
  const intl = useIntl()
  return (
    <Row>
      {race.models.length < 2 ? null : (
        <OneOfLong
          legend={intl.formatMessage({ id: 'record.model' })}
          value={model}
          choices={race.models.map(({ model: value }) => ({
            value,
            label: intl.formatMessage({ id: `source.${value}` }),
          }))}
          onChange={onChange}
        />
      )}
      <RaceOrigin race={race} model={model} />
    </Row>
  )
}

/** When a model's predictions for a finished race were made. */
export function RaceOrigin({ race, model }: Omit<ModelChoiceProps, 'onChange'>) {
  const shown = race.models.find((each) => each.model === model)
  return shown && race.status === 'final' ? <OriginMark origin={shown.origin} /> : null
}
