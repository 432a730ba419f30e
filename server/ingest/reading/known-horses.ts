import { groupBy } from '../../../domain/group-by.ts'
import { regionOfStadium, type RegionRules } from '../../../domain/region.ts'
import type { RaceDraft } from '../../drafts/drafts.ts'
import type { RejectedRow, ReportBook } from '../../drafts/report.ts'
import type { HorseAlias, HorseRun, NamedHorse } from '../../store/racing/horse-alias-store.ts'
import type { DraftWriter } from './draft-writer.ts'
import type { ImportFormat } from './format.ts'
import { haveOneCountry, isAlike, isByName, spelling } from './horse-names.ts'

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
  /** Its first race there. */
  raceId: string
  runs: readonly HorseRun[]
}

/** Why a horse of a file is not taken as the stored one of its name. */
type Doubt = 'several-of-this-name' | 'ran-on-the-same-day' | 'years-apart'

const keysOf = ({ en, hant }: Pick<NamedHorse, 'en' | 'hant'>): string[] =>
  [en === null ? '' : spelling(en), hant ?? ''].filter((key) => key !== '')

/** The horses of a region, stored or of this import. */
class Horses {
  /** By each spelling of their names. */
  private readonly named = new Map<string, NamedHorse[]>()
  private readonly counts = new Map<string, number>()
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

  isCalledOtherwise(brand: string): boolean {
    return this.aliasesOf.has(brand)
  }

  /** Whether a horse is stored under what a source calls it. */
  isKnown(called: string): boolean {
    return this.counts.has(this.brandOf(called))
  }

  /**
   * The horses that a newcomer may be, and whether others have the name too. Two numbers or codes are two horses, and so are two
   * names of which one has a country: a source that leaves out its own country means it.
   */
  alike(newcomer: NamedHorse): { candidates: NamedHorse[]; isCommon: boolean } {
    const found = [...new Set(keysOf(newcomer).flatMap((key) => this.named.get(key) ?? []))]
    const { en } = newcomer
    const namesakes = found.filter((horse) => en === null || horse.en === null || isAlike(en, horse.en))
    const byName = isByName(newcomer.brand, newcomer)
    const candidates = namesakes.filter((horse) =>
      isByName(horse.brand, horse)
        ? !byName || en === null || horse.en === null || haveOneCountry(en, horse.en)
        : byName,
    )
    return { candidates, isCommon: namesakes.length > 1 }
  }

  /** Whether a brand is that of two horses, or the source of the newcomer already calls its horse otherwise. */
  isTaken(brand: string, newcomer: NamedHorse): boolean {
    const byName = isByName(newcomer.brand, newcomer)
    const others = this.aliasesOf.get(brand) ?? []
    return this.counts.get(brand) !== 1 || others.some((alias) => isByName(alias, newcomer) === byName)
  }
}

/**
 * Which stored horses the horses of files are whose source calls them otherwise: by a number of its own, or by the name in
 * another spelling. A horse is taken as the only one of its name in the region, unless it ran elsewhere on the same day or
 * years lie between; a horse in doubt stays one of its own, and is told.
 */
