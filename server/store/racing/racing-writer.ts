import { createHash } from 'node:crypto'
import { regionOfStadium, seasonOf, type RegionRules } from '../../../domain/region.ts'
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
import { BREEDING, breedingOf, NO_NAMES, UNKNOWN_PROFILE } from '../../drafts/drafts.ts'
import { areDifferentYears, isByName, yearOfBirth } from '../../drafts/horse-names.ts'
import { placesOf, type RaceField } from '../../drafts/race-field.ts'
import type { ReportBook } from '../../drafts/report.ts'
import { bulkUpsert, type UpsertTable } from '../../db/bulk-upsert.ts'
import type { Database, Queries } from '../../db/database.ts'
import { ChangeMarks } from './change-marks.ts'
import { isLaterBearer } from './history-store.ts'
import { formPeriods, joinForm } from './form-store.ts'
import { markPiece } from '../operation/pieces-store.ts'
import { logChangesOf, type ImportedFiles } from '../operation/import-log.ts'
import { loadRings, renewRings, type KeyedTable, type KeyRings } from './key-ring.ts'
import {
  DIVIDEND,
  FORM_LINE,
  HORSE,
  JOCKEY,
  ODDS_TICK,
  RACE,
  RUNNER,
  STADIUM,
  TRAINER,
  nameCells,
  type HorseRow,
  type KeyedNames,
  type RaceRow,
  type RunnerRow,
} from './racing-tables.ts'
import {
  readAliases,
  readBirths,
  readNamedHorses,
  readRuns,
  writeAliases,
  type HorseAlias,
  type NewAlias,
  type StoredAlias,
} from './horse-alias-store.ts'
import { readDrafts, readFields, readNames, readOddsTimes, readPoolLines } from './race-draft-store.ts'
import { readSignatures, readSignaturesAmong, Twins } from './race-signature.ts'
import {
  dropLinesNotIn,
  dropNumbered,
  dropRunnersNotIn,
  ensureRegion,
  numberedAmong,
  renameRaces,
  type RaceName,
  writeSections,
  writeSilks,
} from './racing-statements.ts'
import { analyze } from '../../db/revisions.ts'
import { slicesOf, type SliceOptions } from '../../db/slices.ts'

/** Arbitrary advisory lock key, shared by every process that writes races. */
const WRITERS_LOCK = 7_312_032

/** Usual number of sections of a runner. */
const SECTIONS_OF_RUNNER = 4

type Sectioned = Pick<RunnerSections, 'raceId' | 'horseNo' | 'sections'>

/** Waits for other writers of races, and keeps them waiting until the transaction ends. */
export async function waitForWriters({ rows }: Queries): Promise<void> {
  await rows('select pg_advisory_xact_lock($1)', [WRITERS_LOCK])
}

/** Keeps other writers of races waiting until the transaction ends; false, without waiting, if one of them writes. */
export async function holdsWriters({ rows }: Queries): Promise<boolean> {
  const [row] = await rows<{ held: boolean }>('select pg_try_advisory_xact_lock($1) as held', [WRITERS_LOCK])
  return row!.held
}

/** An import that is written in pieces, and its database. */
interface Pieces {
  database: Database
  own: ImportedFiles
  /** Its number in the log of changes. */
  run: number
}

/** What a source tells of who a horse is. */
interface Told {
  brand: string
  horse: RunnerDraft['horse']
  /** Its year of birth. */
  born: number | null
}

/** Rows, and races, in one piece of an import: PGlite writes this many in about 100 ms. */
const PIECE_ROWS = 2000
const PIECE_RACES = 80

/**
 * Writes drafts into the racing tables: assigns keys, counts inserted, updated and unchanged rows, and marks the affected
 * races and dataset partitions. It writes within its caller's transaction, or in pieces, each of them a transaction.
 */
