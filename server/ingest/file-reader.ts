import { FurlongError } from '../../domain/errors.ts'
import { regionOfStadium } from '../../domain/region.ts'
import type { RacingWriter } from '../store/racing-writer.ts'
import { readRows, type CsvFile, type CsvRow } from './csv-file.ts'
import {
  UNKNOWN_PROFILE,
  type DividendDraft,
  type FormDraft,
  type HorseDraft,
  type Names,
  type OddsTickDraft,
  type PersonDraft,
  type RaceDraft,
} from './drafts.ts'
import { RowError, type Draft, type FileKind, type ImportFormat } from './format.ts'
import type { ReportBook } from './report.ts'

/** Reads one file into drafts, leaves out copies and rejects, and hands the rest to the writer. */
export class FileReader {
  private readonly format: ImportFormat
  private readonly kind: FileKind
  private readonly writer: RacingWriter
  private readonly book: ReportBook
  private readonly seen = new Set<string>()
  private readonly races = new Map<string, RaceDraft>()
  private readonly broken = new Map<string, number>()
  private readonly rowOfRace = new Map<string, CsvRow>()
  private readonly horses = new Map<string, HorseDraft>()
  private readonly people = {
    jockey: new Map<string, PersonDraft>(),
    trainer: new Map<string, PersonDraft>(),
  }
  private readonly dividends = new Map<string, DividendDraft>()
  private readonly ticks = new Map<string, OddsTickDraft>()
  private readonly form = new Map<string, FormDraft>()
  private readonly raceNames = new Map<string, { raceId: string; names: Names }>()

  constructor(format: ImportFormat, kind: FileKind, writer: RacingWriter, book: ReportBook) {
    this.format = format
    this.kind = kind
    this.writer = writer
    this.book = book
  }

  async read(file: CsvFile, onBytes: (bytes: number) => void): Promise<void> {
    let good = 0
    let bad = 0
    const badShape = (line: number, cells: number): void => {
      bad += 1
      this.book.rowsRead += 1
      this.book.reject('wrong-number-of-cells', file.name, line, `${cells} for ${file.header.length}`)
    }
    for await (const { row, cells, line } of readRows(file, this.format.encoding, badShape, onBytes)) {
      this.book.rowsRead += 1
      try {
        const drafts = [this.kind.read(row)].flat()
        good += 1
        if (this.isCopy(cells, drafts[0]!)) continue
        for (const draft of drafts) this.take(draft, row)
      } catch (error) {
        if (!(error instanceof RowError)) throw error
        bad += 1
        this.book.reject(error.kind, file.name, line, error.message)
        this.noteBroken(row, line)
      }
    }
    // A header alone does not make a file of this format when not one of its rows can be read.
    if (good === 0 && bad > 0) {
      throw new FurlongError('not-this-format', {
        file: file.name,
        format: this.format.name,
        kinds: this.kind.name,
      })
    }
    this.leaveOutBroken(file.name)
    await this.write()
  }

  /** A race without one of its runners would be settled as another race: fewer places, other probabilities. */
  private noteBroken(row: CsvRow, line: number): void {
    try {
      const raceId = this.kind.raceOf?.(row)
      if (raceId !== undefined && !this.broken.has(raceId)) this.broken.set(raceId, line)
    } catch (error) {
      if (!(error instanceof RowError)) throw error
    }
  }

  private leaveOutBroken(file: string): void {
    for (const [raceId, line] of this.broken) {
      if (this.races.delete(raceId)) this.book.reject('race-incomplete', file, line, raceId)
    }
  }

  private isCopy(cells: readonly string[], draft: Draft): boolean {
    const key = cells.join('\u0001')
    if (!this.seen.has(key)) {
      this.seen.add(key)
      return false
    }
    this.book.duplicate(this.kind.name)
    if (draft.kind === 'runner') this.book.racesWithDuplicates.add(draft.race.id)
    return true
  }

