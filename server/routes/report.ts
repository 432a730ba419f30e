import * as calls from '../../contract/api/report.ts'
import { queryTrial, type Trial, type TrialAnswer } from '../../contract/api/trial.ts'
import { ODDS_FREE_MODELS } from '../../contract/model-ids.ts'
import { groupBy } from '../../domain/group-by.ts'
import type { Language } from '../../domain/languages.ts'
import { regionOfStadium } from '../../domain/region.ts'
import { normaliseOdds } from '../../domain/odds.ts'
import type { Queries } from '../db/database.ts'
import { marketContributions } from '../scoring/market-baseline.ts'
import { beginTrials, tryCard, type Beginning, type Tried } from '../model/trial.ts'
import { explainedFirst, HEADLINE } from '../model/headline.ts'
import { readRunners, type RunnerFacts } from '../store/racing/race-store.ts'
import { listPromotions, readLookBack } from '../store/racing/scoring-state-store.ts'
import * as reports from '../store/racing/report-store.ts'
import { keep } from './answer-cache.ts'
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
    return trialOf(await begunOf(context, raceId, language), tried)
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
        ...pick(runner, 'horseId', 'horseNumber', 'entryNumber', 'nameLanguage', 'draw'),
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

/** What the trials of a race have in common: kept, because it takes longer to read than another card to compute. */
type Begun = { missing: 'look-back' | 'version' } | (Beginning & { missing: null; jockeys: Trial['jockeys'] })

/** Races of which it is kept, 150 kB each, for as long as the cache keeps its values. */
const MOST_BEGUN = 60

async function begunOf({ cache, service }: Context, raceId: string, language: Language): Promise<Begun> {
  const kept = await cache.value('trials', () => Promise.resolve(new Map<string, Promise<Begun>>()))
  const key = `${raceId} ${language}`
  return kept.get(key) ?? keep(kept, key, begin(service.database, raceId, language), MOST_BEGUN)
}

/** By the model whose reasons the race's report shows first. */
async function begin(database: Queries, raceId: string, language: Language): Promise<Begun> {
  const kept = await readLookBack(database, raceId)
  if (typeof kept === 'string') return { missing: kept }
  const chances = await reports.listChances(database, raceId)
  const predicted = ODDS_FREE_MODELS.filter((model) => chances.some(({ modelId }) => modelId === model))
  const headline = await reports.readHeadlineModel(database, raceId)
  const promoted = (await listPromotions(database, regionOfStadium(raceId)?.id ?? '')).at(-1)?.model
  const [first] = explainedFirst(predicted, headline, promoted)
  const model = ODDS_FREE_MODELS.find((each) => each === first)
  const beginning = model ? beginTrials(kept.version, model, kept) : null
  if (beginning === null) return { missing: 'version' }
  const stored = new Map(
    chances.flatMap(({ modelId, horseNo, probability }) =>
      modelId === model ? [[horseNo, probability] as const] : [],
    ),
  )
  // A trial that does not begin at what was predicted would explain nothing of it.
  if (
    kept.card.starters.some(
      ({ entryNo, horseNo }) => stored.get(entryNo ?? horseNo) !== beginning.chances.get(horseNo),
    )
  )
    return { missing: 'version' }
  const jockeys = await reports.listJockeys(database, beginning.jockeyIds, language)
  return { ...beginning, missing: null, jockeys }
}

function trialOf(begun: Begun, tried: Tried): TrialAnswer {
  if (begun.missing !== null) return { missing: begun.missing, trial: null }
  const { model, card, jockeys } = begun
  const outcomes = tryCard(begun, tried)
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
      jockeys,
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