export class RacingWriter {
  /** The caller's transaction, or that of the current piece. */
  private database: Queries
  private readonly inPieces: Pieces | null
  private readonly book: ReportBook
  private readonly rings: KeyRings
  private readonly written = new Set<string>()
  private twins = new Twins(() => readSignatures(this.database))
  private readonly marks = new ChangeMarks()

  /** Stored horses by the region and what other sources call them. */
  private readonly aliased = new Map<string, StoredAlias>()

  private constructor(database: Queries, inPieces: Pieces | null, book: ReportBook, rings: KeyRings) {
    this.database = database
    this.inPieces = inPieces
    this.book = book
    this.rings = rings
  }

  /**
   * Waits for other writers of races, because two at once would assign the same keys. `races`: ids of the
   * only races that will be queried, to avoid loading every race.
   */
  static async open(
    database: Queries,
    book: ReportBook,
    { races }: { races?: readonly string[] } = {},
  ): Promise<RacingWriter> {
    await waitForWriters(database)
    const writer = new RacingWriter(database, null, book, await loadRings(database, races))
    await writer.loadAliases()
    return writer
  }

  /**
   * For the embedded database of a running server, whose requests wait for every transaction: each piece is committed
   * with its marks. What is written in pieces may be half written after an interruption; writing the same again
   * completes it. Nothing is scored between `beginPieces` and `endPieces`. `own`: the files; `run`: the number of the import;
   * `twins`: their repeated races.
   */
  static async openInPieces(
    database: Database,
    book: ReportBook,
    { own, run, twins }: { own: ImportedFiles; run: number; twins: Twins },
  ): Promise<RacingWriter> {
    const writer = new RacingWriter(database, { database, own, run }, book, await loadRings(database))
    writer.twins = twins
    await writer.loadAliases()
    return writer
  }