  private take(draft: Draft, row: CsvRow): void {
    switch (draft.kind) {
      case 'runner':
        return this.takeRunner(draft, row)
      case 'horse':
        return void this.horses.set(draft.horse.brand, draft.horse)
      case 'horse-name':
        return void this.horses.set(draft.brand, { ...UNKNOWN_PROFILE, ...draft.names, brand: draft.brand })
      case 'jockey':
      case 'trainer':
        return void this.people[draft.kind].set(draft.person.name, draft.person)
      case 'dividend':
        return this.takeDividend(draft.dividend)
      case 'odds-tick':
        if (!this.knowsRace(draft.tick.raceId)) throw new RowError('no-such-race', draft.tick.raceId)
        return void this.ticks.set(
          `${draft.tick.raceId} ${draft.tick.horseNo} ${draft.tick.seenAt}`,
          draft.tick,
        )
      case 'form': {
        const { brand, date, raceIndex } = draft.form
        return void this.form.set(`${brand} ${date} ${raceIndex}`, draft.form)
      }
      case 'race-name':
        if (!this.knowsRace(draft.raceId)) throw new RowError('no-such-race', draft.raceId)
        return void this.raceNames.set(draft.raceId, { raceId: draft.raceId, names: draft.names })
    }
  }

  private knowsRace(raceId: string): boolean {
    return this.races.has(raceId) || this.writer.hasRace(raceId)
  }

  private takeRunner({ race, runner }: Extract<Draft, { kind: 'runner' }>, row: CsvRow): void {
    if (!regionOfStadium(race.stadiumId)) throw new RowError('unknown-venue', race.stadiumId)
    if (this.writer.wrote(race.id)) throw new RowError('race-in-two-files', race.id)
    const known = this.races.get(race.id)
    if (!known) {
      this.races.set(race.id, { ...race, runners: [runner] })
      this.rowOfRace.set(race.id, row)
    } else {
      if (known.runners.some((other) => other.brand === runner.brand)) {
        throw new RowError('horse-twice-in-race', `${race.id} ${runner.brand}`)
      }
      if (runner.horseNo !== null && known.runners.some((other) => other.horseNo === runner.horseNo)) {
        throw new RowError('saddle-number-twice-in-race', `${race.id} ${runner.horseNo}`)
      }
      known.runners.push(runner)
    }
    if (runner.status === 'withdrawn') this.book.nonStarters += 1
  }

  private takeDividend(dividend: DividendDraft): void {
    if (!this.knowsRace(dividend.raceId))
      throw new RowError('no-such-race', `${dividend.raceId} ${dividend.pool}`)
    const key = `${dividend.raceId} ${dividend.pool} ${dividend.combination}`
    const known = this.dividends.get(key)
    if (known && known.dividendCents !== dividend.dividendCents) {
      throw new RowError('two-dividends-for-one-line', key)
    }
    this.dividends.set(key, dividend)
  }

  private async write(): Promise<void> {
    const { region } = this.format
    if (this.horses.size > 0) await this.writer.writeHorses(region, [...this.horses.values()])
    for (const kind of ['jockey', 'trainer'] as const) {
      if (this.people[kind].size > 0)
        await this.writer.writePeople(kind, region, [...this.people[kind].values()])
    }
    if (this.races.size > 0) await this.writer.writeRaces([...this.races.values()])
    for (const [id, race] of this.races) {
      for (const dividend of this.kind.dividendsOf?.(race, this.rowOfRace.get(id)!) ?? [])
        this.takeDividend(dividend)
    }
    if (this.dividends.size > 0) await this.writer.writeDividends([...this.dividends.values()])
    if (this.ticks.size > 0) await this.writer.writeOddsTicks([...this.ticks.values()])
    if (this.form.size > 0) await this.writer.writeForm(region, [...this.form.values()])
    if (this.raceNames.size > 0) await this.writer.writeRaceNames([...this.raceNames.values()])
  }
}
