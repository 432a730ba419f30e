import * as calls from '../../contract/api/report.ts'
import { queryTrial, type TrialAnswer } from '../../contract/api/trial.ts'
import { ODDS_FREE_MODELS } from '../../contract/model-ids.ts'
import { groupBy } from '../../domain/group-by.ts'
import type { Language } from '../../domain/languages.ts'
import { regionOfStadium } from '../../domain/region.ts'
import { normaliseOdds } from '../../domain/odds.ts'
import type { Queries } from '../db/database.ts'
import { jockeysToTry } from '../model/features/race-state.ts'
import { marketContributions } from '../scoring/market-baseline.ts'
import { tryCard, type Tried } from '../model/trial.ts'
import { explainedFirst, HEADLINE } from '../model/headline.ts'
import { readRunners, type RunnerFacts } from '../store/racing/race-store.ts'
import { listPromotions, readLookBack } from '../store/racing/scoring-state-store.ts'
import * as reports from '../store/racing/report-store.ts'
import { moneyOf, pick, type Answer } from './answer.ts'
import type { Context } from './context.ts'
import { requireRace } from './racing.ts'

const COURSE_RUNS = 5
/** The model whose reasons are the odds alone. */
const MARKET_LINE = 'market-baseline'

type Contribution = calls.RaceReport['runners'][number]['contributions'][number]

/** Routes for the analysis of one race. */
export function reportRoutes(answer: Answer, context: Context): void {
  const { database, now } = context.service
  answer(queryTrial, async ({ body: { raceId, ...tried }, viewer, language }) => {
    await requireRace({ database, reader: database }, viewer, raceId)
    return trialOf(database, raceId, tried, language)
  })
  answer(calls.queryRaceReport, async ({ query: { raceId }, viewer, language }) => {
    await requireRace({ database, reader: database }, viewer, raceId)
    const runners = await readRunners(database, raceId, HEADLINE, language, now())
    const runs = groupBy(
      await reports.listCourseRuns(database, raceId, COURSE_RUNS),
      ({ horseId }) => horseId,
    )
    const market = marketProbabilities(runners)
    const chances = await reports.listChances(database, raceId)
    const model = await reports.readHeadlineModel(database, raceId)
    const explained = chances.filter(({ reasons }) => reasons.length > 0)
    const promoted = (await listPromotions(database, regionOfStadium(raceId)?.id ?? '')).at(-1)?.model
    const explains = explainedFirst([...new Set(explained.map(({ modelId }) => modelId))], model, promoted)
    const fromOdds = marketContributions(market)
    const why = (horseNo: number | null, index: number): Contribution[] =>
      explains.length === 0
        ? fromOdds[index]!.map((reason) => ({ model: MARKET_LINE, ...reason }))
        : explains.flatMap((own) =>
            explained
              .filter((row) => row.modelId === own && row.horseNo === horseNo)
              .flatMap(({ reasons }) => reasons.map((reason) => ({ model: own, ...reason }))),
          )
    return {
      raceId,
      model,
      explains: explains.length === 0 ? [MARKET_LINE] : explains,
      runners: runners.map((runner, index) => ({
        ...pick(runner, 'horseId', 'horseNumber', 'nameLanguage', 'draw'),
        ...pick(runner, 'jockey', 'jockeyLanguage', 'trainer', 'trainerLanguage'),
        ...pick(runner, 'actualWeight', 'ratingScore', 'ranking', 'odds', 'probability'),
        name: runner.horseName,
        fairOdds: runner.probability === null ? null : 1 / runner.probability,
        marketProbability: market[index]!,
        probabilities: chances
          .filter(({ horseNo }) => horseNo === runner.horseNumber)
          .map(({ modelId, probability }) => ({ model: modelId, probability })),
        contributions: why(runner.horseNumber, index),
        courseRuns: (runs.get(runner.horseId) ?? []).map((run) =>
          pick(run, 'raceId', 'date', 'place', 'starters', 'odds', 'finishTimeMs', 'actualWeight'),
        ),
      })),
      selected: (await reports.listSelected(database, HEADLINE, raceId)).map(({ profitCents, ...row }) => ({
        ...row,
        profit: moneyOf(profitCents),
      })),
      dividends: (await reports.listDividends(database, raceId)).map(({ dividendCents, ...row }) => ({
        ...row,
        dividend: moneyOf(dividendCents),
      })),
    }
  })
}

/** A trial of a race with another card, by the model whose reasons its report shows first. */
async function trialOf(
  database: Queries,
  raceId: string,
  tried: Tried,
  language: Language,
): Promise<TrialAnswer> {
  const kept = await readLookBack(database, raceId)
  if (typeof kept === 'string') return { missing: kept, trial: null }
  const chances = await reports.listChances(database, raceId)
  const predicted = ODDS_FREE_MODELS.filter((model) => chances.some(({ modelId }) => modelId === model))
  const headline = await reports.readHeadlineModel(database, raceId)
  const promoted = (await listPromotions(database, regionOfStadium(raceId)?.id ?? '')).at(-1)?.model
  const [first] = explainedFirst(predicted, headline, promoted)
  const model = ODDS_FREE_MODELS.find((each) => each === first)
  const outcomes = model ? tryCard(kept.version, model, kept, tried) : null
  if (!model || outcomes === null) return { missing: 'version', trial: null }
  const { card } = kept
  const stored = new Map(
    chances.flatMap(({ modelId, horseNo, probability }) =>
      modelId === model ? [[horseNo, probability] as const] : [],
    ),
  )
  // A trial that does not begin at what was predicted would explain nothing of it.
  if (
    card.starters.some(
      ({ entryNo, horseNo }, row) => stored.get(entryNo ?? horseNo) !== outcomes[row]!.before,
    )
  )
    return { missing: 'version', trial: null }
  return {
    missing: null,
    trial: {
      model,
      going: card.going,
      runners: card.starters.map((starter, row) => ({
        horseNumber: starter.horseNo,
        ...pick(starter, 'draw', 'jockeyId', 'weightLb', 'gear'),
        ...outcomes[row]!,
      })),
      jockeys: await reports.listJockeys(database, jockeysToTry(kept.state, card), language),
    },
  }
}

/** The public's probability of each horse: its normalised odds among the horses that have odds. */
function marketProbabilities(runners: readonly RunnerFacts[]): (number | null)[] {
  const priced = runners.flatMap(({ odds }) => odds ?? [])
  if (priced.length === 0) return runners.map(() => null)
  const shares = normaliseOdds(priced)
  let next = 0
  return runners.map(({ odds }) => (odds === null ? null : shares[next++]!))
}
