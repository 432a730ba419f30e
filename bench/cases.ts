import type { QueryName, QueryParameters, RecordFilter } from '../contract/queries.ts'

export const EVERYTHING: RecordFilter = {
  from: null,
  to: null,
  except: null,
  gameplayClasses: [],
  stadiumKeys: [],
  predictionType: 0,
  modelKey: 1,
  origin: 'backtest',
  tracks: [],
  goings: [],
  distanceFromM: null,
  distanceToM: null,
}

export interface Case {
  label: string
  name: QueryName
  parameters: QueryParameters<QueryName>
}

const ask = <Name extends QueryName>(label: string, name: Name, parameters: QueryParameters<Name>): Case => ({
  label,
  name,
  parameters,
})

const WIN: RecordFilter = { ...EVERYTHING, gameplayClasses: [1], predictionType: 1 }
const TURF: RecordFilter = { ...EVERYTHING, tracks: ['turf'] }
const PAGE = { grid: [], offset: 0, limit: 100 }

/** Every named query at least once, from cube and from rows. */
export const CASES: readonly Case[] = [
  ask('totals, cube', 'record_totals', { filter: WIN }),
  ask('totals of all, cube', 'record_totals', { filter: EVERYTHING }),
  ask('totals on turf, rows', 'record_totals', { filter: TURF }),
  ask('days, cube', 'record_days', { filter: EVERYTHING }),
  ask('days on turf, rows', 'record_days', { filter: TURF }),
  ask('by season, cube', 'record_breakdown', { filter: EVERYTHING, by: 'season' }),
  ask('by racecourse, cube', 'record_breakdown', { filter: EVERYTHING, by: 'stadium' }),
  ask('by distance, rows', 'record_breakdown', { filter: EVERYTHING, by: 'distance' }),
  ask('by probability, rows', 'record_breakdown', { filter: EVERYTHING, by: 'probability' }),
  ask('by jockey, rows', 'record_breakdown', { filter: WIN, by: 'jockey' }),
  ask('by horse, rows', 'record_breakdown', { filter: WIN, by: 'horse' }),
  ask('reliability, rows', 'record_calibration', { filter: EVERYTHING }),
  ask('count, rows', 'record_count', { filter: EVERYTHING, grid: [{ kind: 'outcome', outcomes: ['hit'] }] }),
  ask('first page', 'record_page', { filter: EVERYTHING, sort: [], ...PAGE }),
  ask('page by profit', 'record_page', {
    filter: EVERYTHING,
    sort: [{ column: 'profit_cents', descending: true }],
    ...PAGE,
  }),
  ask('stadiums', 'stadiums', {}),
  ask('facets', 'facets', {}),
  ask('models', 'models', {}),
]
