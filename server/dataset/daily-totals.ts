import { PREDICTIONS } from '../../analytics/predictions.ts'
import { ACCURACY_DAY } from '../../analytics/tables.ts'
import { rowSource } from '../../analytics/source.ts'

/** SQL that fills `racing.accuracy_day` from the predictions of all models: the rollup of `DAILY_TOTALS`. */
export function dailyTotalsSql(recordFiles: readonly string[]): string {
  const { sums } = PREDICTIONS
  const keys = ['season', 'region', 'race_date', 'bet_type', 'prediction_type', 'model', 'origin']
  const figures = Object.keys(ACCURACY_DAY.columns).filter((name) => !keys.includes(name))
  const columns = figures.map((name) => `${sums[name as keyof typeof sums].sql} AS ${name}`)
  const rows = rowSource(PREDICTIONS, ['prediction_type'], null, { scope: 'all' }).from
  const union = recordFiles.map((file) => `SELECT * FROM ${file}.prediction`).join(' UNION ALL ')
  return `INSERT INTO racing.accuracy_day BY NAME
    WITH prediction AS (${union})
    SELECT ${[...keys, ...columns].join(', ')} FROM ${rows}
    GROUP BY ${keys.join(', ')} ORDER BY ${keys.join(', ')}`
}
