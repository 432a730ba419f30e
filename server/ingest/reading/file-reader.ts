import { FurlongError } from '../../../domain/errors.ts'
import type { RaceDraft } from '../../drafts/drafts.ts'
import type { RaceField } from '../../drafts/race-field.ts'
import type { RejectedRow, ReportBook } from '../../drafts/report.ts'
import {
  completeFacts,
  completeRace,
  hasResult,
  isSameRace,
  withDeadHeats,
  type Differs,
} from './complete.ts'
import { readRows, type CsvFile, type CsvRow } from './csv-file.ts'
import type { DraftWriter } from './draft-writer.ts'
import { FileDrafts } from './file-drafts.ts'
import { RowError, type Draft, type FileKind, type ImportFormat } from './format.ts'
import type { JoinRow } from './join-rows.ts'
import {
  lossesOf,
  raceVerdict,
  renumberedRaces,
  sisterVerdict,
  type ImportRules,
  type Verdict,
} from './judge.ts'
import type { KnownHorses } from './known-horses.ts'
import type { PeopleNames } from './people-names.ts'
import { SoundDrafts } from './sound-drafts.ts'

/** Reads one file into drafts, omits duplicates and rejected rows, and passes the rest to the writer. */
export class FileReader {
  private readonly format: ImportFormat
  private readonly kind: FileKind
  private readonly writer: DraftWriter
  private readonly book: ReportBook
  private readonly rules: ImportRules
  /** Who is who, if the format completes stored races. */
  private readonly names: PeopleNames | null
  private readonly horsesKnown: KnownHorses
  private readonly join: JoinRow
  private readonly seen = new Set<string>()
  /** Races with a rejected row, with the first such row. */
  private readonly broken = new Map<string, RejectedRow>()
  private readonly drafts: FileDrafts
  private readonly sound: SoundDrafts
  /** The races of the file as they were stored before. */
  private stored = new Map<string, RaceField>()

  constructor(
    format: ImportFormat,
    kind: FileKind,
    {
      writer,
      book,
      rules,
      names,
      horses,
      join,
    }: {
      writer: DraftWriter
      book: ReportBook
      rules: ImportRules
      names: PeopleNames | null
      horses: KnownHorses
      join: JoinRow
    },
  ) {
    this.format = format
    this.kind = kind
    this.writer = writer
    this.book = book
    this.rules = rules
    this.names = names
    this.horsesKnown = horses
    this.join = join
    this.drafts = new FileDrafts(format, kind, { writer, book, names })
    this.sound = new SoundDrafts({ format, kind, writer, book, rules, drafts: this.drafts })
  }

  async read(file: CsvFile, onBytes: (bytes: number) => void): Promise<void> {
    this.reportColumns(file)
    const rowsBefore = this.book.rowsRead
    let good = 0
    let firstBad: RejectedRow | null = null
    const reject = (kind: string, line: number, detail: string, row: CsvRow | null): void => {
      const rejected = { kind, file: file.name, line, detail }
      firstBad ??= rejected
      this.book.reject(rejected)
      if (row !== null) this.noteBroken(row, rejected)
    }
    const badShape = (line: number, cells: number, row: CsvRow): void => {
      this.book.rowsRead += 1
      reject('wrong-number-of-cells', line, `${cells} for ${file.header.length}`, row)
    }
    for await (const { row: own, cells, line } of readRows(file, badShape, onBytes)) {
      this.book.rowsRead += 1
      try {
        const row = this.join(this.kind, own)
        const unknown: RejectedRow[] = []
        const drafts = [
          this.kind.read(row, (kind, detail) => unknown.push({ kind, file: file.name, line, detail })),
        ].flat()
        good += 1
        if (this.isCopy(cells, drafts[0])) continue
        for (const draft of drafts) this.drafts.take(draft, { row, file: file.name, line })
        this.book.unknown.push(...unknown)
      } catch (error) {
        if (!(error instanceof RowError)) throw error
        reject(error.kind, line, error.message, own)
      }
    }
    if (this.book.rowsRead === rowsBefore) this.book.filesWithoutRows.push(file.name)
    // A file with the header of this format is refused if none of its rows can be read.
    if (good === 0 && firstBad !== null && this.kind.isOneRace !== true) {
      const { kind, line, detail } = firstBad as RejectedRow
      const reason = `${kind}, ${detail}`
      throw new FurlongError('no-good-row', { file: file.name, kind: this.kind.name, line, reason })
    }
    this.seen.clear()
    this.leaveOutBroken()
    await this.completeStored(file.name)
    await this.leaveOutRefused(file.name)
    await this.leaveOutRepeated(file.name)
    await this.horsesKnown.recognise([...this.drafts.races.values()], {
      file: file.name,
      lineOf: this.drafts.lineOfRace,
    })
    this.drafts.addAbandoned(file.name)
    await this.write(file.name)
  }

