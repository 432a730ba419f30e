import { FurlongError } from '../../domain/errors.ts'
import { number, where } from '../sql/literal.ts'
import { chanceSource, MARKET_MODEL_KEY } from '../sql/record-source.ts'
import type { QueryBuilder } from './query.ts'

/**
 * How good were a model's win probabilities, season by season, against 1/N, the market line and the favourite on the
 * same races? Races with one winner; those that the market line has, too.
 */
export const judgeSeasons: QueryBuilder<'judge_seasons'> = ({ filter }, access) => {
  if (!access.history) throw new FurlongError('vip-needed')
  const source = chanceSource(filter)
  const season = `year(race_date) - (month(race_date) < ${number(access.seasonStartMonth)})::INTEGER`
  return {
    source: 'rows',
    sql: `WITH own AS (
        SELECT race_key, any_value(p.race_date) AS race_date, count(*) AS starters,
          sum(won) AS winners, max(won) AS whole,
          -ln(max(probability) FILTER (WHERE won > 0))::DOUBLE AS log_loss,
          sum((probability - won) * (probability - won))::DOUBLE AS brier,
          arg_max(won, (probability, -horse_no)) AS hit
        FROM ${source.from} ${where(source.conditions)} GROUP BY race_key
      ), market AS (
        SELECT race_key, -ln(max(probability) FILTER (WHERE won > 0))::DOUBLE AS log_loss,
          arg_max(won, (probability, -horse_no)) AS hit
        FROM win_chance WHERE model_key = ${number(MARKET_MODEL_KEY)} GROUP BY race_key
      ), paid AS (
        SELECT race_key, max(dividend_cents) AS cents FROM dividend
        WHERE gameplay_class = 1 AND status = 'paid' GROUP BY race_key HAVING count(*) = 1
      )
      SELECT (${season})::INTEGER AS season, count(*)::DOUBLE AS races, avg(own.log_loss) AS log_loss,
        avg(ln(starters)) AS uniform_log_loss, avg(market.log_loss) AS market_log_loss, avg(brier) AS brier,
        sum(own.hit)::DOUBLE AS hits, sum(market.hit)::DOUBLE AS favourite_hits, sum(1.0 / starters)::DOUBLE AS random_hits,
        (1000 * count(cents))::DOUBLE AS stake_cents,
        coalesce(sum(own.hit * cents - 1000), 0)::DOUBLE AS profit_cents,
        coalesce(sum(market.hit * cents - 1000), 0)::DOUBLE AS favourite_profit_cents,
        coalesce(sum(cents / starters - 1000), 0)::DOUBLE AS random_profit_cents
      FROM own JOIN market USING (race_key) LEFT JOIN paid USING (race_key)
      WHERE whole = 1 GROUP BY season ORDER BY season`,
  }
}
