import { groupBy } from '../../../domain/group-by.ts'
import { regionOfStadium, type RegionRules } from '../../../domain/region.ts'
import type { RaceDraft } from '../../drafts/drafts.ts'
import type { RejectedRow, ReportBook } from '../../drafts/report.ts'
import type { HorseAlias, HorseRun, NamedHorse } from '../../store/racing/horse-alias-store.ts'
import type { DraftWriter } from './draft-writer.ts'
import type { ImportFormat } from './format.ts'
import { isByName, namesakes, spelling } from './horse-names.ts'

const DAY_MS = 86_400_000
/** Days between two runs after which a name is taken as that of another horse: names are given again. */
const MOST_DAYS_APART = 3 * 366

/** What is needed of a writer. */
type StoredHorses = Pick<DraftWriter, 'hasRace' | 'aliases' | 'horsesOf' | 'runsOf' | 'writeAliases'>

/** A file in whose races horses are looked for, and where its races begin. */
interface InFile {
  file: string
  lineOf: ReadonlyMap<string, number>
}

/** A horse of a file that is not stored under its brand, with its runs there. */
interface Newcomer extends NamedHorse {
  runs: HorseRun[]
}

/** Why a horse of a file is not taken as the stored one of its name. */
type Doubt = 'several-of-this-name' | 'ran-on-the-same-day' | 'years-apart'

const daysBetween = (one: string, other: string): number =>
  Math.abs(Date.parse(one) - Date.parse(other)) / DAY_MS

const keysOf = ({ en, hant }: Pick<NamedHorse, 'en' | 'hant'>): string[] =>
  [en === null ? '' : spelling(en), hant ?? ''].filter((key) => key !== '')

/** The horses of a region, stored or of this import. */
class Horses {
  /** By each spelling of their names. */
  private readonly named = new Map<string, NamedHorse[]>()
  private readonly counts = new Map<string, number>()
  /** Runs of this import. */
  private readonly runs = new Map<string, HorseRun[]>()
  /** Brands of stored horses by what other sources call them, and the other way round. */
  private readonly brandOfAlias = new Map<string, string>()
  private readonly aliasesOf = new Map<string, string[]>()

  constructor(stored: readonly NamedHorse[], aliases: readonly HorseAlias[]) {
    for (const horse of stored) this.add(horse)
    for (const { alias, brand } of aliases) this.call(brand, alias)
  }

  call(brand: string, alias: string): void {
    this.brandOfAlias.set(alias, brand)
    this.aliasesOf.set(brand, [...(this.aliasesOf.get(brand) ?? []), alias])
  }

  /** The brand of a horse by what a source calls it. */
  brandOf(called: string): string {
    return this.brandOfAlias.get(called) ?? called
  }

  add(horse: NamedHorse): void {
    this.counts.set(horse.brand, (this.counts.get(horse.brand) ?? 0) + 1)
    for (const key of keysOf(horse)) this.named.set(key, [...(this.named.get(key) ?? []), horse])
  }

  has(called: string): boolean {
    return this.counts.has(this.brandOf(called))
  }

  addRun(run: HorseRun): void {
    this.runs.set(run.brand, [...(this.runs.get(run.brand) ?? []), run])
  }

  runsOf(brand: string): readonly HorseRun[] {
    return this.runs.get(brand) ?? []
  }

  /** The horses that a newcomer may be. Two numbers or codes are two horses, whatever their names. */
  alike(newcomer: NamedHorse): NamedHorse[] {
    const byName = isByName(newcomer.brand, newcomer)
    const found = new Set(keysOf(newcomer).flatMap((key) => this.named.get(key) ?? []))
    const others = [...found].filter((horse) => byName || isByName(horse.brand, horse))
    return newcomer.en === null ? others : namesakes(newcomer.en, others, ({ en }) => en ?? newcomer.en!)
  }

  /** Whether a brand is that of two horses, or already that of another one in the source of the newcomer. */
  isTaken(brand: string, newcomer: NamedHorse): boolean {
    const byName = isByName(newcomer.brand, newcomer)
    const others = this.aliasesOf.get(brand) ?? []
    return this.counts.get(brand) !== 1 || others.some((alias) => isByName(alias, newcomer) === byName)
  }
}

/**
 * Which stored horses the horses of files are whose source calls them otherwise: by a number of its own, or by the name in
 * another spelling or without its country. A horse is taken as the only one of its name in the region, unless it ran elsewhere
 * on the same day or years before; a horse in doubt stays one of its own, and is told.
 */
export class KnownHorses {
  private readonly writer: StoredHorses
  private readonly format: ImportFormat
  private readonly aliases: ReadonlyMap<string, readonly HorseAlias[]>
  private readonly regions = new Map<string, Horses>()
  /** What is found of newcomers whose races are not kept yet, by region and brand. */
  private readonly found = new Map<string, { alias: HorseAlias | null; row: RejectedRow }>()

  private constructor(
    writer: StoredHorses,
    format: ImportFormat,
    aliases: ReadonlyMap<string, readonly HorseAlias[]>,
  ) {
    this.writer = writer
    this.format = format
    this.aliases = aliases
  }

