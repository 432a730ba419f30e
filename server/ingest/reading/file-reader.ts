import { FurlongError } from '../../../domain/errors.ts'
import { centsText } from '../../../domain/money.ts'
import { parseRaceId } from '../../../domain/race-id.ts'
import { regionOfStadium } from '../../../domain/region.ts'
import { readRows, type CsvFile, type CsvRow } from './csv-file.ts'
import {
  UNKNOWN_PROFILE,
  UNKNOWN_RACE,
  type DividendDraft,
  type FormDraft,
  type HorseDraft,
  type Names,
  type OddsTickDraft,
  type PersonDraft,
  type RaceDraft,
  type RunnerSections,
} from '../../drafts/drafts.ts'
import type { RaceField } from '../../drafts/race-field.ts'
import type { DraftWriter } from './draft-writer.ts'
import { RACE_DIFFERS, RowError, type Draft, type FileKind, type ImportFormat } from './format.ts'
import { joinFacts } from './join-facts.ts'
import type { JoinRow } from './join-rows.ts'
import {
  dividendVerdict,
  isAmong,
  lossesOf,
  poolKeyOf,
  poolLosses,
  raceVerdict,
  renumberedRaces,
  requireFit,
  sectionsVerdict,
  sisterVerdict,
  tickVerdict,
  type ImportRules,
  type Verdict,
} from './judge.ts'
import {
  completeFacts,
  completePools,
  completeRace,
  hasResult,
  isSameRace,
  withDeadHeats,
  type Differs,
} from './complete.ts'
import { mixedOdds, type Located } from './mixed-odds.ts'
import type { KnownHorses } from './known-horses.ts'
import type { PeopleNames } from './people-names.ts'
import type { RejectedRow, ReportBook } from '../../drafts/report.ts'

type RaceFacts = Omit<RaceDraft, 'runners'>

