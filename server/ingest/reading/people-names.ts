import type { RacingWriter } from '../../store/racing/racing-writer.ts'
import { readRows, type CsvFile, type CsvRow } from './csv-file.ts'
import type { JoinRow } from './join-rows.ts'
import { nullOnRowError, type FileKind, type ImportFormat } from './format.ts'
import type { PersonDraft, RaceDraft, RunnerDraft } from '../../drafts/drafts.ts'
import {
  hasResult,
  isSameRace,
  named,
  sameText,
  storedRunner,
  type Differs,
  type RunnerDiffers,
} from './complete.ts'

type PersonKind = 'jockey' | 'trainer'

/** A stored person: the name printed in the results, which is its id, and its English name if it is known. */
type StoredPerson = Pick<PersonDraft, 'name' | 'en' | 'hant'>

const byFrequency = (counts: ReadonlyMap<string, number> | undefined): [string, number][] =>
  [...(counts ?? [])].toSorted(([, one], [, other]) => other - one)

function count(counts: Map<string, Map<string, number>>, key: string, value: string): void {
  const own = counts.get(key) ?? new Map<string, number>()
  own.set(value, (own.get(value) ?? 0) + 1)
  counts.set(key, own)
}

/**
 * Which stored jockey or trainer a name of a file is. Whoever rode or trained the same saddle number of the same race is the
 * same person, whatever the language of the name; a name that is in no stored race is that of the one person who has it.
 */
class Names {
  private readonly english = new Map<string, string | null>()
  private readonly byEnglish = new Map<string, string[]>()
  private readonly storedOf = new Map<string, Map<string, number>>()
  private readonly englishOf = new Map<string, Map<string, number>>()
  private readonly told = new Set<string>()

  constructor(people: readonly StoredPerson[]) {
    for (const { name, en } of people) {
      this.english.set(name, en)
      if (en !== null) this.byEnglish.set(en, [...(this.byEnglish.get(en) ?? []), name])
    }
  }

  learn(own: PersonDraft | null, stored: PersonDraft | null): void {
    if (own === null || stored === null) return
    count(this.storedOf, own.name, stored.name)
    count(this.englishOf, stored.name, own.name)
  }

  /** The stored person that somebody of a file is. */
  person<Own extends PersonDraft | null>(own: Own): Own {
    const name = own === null ? null : this.nameOf(own.name)
    if (own === null || name === null) return own
    return { ...own, name, en: own.en === null ? null : this.englishNameOf(name) }
  }

  /** The stored person of a runner, with its English name; another person, and another spelling once, are told. */
  stored(stored: PersonDraft | null, own: PersonDraft | null, differs: Differs): PersonDraft | null {
    if (own === null) return stored
    if (stored === null) return this.person(own)
    // An earlier file of the same import may have stored it.
    if (own.name === stored.name) return { ...stored, en: stored.en ?? own.en }
    const en = this.englishNameOf(stored.name)
    const usual = this.usualNameOf(stored.name)
    if (usual !== own.name && this.nameOf(own.name) !== stored.name)
      differs('person', own.name, en ?? stored.name)
    else if (en !== null && en !== own.name && !this.told.has(own.name)) {
      this.told.add(own.name)
      differs('name of a person', own.name, en)
    }
    return { ...stored, en }
  }

  /** The id of the person that a name is; `null` if it is nobody stored, or nobody for certain. */
  private nameOf(own: string): string | null {
    const [first, second] = byFrequency(this.storedOf.get(own))
    if (first !== undefined) {
      const [name, rows] = first
      const usual = this.usualNameOf(name)!
      return rows !== second?.[1] && sameText(usual, own) ? name : null
    }
    if (this.english.has(own)) return own
    const known = this.byEnglish.get(own) ?? []
    return known.length === 1 ? known[0]! : null
  }

  private englishNameOf(name: string): string | null {
    return this.english.get(name) ?? this.usualNameOf(name)
  }

  private usualNameOf(name: string): string | null {
    return byFrequency(this.englishOf.get(name))[0]?.[0] ?? null
  }
}

/** Names that are stored: of horses by their brand. */
export interface StoredNames extends Record<PersonKind, readonly StoredPerson[]> {
  horses: ReadonlyMap<string, string>
}