  /** A column that nobody reads may be one whose name is misspelt. */
  private reportColumns({ name, header }: CsvFile): void {
    const { documented, name: kind } = this.kind
    if (documented === undefined) return
    for (const column of header)
      if (column !== '' && !documented.includes(column))
        this.book.unknown.push({
          kind: 'unknown-column',
          file: name,
          line: 1,
          detail: `${column}: no column of ${kind}`,
        })
  }

  /**
   * Records the race of a rejected row. Without one of its runners, a race would be settled as another race,
   * with fewer places and other probabilities.
   */
  private noteBroken(row: CsvRow, rejected: RejectedRow): void {
    try {
      const raceId = this.kind.raceOf?.(this.join(this.kind, row))
      if (raceId !== undefined && !this.broken.has(raceId)) this.broken.set(raceId, rejected)
    } catch (error) {
      if (!(error instanceof RowError)) throw error
    }
  }

  private leaveOutBroken(): void {
    for (const [raceId, rejected] of this.broken) {
      this.book.rejectedRaces.set(raceId, rejected)
      if (!this.drafts.races.delete(raceId)) continue
      this.book.reject({ ...rejected, kind: 'race-incomplete', detail: `${raceId}: ${rejected.kind}` })
    }
  }

  /** Makes the races of a format that completes what is stored the stored ones with what they lack. */
  private async completeStored(file: string): Promise<void> {
    if (this.names === null) return
    if (this.format.completes !== true) {
      for (const [raceId, race] of this.drafts.races)
        this.drafts.races.set(raceId, this.names.withPeople(race))
      return
    }
    const drafts = await this.writer.draftsOf([...this.drafts.races.keys()])
    for (const [raceId, read] of this.drafts.races) {
      const stored = drafts.get(raceId)
      const race = withDeadHeats(read)
      const rows = this.drafts.rowsOfRace.get(raceId) ?? []
      const told = (index: number, ...differing: Parameters<Differs>): void =>
        this.book.differs(file, rows[index]?.line ?? 0, raceId)(...differing)
      if (!hasResult(stored)) this.drafts.races.set(raceId, this.names.named(race, told))
      else if (isSameRace(stored, race))
        this.drafts.races.set(raceId, completeRace(stored, race, this.names, told))
      else
        this.leaveOut(raceId, file, { kind: 'other-horses', detail: `${raceId}: most are not those stored` })
    }
  }

  /** Leaves out races that repeat another one under another date; of two in one file, the earlier is kept. */
  private async leaveOutRepeated(file: string): Promise<void> {
    for (const race of [...this.drafts.races.values()].toSorted((a, b) => a.date.localeCompare(b.date))) {
      const twin = await this.writer.twinOf(race)
      if (twin === null) continue
      this.leaveOut(race.id, file, {
        kind: 'race-repeated',
        detail: `${race.id} has the runners and finish times of ${twin}`,
      })
    }
  }

  /** Leaves out races that cannot have ended so, and those that would lose something that is stored. */
  private async leaveOutRefused(file: string): Promise<void> {
    this.stored = await this.writer.fieldsOf([...this.drafts.races.keys()])
    for (const race of this.drafts.races.values()) {
      const line = this.drafts.lineOfRace.get(race.id)!
      const stored = this.stored.get(race.id)
      const isNew = stored === undefined
      const twice = isNew ? sisterVerdict(race, this.format, (id) => this.writer.hasRace(id)) : null
      const verdict = twice ?? raceVerdict(race, stored, this.rules)
      if (verdict?.isNoted === false) {
        this.leaveOut(race.id, file, verdict)
        continue
      }
      const losses = lossesOf(race, stored)
      if (losses.length > 0 && !this.rules.allowRemovals) {
        this.leaveOut(race.id, file, losses[0]!)
        continue
      }
      this.book.removed.push(...losses.map((loss) => ({ ...loss, file, line })))
      if (verdict !== null) this.book.noted.push({ kind: verdict.kind, file, line, detail: verdict.detail })
    }
  }

