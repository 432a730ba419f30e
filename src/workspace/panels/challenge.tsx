import { useMemo } from 'react'
import { allOf, type Filter } from '../../../analytics/filter.ts'
import { without } from '../../../analytics/clauses.ts'
import type { Request } from '../../../analytics/request.ts'
import { FIRST_HEADLINE, ODDS_FREE_MODELS, type ModelId } from '../../../contract/model-ids.ts'
import { groupBy } from '../../../domain/group-by.ts'
import { pairedGainOf, type PairedLosses } from '../../../domain/paired-gain.ts'
import { seasonLabel } from '../../../domain/region.ts'
import { numberOf, textOf, type AnswerRow } from '../../../analytics/cells.ts'
import { useAnalytics } from '../../data/analytics/use-analytics.ts'
import { useRegion } from '../../data/use-region.ts'
import { GainTable } from '../../features/model/gain-table.tsx'
import { useWord } from '../../i18n/use-word.ts'
import { Skeleton } from '../../ui/panel.tsx'
import { Note } from '../parts/note.tsx'
import { FailedAnswer } from '../parts/failed-answer.tsx'
import { raceFilterOf } from '../../../analytics/view/view.ts'
import panelStyles from '../parts/panel.module.css'

/** Losses by meeting and model. R² tells the loss of equal chances, which is no measure of its own. */
const lossesRequest = (where: Filter, models: readonly ModelId[]): Request => ({
  aggregate: {
    model: 'runners',
    by: ['meeting', 'season', 'model'],
    measures: ['races', 'log_loss', 'r2'],
    where: allOf({ dim: 'model', in: [...models] }, without(raceFilterOf(where), ['model'])),
    limit: 5000,
  },
})

interface SeasonLosses extends PairedLosses {
  season: number
}

/** Losses of a challenger and the headline model at the meetings of which both predicted the same number of races. */
function pairedMeetings(rows: readonly AnswerRow[], challenger: ModelId, headline: ModelId): SeasonLosses[] {
  const meetings = groupBy(rows, (row) => textOf(row, 'meeting'))
  return [...meetings].flatMap(([meeting, ofMeeting]) => {
    const [own, other] = [challenger, headline].map((model) =>
      ofMeeting.find((row) => row['model'] === model),
    )
    if (!own || !other) return []
    const races = numberOf(own, 'races')
    if (numberOf(other, 'races') !== races) return []
    const loss = (row: AnswerRow): number => races * numberOf(row, 'log_loss')
    const uniform = loss(own) / (1 - numberOf(own, 'r2'))
    return [
      { group: meeting, season: numberOf(own, 'season'), races, own: loss(own), other: loss(other), uniform },
    ]
  })
}

interface ChallengeProps {
  /** The races that are compared. */
  where: Filter
  /** The models that have predictions of them. */
  models: readonly ModelId[]
}

/** What the challenger gains on the model without odds that is shown first; nothing unless there are both. */
export function Challenge({ where, models }: ChallengeProps) {
  const { region } = useRegion()
  const headline = region?.headline ?? FIRST_HEADLINE
  const challenger = ODDS_FREE_MODELS.find((model) => model !== headline && models.includes(model))
  if (region === null || challenger === undefined || !models.includes(headline)) return null
  return (
    <Gains where={where} challenger={challenger} headline={headline} startMonth={region.seasonStartMonth} />
  )
}

interface GainsProps extends Pick<ChallengeProps, 'where'> {
  challenger: ModelId
  headline: ModelId
  startMonth: number
}

function Gains({ where, challenger, headline, startMonth }: GainsProps) {
  const word = useWord()
  const request = useMemo(() => lossesRequest(where, [challenger, headline]), [where, challenger, headline])
  const { data, error, isPlaceholderData } = useAnalytics(request, { priority: 'visible' })
  const lines = useMemo(() => {
    const losses = data ? pairedMeetings(data.rows, challenger, headline) : []
    const seasons = [...groupBy(losses, ({ season }) => season)].toSorted(([a], [b]) => b - a)
    const parts = [
      ...(seasons.length > 1 ? [{ key: 'all', name: word('challenge.all'), of: losses }] : []),
      ...seasons.map(([season, of]) => ({ key: String(season), name: seasonLabel(startMonth, season), of })),
    ]
    return parts.flatMap(({ of, ...line }) => {
      const gain = pairedGainOf(of)
      return gain === null ? [] : [{ ...line, gain }]
    })
  }, [data, challenger, headline, startMonth, word])
  if (error) return <FailedAnswer error={error} />
  if (!data || isPlaceholderData) return <Skeleton height={120} />
  if (lines.length === 0) return null
  const names = { model: word(`source.${challenger}`), headline: word(`source.${headline}`) }
  return (
    <section className={panelStyles.panel} data-testid="challenge">
      <div className={panelStyles.head}>
        <h2>{word('workspace.challenge', names)}</h2>
      </div>
      <Note text="workspace.challengeLead" />
      <GainTable label="challenge.r2" lines={lines} />
    </section>
  )
}
