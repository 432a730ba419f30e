import { Download } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import { TRIED, weaknessesOf } from '../../../domain/model-notes.ts'
import { seasonLabel } from '../../../domain/region.ts'
import type { ResultOf } from '../../../contract/api/endpoint.ts'
import { queryModelCard, type ModelCardAnswer } from '../../../contract/api/model.ts'
import { FIRST_HEADLINE } from '../../../contract/model-ids.ts'
import { useModelCard } from '../../data/use-model-card.ts'
import { useRegion } from '../../data/use-region.ts'
import { useIsVip } from '../../data/use-session.ts'
import {
  CalibrationTable,
  CoverageTable,
  PooledTable,
  SeasonTable,
  FeatureWeights,
} from '../../features/model/card-tables.tsx'
import { ExoticRecordTables } from '../../features/model/exotic-record.tsx'
import { NetworkParts } from '../../features/model/network-parts.tsx'
import { WideTable } from '../../features/model/wide-table.tsx'
import { GainTable } from '../../features/model/gain-table.tsx'
import Figures from '../../features/home/figures.tsx'
import { Proof } from '../../features/home/proof.tsx'
import { ContentsRail, type Section } from '../../features/model/contents-rail.tsx'
import rail from '../../features/model/contents-rail.module.css'
import styles from '../../features/model/model.module.css'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice, Notice, Panel, Skeleton } from '../../ui/panel.tsx'
import { saveFile } from '../../ui/behaviour/save-file.ts'
import { LinkButton, PageTitle, Row, Small, Stack } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

/** The training data and performance of the models of the user's region, for VIPs. */
export function ModelCardScreen() {
  const { region } = useRegion()
  const isVip = useIsVip()
  const answer = useModelCard()
  return (
    <Stack as="article">
      <PageTitle title="model.title" />
      {isVip === false ? (
        <ExtraTexts part="card" waiting={<Skeleton height={420} />}>
          <Lead />
          <ForOthers />
        </ExtraTexts>
      ) : answer.error && answer.data === undefined ? (
        <ErrorNotice error={answer.error} onRetry={() => void answer.refetch()} />
      ) : answer.data === undefined ? (
        <Skeleton height={420} />
      ) : answer.data === null || answer.data.card.seasons.length === 0 ? (
        <Notice>
          <FormattedMessage id="model.none" tagName="p" />
        </Notice>
      ) : (
        <ExtraTexts part="card" waiting={<Skeleton height={420} />}>
          <Card {...answer.data} startMonth={region?.seasonStartMonth ?? 1} />
        </ExtraTexts>
      )}
    </Stack>
  )
}

const SECTIONS: readonly Section[] = [
  { id: 'card-pooled', message: 'model.summary' },
  { id: 'card-challenge', message: 'model.challenge' },
  { id: 'card-calibration', message: 'model.calibration' },
  { id: 'card-network', message: 'model.network' },
  { id: 'card-combinations', message: 'model.exotics' },
  { id: 'card-seasons', message: 'model.bySeason' },
  { id: 'card-features', message: 'model.features' },
  { id: 'card-types', message: 'record.type' },
  { id: 'card-weaknesses', message: 'model.weaknesses' },
  { id: 'card-tried', message: 'model.attempts' },
  { id: 'card-versions', message: 'model.versions' },
]

/** The sections of a card whose newest version has no network. */
const LINEAR_SECTIONS = SECTIONS.filter(({ id }) => id !== 'card-network')

/** Shown to non-VIPs: what the first choices are worth beside others, their results, and what the card contains. */
const ForOthers = () => (
  <>
    <Proof onModelCard />
    <Figures />
    <Panel title={<FormattedMessage id="model.inside" />}>
      <div className={styles.inside}>
        <Notes ids={SECTIONS.map(({ message }) => message)} />
      </div>
    </Panel>
    <Notice>
      <FormattedMessage id="model.vip" tagName="p" />
      <Row>
        <LinkButton to="/pages/race/viplist" text="subscribe.toVip" />
        <LinkButton quiet to="/pages/race/WinLossRecord" text="home.toRecord" />
      </Row>
    </Notice>
  </>
)

type CardAnswer = NonNullable<ResultOf<typeof queryModelCard>>