  /**
   * Of completed races, those that do not give a number under which dividends, odds or sections are stored to another horse; the
   * others are left out, or lose what is stored so.
   */
  private async withTheirNumbers(races: readonly RaceDraft[], file: string): Promise<RaceDraft[]> {
    const renumbered = await renumberedRaces(this.writer, races, this.stored)
    for (const { raceId, ...verdict } of renumbered)
      if (this.rules.allowRemovals)
        this.book.removed.push({ ...verdict, file, line: this.drafts.lineOfRace.get(raceId)! })
      else this.leaveOut(raceId, file, verdict)
    if (this.rules.allowRemovals) await this.writer.dropNumbered(renumbered.map(({ raceId }) => raceId))
    return races.filter(({ id }) => this.drafts.races.has(id))
  }

  private leaveOut(raceId: string, file: string, { kind, detail }: Verdict): void {
    const rejected = { kind, file, line: this.drafts.lineOfRace.get(raceId)!, detail }
    this.drafts.races.delete(raceId)
    this.book.reject(rejected)
    this.book.rejectedRaces.set(raceId, rejected)
  }

  private isCopy(cells: readonly string[], draft: Draft | undefined): boolean {
    const key = cells.join('\u0001')
    if (!this.seen.has(key)) {
      this.seen.add(key)
      return false
    }
    this.book.duplicate(this.kind.name)
    if (draft?.kind === 'runner') this.book.racesWithDuplicates.add(draft.race.id)
    return true
  }

  /** The race with what depends on all its rows; none if they cannot be read together, and it is left out. */
  private completed(race: RaceDraft, file: string): RaceDraft[] {
    const rows = this.drafts.rowsOfRace.get(race.id)
    if (rows === undefined || this.kind.complete === undefined) return [race]
    // The rows of a whole season are many times their races.
    this.drafts.rowsOfRace.delete(race.id)
    try {
      const completed = this.kind.complete(
        race,
        rows.map(({ row }) => row),
        (index, kind, detail) => this.book.noted.push({ kind, file, line: rows[index]!.line, detail }),
      )
      const line = this.drafts.lineOfRace.get(race.id)!
      for (const dividend of completed.dividends ?? []) this.drafts.takeDividend(dividend, line)
      return [completed.race]
    } catch (error) {
      if (!(error instanceof RowError)) throw error
      this.leaveOut(race.id, file, { kind: error.kind, detail: `${race.id}: ${error.message}` })
      return []
    }
  }

  private async write(file: string): Promise<void> {
    const { region } = this.format
    if (this.drafts.horses.size > 0) await this.writeHorses(file)
    for (const kind of ['jockey', 'trainer'] as const) {
      if (this.drafts.people[kind].size > 0)
        await this.writer.writePeople(kind, region, [...this.drafts.people[kind].values()])
    }
    const completed = [...this.drafts.races.values()].flatMap((race) => this.completed(race, file))
    const races = await this.withTheirNumbers(completed, file)
    await this.horsesKnown.storeFound(races, this.book, { file, lineOf: this.drafts.lineOfRace })
    if (races.length > 0) await this.writer.writeRaces(races)
    if (this.drafts.facts.size > 0) await this.writeFacts(file)
    const dividends = this.drafts.dividends.size > 0 ? await this.sound.dividends(file) : []
    if (dividends.length > 0) await this.writer.writeDividends(dividends)
    const ticks = this.drafts.ticks.size > 0 ? await this.sound.ticks(file) : []
    if (ticks.length > 0) await this.writer.writeOddsTicks(ticks)
    const sections = this.drafts.sections.size > 0 ? await this.sound.sections(file) : []
    if (sections.length > 0) await this.writer.writeSections(sections)
    if (this.drafts.form.size > 0) await this.writer.writeForm(region, [...this.drafts.form.values()])
    if (this.drafts.raceNames.size > 0) await this.writer.writeRaceNames([...this.drafts.raceNames.values()])
  }

  private async writeHorses(file: string): Promise<void> {
    const { region } = this.format
    const horses = [...this.drafts.horses.values()]
    const sure = await this.horsesKnown.ofOneHorse(region, horses, (detail, brand) => {
      const line = this.drafts.lineOfHorse.get(brand) ?? 0
      this.book.reject({ kind: 'whose-profile', file, line, detail })
    })
    if (sure.length > 0) await this.writer.writeHorses(region, sure)
  }

  private async writeFacts(file: string): Promise<void> {
    const drafts = await this.writer.draftsOf([...this.drafts.facts.keys()])
    const races = [...this.drafts.facts.values()].flatMap(({ draft, line }) => {
      const stored = drafts.get(draft.id)
      return stored === undefined
        ? []
        : [completeFacts(stored, draft, this.book.differs(file, line, draft.id))]
    })
    await this.writer.writeRaces(races)
  }
}
