import type { RecordFilter } from '../../contract/queries.ts'
import type { Breakdown } from '../../contract/record-vocabulary.ts'
import { FurlongError } from '../../domain/errors.ts'
import { number, where } from '../sql/literal.ts'
import { predictionSource, sumsOf, totalsSource, type Access } from '../sql/record-source.ts'
import type { PreparedQuery, QueryBuilder } from './query.ts'

interface Dimension {
  key: string
  /** Columns of the cube that it needs; absent where only the predictions can tell. */
  cube?: 'day' | 'stadium'
  needsRace?: true
  join?: string
  /** Relation with `name_en`, `name_hant`, `name_hans`, joined to the groups by `group_id`. */
  names?: { table: string; key: string }
}

/** A horse of the combination, for every horse in it: each gets the whole prediction. */
const perHorse = `JOIN LATERAL unnest([p.horse_no_1, p.horse_no_2, p.horse_no_3, p.horse_no_4]) AS h (chosen_no) ON chosen_no IS NOT NULL
  JOIN runner ON runner.race_key = p.race_key AND runner.horse_no = chosen_no`

/** Bins of five percent. Comparisons, for turning a float into a whole number is slow in WASM (bench/engine). */
const twentieths = Array.from(
  { length: 19 },
  (_, bin) => `WHEN p.probability < ${(bin + 1) / 20} THEN ${bin}`,
).join(' ')

const DIMENSIONS: Readonly<Record<Exclude<Breakdown, 'prediction_type'>, Dimension>> = {
  gameplay_class: { key: 'p.gameplay_class', cube: 'day' },
  month: { key: `strftime(p.race_date, '%Y-%m')`, cube: 'day' },
  season: { key: `year(p.race_date) - (month(p.race_date) < $season)::INTEGER`, cube: 'day' },
  stadium: { key: 'p.stadium_key', cube: 'stadium', names: { table: 'stadium', key: 'stadium_key' } },
  track: { key: 'race.track', needsRace: true },
  going: { key: 'race.going', needsRace: true },
  distance: { key: 'race.distance_m', needsRace: true },
  field_size: { key: 'race.starters', needsRace: true },
  probability: { key: `CASE ${twentieths} ELSE 19 END` },
  jockey: { key: 'runner.jockey_key', join: perHorse, names: { table: 'jockey', key: 'jockey_key' } },
  trainer: { key: 'runner.trainer_key', join: perHorse, names: { table: 'trainer', key: 'trainer_key' } },
  horse: { key: 'runner.horse_key', join: perHorse, names: { table: 'horse', key: 'horse_key' } },
}

/** Groups of a list without an end, such as horses: the ones with most predictions. */
const MOST_GROUPS = 200

/** How do the groups of one dimension compare? */
export const recordBreakdown: QueryBuilder<'record_breakdown'> = ({ filter, by }, access) => {
  if (by === 'prediction_type') return byType(filter, access)
  const dimension = DIMENSIONS[by]
  if (!access.history && dimension.cube !== 'day') throw new FurlongError('vip-needed')
  const source = dimension.cube ? totalsSource(filter, access) : predictionSource(filter, dimension.needsRace)
  const key = dimension.key.replace('$season', number(access.seasonStartMonth))
  const names = dimension.names
  return {
    source: source.kind,
    sql: `SELECT group_id::VARCHAR AS group_key, ${
      names
        ? 'n.name_en, n.name_hant, n.name_hans'
        : 'NULL::VARCHAR AS name_en, NULL::VARCHAR AS name_hant, NULL::VARCHAR AS name_hans'
    }, g.* EXCLUDE (group_id)
      FROM (
        SELECT ${key} AS group_id, ${sumsOf(source)}
        FROM ${source.from} ${dimension.join ?? ''} ${where(source.conditions)}
        GROUP BY group_id HAVING group_id IS NOT NULL
        ORDER BY predictions DESC, group_id LIMIT ${MOST_GROUPS}
      ) g
      ${names ? `LEFT JOIN ${names.table} n ON n.${names.key} = g.group_id` : ''}
      ORDER BY g.group_id`,
  }
}

/** Types overlap, so they are three filters rather than groups of one column. */
function byType(filter: RecordFilter, access: Access): PreparedQuery {
  const parts = [1, 2, 3].map((predictionType) => {
    const source = totalsSource({ ...filter, predictionType }, access)
    const sql = `SELECT '${number(predictionType)}' AS group_key, NULL::VARCHAR AS name_en, NULL::VARCHAR AS name_hant,
      NULL::VARCHAR AS name_hans, ${sumsOf(source)} FROM ${source.from} ${where(source.conditions)}`
    return { sql, source: source.kind }
  })
  const sql = `${parts.map((part) => part.sql).join(' UNION ALL ')} ORDER BY group_key`
  return { source: parts[0]!.source, sql }
}
