import type {
  DividendDraft,
  FormDraft,
  HorseDraft,
  Names,
  OddsTickDraft,
  RaceDraft,
  RunnerDraft,
} from '../../drafts/drafts.ts'
import type { Column, UpsertTable } from '../../db/bulk-upsert.ts'

/** Rows ready to be written: drafts with their keys resolved. */
export interface KeyedNames extends Names {
  id: string
  key: number
  regionId: string
}

export type HorseRow = HorseDraft & KeyedNames
export type RaceRow = Omit<RaceDraft, 'runners'> & {
  key: number
  regionId: string
  season: number
  declaredStarters: number
  places: number
}
export type RunnerRow = Omit<RunnerDraft, 'horse' | 'jockey' | 'trainer' | 'brand'> & {
  raceId: string
  horseId: string
  jockeyId: string | null
  trainerId: string | null
}

const column = <Row>(
  name: string,
  type: string,
  value: (row: Row) => string | number | boolean | null,
  keep?: true,
): Column<Row> => (keep ? { name, type, value, keep } : { name, type, value })

const named = <Row extends KeyedNames>(): Column<Row>[] => [
  column('id', 'text', (row) => row.id),
  column('key', 'int', (row) => row.key),
  column('region_id', 'text', (row) => row.regionId),
  column('name_en', 'text', (row) => row.en, true),
  column('name_hant', 'text', (row) => row.hant, true),
  column('name_hans', 'text', (row) => row.hans, true),
]

export const STADIUM: UpsertTable<KeyedNames> = { name: 'stadium', key: ['id'], columns: named() }
export const JOCKEY: UpsertTable<KeyedNames> = { name: 'jockey', key: ['id'], columns: named() }
export const TRAINER: UpsertTable<KeyedNames> = { name: 'trainer', key: ['id'], columns: named() }

export const HORSE: UpsertTable<HorseRow> = {
  name: 'horse',
  key: ['id'],
  columns: [
    ...named<HorseRow>(),
    column('brand', 'text', (row) => row.brand),
    column('status', 'text', (row) => row.status, true),
    column('origin', 'text', (row) => row.origin, true),
    column('sex', 'text', (row) => row.sex, true),
    column('age', 'smallint', (row) => row.age, true),
    column('age_on', 'date', (row) => row.ageOn, true),
    column('colour', 'text', (row) => row.colour, true),
    column('import_type', 'text', (row) => row.importType, true),
    column('owner', 'text', (row) => row.owner, true),
    column('sire', 'text', (row) => row.sire, true),
    column('dam', 'text', (row) => row.dam, true),
    column('dam_sire', 'text', (row) => row.damSire, true),
    column('season_prize_cents', 'bigint', (row) => row.seasonPrizeCents, true),
    column('total_prize_cents', 'bigint', (row) => row.totalPrizeCents, true),
    column('last_rating', 'smallint', (row) => row.lastRating, true),
  ],
}

export const RACE: UpsertTable<RaceRow> = {
  name: 'race',
  key: ['id'],
  onChange: `scoring = 'stale'`,
  columns: [
    column('id', 'text', (row) => row.id),
    column('key', 'int', (row) => row.key),
    column('region_id', 'text', (row) => row.regionId),
    column('stadium_id', 'text', (row) => row.stadiumId),
    column('race_date', 'date', (row) => row.date),
    column('race_no', 'smallint', (row) => row.raceNo),
    column('season', 'smallint', (row) => row.season),
    column('starts_at', 'timestamptz', (row) => row.startsAt, true),
    column('name_en', 'text', (row) => row.name.en, true),
    column('name_hant', 'text', (row) => row.name.hant, true),
    column('name_hans', 'text', (row) => row.name.hans, true),
    column('race_class', 'text', (row) => row.raceClass, true),
    column('track', 'text', (row) => row.track, true),
    column('course', 'text', (row) => row.course, true),
    column('distance_m', 'smallint', (row) => row.distanceM, true),
    column('going', 'text', (row) => row.going, true),
    column('weather', 'text', (row) => row.weather, true),
    column('rating_range', 'text', (row) => row.ratingRange, true),
    column('prize_cents', 'bigint', (row) => row.prizeCents, true),
    column('winning_time_ms', 'int', (row) => row.winningTimeMs, true),
    column('declared_starters', 'smallint', (row) => row.declaredStarters),
    column('places', 'smallint', (row) => row.places),
    column('status', 'text', (row) => row.status),
  ],
}