/** A row, and where it is. */
interface RowAt {
  row: CsvRow
  file: string
  line: number
}

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
  private readonly races = new Map<string, RaceDraft>()
  /** Races with a rejected row, with the first such row. */
  private readonly broken = new Map<string, RejectedRow>()
  private readonly rowsOfRace = new Map<string, { row: CsvRow; line: number }[]>()
  private readonly lineOfRace = new Map<string, number>()
  /** Refunds of races of which nothing else is known, with their lines. */
  private readonly refunds = new Map<string, { dividend: DividendDraft; line: number }[]>()
  /** Races without results that have a dividend other than a refund. */
  private readonly unknownRaces = new Set<string>()
  private readonly horses = new Map<string, HorseDraft>()
  private readonly people = {
    jockey: new Map<string, PersonDraft>(),
    trainer: new Map<string, PersonDraft>(),
  }
  private readonly dividends = new Map<string, Located<DividendDraft>>()
  private readonly ticks = new Map<string, Located<OddsTickDraft>>()
  private readonly form = new Map<string, FormDraft>()
  private readonly sections = new Map<string, Located<RunnerSections>>()
  private readonly raceNames = new Map<string, { raceId: string; names: Names }>()
  private readonly facts = new Map<string, Located<RaceFacts>>()
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
        for (const draft of drafts) this.take(draft, { row, file: file.name, line })
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
    await this.horsesKnown.recognise([...this.races.values()], { file: file.name, lineOf: this.lineOfRace })
    this.addAbandoned(file.name)
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
      if (!this.races.delete(raceId)) continue
      this.book.reject({ ...rejected, kind: 'race-incomplete', detail: `${raceId}: ${rejected.kind}` })
    }
  }

  /** What is told of a row that says otherwise than is stored. */
  private differs(file: string, line: number, raceId: string): Differs {
    return (what, own, stored) => {
      const detail = `${raceId} ${what}: ${own}, stored ${stored ?? 'nothing'}`
      this.book.differing.push({ kind: what.replace(/^\S*\d\S* /, ''), file, line, detail })
    }
  }

  /** Makes the races of a format that completes what is stored the stored ones with what they lack. */
  private async completeStored(file: string): Promise<void> {
    if (this.names === null) return
    if (this.format.completes !== true) {
      for (const [raceId, race] of this.races) this.races.set(raceId, this.names.withPeople(race))
      return
    }
    const drafts = await this.writer.draftsOf([...this.races.keys()])
    for (const [raceId, read] of this.races) {
      const stored = drafts.get(raceId)
      const race = withDeadHeats(read)
      const rows = this.rowsOfRace.get(raceId) ?? []
      const told = (index: number, ...differing: Parameters<Differs>): void =>
        this.differs(file, rows[index]?.line ?? 0, raceId)(...differing)
      if (!hasResult(stored)) this.races.set(raceId, this.names.named(race, told))
      else if (isSameRace(stored, race)) this.races.set(raceId, completeRace(stored, race, this.names, told))
      else
        this.leaveOut(raceId, file, { kind: 'other-horses', detail: `${raceId}: most are not those stored` })
    }
  }

  /** Leaves out races that repeat another one under another date; of two in one file, the earlier is kept. */
  private async leaveOutRepeated(file: string): Promise<void> {
    for (const race of [...this.races.values()].toSorted((a, b) => a.date.localeCompare(b.date))) {
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
    this.stored = await this.writer.fieldsOf([...this.races.keys()])
    for (const race of this.races.values()) {
      const line = this.lineOfRace.get(race.id)!
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
        this.book.removed.push({ ...verdict, file, line: this.lineOfRace.get(raceId)! })
      else this.leaveOut(raceId, file, verdict)
    if (this.rules.allowRemovals) await this.writer.dropNumbered(renumbered.map(({ raceId }) => raceId))
    return races.filter(({ id }) => this.races.has(id))
  }

  private leaveOut(raceId: string, file: string, { kind, detail }: Verdict): void {
    const rejected = { kind, file, line: this.lineOfRace.get(raceId)!, detail }
    this.races.delete(raceId)
    this.book.reject(rejected)
    this.book.rejectedRaces.set(raceId, rejected)
  }

  /** Adds races of which only refunds were published: they were abandoned. */
  private addAbandoned(file: string): void {
    for (const [raceId, list] of this.refunds) {
      if (this.unknownRaces.has(raceId)) {
        for (const { dividend, line } of list) {
          this.book.reject({ kind: 'no-such-race', file, line, detail: `${raceId} ${dividend.pool}` })
        }
        continue
      }
      const { stadium, date, raceNo } = parseRaceId(raceId)
      this.races.set(raceId, { ...UNKNOWN_RACE, id: raceId, stadiumId: stadium, date, raceNo })
      for (const { dividend } of list) this.takeDividend(dividend, 0)
    }
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

  private take(draft: Draft, at: RowAt): void {
    const { line } = at
    switch (draft.kind) {
      case 'runner':
        return this.takeRunner(draft, at)
      case 'horse':
        return void this.horses.set(draft.horse.brand, draft.horse)
      case 'horse-name':
        return void this.horses.set(draft.brand, { ...UNKNOWN_PROFILE, ...draft.names, brand: draft.brand })
      case 'jockey':
      case 'trainer':
        return this.takePerson(draft.kind, draft.person)
      case 'dividend':
        return this.takeDividend(draft.dividend, line)
      case 'odds-tick':
        return this.takeTick(draft.tick, line)
      case 'form': {
        const { brand, date, raceIndex } = draft.form
        return void this.form.set(`${brand} ${date} ${raceIndex}`, draft.form)
      }
      case 'race-name':
        this.requireRace(draft.raceId)
        return void this.raceNames.set(draft.raceId, { raceId: draft.raceId, names: draft.names })
      case 'sections':
        return this.takeSections(draft.runner, line)
      case 'race-facts':
        return this.takeFacts(draft.race, line)
      case 'passed-over':
        return this.book.passOver(draft.what, draft.count)
    }
  }

  private knowsRace(raceId: string): boolean {
    return this.races.has(raceId) || this.writer.hasRace(raceId)
  }

  /**
   * Throws the reason for which this import has rejected the race, or `no-such-race`: what is said of a new version does
   * not fit a stored one. A race that another file has whole is good.
   */
  private requireRace(raceId: string, detail = raceId): void {
    const isGood = this.races.has(raceId) || this.writer.wrote(raceId)
    const reason = isGood ? undefined : this.book.rejectedRaces.get(raceId)
    if (this.knowsRace(raceId) && reason === undefined) return
    if (reason)
      throw new RowError(reason.kind, `${detail}: the race was rejected at ${reason.file}:${reason.line}`)
    throw new RowError('no-such-race', detail)
  }

  private takeRunner({ race, runner }: Extract<Draft, { kind: 'runner' }>, { row, file, line }: RowAt): void {
    if (!regionOfStadium(race.stadiumId)) throw new RowError('unknown-venue', race.stadiumId)
    const isRepeated = this.writer.wrote(race.id)
    if (isRepeated && this.format.completes !== true) throw new RowError('race-in-two-files', race.id)
    if (isRepeated) this.book.racesWithDuplicates.add(race.id)
    const known = this.races.get(race.id)
    if (!known) {
      this.startRace({ ...race, runners: [runner] }, { row, file, line })
    } else if (this.kind.repeatsRunners && isAmong(known, runner)) {
      this.book.duplicate(this.kind.name)
      this.book.racesWithDuplicates.add(race.id)
      this.rowsOfRace.get(race.id)?.push({ row, line })
      return
    } else {
      requireFit(known, race, runner)
      if (this.kind.joinsFacts)
        joinFacts(known, race, (kind, detail) => this.book.noted.push({ kind, file, line, detail }))
      known.runners.push(runner)
      this.rowsOfRace.get(race.id)?.push({ row, line })
    }
    if (runner.status === 'withdrawn' && !isRepeated) this.book.nonStarters += 1
  }

  private startRace(race: RaceDraft, { row, file, line }: RowAt): void {
    this.races.set(race.id, race)
    this.lineOfRace.set(race.id, line)
    if (this.kind.complete || this.names) this.rowsOfRace.set(race.id, [{ row, line }])
    const differing = row[RACE_DIFFERS]
    if (differing !== undefined)
      this.book.noted.push({ kind: 'race-facts-differ', file, line, detail: `${race.id}: ${differing}` })
  }

  private takePerson(kind: 'jockey' | 'trainer', read: PersonDraft): void {
    const person = this.names?.of(kind).person(read) ?? read
    this.people[kind].set(person.name, person)
  }

  private takeFacts(race: RaceFacts, line: number): void {
    if (race.status === 'abandoned' && !this.knowsRace(race.id)) {
      this.races.set(race.id, { ...race, runners: [] })
      this.lineOfRace.set(race.id, line)
      return
    }
    this.requireRace(race.id)
    const known = this.facts.get(race.id)
    if (known) throw new RowError('race-twice', `${race.id}: also at line ${known.line}`)
    this.facts.set(race.id, { draft: race, line })
  }

  private takeTick(tick: OddsTickDraft, line: number): void {
    const { raceId, horseNo, seenAt } = tick
    this.requireRace(raceId)
    if (Date.parse(seenAt) > Date.now()) throw new RowError('odds-of-the-future', `${raceId} ${seenAt}`)
    const key = `${raceId} ${horseNo} ${seenAt}`
    const known = this.ticks.get(key)
    if (known && known.draft.odds !== tick.odds) throw new RowError('two-odds-of-one-moment', key)
    this.ticks.set(key, { draft: tick, line })
  }

  /** Files have one row for all sections of a runner, or one for each. */
  private takeSections(runner: RunnerSections, line: number): void {
    const { raceId, horseNo, sections } = runner
    this.requireRace(raceId)
    const key = `${raceId} ${horseNo}`
    const known = this.sections.get(key)
    const twice = known?.draft.sections.find(({ sectionNo }) =>
      sections.some((section) => section.sectionNo === sectionNo),
    )
    if (twice) throw new RowError('section-twice', `${key}: section ${twice.sectionNo}`)
    const draft = known ? { ...runner, sections: [...known.draft.sections, ...sections] } : runner
    this.sections.set(key, { draft, line: known?.line ?? line })
  }

  private takeDividend(dividend: DividendDraft, line: number): void {
    const { raceId, pool, combination, status } = dividend
    if (!this.knowsRace(raceId) && !this.book.rejectedRaces.has(raceId)) {
      if (status !== 'refund') this.unknownRaces.add(raceId)
      else if (regionOfStadium(parseRaceId(raceId).stadium)) {
        const waiting = this.refunds.get(raceId) ?? []
        waiting.push({ dividend, line })
        return void this.refunds.set(raceId, waiting)
      }
    }
    this.requireRace(raceId, `${raceId} ${pool}`)
    const key = `${raceId} ${pool} ${combination}`
    const known = this.dividends.get(key)
    if (known && known.draft.dividendCents !== dividend.dividendCents) {
      throw new RowError('two-dividends-for-one-line', key)
    }
    this.dividends.set(key, { draft: dividend, line })
  }

  /** The dividends that can be true and take none away that is stored; the others are rejected. */
  private async soundDividends(file: string): Promise<DividendDraft[]> {
    const read = [...this.dividends.values()].filter(({ draft }) => this.isWritten(draft.raceId))
    const raceIds = [...new Set(read.map(({ draft }) => draft.raceId))]
    const fields = await this.writer.fieldsOf(raceIds)
    const stored = await this.writer.linesOf(raceIds)
    const sound = read.filter(({ draft, line }) => {
      const verdict = dividendVerdict(draft, fields.get(draft.raceId), this.rules)
      if (verdict === null) return true
      const { kind, detail, isNoted } = verdict
      ;(isNoted ? this.book.noted : this.book.rejects).push({ kind, file, line, detail })
      return isNoted
    })
    const drafts = this.withStored(sound, stored, fields, file)
    const losses = poolLosses(
      drafts,
      stored,
      read.map(({ draft }) => draft),
    )
    const refused = new Set<string>()
    for (const { isFewer, detail, ...pool } of losses) {
      const key = poolKeyOf(pool)
      const line = sound.find(({ draft }) => poolKeyOf(draft) === key)!.line
      const isRefused = isFewer && !this.rules.allowRemovals
      const row = { kind: isFewer ? 'dividends-lost' : 'dividend-replaced', file, line, detail }
      ;(isRefused ? this.book.rejects : this.book.removed).push(row)
      if (isRefused) refused.add(key)
    }
    return drafts.filter((draft) => !refused.has(poolKeyOf(draft)))
  }

  /** Of a format that completes what is stored: the lines with the stored ones of their pools, less what is not needed. */
  private withStored(
    sound: readonly Located<DividendDraft>[],
    stored: readonly DividendDraft[],
    fields: ReadonlyMap<string, RaceField>,
    file: string,
  ): DividendDraft[] {
    const lines = sound.map(({ draft }) => draft)
    const { what, from } = this.kind.passOver ?? { what: '', from: () => ({ kept: lines, passedOver: 0 }) }
    const { kept, passedOver } = from(lines)
    this.book.passOver(what, passedOver)
    if (this.format.completes !== true) return kept
    const lineOf = new Map(sound.map(({ draft, line }) => [draft, line]))
    return completePools(kept, stored, fields, (draft, before) => {
      const own = draft.dividendCents === null ? draft.status : centsText(draft.dividendCents)
      const told = this.differs(file, lineOf.get(draft)!, draft.raceId)
      told(`${draft.pool} dividend`, `${draft.combination} ${own}`, before)
    })
  }

  /** Odds, sections and dividends in a file of runners share the fate of their race, unless it is stored and not in the file. */
  private isWritten(raceId: string): boolean {
    return this.kind.raceOf === undefined || this.races.has(raceId) || !this.book.rejectedRaces.has(raceId)
  }

  private async soundTicks(file: string): Promise<OddsTickDraft[]> {
    const read = [...this.ticks.values()].filter(({ draft }) => this.isWritten(draft.raceId))
    const added = read.filter(({ draft }) => this.kind.hasAllOdds && !this.races.has(draft.raceId))
    const mixed = await mixedOdds(this.writer, added)
    for (const told of mixed.values()) this.book.differing.push({ kind: 'odds-over-time', file, ...told })
    const located = read.filter(({ draft }) => !mixed.has(draft.raceId))
    const fields = await this.writer.fieldsOf([...new Set(located.map(({ draft }) => draft.raceId))])
    return located.flatMap(({ draft, line }) => {
      const verdict = tickVerdict(draft, fields.get(draft.raceId))
      if (verdict !== null) this.book.reject({ ...verdict, file, line })
      return verdict === null ? [draft] : []
    })
  }

  private async soundSections(file: string): Promise<RunnerSections[]> {
    const located = [...this.sections.values()].filter(({ draft }) => this.isWritten(draft.raceId))
    const fields = await this.writer.fieldsOf([...new Set(located.map(({ draft }) => draft.raceId))])
    const counts = new Map<string, number>()
    for (const { draft } of located)
      for (const { sectionNo } of draft.sections)
        counts.set(draft.raceId, Math.max(sectionNo, counts.get(draft.raceId) ?? 0))
    return located.flatMap(({ draft, line }) => {
      const { raceId } = draft
      const verdict = sectionsVerdict(draft, counts.get(raceId) ?? 0, fields.get(raceId))
      if (verdict !== null) this.book.reject({ ...verdict, file, line })
      return verdict === null ? [draft] : []
    })
  }

  /** The race with what depends on all its rows; none if they cannot be read together, and it is left out. */
  private completed(race: RaceDraft, file: string): RaceDraft[] {
    const rows = this.rowsOfRace.get(race.id)
    if (rows === undefined || this.kind.complete === undefined) return [race]
    // The rows of a whole season are many times their races.
    this.rowsOfRace.delete(race.id)
    try {
      const completed = this.kind.complete(
        race,
        rows.map(({ row }) => row),
        (index, kind, detail) => this.book.noted.push({ kind, file, line: rows[index]!.line, detail }),
      )
      const line = this.lineOfRace.get(race.id)!
      for (const dividend of completed.dividends ?? []) this.takeDividend(dividend, line)
      return [completed.race]
    } catch (error) {
      if (!(error instanceof RowError)) throw error
      this.leaveOut(race.id, file, { kind: error.kind, detail: `${race.id}: ${error.message}` })
      return []
    }
  }

  private async write(file: string): Promise<void> {
    const { region } = this.format
    if (this.horses.size > 0) await this.writer.writeHorses(region, [...this.horses.values()])
    for (const kind of ['jockey', 'trainer'] as const) {
      if (this.people[kind].size > 0)
        await this.writer.writePeople(kind, region, [...this.people[kind].values()])
    }
    const completed = [...this.races.values()].flatMap((race) => this.completed(race, file))
    const races = await this.withTheirNumbers(completed, file)
    await this.horsesKnown.storeFound(races, this.book)
    if (races.length > 0) await this.writer.writeRaces(races)
    if (this.facts.size > 0) await this.writeFacts(file)
    const dividends = this.dividends.size > 0 ? await this.soundDividends(file) : []
    if (dividends.length > 0) await this.writer.writeDividends(dividends)
    const ticks = this.ticks.size > 0 ? await this.soundTicks(file) : []
    if (ticks.length > 0) await this.writer.writeOddsTicks(ticks)
    const sections = this.sections.size > 0 ? await this.soundSections(file) : []
    if (sections.length > 0) await this.writer.writeSections(sections)
    if (this.form.size > 0) await this.writer.writeForm(region, [...this.form.values()])
    if (this.raceNames.size > 0) await this.writer.writeRaceNames([...this.raceNames.values()])
  }

  private async writeFacts(file: string): Promise<void> {
    const drafts = await this.writer.draftsOf([...this.facts.keys()])
    const races = [...this.facts.values()].flatMap(({ draft, line }) => {
      const stored = drafts.get(draft.id)
      return stored === undefined ? [] : [completeFacts(stored, draft, this.differs(file, line, draft.id))]
    })
    await this.writer.writeRaces(races)
  }
}
