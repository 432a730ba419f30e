import type { ResultProblem } from '../../../domain/result-check.ts'
import type { RegionRules } from '../../../domain/region.ts'
import type { RaceField } from '../../drafts/race-field.ts'
import type { CsvFile, CsvRow, Encoding } from './csv-file.ts'
import type { Fact } from './facts.ts'
import type {
  DividendDraft,
  FormDraft,
  HorseDraft,
  Names,
  OddsTickDraft,
  PersonDraft,
  RaceDraft,
  RunnerDraft,
  RunnerSections,
  StadiumDraft,
} from '../../drafts/drafts.ts'

/** The content of one row of a file. */
export type Draft =
  | { kind: 'runner'; race: Omit<RaceDraft, 'runners'>; runner: RunnerDraft }
  | { kind: 'horse'; horse: HorseDraft }
  | { kind: 'horse-name'; brand: string; names: Names }
  | { kind: 'jockey' | 'trainer'; person: PersonDraft }
  | { kind: 'dividend'; dividend: DividendDraft }
  | { kind: 'odds-tick'; tick: OddsTickDraft }
  | { kind: 'form'; form: FormDraft }
  | { kind: 'race-name'; raceId: string; names: Names }
  | { kind: 'sections'; runner: RunnerSections }
  | { kind: 'race-facts'; race: Omit<RaceDraft, 'runners'> }
  /** A row of which nothing is needed, or as many parts of one; they are counted by what they are. */
  | { kind: 'passed-over'; what: string; count?: number }

/** What a row says of its race where races have no numbers. All throw `RowError`. */
interface CountedRace {
  /** Stadium and day in one text; `null` for a row of which nothing is needed. */
  meetingOf(row: CsvRow): string | null
  /** The time of the off, `hh:mm` on a clock of 24 hours. */
  timeOf(row: CsvRow): string
  /** `ran`: how many ran in the race; `null` if the file does not say it. */
  runnerOf(row: CsvRow): { runner: string; ran: number | null }
  /** If its runners have no numbers either: they are counted by `runner`, and are in the cell `RUNNER_NO`. */
  numbersRunners?: CountedRunners
}

/** Of a stored race, runners keep their numbers, because odds and dividends are stored under them. Both throw `RowError`. */
interface CountedRunners {
  raceIdOf(meeting: string, raceNo: number): string
  brandOf(row: CsvRow): string
}

/** Rows of which each only tells more of a runner that has a row of its own, which may be in another file. All throw `RowError`. */
interface SecondRows {
  isSecond(row: CsvRow): boolean
  /** What both rows of a runner have in common, in one text; `null` for a row of which nothing is needed. */
  runnerOf(row: CsvRow): string | null
  /** What a second row tells: cells that the first one is read with, by names that no column has. */
  cellsOf(row: CsvRow): CsvRow
}

/** The cell with the counted number of a race. */
export const RACE_NO = '#race_no'
/** The cell with the counted number of a runner. */
export const RUNNER_NO = '#runner_no'
/** The cell that says, with `BY_NAME`, that the numbers of the runners of its race are ours, in the order of their names. */
export const NUMBERS = '#numbers'
export const BY_NAME = 'by name'

/** The cell with what several rows of a race that is joined say differently, if they do. */
export const RACE_DIFFERS = '#race_differs'

/** Races that are stored, by their ids. */
export interface StoredRaces {
  hasRace(raceId: string): boolean
  draftsOf(raceIds: readonly string[]): Promise<Map<string, RaceDraft>>
  fieldsOf(raceIds: readonly string[]): Promise<Map<string, RaceField>>
}

/** Lines without a header: the name of each cell in order, and what the first cells look like. */
interface Headless {
  names: readonly string[]
  first: readonly RegExp[]
}