  static async open(writer: StoredHorses, format: ImportFormat): Promise<KnownHorses> {
    return new KnownHorses(
      writer,
      format,
      groupBy(await writer.aliases(), ({ regionId }) => regionId),
    )
  }

  /** Looks for the horses of races; what is found holds once the races are kept. */
  async recognise(races: readonly RaceDraft[], at: InFile): Promise<void> {
    // A stored race that is completed keeps the horses that it has.
    const read = races.filter(({ id }) => this.format.completes !== true || !this.writer.hasRace(id))
    for (const [region, own] of groupBy(read, ({ stadiumId }) => regionOfStadium(stadiumId)!)) {
      const horses = await this.horsesOf(region)
      const newcomers = newcomersOf(own, horses)
      if (newcomers.length > 0) await this.identify(region, horses, newcomers, at)
    }
  }

  private async horsesOf({ id }: RegionRules): Promise<Horses> {
    const known = this.regions.get(id)
    if (known !== undefined) return known
    const horses = new Horses(await this.writer.horsesOf(id), this.aliases.get(id) ?? [])
    this.regions.set(id, horses)
    return horses
  }

  private async identify(
    { id: regionId }: RegionRules,
    horses: Horses,
    newcomers: readonly Newcomer[],
    { file, lineOf }: InFile,
  ): Promise<void> {
    const named = newcomers
      .map((newcomer) => ({ newcomer, candidates: horses.alike(newcomer) }))
      .filter(({ candidates }) => candidates.length > 0)
    if (named.length === 0) return
    const brands = new Set(named.flatMap(({ candidates }) => candidates.map(({ brand }) => brand)))
    const runs = groupBy(await this.writer.runsOf(regionId, [...brands]), ({ brand }) => brand)
    const claims = groupBy(named, ({ candidates }) => candidates[0]!.brand)
    for (const { newcomer, candidates } of named) {
      const { brand } = candidates[0]!
      const isOnly =
        candidates.length === 1 && claims.get(brand)!.length === 1 && !horses.isTaken(brand, newcomer)
      const theirs = [...(runs.get(brand) ?? []), ...horses.runsOf(brand)]
      const doubt = isOnly ? doubtOf(newcomer.runs, theirs) : 'several-of-this-name'
      const { raceId } = newcomer.runs[0]!
      const stored = candidates.map((horse) => `${horse.brand} ${horse.en ?? horse.hant}`).join(', ')
      const detail = `${raceId} ${newcomer.brand} ${newcomer.en ?? newcomer.hant}: ${stored}`
      const row = { kind: doubt ?? 'horse', file, line: lineOf.get(raceId) ?? 0, detail }
      const alias = doubt === null ? { regionId, alias: newcomer.brand, brand } : null
      this.found.set(`${regionId} ${newcomer.brand}`, { alias, row })
    }
  }

  /** Stores what the horses of races are called and tells of it, before these races are written. */
  async keep(races: readonly RaceDraft[], book: ReportBook): Promise<void> {
    const aliases: HorseAlias[] = []
    for (const { id: raceId, date, stadiumId, runners } of races) {
      const { id: regionId } = regionOfStadium(stadiumId)!
      const horses = this.regions.get(regionId)
      if (horses === undefined) continue
      for (const { brand, horse, status } of runners) {
        const key = `${regionId} ${brand}`
        const { alias = null, row } = this.found.get(key) ?? {}
        if (row !== undefined) (alias === null ? book.leftApart : book.merged).push(row)
        this.found.delete(key)
        if (alias !== null) {
          aliases.push(alias)
          horses.call(alias.brand, alias.alias)
        }
        if (!horses.has(brand)) horses.add({ brand, en: horse.en, hant: horse.hant })
        if (status !== 'withdrawn') horses.addRun({ brand: horses.brandOf(brand), raceId, date })
      }
    }
    if (aliases.length > 0) await this.writer.writeAliases(aliases)
  }
}

/** The horses of races that are not stored, with their runs. */
function newcomersOf(races: readonly RaceDraft[], horses: Horses): Newcomer[] {
  const newcomers = new Map<string, Newcomer>()
  for (const { id: raceId, date, runners } of races)
    for (const { brand, horse } of runners) {
      if (horses.has(brand)) continue
      const newcomer = newcomers.get(brand) ?? { brand, en: horse.en, hant: horse.hant, runs: [] }
      newcomers.set(brand, newcomer)
      newcomer.runs.push({ brand, raceId, date })
    }
  return [...newcomers.values()]
}

/** Why a newcomer with these runs is not a horse with those; `null` if there is no reason. */
function doubtOf(own: readonly HorseRun[], theirs: readonly HorseRun[]): Doubt | null {
  // Files that are imported again after an interruption have races that are stored.
  const others = theirs.filter(({ raceId }) => own.every((run) => run.raceId !== raceId))
  if (others.length === 0) return null
  const gaps = own.flatMap(({ date }) => others.map((other) => daysBetween(date, other.date)))
  const least = gaps.reduce((a, b) => Math.min(a, b))
  if (least === 0) return 'ran-on-the-same-day'
  return least > MOST_DAYS_APART ? 'years-apart' : null
}
