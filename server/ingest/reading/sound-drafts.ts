import { centsText } from '../../../domain/money.ts'
import type { DividendDraft, OddsTickDraft, RunnerSections } from '../../drafts/drafts.ts'
import type { RaceField } from '../../drafts/race-field.ts'
import type { ReportBook } from '../../drafts/report.ts'
import { completePools } from './complete.ts'
import type { DraftWriter } from './draft-writer.ts'
import type { FileDrafts } from './file-drafts.ts'
import type { FileKind, ImportFormat } from './format.ts'
import {
  dividendVerdict,
  poolKeyOf,
  poolLosses,
  sectionsVerdict,
  tickVerdict,
  type ImportRules,
} from './judge.ts'
import { mixedOdds, type Located } from './mixed-odds.ts'

interface SoundDraftsOptions {
  format: ImportFormat
  kind: FileKind
  writer: DraftWriter
  book: ReportBook
  rules: ImportRules
  drafts: FileDrafts
}

/**
 * What of a file’s dividends, odds and sections can be true of their races, which were written before them; the rest is
 * reported.
 */
export class SoundDrafts {
  private readonly format: ImportFormat
  private readonly kind: FileKind
  private readonly writer: DraftWriter
  private readonly book: ReportBook
  private readonly rules: ImportRules
  private readonly drafts: FileDrafts

  constructor({ format, kind, writer, book, rules, drafts }: SoundDraftsOptions) {
    this.format = format
    this.kind = kind
    this.writer = writer
    this.book = book
    this.rules = rules
    this.drafts = drafts
  }

  /** The dividends that can be true and take none away that is stored; the others are rejected. */
  async dividends(file: string): Promise<DividendDraft[]> {
    const read = [...this.drafts.dividends.values()].filter(({ draft }) => this.isWritten(draft.raceId))
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

  /** The odds of runners of their races, unless those of another source are mixed with stored ones. */
  async ticks(file: string): Promise<OddsTickDraft[]> {
    const read = [...this.drafts.ticks.values()].filter(({ draft }) => this.isWritten(draft.raceId))
    const added = read.filter(({ draft }) => this.kind.hasAllOdds && !this.drafts.races.has(draft.raceId))
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

  /** The sections that fit the times of their runners. */
  async sections(file: string): Promise<RunnerSections[]> {
    const located = [...this.drafts.sections.values()].filter(({ draft }) => this.isWritten(draft.raceId))
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
      const told = this.book.differs(file, lineOf.get(draft)!, draft.raceId)
      told(`${draft.pool} dividend`, `${draft.combination} ${own}`, before)
    })
  }

  /** Odds, sections and dividends in a file of runners share the fate of their race, unless it is stored and not in the file. */
  private isWritten(raceId: string): boolean {
    return (
      this.kind.raceOf === undefined || this.drafts.races.has(raceId) || !this.book.rejectedRaces.has(raceId)
    )
  }
}
