import { FurlongError } from '../../domain/errors.ts'
import { number, text, where } from '../sql/literal.ts'
import { chanceSource, MARKET_MODEL_KEY } from '../sql/record-source.ts'
import type { QueryBuilder } from './query.ts'

/**
 * How good were a model's win probabilities, race day by race day, against 1/N, the market line of the same origin and
 * the favourite on the same races? Races with one winner that the market line has whole; sums, so that days add up.
 */
export const judgeDays: QueryBuilder<'judge_days'> = ({ filter }, access) => {
  if (!access.history) throw new FurlongError('vip-needed')
  const source = chanceSource(filter)
  const season = `year(race_date) - (month(race_date) < ${number(access.seasonStartMonth)})::INTEGER`
  const perRace = `count(*) AS starters, max(won) AS whole, -ln(max(probability) FILTER (WHERE won > 0))::DOUBLE AS log_loss,
    arg_max(won, (probability, -horse_no)) AS hit`
  return {
    source: 'rows',
    sql: `WITH own AS (
        SELECT race_key, any_value(p.race_date) AS race_date, ${perRace},
          sum((probability - won) * (probability - won))::DOUBLE AS brier
        FROM ${source.from} ${where(source.conditions)} GROUP BY race_key
      ), market AS (
        SELECT race_key, ${perRace} FROM win_chance
        WHERE model_key = ${number(MARKET_MODEL_KEY)} AND origin = ${text(filter.origin)} GROUP BY race_key
      ), paid AS (
        SELECT race_key, max(dividend_cents) AS cents FROM dividend
        WHERE gameplay_class = 1 AND status = 'paid' GROUP BY race_key HAVING count(*) = 1
      )
      SELECT strftime(race_date, '%Y-%m-%d') AS day, (${season})::INTEGER AS season, count(*)::DOUBLE AS races,
        sum(own.log_loss) AS log_loss, sum(ln(starters)) AS uniform_log_loss, sum(market.log_loss) AS market_log_loss,
        sum(brier) AS brier, sum(own.hit)::DOUBLE AS hits, sum(market.hit)::DOUBLE AS favourite_hits,
        sum(1.0 / starters)::DOUBLE AS random_hits,
        (1000 * count(cents))::DOUBLE AS stake_cents,
        coalesce(sum(own.hit * cents - 1000), 0)::DOUBLE AS profit_cents,
        coalesce(sum(market.hit * cents - 1000), 0)::DOUBLE AS favourite_profit_cents,
        coalesce(sum(cents / starters - 1000), 0)::DOUBLE AS random_profit_cents
      FROM own JOIN market USING (race_key, starters) LEFT JOIN paid USING (race_key)
      WHERE own.whole = 1 AND market.whole = 1 GROUP BY race_date ORDER BY race_date`,
  }
}