/** One kind of file within a format, recognised by its header, or by the shape of its lines if it has none. */
export interface FileKind {
  name: string
  /** Columns that a file of this kind must have, in any order. */
  columns: readonly string[]
  headless?: Headless
  /** All columns that are read, if the layout is ours to document: others are reported. */
  documented?: readonly string[]
  /** How a mapping finds the fields of our own layout, if one is used. */
  fields?: readonly MappedField[]
  /** Whether the rows of a race complete each other's facts of the race; what differs is noted. */
  joinsFacts?: boolean
  /** Whether a runner may have several rows, which are counted as repeated and complete the race together. */
  repeatsRunners?: boolean
  /** Needed if two kinds have the same columns. */
  fileName?: RegExp
  /**
   * Its rows lack the race, which is in the row of another kind with the same cells in the columns `by`: they are read with the
   * cells of that row. Neither kind is imported without the other, unless the other one `isWholeAlone`. `days`: the column of that
   * row with the day of the race, if it can be misread, and the order in which the layout writes it. A file in which a cell can only
   * be read in the other one is refused, because its other days would be misread without a word.
   */
  joins?: {
    kind: string
    by: readonly string[]
    days?: { column: string; order: 'dmy' | 'mdy' }
    isWholeAlone?: boolean
  }
  /**
   * Of which race a row is, if the layout has no race numbers: they are counted by the times of a meeting's races in all files, and
   * are in the cell `RACE_NO`.
   */
  counts?: CountedRace
  /** Which rows tell more of other rows; `read` makes nothing of them. */
  seconds?: SecondRows
  /** Whether a file is one race: if it cannot be read, it is left out as a row is elsewhere, and the import goes on. */
  isOneRace?: boolean
  /**
   * Whether it has all odds over time that its source has of a race. They are not added to a race of another source that has others:
   * these are of another source too.
   */
  hasAllOdds?: boolean
  /**
   * Reads what the files of this kind say together, before any of them is read by itself. Returns what adds to a row the cells that
   * follow from the others; it throws `RowError`. `stored` knows the races that are stored.
   */
  together?(files: readonly CsvFile[], stored: StoredRaces): Promise<(row: CsvRow) => CsvRow>
  /** Kinds are read in this order, so that races are read before their dividends. */
  order: number
  /**
   * Reads one row. Throws `RowError` if it cannot be used; `note` receives fields that could not be read and
   * are stored as unknown.
   */
  read(row: CsvRow, note: Note): Draft | readonly Draft[]
  /** The race id of a row, for kinds with runners: if one row is rejected, its whole race is left out. */
  raceOf?(row: CsvRow): string
  /**
   * Completes a race with what depends on all its runners and their rows; returns it with its dividends. `note` receives
   * what contradicts itself.
   */
  complete?(
    race: RaceDraft,
    rows: readonly CsvRow[],
    note: NoteOfRow,
  ): { race: RaceDraft; dividends?: DividendDraft[] }
  /** Lines of dividends of which nothing is needed, found beside the other lines of the file; they are counted as `what`. */
  passOver?: {
    what: string
    from(lines: readonly DividendDraft[]): { kept: DividendDraft[]; passedOver: number }
  }
}

/** What a cell says in our own layout: `null` if nothing of its row is needed. */
export interface MappedCell {
  text: string | null
  /** Whether it is what the mapping says of all words that it does not name. */
  isAssumed: boolean
}

/** A field of our own layout in another one: its column, `null` if no column says it. */
export interface MappedField {
  field: string
  column: string | null
  read(row: CsvRow): MappedCell
}

export interface ImportFormat {
  name: string
  encoding: Encoding
  /** The encoding of files that are in it and not in the usual one, if there are such. */
  otherwise?: Encoding
  kinds: readonly FileKind[]
  stadiums: readonly StadiumDraft[]
  /** The region of horses and people; a race's region is that of its stadium. */
  region: RegionRules
  /**
   * What its files contain although it can hardly be true: it is stored as it stands, and noted. Official results are those
   * of today beside the dividends of the day, which contradict each other after an amendment.
   */
  tolerated: readonly ResultProblem[]
  /**
   * Whether races that are stored with their result, by an earlier file of the same import too, are completed by its files: what
   * they lack is added, and what the files say otherwise is reported and not stored.
   */
  completes?: boolean
  /**
   * Courses of one town, of which one alone races on a day, by each other. Not every source tells them apart: a race at one of them
   * is refused on a day on which the other has races.
   */
  sisters?: ReadonlyMap<string, string>
  /**
   * The language of its people's names. Others may be stored in another one: whoever rode or trained a saddle number of a
   * stored race is the same person.
   */
  peopleIn?: 'en' | 'hant'
  /** What its files never say. */
  lacks: readonly Fact[]
  /** What everybody who imports such files has to know, in English, for the report. */
  warning?: string
}

/** Receives a field that could not be read: the kind of problem, and the field's content. */
export type Note = (kind: string, detail: string) => void

/** `Note` for one of several rows. */
export type NoteOfRow = (index: number, ...note: Parameters<Note>) => void

/** Rejects a row; `kind` groups the report. */
export class RowError extends Error {
  readonly kind: string

  constructor(kind: string, detail: string) {
    super(detail)
    this.name = 'RowError'
    this.kind = kind
  }
}

/** What is read of a row; `null` if it is rejected, which is reported where the row itself is read. */
export function nullOnRowError<Value>(read: () => Value): Value | null {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RowError)) throw error
    return null
  }
}