export const RUNNER: UpsertTable<RunnerRow> = {
  name: 'runner',
  key: ['race_id', 'horse_id'],
  columns: [
    column('race_id', 'text', (row) => row.raceId),
    column('horse_id', 'text', (row) => row.horseId),
    column('horse_no', 'smallint', (row) => row.horseNo),
    column('entry_no', 'smallint', (row) => row.entryNo),
    column('jockey_id', 'text', (row) => row.jockeyId),
    column('trainer_id', 'text', (row) => row.trainerId),
    column('draw', 'smallint', (row) => row.draw),
    column('actual_weight_lb', 'smallint', (row) => row.actualWeightLb),
    column('declared_weight_lb', 'smallint', (row) => row.declaredWeightLb),
    column('rating', 'smallint', (row) => row.rating, true),
    column('gear', 'text', (row) => row.gear, true),
    column('status', 'text', (row) => row.status),
    column('place', 'smallint', (row) => row.place),
    column('place_code', 'text', (row) => row.placeCode),
    column('dead_heat', 'boolean', (row) => row.deadHeat),
    column('margin', 'text', (row) => row.margin),
    column('running_position', 'text', (row) => row.runningPosition),
    column('finish_time_ms', 'int', (row) => row.finishTimeMs),
    column('win_odds', 'double precision', (row) => row.winOdds),
  ],
}

export const DIVIDEND: UpsertTable<DividendDraft> = {
  name: 'dividend',
  key: ['race_id', 'pool', 'combination'],
  columns: [
    column('race_id', 'text', (row) => row.raceId),
    column('pool', 'text', (row) => row.pool),
    column('combination', 'text', (row) => row.combination),
    column('gameplay_class', 'smallint', (row) => row.gameplayClass),
    column('status', 'text', (row) => row.status),
    column('dividend_cents', 'bigint', (row) => row.dividendCents),
  ],
}

export const ODDS_TICK: UpsertTable<OddsTickDraft> = {
  name: 'odds_tick',
  key: ['race_id', 'horse_no', 'seen_at'],
  columns: [
    column('race_id', 'text', (row) => row.raceId),
    column('horse_no', 'smallint', (row) => row.horseNo),
    column('seen_at', 'timestamptz', (row) => row.seenAt),
    column('odds', 'double precision', (row) => row.odds),
  ],
}

export const FORM_LINE: UpsertTable<FormDraft & { regionId: string }> = {
  name: 'form_line',
  key: ['race_date', 'region_id', 'brand', 'race_index'],
  columns: [
    column('region_id', 'text', (row) => row.regionId),
    column('brand', 'text', (row) => row.brand),
    column('race_date', 'date', (row) => row.date),
    column('race_index', 'int', (row) => row.raceIndex),
    column('stadium_id', 'text', (row) => row.stadiumId),
    column('place_code', 'text', (row) => row.placeCode),
    column('track', 'text', (row) => row.track),
    column('course', 'text', (row) => row.course),
    column('distance_m', 'smallint', (row) => row.distanceM),
    column('going', 'text', (row) => row.going),
    column('race_class', 'text', (row) => row.raceClass),
    column('draw', 'smallint', (row) => row.draw),
    column('rating', 'smallint', (row) => row.rating),
    column('trainer', 'text', (row) => row.trainer),
    column('jockey', 'text', (row) => row.jockey),
    column('margin', 'text', (row) => row.margin),
    column('win_odds', 'double precision', (row) => row.winOdds),
    column('actual_weight_lb', 'smallint', (row) => row.actualWeightLb),
    column('declared_weight_lb', 'smallint', (row) => row.declaredWeightLb),
    column('running_position', 'text', (row) => row.runningPosition),
    column('finish_time_ms', 'int', (row) => row.finishTimeMs),
    column('gear', 'text', (row) => row.gear),
  ],
}
