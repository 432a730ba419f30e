import { CALIBRATION_EDGES } from '../../contract/record-vocabulary.ts'
import { where } from '../sql/literal.ts'
import { predictionSource } from '../sql/record-source.ts'
import { FurlongError } from '../../domain/errors.ts'
import type { QueryBuilder } from './query.ts'

/** Does what was given 20% happen in 20% of the cases? Void predictions are left out. */
export const recordCalibration: QueryBuilder<'record_calibration'> = ({ filter }, access) => {
  if (!access.history) throw new FurlongError('vip-needed')
  const source = predictionSource(filter)
  const cases = CALIBRATION_EDGES.map((edge, bin) => `WHEN p.probability < ${edge} THEN ${bin}`)
  return {
    source: 'rows',
    sql: `SELECT (CASE ${cases.join(' ')} ELSE ${CALIBRATION_EDGES.length} END)::INTEGER AS bin, count(*)::DOUBLE AS predictions,
        avg(p.probability)::DOUBLE AS mean_probability, count(*) FILTER (WHERE p.outcome = 'hit')::DOUBLE AS hits
      FROM ${source.from} ${where([...source.conditions, `p.outcome <> 'void'`])}
      GROUP BY bin ORDER BY bin`,
  }
}