export class KnownHorses {
  private readonly writer: StoredHorses
  private readonly format: ImportFormat
  private readonly aliases: ReadonlyMap<string, readonly HorseAlias[]>
  private readonly regions = new Map<string, Horses>()
  /** What is found of newcomers whose races are not written yet, by region and brand. */
  private readonly found = new Map<string, { alias: HorseAlias | null; row: RejectedRow }>()
  /** What is told of races that are not written yet. */
  private readonly ranTwice = new Map<string, RejectedRow[]>()

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
      const runs = groupBy(runsIn(own, horses), ({ brand }) => brand)
      const newcomers = newcomersOf(own, horses, runs)
      if (newcomers.length > 0) await this.identify(region, horses, newcomers, runs, at)
      await this.findTwoRaces(region, horses, runs, at)
    }
  }

  /** Finds horses with two names that ran elsewhere on the day of a race: they may be two. */
  private async findTwoRaces(
    { id: regionId }: RegionRules,
    horses: Horses,
    inFile: ReadonlyMap<string, readonly HorseRun[]>,
    { file, lineOf }: InFile,
  ): Promise<void> {
    const own = [...inFile.keys()].filter((brand) => horses.isCalledOtherwise(brand))
    if (own.length === 0) return
    const days = [...new Set(own.flatMap((brand) => inFile.get(brand)!.map(({ date }) => date)))]
    const stored = groupBy(await this.writer.runsOf(regionId, own, days), ({ brand }) => brand)
    for (const brand of own)
      for (const { raceId, date } of inFile.get(brand)!) {
        const other = stored.get(brand)?.find((run) => run.date === date && run.raceId !== raceId)
        if (other === undefined) continue
        const detail = `${raceId} ${brand}: it ran in ${other.raceId} too`
        const row = { kind: 'horse-ran-twice-on-a-day', file, line: lineOf.get(raceId) ?? 0, detail }
        this.ranTwice.set(raceId, [...(this.ranTwice.get(raceId) ?? []), row])
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
    inFile: ReadonlyMap<string, readonly HorseRun[]>,
    { file, lineOf }: InFile,
  ): Promise<void> {
    const named = newcomers
      .map((newcomer) => ({ newcomer, ...horses.alike(newcomer) }))
      .filter(({ candidates }) => candidates.length > 0)
    if (named.length === 0) return
    const brands = new Set(named.flatMap(({ candidates }) => candidates.map(({ brand }) => brand)))
    const stored = groupBy(await this.writer.runsOf(regionId, [...brands], null), ({ brand }) => brand)
    const claims = groupBy(named, ({ candidates }) => candidates[0]!.brand)
    for (const { newcomer, candidates, isCommon } of named) {
      const { brand } = candidates[0]!
      // A file that names both means two.
      const isOnly = !isCommon && claims.get(brand)!.length === 1 && !inFile.has(brand)
      const doubt =
        isOnly && !horses.isTaken(brand, newcomer)
          ? doubtOf(newcomer.runs, stored.get(brand) ?? [])
          : 'several-of-this-name'
      const shown = candidates.map((horse) => `${horse.brand} ${horse.en ?? horse.hant}`).join(', ')
      const detail = `${newcomer.raceId} ${newcomer.brand} ${newcomer.en ?? newcomer.hant}: ${shown}`
      const row = { kind: doubt ?? 'horse', file, line: lineOf.get(newcomer.raceId) ?? 0, detail }
      const alias = doubt === null ? { regionId, alias: newcomer.brand, brand } : null
      this.found.set(`${regionId} ${newcomer.brand}`, { alias, row })
    }
  }

  /** Stores what the horses of races are called and tells of it, before these races are written. */
  async storeFound(races: readonly RaceDraft[], book: ReportBook): Promise<void> {
    const aliases: HorseAlias[] = []
    for (const { id: raceId, stadiumId, runners } of races) {
      book.noted.push(...(this.ranTwice.get(raceId) ?? []))
      const { id: regionId } = regionOfStadium(stadiumId)!
      const horses = this.regions.get(regionId)
      if (horses === undefined) continue
      for (const { brand, horse } of runners) {
        const key = `${regionId} ${brand}`
        const { alias = null, row } = this.found.get(key) ?? {}
        if (row !== undefined) (alias === null ? book.leftApart : book.merged).push(row)
        this.found.delete(key)
        if (alias !== null) {
          aliases.push(alias)
          horses.call(alias.brand, alias.alias)
        }
        if (!horses.isKnown(brand)) horses.add({ brand, en: horse.en, hant: horse.hant })
      }
    }
    if (aliases.length > 0) await this.writer.writeAliases(aliases)
  }
}

/** The runs of races, by the brands of their horses. */
const runsIn = (races: readonly RaceDraft[], horses: Horses): HorseRun[] =>
  races.flatMap(({ id: raceId, date, runners }) =>
    runners.flatMap(({ brand, status }) =>
      status === 'withdrawn' ? [] : [{ brand: horses.brandOf(brand), raceId, date }],
    ),
  )

/** The horses of races that are not stored. */
function newcomersOf(
  races: readonly RaceDraft[],
  horses: Horses,
  inFile: ReadonlyMap<string, HorseRun[]>,
): Newcomer[] {
  const newcomers = new Map<string, Newcomer>()
  for (const { id: raceId, runners } of races)
    for (const { brand, horse } of runners)
      if (!horses.isKnown(brand) && !newcomers.has(brand)) {
        const runs = inFile.get(brand) ?? []
        newcomers.set(brand, { brand, en: horse.en, hant: horse.hant, raceId, runs })
      }
  return [...newcomers.values()]
}

/** Why a newcomer with these runs is not a horse with those; `null` if there is no reason. */
function doubtOf(own: readonly HorseRun[], stored: readonly HorseRun[]): Doubt | null {
  if (own.length === 0 || stored.length === 0) return null
  const days = stored.map(({ date }) => Date.parse(date) / DAY_MS)
  let least = Number.POSITIVE_INFINITY
  for (const { date } of own) {
    const day = Date.parse(date) / DAY_MS
    for (const other of days) least = Math.min(least, Math.abs(day - other))
  }
  if (least === 0) return 'ran-on-the-same-day'
  return least > MOST_DAYS_APART ? 'years-apart' : null
}