function Card({ card, text, promotions, startMonth }: CardAnswer & { startMonth: number }) {
  /** The model without odds that races show first. */
  const shown = promotions.at(-1)?.model ?? FIRST_HEADLINE
  const format = useFormat()
  const label = (season: number): string => seasonLabel(startMonth, season)
  const { data } = card
  return (
    <>
      <Verdict card={card} shown={shown} />
      <Lead />
      <div className={`${rail.page} ${styles.card}`}>
        <ContentsRail sections={card.network ? SECTIONS : LINEAR_SECTIONS} />
        <Stack>
          <Row spread>
            <p className={texts.soft}>
              <FormattedMessage
                id="model.data"
                values={{
                  races: format.integer(data.races),
                  starters: format.integer(data.starters),
                  from: format.day(data.from),
                  to: format.day(data.to),
                }}
              />
            </p>
            <Button
              onClick={() =>
                saveFile(`model-card-${card.regionId}.md`, new Blob([text], { type: 'text/markdown' }))
              }
            >
              <Download aria-hidden="true" size={16} />
              <FormattedMessage id="model.download" />
            </Button>
          </Row>
          <Pooled card={card} seasonName={label} />
          <Challenge card={card} promotions={promotions} seasonName={label} />
          <Panel id="card-calibration" title={<FormattedMessage id="model.calibration" />}>
            {card.calibration.map(({ model, bins }) => (
              <details key={model} className={styles.fold} open={model === shown}>
                <FormattedMessage id={`source.${model}`} tagName="summary" />
                <CalibrationTable bins={bins} />
              </details>
            ))}
          </Panel>
          <NetworkParts card={card} seasonName={label} />
          <Combinations exotics={card.exotics} shown={shown} seasonName={label} />
          <Panel id="card-seasons" title={<FormattedMessage id="model.bySeason" />}>
            {card.tuning.length === 0 ? null : (
              <Small>
                <FormattedMessage
                  id="model.tuning"
                  values={{ seasons: card.tuning.map((season) => label(season)).join(', ') }}
                />
              </Small>
            )}
            <SeasonTable card={card} startMonth={startMonth} />
          </Panel>
          <Panel id="card-features" title={<FormattedMessage id="model.features" />}>
            <Small text="model.featuresLead" />
            <FeatureWeights features={card.features} />
          </Panel>
          <Panel id="card-types" title={<FormattedMessage id="record.type" />}>
            <FormattedMessage id="model.types" tagName="p" />
          </Panel>
          <Panel id="card-weaknesses" title={<FormattedMessage id="model.weaknesses" />}>
            <Notes ids={weaknessesOf(card.regionId).map((key) => `weakness.${key}`)} />
          </Panel>
          <Panel id="card-tried" title={<FormattedMessage id="model.attempts" />}>
            <Notes ids={TRIED.map((key) => `tried.${key}`)} />
          </Panel>
          <Panel id="card-versions" title={<FormattedMessage id="model.versions" />}>
            <WideTable
              label="model.versions"
              lead="model.races"
              rows={card.versions}
              keyOf={({ season }) => season}
              columns={[
                { id: 'model.season', render: ({ season }) => label(season), kind: 'name' },
                {
                  id: 'model.learnt',
                  render: ({ trainedFrom, trainedTo }) =>
                    `${format.day(trainedFrom)} – ${format.day(trainedTo)}`,
                },
                { id: 'model.races', render: ({ races }) => format.integer(races) },
                { id: 'model.hash', render: ({ sha256 }) => <code className={styles.hash}>{sha256}</code> },
              ]}
            />
          </Panel>
        </Stack>
      </div>
    </>
  )
}

const Lead = () => (
  <p className={texts.soft}>
    <FormattedMessage id="model.lead" />
  </p>
)

interface VerdictProps {
  card: ModelCardAnswer
  /** The model without odds that races show first. */
  shown: string
}

/** Said before anything else: that the blend is worth no more than the market alone, and the model without odds less. */
function Verdict({ card: { gains, settings }, shown }: VerdictProps) {
  const format = useFormat()
  const gainOf = (model: string) => gains.find((each) => each.model === model)
  const blend = settings?.blend ? gainOf('blended') : undefined
  const model = gainOf(shown)
  const isMarket = blend !== undefined && blend.interval.low <= 0 && blend.interval.high >= 0
  const isWorse = model !== undefined && model.interval.high < 0
  if (!isMarket && !isWorse) return null
  const figures = ({ gain, interval }: ModelCardAnswer['gains'][number]) => ({
    gain: format.signedDecimal(gain, 4),
    low: format.signedDecimal(interval.low, 4),
    high: format.signedDecimal(interval.high, 4),
  })
  return (
    <Notice>
      {isMarket ? (
        <FormattedMessage
          id="model.blendIsMarket"
          tagName="p"
          values={{
            model: <FormattedMessage id={`source.${settings!.blend!.model}`} />,
            ...figures(blend),
          }}
        />
      ) : null}
      {isWorse ? (
        <FormattedMessage
          id="model.isWorse"
          tagName="p"
          values={{ model: <FormattedMessage id={`source.${shown}`} />, ...figures(model) }}
        />
      ) : null}
    </Notice>
  )
}

interface ChallengeProps extends Pick<CardAnswer, 'card' | 'promotions'> {
  seasonName(season: number): string
}

