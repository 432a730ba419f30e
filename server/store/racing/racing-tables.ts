import type {
  Names,
  DividendDraft,
  FormDraft,
  HorseDraft,
  OddsTickDraft,
  RaceDraft,
  RunnerDraft,
  SectionDraft,
} from '../../drafts/drafts.ts'
import type { UpsertTable } from '../../db/bulk-upsert.ts'
import { simplifiedName } from './simplified-name.ts'

/** Names as columns of a row. */
type NameCells = Record<'nameEn' | 'nameHant' | 'nameHans', string | null>

/** The columns of names; Simplified Chinese ones that a source lacks are made of its Traditional ones. */
export const nameCells = ({ en, hant, hans }: Names): NameCells => ({
  nameEn: en,
  nameHant: hant,
  nameHans: hans ?? (hant === null ? null : simplifiedName(hant)),
})

/** Rows ready to be written: drafts with their keys resolved. */
export interface KeyedNames extends NameCells {
  id: string
  key: number
  regionId: string
}

export type HorseRow = Omit<HorseDraft, keyof Names> & KeyedNames & { birthYear: number | null }
export type RaceRow = Omit<RaceDraft, 'name' | 'date' | 'runners'> &
  KeyedNames & { raceDate: string; season: number; declaredStarters: number; places: number }
export type RunnerRow = Omit<RunnerDraft, 'horse' | 'jockey' | 'trainer' | 'brand' | 'sections'> & {
  raceId: string
  horseId: string
  /** What the source calls the horse, unless that is its brand. */
  sourceBrand: string | null
  jockeyId: string | null
  trainerId: string | null
}
type FormRow = Omit<FormDraft, 'date'> & { regionId: string; raceDate: string }

const NAMES = ['nameEn', 'nameHant', 'nameHans'] as const

const keyed = (name: string): UpsertTable<KeyedNames> => ({
  name,
  key: ['id'],
  columns: { text: ['id', 'regionId'], int: ['key'] },
  kept: { text: NAMES },
})

export const STADIUM = keyed('stadium')
export const JOCKEY = keyed('jockey')
export const TRAINER = keyed('trainer')

export const HORSE: UpsertTable<HorseRow> = {
  name: 'horse',
  key: ['id'],
  columns: { text: ['id', 'regionId', 'brand'], int: ['key'] },
  kept: {
    text: [...NAMES, 'status', 'origin', 'sex', 'colour', 'importType', 'owner', 'sire', 'dam', 'damSire'],
    smallint: ['age', 'lastRating', 'birthYear'],
    date: ['ageOn'],
    bigint: ['seasonPrizeCents', 'totalPrizeCents'],
  },
}

export const RACE: UpsertTable<RaceRow> = {
  name: 'race',
  key: ['id'],
  onChange: `scoring = 'stale'`,
  columns: {
    text: ['id', 'regionId', 'stadiumId', 'status'],
    int: ['key'],
    date: ['raceDate'],
    smallint: ['raceNo', 'season', 'declaredStarters', 'places'],
    boolean: ['numbersByName'],
  },
  kept: {
    timestamptz: ['startsAt'],
    text: [...NAMES, 'raceClass', 'track', 'course', 'going', 'weather', 'ratingRange'],
    smallint: ['distanceM'],
    bigint: ['prizeCents'],
    int: ['winningTimeMs'],
  },
}

export const RUNNER: UpsertTable<RunnerRow> = {
  name: 'runner',
  key: ['race_id', 'horse_id'],
  columns: {
    text: [
      'raceId',
      'horseId',
      'sourceBrand',
      'jockeyId',
      'trainerId',
      'status',
      'placeCode',
      'margin',
      'runningPosition',
    ],
    smallint: ['horseNo', 'entryNo', 'draw', 'actualWeightLb', 'declaredWeightLb', 'place'],
    int: ['finishTimeMs'],
    boolean: ['deadHeat'],
    'double precision': ['winOdds'],
  },
  kept: { smallint: ['rating', 'age'], text: ['gear', 'sex', 'owner'] },
}

export const DIVIDEND: UpsertTable<DividendDraft> = {
  name: 'dividend',
  key: ['race_id', 'pool', 'combination'],
  columns: {
    text: ['raceId', 'pool', 'combination', 'status'],
    smallint: ['gameplayClass'],
    bigint: ['dividendCents'],
  },
}

export const ODDS_TICK: UpsertTable<OddsTickDraft> = {
  name: 'odds_tick',
  key: ['race_id', 'horse_no', 'seen_at'],
  columns: {
    text: ['raceId'],
    smallint: ['horseNo'],
    timestamptz: ['seenAt'],
    'double precision': ['odds'],
  },
}

export type SectionRow = SectionDraft & { raceId: string; horseNo: number }

export const SECTION: UpsertTable<SectionRow> = {
  name: 'section',
  key: ['race_id', 'horse_no', 'section_no'],
  columns: {
    text: ['raceId', 'margin'],
    smallint: ['horseNo', 'sectionNo', 'position'],
    int: ['timeMs'],
  },
}

const RACE_TEXTS = ['track', 'course', 'going', 'raceClass'] as const
const RUN_TEXTS = ['placeCode', 'trainer', 'jockey', 'margin', 'runningPosition', 'gear'] as const

export const FORM_LINE: UpsertTable<FormRow> = {
  name: 'form_line',
  key: ['race_date', 'region_id', 'brand', 'race_index'],
  columns: {
    text: ['regionId', 'brand', 'stadiumId', ...RACE_TEXTS, ...RUN_TEXTS],
    date: ['raceDate'],
    int: ['raceIndex', 'finishTimeMs'],
    smallint: ['distanceM', 'draw', 'rating', 'actualWeightLb', 'declaredWeightLb'],
    'double precision': ['winOdds'],
  },
}
