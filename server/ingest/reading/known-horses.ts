import { groupBy } from '../../../domain/group-by.ts'
import { regionOfStadium, type RegionRules } from '../../../domain/region.ts'
import type { HorseDraft, RaceDraft, RunnerDraft } from '../../drafts/drafts.ts'
import { areDifferentYears, isAlike, isByName, yearOfBirth } from '../../drafts/horse-names.ts'
import type { RejectedRow, ReportBook } from '../../drafts/report.ts'
import type { HorseAlias, HorseRun, NamedHorse, NewAlias } from '../../store/racing/horse-alias-store.ts'
import type { DraftWriter } from './draft-writer.ts'
import type { ImportFormat } from './format.ts'
import { areTwo, haveOneYear, NamedHorses } from './named-horses.ts'

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

/** Whom a newcomer was taken for, and what is told of that. */
interface Found {
  newcomer: Newcomer
  alias: NewAlias | null
  row: RejectedRow
}

/** Why a horse of a file is not taken as the stored one of its name. */
type Doubt = 'several-of-this-name' | 'ran-on-the-same-day' | 'other-parents' | 'other-sex' | 'years-apart'

/**
 * Which stored horses the horses of files are whose source calls them otherwise: by a number of its own, or by the name in
 * another spelling. A horse is taken as the only one of its name in the region, or the only one that was born in its year, unless
 * it ran elsewhere on the same day, has other parents or the other sex, or years lie between and nobody knows when it was born; a
 * horse in doubt stays one of its own, and is told. Horses of one name that were born in different years are two.
 */