/** Which model without odds is shown first, and what the later one gains on the earlier one. */
function Challenge({ card: { challenge, tuning, pooled }, promotions, seasonName }: ChallengeProps) {
  const intl = useIntl()
  const format = useFormat()
  const nameOf = (model: string): string => intl.formatMessage({ id: `source.${model}` })
  const newest = promotions.at(-1)
  const pooledSeasons = `${seasonName(pooled[0]!)} – ${seasonName(pooled.at(-1)!)}`
  const tuned = intl.formatMessage({ id: 'model.tunedHere' })
  return (
    <Panel id="card-challenge" title={<FormattedMessage id="model.challenge" />}>
      <FormattedMessage
        id={newest ? 'model.promoted' : 'model.neverPromoted'}
        tagName="p"
        values={{
          model: nameOf(newest?.model ?? FIRST_HEADLINE),
          time: newest ? format.instant(newest.promotedAt) : '',
        }}
      />
      {challenge === null ? null : (
        <>
          <Small>
            <FormattedMessage
              id="model.challengeLead"
              values={{ model: nameOf(challenge.model), against: nameOf(challenge.against) }}
            />
          </Small>
          <GainTable
            label="model.challenge"
            lines={[
              ...(pooled.length > 1 ? [{ key: 'all', name: pooledSeasons, gain: challenge.pooled }] : []),
              ...challenge.bySeason.toReversed().map(({ season, gain }) => ({
                key: String(season),
                name: tuning.includes(season)
                  ? `${seasonName(season)}${BETWEEN_FACTS}${tuned}`
                  : seasonName(season),
                gain,
              })),
            ]}
          />
        </>
      )}
    </Panel>
  )
}

/** All seasons together, and how much better each model is than its reference. */
function Pooled({ card, seasonName }: { card: ModelCardAnswer; seasonName(season: number): string }) {
  const format = useFormat()
  return (
    <Panel
      id="card-pooled"
      title={
        card.pooled.length === 1 ? (
          <FormattedMessage id="model.pooledOne" values={{ season: seasonName(card.pooled[0]!) }} />
        ) : (
          <FormattedMessage
            id="model.pooled"
            values={{ from: seasonName(card.pooled[0]!), to: seasonName(card.pooled.at(-1)!) }}
          />
        )
      }
    >
      <PooledTable card={card} />
      <Small text="model.deadHeatsOut" />
      <h3 className={styles.part}>
        <FormattedMessage id="model.gains" />
      </h3>
      <ul>
        {card.gains.map(({ model, gain, interval }) => (
          <li key={model}>
            <FormattedMessage
              id="model.gain"
              values={{
                model: <FormattedMessage id={`source.${model}`} />,
                gain: format.signedDecimal(gain, 4),
                low: format.signedDecimal(interval.low, 4),
                high: format.signedDecimal(interval.high, 4),
              }}
            />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** How probable each model's combinations are, and what that gains in each pool. */
function Combinations({
  exotics,
  shown,
  seasonName,
}: {
  exotics: ModelCardAnswer['exotics']
  /** The model whose part is open. */
  shown: string
  seasonName(season: number): string
}) {
  const format = useFormat()
  return (
    <Panel id="card-combinations" title={<FormattedMessage id="model.exotics" />}>
      <Small text="model.exoticsLead" />
      {exotics.map(({ model, stages, coverage, pools, record }) => (
        <details key={model} className={styles.fold} open={model === shown}>
          <FormattedMessage id={`source.${model}`} tagName="summary" />
          <p>
            <FormattedMessage
              id="model.stages"
              values={{
                gain: format.signedDecimal(
                  stages.reduce((sum, { plain, fitted }) => sum + fitted - plain, 0),
                  3,
                ),
              }}
            />
          </p>
          <CoverageTable model={model} rows={coverage} />
          {record === undefined ? null : (
            <ExoticRecordTables model={model} record={record} seasonName={seasonName} />
          )}
          <h3 className={styles.part}>
            <FormattedMessage id="model.pools" />
          </h3>
          <ul>
            {pools.map(({ gameplayClass, races, gain, interval, verified }) => (
              <li key={gameplayClass}>
                <FormattedMessage
                  id="model.pool"
                  values={{
                    betType: <FormattedMessage id={`gameplay.${gameplayClass}`} />,
                    races: format.integer(races),
                    gain: format.signedDecimal(gain, 3),
                    low: format.signedDecimal(interval.low, 3),
                    high: format.signedDecimal(interval.high, 3),
                    verified: String(verified),
                  }}
                />
              </li>
            ))}
          </ul>
        </details>
      ))}
    </Panel>
  )
}

const Notes = ({ ids }: { ids: readonly string[] }) => (
  <ul>
    {ids.map((id) => (
      <FormattedMessage key={id} id={id} tagName="li" />
    ))}
  </ul>
)
