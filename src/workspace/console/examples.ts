import type { IntlShape } from 'react-intl'
import type { ModelId } from '../../../contract/model-ids.ts'

/**
 * Example statements that explain the tables. `key` is the suffix of their message ids: a
 * title, and a leading comment.
 */
export const EXAMPLES: readonly { key: string; sql: string }[] = [
  {
    key: 'seasons',
    sql: `SELECT season, count(*) AS bets, count(*) FILTER (WHERE outcome = 'hit') AS hits,
  round(sum(profit_cents) / 100, 2) AS profit,
  round(sum(profit_cents) / (1000.0 * count(profit_cents)), 4) AS return
FROM prediction
WHERE bet_type = 1 AND selected AND model = '{model}' AND origin = 'backtest' AND outcome <> 'void'
GROUP BY season
ORDER BY season`,
  },
  {
    key: 'calibration',
    sql: `SELECT floor(probability * 20) / 20 AS from_probability, count(*) AS starters,
  round(avg(probability), 4) AS predicted, round(avg(won), 4) AS happened
FROM starter
WHERE model = '{model}' AND origin = 'backtest'
GROUP BY ALL
ORDER BY 1`,
  },
  {
    key: 'jockeys',
    sql: `SELECT j.name_en AS jockey, count(*) AS rides, sum(won) AS wins,
  round(sum(market_probability), 1) AS expected, round(sum(won) / sum(market_probability), 3) AS actual_over_expected
FROM starter JOIN jockey j USING (jockey_key)
WHERE model = '{model}' AND origin = 'backtest'
GROUP BY ALL
HAVING count(*) >= 50
ORDER BY actual_over_expected DESC`,
  },
  {
    key: 'draw',
    sql: `SELECT distance_m, draw, count(*) AS runs, round(avg(won), 4) AS won, round(avg(1.0 / starters), 4) AS by_chance
FROM starter JOIN stadium USING (stadium_key)
WHERE stadium.name_en = 'Happy Valley' AND draw IS NOT NULL AND model = '{model}' AND origin = 'backtest'
GROUP BY ALL
ORDER BY distance_m, draw`,
  },
  {
    key: 'dividends',
    sql: `SELECT race_date, race_id, combination, dividend_cents / 100 AS dividend_for_10
FROM dividend JOIN race USING (race_key, race_date)
WHERE bet_type = 7 AND dividend.status = 'paid'
ORDER BY dividend_cents DESC
LIMIT 50`,
  },
  {
    key: 'months',
    sql: `SELECT race_date, sum(sum(profit_cents)) OVER (ORDER BY race_date) / 100 AS profit_to_date
FROM prediction
WHERE bet_type = 1 AND selected AND model = '{model}' AND origin = 'backtest'
GROUP BY race_date
ORDER BY race_date`,
  },
  {
    key: 'movers',
    sql: `SELECT CASE WHEN win_odds < opening_odds * 0.8 THEN 'steamer' WHEN win_odds > opening_odds * 1.25 THEN 'drifter' ELSE 'steady' END AS move,
  count(*) AS starters, round(avg(won), 4) AS won, round(avg(market_probability), 4) AS expected
FROM starter
WHERE opening_odds IS NOT NULL AND model = '{model}' AND origin = 'backtest'
GROUP BY ALL`,
  },
  {
    key: 'rest',
    sql: `SELECT CASE WHEN days_since_run IS NULL THEN 'first run' WHEN days_since_run < 15 THEN 'to 14' WHEN days_since_run < 29 THEN '15 to 28'
    WHEN days_since_run < 61 THEN '29 to 60' ELSE 'over 60' END AS days,
  count(*) AS runs, round(sum(won) / sum(market_probability), 3) AS actual_over_expected
FROM starter
WHERE model = '{model}' AND origin = 'backtest'
GROUP BY ALL
ORDER BY runs DESC`,
  },
  {
    key: 'intervals',
    sql: `WITH meetings AS (
  SELECT meeting_key, sum(profit_cents) AS profit, 1000 * count(profit_cents) AS staked
  FROM prediction
  WHERE bet_type = 1 AND selected AND model = '{model}' AND origin = 'backtest' AND outcome <> 'void'
  GROUP BY meeting_key
), total AS (
  SELECT sum(profit) AS profit, sum(staked) AS staked, count(*) AS meetings FROM meetings
)
SELECT round(any_value(total.profit / total.staked), 4) AS return,
  round(sqrt(sum((m.profit - total.profit / total.staked * m.staked) ** 2) * any_value(meetings / (meetings - 1.0)))
    / any_value(total.staked), 4) AS standard_error
FROM meetings m, total`,
  },
  {
    key: 'sample',
    sql: `SUMMARIZE race`,
  },
]

/** An example of a model's rows, with its explanation as a comment in the user's language. */
export const explained = (
  intl: IntlShape,
  { key, sql }: { key: string; sql: string },
  model: ModelId,
): string => `-- ${intl.formatMessage({ id: `console.comment.${key}` })}\n${sql.replaceAll('{model}', model)}`