export class KnownHorses {
  private readonly writer: StoredHorses
  private readonly format: ImportFormat
  private readonly aliases: ReadonlyMap<string, readonly HorseAlias[]>
  private readonly regions = new Map<string, NamedHorses>()
  /** What is found of newcomers whose races are not written yet, by region and brand. */
  private readonly found = new Map<string, Found[]>()
  /** The years of birth of the winners of races of this import, by the race and the brand. */
  private readonly bornIn = new Map<string, number>()
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
      const runs = groupBy(runsIn(region, own, horses), ({ brand }) => brand)
      const newcomers = newcomersOf(region, own, horses, runs)
      if (newcomers.length > 0) await this.identify(region, horses, newcomers, runs, at)
      await this.findTwoRaces(region, horses, runs, at)
    }
  }

  /** Finds horses with two names that ran elsewhere on the day of a race: they may be two. */
  private async findTwoRaces(
    { id: regionId }: RegionRules,
    horses: NamedHorses,
    inFile: ReadonlyMap<string, readonly HorseRun[]>,
    { file, lineOf }: InFile,
  ): Promise<void> {
    const own = [...inFile.keys()].filter((brand) => horses.isCalledOtherwise(brand))
    if (own.length === 0) return
    const days = [...new Set(own.flatMap((brand) => inFile.get(brand)!.map(({ date }) => date)))]
    const stored = groupBy(await this.writer.runsOf(regionId, own, days), ({ brand }) => brand)
    for (const brand of own)
      for (const { raceId, date, born } of inFile.get(brand)!) {
        const other = stored
          .get(brand)
          ?.find((run) => run.date === date && run.raceId !== raceId && !areDifferentYears(run.born, born))
        if (other === undefined) continue
        const detail = `${raceId} ${brand}: it ran in ${other.raceId} too`
        const row = { kind: 'horse-ran-twice-on-a-day', file, line: lineOf.get(raceId) ?? 0, detail }
        this.ranTwice.set(raceId, [...(this.ranTwice.get(raceId) ?? []), row])
      }
  }

  private async horsesOf({ id }: RegionRules): Promise<NamedHorses> {
    const known = this.regions.get(id)
    if (known !== undefined) return known
    const horses = new NamedHorses(await this.writer.horsesOf(id), this.aliases.get(id) ?? [])
    this.regions.set(id, horses)
    return horses
  }

  private async identify(
    { id: regionId }: RegionRules,
    horses: NamedHorses,
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
    const claims = groupBy(named, ({ candidates }) => candidates[0]!)
    for (const { newcomer, candidates, isCommon } of named) {
      const [candidate] = candidates as [NamedHorse]
      const { brand } = candidate
      const ofCandidate = (run: HorseRun): boolean => !areDifferentYears(run.born, candidate.born)
      // A file that names both means two.
      const isOnly =
        !isCommon && claims.get(candidate)!.length === 1 && inFile.get(brand)?.some(ofCandidate) !== true
      const runs = (stored.get(brand) ?? []).filter(ofCandidate)
      const doubt =
        isOnly && !horses.isTaken(candidate, newcomer)
          ? doubtOf(newcomer, { ...candidate, runs })
          : 'several-of-this-name'
      const why = doubt === null && haveOneYear(newcomer, candidate) ? `, both born in ${candidate.born}` : ''
      const detail = `${newcomer.raceId} ${shownName(newcomer)}: ${candidates.map(shownName).join(', ')}${why}`
      const row = { kind: doubt ?? 'horse', file, line: lineOf.get(newcomer.raceId) ?? 0, detail }
      const alias =
        doubt === null ? { regionId, alias: newcomer.brand, brand, born: horses.yearWithin(candidate) } : null
      const key = keyOf(regionId, newcomer)
      this.found.set(key, [...(this.found.get(key) ?? []), { newcomer, alias, row }])
    }
  }

  /** Tells of a horse that is stored with the name, but another year of birth, and of one that may be either of two. */
  private tellOthers(
    horses: NamedHorses,
    horse: NamedHorse,
    book: ReportBook,
    { race, ...at }: { race: RaceDraft; file: string; line: number },
  ): void {
    const shown = `${race.id} ${shownName(horse)}`
    const others = horses.isKnown(horse) ? [] : horses.ofOtherYears(horse)
    if (others.length > 0) {
      const inYears = others.map((other) => `${shownName(other)} in ${other.born}`).join(', ')
      const detail = `${shown}, born in ${horse.born}: ${inYears}`
      book.leftApart.push({ kind: 'born-in-another-year', ...at, detail })
    }
    if (horse.born === null && horses.isOfSeveral(horse) && !this.writer.hasRace(race.id))
      book.merged.push({ kind: 'first-of-this-name', ...at, detail: `${shown}: its age is not known` })
  }

  /** What is found of a horse, which is told once. */
  private takeFound({ id }: RegionRules, horse: NamedHorse): Found | undefined {
    const key = keyOf(id, horse)
    const all = this.found.get(key)
    const own = all?.find(({ newcomer }) => !areTwo(newcomer, horse))
    if (own !== undefined)
      this.found.set(
        key,
        all!.filter((each) => each !== own),
      )
    return own
  }

  /**
   * The profiles of horses with the years of birth that tell them from others of their names. Those of which nobody knows whose
   * they are are left out and told.
   */
  async ofOneHorse(
    region: RegionRules,
    profiles: readonly HorseDraft[],
    told: (detail: string, brand: string) => void,
  ): Promise<HorseDraft[]> {
    // Horses with a brand may be known from their profiles alone, which are not stored yet.
    if (!profiles.some((horse) => isByName(horse.brand, horse))) return [...profiles]
    const horses = await this.horsesOf(region)
    return profiles.flatMap((horse) => {
      const { brand, age, ageOn, en: name, raceId } = horse
      const born = ageOn === null ? null : yearOfBirth(region, ageOn, { age, name })
      const known = { ...horse, born: born ?? this.bornIn.get(`${raceId} ${brand}`) ?? null }
      if (known.born !== null || !horses.isOfSeveral(known)) return [known]
      told(`${shownName(horse)}: several horses have the name, and its year of birth is not known`, brand)
      return []
    })
  }

  /** Stores what the horses of races are called and tells of it, before these races are written. */
  async storeFound(races: readonly RaceDraft[], book: ReportBook, { file, lineOf }: InFile): Promise<void> {
    const aliases: NewAlias[] = []
    for (const race of races) {
      book.noted.push(...(this.ranTwice.get(race.id) ?? []))
      const region = regionOfStadium(race.stadiumId)!
      const horses = this.regions.get(region.id)
      if (horses === undefined) continue
      const line = lineOf.get(race.id) ?? 0
      for (const runner of race.runners) {
        const horse = horseOf(region, race, runner)
        const found = this.takeFound(region, horse)
        if (found === undefined) this.tellOthers(horses, horse, book, { file, line, race })
        else if (found.alias === null) book.leftApart.push(found.row)
        else {
          book.merged.push(found.row)
          aliases.push(found.alias)
          horses.call(found.alias.brand, found.alias.alias)
        }
        horses.take(horse)
        if (horse.born !== null && runner.place === 1)
          this.bornIn.set(`${race.id} ${horse.brand}`, horse.born)
      }
    }
    if (aliases.length > 0) await this.writer.writeAliases(aliases)
  }
}