/** Which stored horses and people the runners of files are whose names are in another language. */
export class PeopleNames {
  private readonly people: Record<PersonKind, Names>
  /** Brands that are stored otherwise. */
  private readonly brands = new Map<string, string>()

  private readonly horses: ReadonlyMap<string, string>

  constructor({ jockey, trainer, horses }: StoredNames) {
    this.people = { jockey: new Names(jockey), trainer: new Names(trainer) }
    this.horses = horses
  }

  of(kind: PersonKind): Names {
    return this.people[kind]
  }

  learn(own: RaceDraft, stored: RaceDraft | undefined): void {
    if (stored === undefined || !isSameRace(stored, own)) return
    for (const runner of own.runners) {
      const known = storedRunner(stored, runner)
      if (known === undefined) continue
      this.people.jockey.learn(runner.jockey, known.jockey)
      this.people.trainer.learn(runner.trainer, known.trainer)
      if (hasResult(stored) && known.brand !== runner.brand) this.brands.set(runner.brand, known.brand)
    }
  }

  /** A race with the stored people. */
  withPeople(race: RaceDraft): RaceDraft {
    const runners = race.runners.map((runner) => ({
      ...runner,
      jockey: this.people.jockey.person(runner.jockey),
      trainer: this.people.trainer.person(runner.trainer),
    }))
    return { ...race, runners }
  }

  /** A race that is not stored, with the stored horses and people; another name of a stored horse is told. */
  named(race: RaceDraft, differs: RunnerDiffers): RaceDraft {
    const runners = race.runners.map((runner, index): RunnerDraft => {
      const brand = this.brands.get(runner.brand) ?? runner.brand
      const en = this.horses.get(brand) ?? null
      const told: Differs = (what, ...figures) =>
        differs(index, `${runner.horseNo ?? brand} ${what}`, ...figures)
      return {
        ...runner,
        brand,
        horse:
          en === null
            ? runner.horse
            : { ...runner.horse, ...named({ ...runner.horse, en }, runner.horse.en, told, 'horse') },
      }
    })
    return this.withPeople({ ...race, runners })
  }
}

/** What learning needs of a writer. */
type StoredRaces = Pick<RacingWriter, 'hasRace' | 'draftsOf' | 'namesOf'>

/**
 * Reads the results among files, to know who is who in all of them before any is written; `null` if the format is in the
 * language of everybody who is stored.
 */
export async function learnNames(
  writer: StoredRaces,
  { region, completes = false, peopleIn, kinds }: ImportFormat,
  files: readonly { file: CsvFile; kind: FileKind }[],
  join: JoinRow,
): Promise<PeopleNames | null> {
  if (peopleIn === undefined) return null
  const stored = await writer.namesOf(region)
  const isForeign = [...stored.jockey, ...stored.trainer].some((person) => person[peopleIn] === null)
  if (!completes && !isForeign) return null
  const names = new PeopleNames(stored)
  for (const { file, kind } of files) {
    // What explains an import has kinds of its own, which count every row that they read.
    const plain = kinds.find(({ name }) => name === kind.name) ?? kind
    const { raceOf } = plain
    if (raceOf === undefined) continue
    const races = await storedRaces(writer, readRows(file), { ...plain, raceOf }, join)
    const drafts = await writer.draftsOf([...races.keys()])
    for (const [raceId, race] of races) names.learn(race, drafts.get(raceId))
  }
  return names
}

const ignore = (): void => {}

/** The races of a file that are stored, of the rows that can be read. */
async function storedRaces(
  writer: StoredRaces,
  rows: AsyncIterable<{ row: CsvRow }>,
  kind: FileKind & Required<Pick<FileKind, 'raceOf'>>,
  join: JoinRow,
): Promise<Map<string, RaceDraft>> {
  const races = new Map<string, RaceDraft>()
  for await (const { row } of rows) {
    const draft = nullOnRowError(() => {
      const joined = join(kind, row)
      // Most rows of a first import are of no stored race, and all else of a row takes five times as long to read.
      return writer.hasRace(kind.raceOf(joined)) ? kind.read(joined, ignore) : null
    })
    for (const each of draft === null ? [] : [draft].flat()) {
      if (each.kind !== 'runner' || !writer.hasRace(each.race.id)) continue
      const race = races.get(each.race.id) ?? { ...each.race, runners: [] }
      race.runners.push(each.runner)
      races.set(race.id, race)
    }
  }
  return races
}
