import type { FastifyInstance } from 'fastify'
import * as calls from '../../contract/api/report.ts'
import { FurlongError } from '../../domain/errors.ts'
import { groupBy } from '../../domain/group-by.ts'
import { centsText } from '../../domain/money.ts'
import { normaliseOdds } from '../../domain/odds.ts'
import { marketContributions } from '../scoring/contributions.ts'
import { HEADLINE } from '../model/headline.ts'
import { requireWholeRace } from '../services/gate.ts'
import { hasRace, readRunners, type RunnerFacts } from '../store/racing/race-store.ts'
import {
  listChances,
  listCourseRuns,
  listDividends,
  listSelected,
  readHeadlineModel,
} from '../store/racing/report-store.ts'
import { readSubscription } from '../store/accounts/voucher-store.ts'
import { answerCall } from './answer.ts'
import type { Context } from './context.ts'

const COURSE_RUNS = 5
const money = (cents: number | null): string | null => (cents === null ? null : centsText(cents))

/** Route for the analysis of one race. */
export function reportRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context.service
  answerCall(app, context, calls.queryRaceReport, async ({ query: { raceId }, viewer, language }) => {
    if (!(await hasRace(database, raceId))) throw new FurlongError('no-such-race')
    requireWholeRace(viewer, (await readSubscription(database, viewer.id, raceId)) !== null)
    const runners = await readRunners(database, raceId, HEADLINE, language)
    const runs = groupBy(await listCourseRuns(database, raceId, COURSE_RUNS), ({ horseId }) => horseId)
    const market = marketProbabilities(runners)
    const chances = await listChances(database, raceId)
    const explains = chances.some(({ reasons }) => reasons.length > 0) ? 'fundamental' : 'market-baseline'
    const fromOdds = marketContributions(market)
    const why = (horseNo: number | null, index: number): { feature: string; value: number }[] =>
      explains === 'fundamental'
        ? (chances.find((row) => row.modelId === explains && row.horseNo === horseNo)?.reasons ?? [])
        : fromOdds[index]!
    return {
      raceId,
      model: await readHeadlineModel(database, raceId),
      explains,
      runners: runners.map((runner, index) => ({
        horseId: runner.horseId,
        horseNumber: runner.horseNumber,
        name: runner.horseName,
        nameLanguage: runner.nameLanguage,
        draw: runner.draw,
        jockey: runner.jockey,
        trainer: runner.trainer,
        actualWeight: runner.actualWeight,
        ratingScore: runner.ratingScore,
        ranking: runner.ranking,
        odds: runner.odds,
        probability: runner.probability,
        fairOdds: runner.probability === null ? null : 1 / runner.probability,
        marketProbability: market[index]!,
        probabilities: chances
          .filter(({ horseNo }) => horseNo === runner.horseNumber)
          .map(({ modelId, probability }) => ({ model: modelId, probability })),
        contributions: why(runner.horseNumber, index),
        courseRuns: (runs.get(runner.horseId) ?? []).map(
          ({ raceId: earlier, date, place, starters, odds, finishTimeMs, actualWeight }) => ({
            raceId: earlier,
            date,
            place,
            starters,
            odds,
            finishTimeMs,
            actualWeight,
          }),
        ),
      })),
      selected: (await listSelected(database, HEADLINE, raceId)).map(({ profitCents, ...row }) => ({
        ...row,
        profit: money(profitCents),
      })),
      dividends: (await listDividends(database, raceId)).map(({ dividendCents, ...row }) => ({
        ...row,
        dividend: money(dividendCents),
      })),
    }
  })
}

/** The public's probability of each horse: its normalised odds among the horses that have odds. */
function marketProbabilities(runners: readonly RunnerFacts[]): (number | null)[] {
  const priced = runners.flatMap(({ odds }) => (odds === null ? [] : [odds]))
  if (priced.length === 0) return runners.map(() => null)
  const shares = normaliseOdds(priced)
  let next = 0
  return runners.map(({ odds }) => (odds === null ? null : shares[next++]!))
}