const shownName = ({ brand, en, hant }: Pick<NamedHorse, 'brand' | 'en' | 'hant'>): string =>
  `${brand} ${en ?? hant}`

const keyOf = (regionId: string, { brand }: NamedHorse): string => `${regionId} ${brand}`

/** The horse of a runner. */
const horseOf = (
  region: RegionRules,
  { date }: RaceDraft,
  { brand, age, horse: { en, hant, sire = null, dam = null } }: RunnerDraft,
): NamedHorse => ({ brand, en, hant, born: yearOfBirth(region, date, { age, name: en }), sire, dam })

/** The runs of races, by the brands of their horses. */
const runsIn = (region: RegionRules, races: readonly RaceDraft[], horses: NamedHorses): HorseRun[] =>
  races.flatMap((race) =>
    race.runners.flatMap((runner) => {
      if (runner.status === 'withdrawn') return []
      const horse = horseOf(region, race, runner)
      const { born } = horse
      return [{ brand: horses.brandOf(horse), raceId: race.id, date: race.date, born, sex: runner.sex }]
    }),
  )

/** The horses of races that are not stored. */
function newcomersOf(
  region: RegionRules,
  races: readonly RaceDraft[],
  horses: NamedHorses,
  inFile: ReadonlyMap<string, HorseRun[]>,
): Newcomer[] {
  const newcomers = new Map<string, Newcomer[]>()
  for (const race of races)
    for (const runner of race.runners) {
      const horse = horseOf(region, race, runner)
      if (horses.isKnown(horse)) continue
      const ofBrand = newcomers.get(horse.brand) ?? []
      const known = ofBrand.find((each) => !areTwo(each, horse))
      if (known === undefined)
        newcomers.set(horse.brand, [...ofBrand, { ...horse, raceId: race.id, runs: [] }])
      else known.born ??= horse.born
    }
  return [...newcomers.values()].flat().map((newcomer) => ({
    ...newcomer,
    runs: (inFile.get(newcomer.brand) ?? []).filter((run) => !areDifferentYears(run.born, newcomer.born)),
  }))
}

type WithRuns = Omit<Newcomer, 'raceId'>

/** Why a newcomer is not a horse of its name; `null` if there is no reason. */
function doubtOf(own: WithRuns, stored: WithRuns): Doubt | null {
  const days = daysApart(own.runs, stored.runs)
  if (days === 0) return 'ran-on-the-same-day'
  if (areOthers(own.sire, stored.sire) || areOthers(own.dam, stored.dam)) return 'other-parents'
  const [isMare, wasMare] = [isFemale(own.runs), isFemale(stored.runs)]
  if (isMare !== null && wasMare !== null && isMare !== wasMare) return 'other-sex'
  return Number.isFinite(days) && days > MOST_DAYS_APART && !haveOneYear(own, stored) ? 'years-apart' : null
}

const areOthers = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && !isAlike(one, other)

/** Whether a horse is a filly or a mare, as its runs tell; `null` if they do not. A colt may be a gelding later. */
function isFemale(runs: readonly HorseRun[]): boolean | null {
  const sex = runs.find((run) => run.sex !== null)?.sex ?? null
  return sex === null ? null : sex === 'filly' || sex === 'mare'
}

/** The fewest days between two runs; infinitely many without any. */
function daysApart(own: readonly HorseRun[], stored: readonly HorseRun[]): number {
  const days = stored.map(({ date }) => Date.parse(date) / DAY_MS)
  let least = Number.POSITIVE_INFINITY
  for (const { date } of own) {
    const day = Date.parse(date) / DAY_MS
    for (const other of days) least = Math.min(least, Math.abs(day - other))
  }
  return least
}
