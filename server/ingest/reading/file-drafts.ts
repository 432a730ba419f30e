import { parseRaceId } from '../../../domain/race-id.ts'
import { regionOfStadium } from '../../../domain/region.ts'
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
import type { ReportBook } from '../../drafts/report.ts'
import type { CsvRow } from './csv-file.ts'
import type { DraftWriter } from './draft-writer.ts'
import { RACE_DIFFERS, RowError, type Draft, type FileKind, type ImportFormat } from './format.ts'
import { joinFacts } from './join-facts.ts'
import { isAmong, requireFit } from './judge.ts'
import type { Located } from './mixed-odds.ts'
import type { PeopleNames } from './people-names.ts'

type RaceFacts = Omit<RaceDraft, 'runners'>

/** A row, and where it is. */
export interface RowAt {
  row: CsvRow
  file: string
  line: number
}

/** The drafts of one file, each there once: a row that contradicts an earlier one is refused as it is taken. */
export class FileDrafts {
  readonly races = new Map<string, RaceDraft>()
  readonly rowsOfRace = new Map<string, { row: CsvRow; line: number }[]>()
  readonly lineOfRace = new Map<string, number>()
  readonly horses = new Map<string, HorseDraft>()
  readonly lineOfHorse = new Map<string, number>()
  readonly people = {
    jockey: new Map<string, PersonDraft>(),
    trainer: new Map<string, PersonDraft>(),
  }
  readonly dividends = new Map<string, Located<DividendDraft>>()
  readonly ticks = new Map<string, Located<OddsTickDraft>>()
  readonly form = new Map<string, FormDraft>()
  readonly sections = new Map<string, Located<RunnerSections>>()
  readonly raceNames = new Map<string, { raceId: string; names: Names }>()
  readonly facts = new Map<string, Located<RaceFacts>>()

  /** Refunds of races of which nothing else is known, with their lines. */
  private readonly refunds = new Map<string, { dividend: DividendDraft; line: number }[]>()
  /** Races without results that have a dividend other than a refund. */
  private readonly unknownRaces = new Set<string>()
  private readonly format: ImportFormat
  private readonly kind: FileKind
  private readonly writer: DraftWriter
  private readonly book: ReportBook
  private readonly names: PeopleNames | null

  constructor(
    format: ImportFormat,
    kind: FileKind,
    { writer, book, names }: { writer: DraftWriter; book: ReportBook; names: PeopleNames | null },
  ) {
    this.format = format
    this.kind = kind
    this.writer = writer
    this.book = book
    this.names = names
  }

  /** Takes a draft. Throws a {@link RowError} with the reason if it does not fit what is known. */
  take(draft: Draft, at: RowAt): void {
    const { line } = at
    switch (draft.kind) {
      case 'runner':
        return this.takeRunner(draft, at)
      case 'horse':
        this.lineOfHorse.set(draft.horse.brand, line)
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

  takeDividend(dividend: DividendDraft, line: number): void {
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

  /** Adds races of which only refunds were published: they were abandoned. */
  addAbandoned(file: string): void {
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
}
