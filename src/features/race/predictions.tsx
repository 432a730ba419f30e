import { LineChart } from 'lucide-react'
import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { gameplayOf, type GameplayClass } from '../../../domain/gameplay.ts'
import { rankedHorses } from '../../../domain/horse-hit.ts'
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
import { Bar } from '../../ui/bar.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Empty, ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { useDelayed } from '../../ui/behaviour/use-delayed.ts'
import { Badge, List, Row, Small, Stack } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import { OddsTrack } from './odds-track.tsx'
import styles from './race.module.css'

/**
 * An empty list is reported after this time (specification section 5), because
 * predictions may be about to arrive.
 */
const NO_DATA_MS = 3000
const HIGHLIGHTED = 4

interface PredictionsProps {
  race: RaceInfo
  runners: readonly Competitor[]
  gameplayClass: GameplayClass
  /** The model whose predictions are shown. */
  model: string
  timeZone: string
}

/** A race's predictions of one bet type, most probable first, with their outcomes. */
export function Predictions({ race, runners, gameplayClass, model, timeZone }: PredictionsProps) {
  const intl = useIntl()
  const token = useToken()
  const pages = usePages(
    queryRacePredictionCache,
    { raceId: race.raceId, gameplayClass, model },
    intl.locale,
    token,
  )
  const empty = pages.rows.length === 0
  const waited = useDelayed(empty, NO_DATA_MS)
  const { numbersShown } = gameplayOf(gameplayClass)
  const ranked = rankedHorses(runners, numbersShown)
  const most = Math.max(...pages.rows.map(({ probability }) => probability), 0.0001)
  if (pages.error && empty) return <ErrorNotice error={pages.error} onRetry={pages.retry} />
  if (empty)
    return waited ? (
      <Empty>
        <FormattedMessage id="race.noData" />
      </Empty>
    ) : (
      <Skeleton height={260} />
    )
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
                <Chip value={horseNumber} tone="first" />
              </li>
            ))}
          </ol>
        </section>
      ) : null}
      <List as="ol">
        {pages.rows.map((prediction) => (
          <Line
            key={prediction.id}
            prediction={prediction}
            runners={runners}
            most={most}
            timeZone={timeZone}
          />
        ))}
      </List>
      <LoadMore {...pages} />
    </Stack>
  )
}

interface LineProps {
  prediction: Prediction
  runners: readonly Competitor[]
  most: number
  timeZone: string
}

function Line({ prediction, runners, most, timeZone }: LineProps) {
  const format = useFormat()
  const [chart, setChart] = useState(false)
  const { ranking, probability, odds, oddsPaid, outcome } = prediction
  const numbers = [
    prediction.raceCompetitor1Num,
    prediction.raceCompetitor2Num,
    prediction.raceCompetitor3Num,
    prediction.raceCompetitor4Num,
  ].filter((number) => number !== null)
  const classes = [
    styles.prediction,
    ranking <= HIGHLIGHTED ? styles.top : '',
    outcome === 'hit' ? styles.hit : '',
  ].join(' ')
  return (
    <li className={classes}>
      <div className={`${styles.predictionHead} ${numbers.length > 1 ? styles.several : ''}`}>
        <span className={styles.rank}>{ranking}</span>
        <PredictedHorses prediction={prediction} numbers={numbers} runners={runners} />
        <span className={styles.figures}>
          <strong>{format.percent(probability, 2)}</strong>
          <Small as="span">
            {odds === null ? (
              '–'
            ) : (
              <FormattedMessage
                id={oddsPaid ? 'race.oddsPaid' : 'record.oddsAre'}
                values={{ odds: format.odds(odds) }}
              />
            )}
          </Small>
        </span>
      </div>
      <Bar share={probability} of={most} />
      <Row spread>
        <Badges prediction={prediction} />
        <button
          type="button"
          className={styles.chartToggle}
          aria-expanded={chart}
          onClick={() => setChart(!chart)}
        >
          <LineChart aria-hidden="true" size={16} />
          <FormattedMessage id={chart ? 'race.hideOdds' : 'race.showOdds'} />
        </button>
      </Row>
      {chart ? <OddsTrack rprId={prediction.id} raceId={prediction.raceId} timeZone={timeZone} /> : null}
    </li>
  )
}

interface PredictedHorsesProps {
  prediction: Prediction
  /** The horses' numbers, in the order of their names. */
  numbers: readonly number[]
  runners: readonly Competitor[]
}

function PredictedHorses({
  prediction: { ranking, names, outcome },
  numbers,
  runners,
}: PredictedHorsesProps) {
  return (
    <>
      <span className={styles.chips}>
        {numbers.map((number, index) => (
          <Chip
            key={number}
            value={number}
            tone={outcome === 'hit' ? 'hit' : ranking === 1 && index === 0 ? 'first' : 'plain'}
          />
        ))}
      </span>
      <span className={styles.names}>
        {names.map((name, index) => (
          <span key={numbers[index]}>
            <Name
              language={
                runners.find(({ horseNumber }) => horseNumber === numbers[index])?.nameLanguage ?? null
              }
            >
              {name}
            </Name>
          </span>
        ))}
      </span>
    </>
  )
}

/** What kind of prediction it is, and what became of it. */
function Badges({ prediction: { predictionTypes, outcome, profit } }: { prediction: Prediction }) {
  const intl = useIntl()
  const format = useFormat()
  const tone = outcome === 'hit' ? 'gain' : outcome === 'miss' ? 'loss' : 'soft'
  return (
    <Row as="span">
      {predictionTypes.map((type) => (
        <Badge key={type} tone="accent">
          {intl.formatMessage({ id: `predictionType.${type}` })}
        </Badge>
      ))}
      {outcome === null ? null : (
        <Badge tone={tone}>
          {intl.formatMessage({ id: `outcome.${outcome}` })}
          {profit === null ? null : ` ${format.signedHkd(profit)}`}
        </Badge>
      )}
    </Row>
  )
}