  /** Runs SQL as one piece, within the caller's transaction unless it writes in pieces. */
  private async piece<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.inPieces === null) return work()
    const { database, own, run } = this.inPieces
    try {
      return await database.transaction(async (queries) => {
        this.database = queries
        await logChangesOf(queries, run)
        // Others, such as the feed, may have written between two pieces.
        await renewRings(queries, this.rings)
        const result = await work()
        await this.marks.write(queries)
        await markPiece(queries, own)
        return result
      })
    } finally {
      this.database = database
    }
  }

  private async pieces<Row>(
    rows: readonly Row[],
    write: (some: readonly Row[]) => Promise<void>,
    options: SliceOptions<Row> = { size: PIECE_ROWS },
  ): Promise<void> {
    const slices = this.inPieces === null ? [rows] : slicesOf(rows, options)
    for (const slice of slices) await this.piece(() => write(slice))
  }

  hasRace(raceId: string): boolean {
    return this.rings.race.has(raceId)
  }

  /** Whether this import has already written the race. */
  wrote(raceId: string): boolean {
    return this.written.has(raceId)
  }

  /** The races as they are stored now, by id. */
  fieldsOf(raceIds: readonly string[]): Promise<Map<string, RaceField>> {
    return readFields(this.database, raceIds)
  }

  /** The dividend lines of these races as they are stored now. */
  linesOf(raceIds: readonly string[]): Promise<DividendDraft[]> {
    return readPoolLines(this.database, raceIds)
  }

  /** The moments of the odds of these races as they are stored now. */
  oddsTimesOf(raceIds: readonly string[]): ReturnType<typeof readOddsTimes> {
    return readOddsTimes(this.database, raceIds)
  }

  /** The races as they are stored now, with everything that an import can say of them, by id. */
  draftsOf(raceIds: readonly string[]): Promise<Map<string, RaceDraft>> {
    return readDrafts(this.database, raceIds)
  }

  /** Those of these races of which dividends, odds or sections are stored under the numbers of horses. */
  async numberedAmong(raceIds: readonly string[]): Promise<string[]> {
    return raceIds.length === 0 ? [] : numberedAmong(this.database, raceIds)
  }

  /** Deletes dividends, odds and sections of these races, whose horses have other numbers now. */
  async dropNumbered(raceIds: readonly string[]): Promise<void> {
    if (raceIds.length === 0) return
    await this.piece(async () => {
      await dropNumbered(this.database, raceIds)
      for (const id of raceIds) {
        this.marks.staleRaces.add(id)
        this.marks.movedOdds.add(id)
        this.marks.changedSections.add(id)
      }
    })
  }

  /** Names of a region's horses and people as they are stored now. */
  namesOf(region: RegionRules): ReturnType<typeof readNames> {
    return readNames(this.database, region.id)
  }

  private async loadAliases(): Promise<void> {
    for (const stored of await readAliases(this.database))
      this.aliased.set(`${stored.regionId} ${stored.alias}`, stored)
  }

  /** What other sources call stored horses. */
  aliases(): Promise<HorseAlias[]> {
    return Promise.resolve([...this.aliased.values()])
  }

  /** The horses of a region as they are stored now. */
  horsesOf(regionId: string): ReturnType<typeof readNamedHorses> {
    return readNamedHorses(this.database, regionId)
  }

  /** The races of horses of a region, by their brands, as they are stored now. */
  runsOf(
    regionId: string,
    brands: readonly string[],
    days: readonly string[] | null,
  ): ReturnType<typeof readRuns> {
    return readRuns(this.database, regionId, brands, days)
  }

  /** Stores what a source calls horses that are stored: its runners are these. */
  async writeAliases(aliases: readonly NewAlias[]): Promise<void> {
    await this.pieces(aliases, async (some) => {
      const brands = new Map(some.map(({ regionId, alias, brand }) => [`${regionId} ${alias}`, brand]))
      const written = await writeAliases(this.database, some)
      for (const each of written) {
        const key = `${each.regionId} ${each.alias}`
        this.aliased.set(key, { ...each, brand: brands.get(key)! })
      }
      const unchanged = some.length - written.length
      this.book.wrote('horse_alias', { inserted: written.length, updated: 0, unchanged })
    })
  }

  /** Ensures that the region and these stadiums exist. */
  async place(region: RegionRules, stadiums: readonly StadiumDraft[]): Promise<void> {
    await this.piece(() => this.placeNow(region, stadiums))
  }

  private async placeNow(region: RegionRules, stadiums: readonly StadiumDraft[]): Promise<void> {
    await ensureRegion(this.database, region)
    await this.names(
      STADIUM,
      stadiums.map((stadium) => this.keyed('stadium', stadium.id, region, stadium)),
    )
  }

  async writeHorses(region: RegionRules, horses: readonly HorseDraft[]): Promise<void> {
    await this.pieces(horses, async (some) => {
      await this.names(
        HORSE,
        some.map((horse) => this.horseRow(region, horse)),
      )
    })
  }

  private horseRow(region: RegionRules, { raceId: _race, born = null, ...horse }: HorseDraft): HorseRow {
    const told = { brand: horse.brand, horse, born }
    const known = this.called(region, told)
    const id = known?.horseId ?? this.horseId(region, told)
    return {
      ...horse,
      // A horse that another source calls otherwise keeps its names.
      ...this.keyed('horse', id, region, known === undefined ? horse : NO_NAMES),
      brand: known?.brand ?? horse.brand,
      birthYear: this.newBirthYear(id, born),
    }
  }

  async writePeople(
    kind: 'jockey' | 'trainer',
    region: RegionRules,
    people: readonly PersonDraft[],
  ): Promise<void> {
    await this.pieces(people, async (some) => {
      const rows = some.map((person) => this.keyed(kind, `${region.code}-${person.name}`, region, person))
      await this.names(kind === 'jockey' ? JOCKEY : TRAINER, rows)
    })
  }

  /** Declares that `twinOf` is called only for these races: not every race has to be loaded. */
  async expect(races: readonly RaceDraft[]): Promise<void> {
    const signatures = await readSignaturesAmong(this.database, races)
    this.twins = new Twins(async () => signatures)
  }

  /** The earlier race with the same horses and finish times; `null` if there is none. */
  twinOf(race: RaceDraft): Promise<string | null> {
    return this.twins.of(race)
  }

  /** Writes races with their runners; a race's first write in an import replaces all its runners. */
  async writeRaces(races: readonly RaceDraft[]): Promise<void> {
    await this.pieces(races, (some) => this.writeRacesNow(some), { size: PIECE_RACES })
  }

  private async writeRacesNow(races: readonly RaceDraft[]): Promise<void> {
    const newcomers = {
      horse: new Map<string, HorseRow>(),
      jockey: new Map<string, KeyedNames>(),
      trainer: new Map<string, KeyedNames>(),
    }
    const regions = new Set<RegionRules>()
    const stadiums = new Map<string, StadiumDraft>()
    const raceRows: RaceRow[] = []
    const runnerRows: RunnerRow[] = []
    const sections: Sectioned[] = []
    const births = await readBirths(this.database, races, (stadiumId, brand) =>
      this.rings.horse.has(`${this.firstId(regionOfStadium(stadiumId)!, brand)}-2`),
    )
    for (const { runners, name, date, ...race } of races) {
      const region = regionOfStadium(race.stadiumId)!
      regions.add(region)
      if (!this.rings.stadium.has(race.stadiumId)) {
        stadiums.set(race.stadiumId, { id: race.stadiumId, en: race.stadiumId, hant: null, hans: null })
      }
      const declared = runners.filter(({ horseNo }) => horseNo !== null).length
      raceRows.push({
        ...race,
        ...this.keyed('race', race.id, region, name),
        raceDate: date,
        season: seasonOf(region, date),
        declaredStarters: declared,
        places: placesOf({ ...race, name }, runners),
      })
      for (const { brand, horse, jockey, trainer, sections: own, ...runner } of runners) {
        const told = yearOfBirth(region, date, { age: runner.age, name: horse.en })
        const born = told ?? births.get(`${race.id} ${brand}`) ?? null
        const horseId = this.addHorse(newcomers.horse, region, { brand, horse, born })
        const personId = (kind: 'jockey' | 'trainer', person: PersonDraft | null): string | null =>
          person === null ? null : this.addPerson(newcomers[kind], kind, region, person)
        if (own !== null && runner.horseNo !== null)
          sections.push({ raceId: race.id, horseNo: runner.horseNo, sections: own })
        runnerRows.push({
          ...runner,
          raceId: race.id,
          horseId,
          sourceBrand: this.called(region, { brand, horse, born }) === undefined ? null : brand,
          jockeyId: personId('jockey', jockey),
          trainerId: personId('trainer', trainer),
        })
      }
    }
    for (const region of regions) {
      const own = [...stadiums.values()].filter(({ id }) => regionOfStadium(id) === region)
      await this.placeNow(region, own)
    }
    await this.names(HORSE, [...newcomers.horse.values()])
    await this.names(JOCKEY, [...newcomers.jockey.values()])
    await this.names(TRAINER, [...newcomers.trainer.values()])
    const { staleRaces } = this.marks
    this.book.wrote('race', await bulkUpsert(this.database, RACE, raceRows, staleRaces))
    const first = raceRows.map(({ id }) => id).filter((id) => !this.written.has(id))
    for (const id of await dropRunnersNotIn(this.database, first, runnerRows)) staleRaces.add(id)
    this.book.wrote('runner', await bulkUpsert(this.database, RUNNER, runnerRows, staleRaces))
    await writeSilks(this.database, runnerRows)
    if (sections.length > 0) await this.writeSectionsNow(sections)
    for (const { id } of raceRows) this.written.add(id)
  }

  async writeDividends(dividends: readonly DividendDraft[]): Promise<void> {
    const { staleRaces } = this.marks
    const write = async (some: readonly DividendDraft[]): Promise<void> => {
      for (const raceId of await dropLinesNotIn(this.database, some)) staleRaces.add(raceId)
      this.book.wrote('dividend', await bulkUpsert(this.database, DIVIDEND, some, staleRaces))
    }
    // A pool's lines that are not among those written with it are deleted.
    await this.pieces(dividends.toSorted(byRace), write, {
      size: PIECE_ROWS,
      together: ({ raceId }) => raceId,
    })
  }

  async writeOddsTicks(ticks: readonly OddsTickDraft[]): Promise<void> {
    await this.pieces(ticks, async (some) => {
      this.book.wrote('odds_tick', await bulkUpsert(this.database, ODDS_TICK, some, this.marks.movedOdds))
    })
  }

  /** Replaces the sections of these runners. */
  async writeSections(runners: readonly RunnerSections[]): Promise<void> {
    const size = Math.floor(PIECE_ROWS / SECTIONS_OF_RUNNER)
    await this.pieces(runners, (some) => this.writeSectionsNow(some), {
      size,
      together: ({ raceId }) => raceId,
    })
  }

  private async writeSectionsNow(runners: readonly Sectioned[]): Promise<void> {
    const count = await writeSections(this.database, runners, this.marks.changedSections)
    if (runners.some(({ sections }) => sections.length > 0)) this.book.wrote('section', count)
  }

  async writeRaceNames(names: readonly RaceName[]): Promise<void> {
    await this.pieces(names, async (some) => {
      const renamed = await renameRaces(this.database, some)
      for (const id of renamed) this.marks.changedRaces.add(id)
      const updated = renamed.length
      this.book.wrote('race name', { inserted: 0, updated, unchanged: some.length - updated })
    })
  }

  async writeForm(region: RegionRules, lines: readonly FormDraft[]): Promise<void> {
    await this.pieces(lines, async (some) => {
      const rows = some.map(({ date, ...line }) => ({ ...line, raceDate: date, regionId: region.id }))
      const days = new Set<string>()
      this.book.wrote('form_line', await bulkUpsert(this.database, FORM_LINE, rows, days))
      this.marks.noteForm(region.id, days)
    })
  }

  /** Fills in what the results omit from the horses' own form records: rating, gear, class and distance. */
  async joinForm(region: RegionRules): Promise<void> {
    for (const table of ['race', 'runner', 'horse', 'form_line'])
      await this.piece(() => analyze(this.database, [table]))
    const periods = await this.piece(() => formPeriods(this.database, region.id))
    for (const period of periods)
      await this.piece(async () => {
        const changed = await joinForm(this.database, period)
        for (const id of changed) this.marks.changedRaces.add(id)
        // What an interruption left may have been scored without its form.
        if (this.inPieces !== null) for (const id of changed) this.marks.staleRaces.add(id)
      })
  }

  /**
   * Marks what to score and to rebuild, unless each piece has done so. Returns the number of races whose data or odds
   * changed; 0 in pieces.
   */
  async finish(): Promise<number> {
    return this.inPieces === null ? this.marks.write(this.database) : 0
  }

  /** The id of a runner's horse. It is among the newcomers unless a source calls a stored one so and tells nothing of it. */
  private addHorse(newcomers: Map<string, HorseRow>, region: RegionRules, told: Told): string {
    const { brand, horse } = told
    const breeding = breedingOf(horse)
    const known = this.called(region, told)
    const id = known?.horseId ?? this.horseId(region, told)
    const birthYear = this.newBirthYear(id, told.born)
    const before = newcomers.get(id)
    if (before !== undefined) {
      for (const each of BREEDING) before[each] ??= breeding[each]
      before.birthYear ??= birthYear
      return id
    }
    if (known !== undefined) {
      // It keeps its names.
      if (birthYear !== null || BREEDING.some((each) => breeding[each] !== null))
        newcomers.set(id, {
          ...UNKNOWN_PROFILE,
          ...breeding,
          ...this.keyed('horse', id, region, NO_NAMES),
          brand: known.brand,
          birthYear,
        })
      return id
    }
    if (!this.rings.horse.has(id) && isLaterBearer(id)) this.marks.laterBearers.add(brand)
    newcomers.set(id, {
      ...UNKNOWN_PROFILE,
      ...breeding,
      brand,
      birthYear,
      ...this.keyed('horse', id, region, horse),
    })
    return id
  }

  /** The year of birth to store; `null` if there is one already, or none is told. */
  private newBirthYear(horseId: string, born: number | null): number | null {
    const horses = this.rings.horse
    if (born === null || horses.bornIn(horseId) !== null) return null
    horses.bear(horseId, born)
    return born
  }

  private addPerson(
    newcomers: Map<string, KeyedNames>,
    kind: 'jockey' | 'trainer',
    region: RegionRules,
    person: PersonDraft,
  ): string {
    const id = `${region.code}-${person.name}`
    if (!newcomers.has(id)) newcomers.set(id, this.keyed(kind, id, region, person))
    return id
  }

  /** The stored horse that a source calls so. */
  private called(region: RegionRules, told: Told): StoredAlias | undefined {
    const known = this.aliased.get(`${region.id} ${told.brand}`)
    return known === undefined || this.isOfOtherYear(known.horseId, told) ? undefined : known
  }

  /** Whether a horse that a source knows by its name is another one than the stored one, because their years of birth differ. */
  private isOfOtherYear(horseId: string, { brand, horse, born }: Told): boolean {
    return areDifferentYears(this.rings.horse.bornIn(horseId), born) && isByName(brand, horse)
  }

  /** The id of the first horse with a brand. Horses that were stored by their name keep that id. */
  private firstId({ code }: RegionRules, brand: string): string {
    return this.rings.horse.has(`${code}-${brand}`) ? `${code}-${brand}` : `${code}-${idPart(brand)}`
  }

  /**
   * Brands are reused after about 20 years: the same brand with another name is another horse. So is a name with another year of
   * birth, where it is the source's only key.
   */
  private horseId(region: RegionRules, told: Told): string {
    const horses = this.rings.horse
    const name = told.horse.hant
    const base = this.firstId(region, told.brand)
    for (let use = 1; ; use += 1) {
      const id = use === 1 ? base : `${base}-${use}`
      const known = horses.nameOf(id)
      const isNamed = known === undefined || known === null || name === null || known === name
      if (isNamed && !this.isOfOtherYear(id, told)) {
        horses.name(id, name ?? known ?? null)
        return id
      }
    }
  }

  private keyed(table: KeyedTable, id: string, region: RegionRules, names: Names): KeyedNames {
    return { id, key: this.rings[table].numberOf(id), regionId: region.id, ...nameCells(names) }
  }

  private async names<Row extends KeyedNames>(table: UpsertTable<Row>, rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return
    const changed = new Set<string>()
    this.book.wrote(table.name, await bulkUpsert(this.database, table, rows, changed))
    for (const row of rows) if (changed.has(row.id)) this.marks.changedNames.add(row.regionId)
  }
}

const ID_LETTERS = 12
const ID_DIGITS = 6

/**
 * What a horse's id has of its brand: the brand if calls take it in an id (`horseId` of the contract). Of a source without
 * brands it is the name, whose letters stand with what tells it from another name of the same letters.
 */
function idPart(brand: string): string {
  if (/^[A-Za-z0-9-]{1,20}$/.test(brand)) return brand
  const letters = brand.normalize('NFD').replaceAll(/[^A-Za-z0-9]/g, '')
  const digest = createHash('sha256').update(brand).digest('hex')
  // The letter before it tells it from the number of a brand's later bearer.
  return `${letters.slice(0, ID_LETTERS)}-h${digest.slice(0, ID_DIGITS)}`
}

const byRace = (a: DividendDraft, b: DividendDraft): number =>
  a.raceId < b.raceId ? -1 : Number(a.raceId > b.raceId)
