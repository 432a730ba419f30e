import type { RegionRules } from '../../domain/region.ts'
import type { CsvRow, Encoding } from './csv-file.ts'
import type {
  DividendDraft,
  FormDraft,
  HorseDraft,
  Names,
  OddsTickDraft,
  PersonDraft,
  RaceDraft,
  RunnerDraft,
  StadiumDraft,
} from './drafts.ts'

/** What one row of a file says. */
export type Draft =
  | { kind: 'runner'; race: Omit<RaceDraft, 'runners'>; runner: RunnerDraft }
  | { kind: 'horse'; horse: HorseDraft }
  | { kind: 'horse-name'; brand: string; names: Names }
  | { kind: 'jockey' | 'trainer'; person: PersonDraft }
  | { kind: 'dividend'; dividend: DividendDraft }
  | { kind: 'odds-tick'; tick: OddsTickDraft }
  | { kind: 'form'; form: FormDraft }
  | { kind: 'race-name'; raceId: string; names: Names }

/** One kind of file within a format, known by its header. */
export interface FileKind {
  name: string
  /** Columns that a file of this kind must have, in any order. */
  columns: readonly string[]
  /** Needed where two kinds have the same columns. */
  fileName?: RegExp
  /** Kinds are read in this order, so that races are there before their dividends. */
  order: number
  /**
   * Reads one row. Throws `RowError` for one that cannot be used; `note` takes what a field said that could not be read
   * and is stored as unknown.
   */
  read(row: CsvRow, note: Note): Draft | readonly Draft[]
  /** The race that a row belongs to, for kinds of runners: a race of which a row is rejected is left out whole. */
  raceOf?(row: CsvRow): string
  /**
   * What only a whole race can tell, from its runners and the row of each: the race with that filled in, and its
   * dividends.
   */
  complete?(race: RaceDraft, rows: readonly CsvRow[]): { race: RaceDraft; dividends: DividendDraft[] }
}

export interface ImportFormat {
  name: string
  encoding: Encoding
  kinds: readonly FileKind[]
  stadiums: readonly StadiumDraft[]
  /** The region of horses and people; a race's is that of its stadium. */
  region: RegionRules
}

/** Takes a field that could not be read, by kind, with what it said. */
export type Note = (kind: string, detail: string) => void

/** A row that is left out; `kind` groups the report. */
export class RowError extends Error {
  readonly kind: string

  constructor(kind: string, detail: string) {
    super(detail)
    this.name = 'RowError'
    this.kind = kind
  }
}
