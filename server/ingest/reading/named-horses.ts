import { areDifferentYears, haveOneCountry, isAlike, isByName, spelling } from '../../drafts/horse-names.ts'
import type { HorseAlias, NamedHorse } from '../../store/racing/horse-alias-store.ts'

/** What a source calls a horse. */
type Called = Pick<NamedHorse, 'brand' | 'en' | 'hant' | 'born'>

/** Horses that a newcomer may be, and what is known of the others of its name. */
interface Namesakes {
  candidates: NamedHorse[]
  /** Whether another one has the name too. */
  isCommon: boolean
}

const keysOf = ({ en, hant }: Pick<NamedHorse, 'en' | 'hant'>): string[] =>
  [en === null ? '' : spelling(en), hant ?? ''].filter((key) => key !== '')

/** Whether two years of birth are known and the same. */
export const haveOneYear = (one: Pick<NamedHorse, 'born'>, other: Pick<NamedHorse, 'born'>): boolean =>
  one.born !== null && one.born === other.born

/** The horses of a region, stored or of this import. */
export class NamedHorses {
  /** By each spelling of their names. */
  private readonly named = new Map<string, NamedHorse[]>()
  /** A brand that was given again, and a name that is all that a source has, are those of several. */
  private readonly branded = new Map<string, NamedHorse[]>()
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
  brandOf(called: Called): string {
    const brand = this.brandOfAlias.get(called.brand)
    return brand === undefined || this.isOtherThan(brand, called) ? called.brand : brand
  }

  /** Whether the horses of a brand all have another year of birth than one that a source knows by its name alone. */
  private isOtherThan(brand: string, called: Called): boolean {
    const bearers = this.bearersOf(brand)
    return bearers.length > 0 && bearers.every((bearer) => areTwo(bearer, called))
  }

  private bearersOf(brand: string): readonly NamedHorse[] {
    return this.branded.get(brand) ?? []
  }

  private add(horse: NamedHorse): void {
    this.branded.set(horse.brand, [...this.bearersOf(horse.brand), horse])
    for (const key of keysOf(horse)) this.named.set(key, [...(this.named.get(key) ?? []), horse])
  }

  /** Takes what a file tells of a horse: a new one, or what was not known of one. */
  take(horse: NamedHorse): void {
    const known = this.bearersOf(this.brandOf(horse)).find((bearer) => !areTwo(bearer, horse))
    if (known === undefined) return this.add(horse)
    known.born ??= horse.born
    known.sire ??= horse.sire
    known.dam ??= horse.dam
  }

  isCalledOtherwise(brand: string): boolean {
    return this.aliasesOf.has(brand)
  }

  /** Whether a horse is stored under what a source calls it. */
  isKnown(called: Called): boolean {
    const brand = this.brandOf(called)
    return this.branded.has(brand) && !this.isOtherThan(brand, called)
  }

  /** Whether the name by which a source knows a horse is that of several, so that its year of birth has to tell it. */
  isOfSeveral(called: Omit<Called, 'born'>): boolean {
    return isByName(called.brand, called) && this.bearersOf(called.brand).length > 1
  }

  /** The horses of a newcomer's name, as far as it may be one of them but for its year of birth. */
  private namesakesOf(newcomer: NamedHorse): { namesakes: NamedHorse[]; possible: NamedHorse[] } {
    const found = [...new Set(keysOf(newcomer).flatMap((key) => this.named.get(key) ?? []))]
    const { en } = newcomer
    const namesakes = found.filter((horse) => en === null || horse.en === null || isAlike(en, horse.en))
    const byName = isByName(newcomer.brand, newcomer)
    const possible = namesakes.filter((horse) =>
      isByName(horse.brand, horse)
        ? !byName || en === null || horse.en === null || haveOneCountry(en, horse.en)
        : byName,
    )
    return { namesakes, possible }
  }

  /**
   * The horses that a newcomer may be, and whether others have the name too. Two numbers or codes are two horses, and so are two
   * names of which one has a country: a source that leaves out its own country means it. Horses with different years of birth are
   * two, and one with the newcomer's year comes before those of which no year is known.
   */
  alike(newcomer: NamedHorse): Namesakes {
    const { namesakes, possible } = this.namesakesOf(newcomer)
    const ofYear = (horses: readonly NamedHorse[]): NamedHorse[] =>
      horses.filter(({ born }) => !areDifferentYears(born, newcomer.born))
    const sure = possible.filter((horse) => haveOneYear(horse, newcomer))
    if (sure.length > 0) return { candidates: sure, isCommon: sure.length > 1 }
    return { candidates: ofYear(possible), isCommon: ofYear(namesakes).length > 1 }
  }

  /** The horses that a newcomer would be, had they not been born in another year. */
  ofOtherYears(newcomer: NamedHorse): NamedHorse[] {
    const { possible } = this.namesakesOf(newcomer)
    return possible.filter(({ born }) => areDifferentYears(born, newcomer.born))
  }

  /** Whether a brand does not tell this horse from another one, or the source of the newcomer already calls it otherwise. */
  isTaken(horse: NamedHorse, newcomer: NamedHorse): boolean {
    const byName = isByName(newcomer.brand, newcomer)
    const others = this.aliasesOf.get(horse.brand) ?? []
    const bearers = this.bearersOf(horse.brand)
    const isOne = bearers.length === 1 || bearers.filter((bearer) => haveOneYear(bearer, horse)).length === 1
    return !isOne || others.some((alias) => isByName(alias, newcomer) === byName)
  }

  /** The year of birth without which a brand does not tell a horse; `null` if it does. */
  yearWithin({ brand, born }: NamedHorse): number | null {
    return this.bearersOf(brand).length > 1 ? born : null
  }
}

/** Whether a horse is another one than that which a source knows by its name alone, because their years of birth differ. */
export const areTwo = (horse: NamedHorse, called: Called): boolean =>
  areDifferentYears(horse.born, called.born) && isByName(called.brand, called)
