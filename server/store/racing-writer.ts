import { placesFor, regionOfStadium, seasonOf, type RegionRules } from '../../domain/region.ts'
import type {
  DividendDraft,
  FormDraft,
  HorseDraft,
  Names,
  OddsTickDraft,
  PersonDraft,
  RaceDraft,
  StadiumDraft,
} from '../ingest/drafts.ts'
import { UNKNOWN_PROFILE } from '../ingest/drafts.ts'
import type { ReportBook } from '../ingest/report.ts'
import { bulkUpsert, type UpsertTable } from './bulk-upsert.ts'
import type { Queries } from './database.ts'
import { dropLinesNotIn } from './dividend-store.ts'
import { firstFormOf, isLaterBearer } from './history-store.ts'
import { joinForm } from './form-store.ts'
import { KeyRing, type KeyedTable } from './key-ring.ts'
import {
  DIVIDEND,
  FORM_LINE,
  HORSE,
  JOCKEY,
  ODDS_TICK,
  RACE,
  RUNNER,
  STADIUM,
  TRAINER,
  type HorseRow,
  type KeyedNames,
  type RaceRow,
  type RunnerRow,
} from './racing-tables.ts'
import { raceSignature, readSignatures, readSignaturesAmong } from './race-signature.ts'
import { forgetStatesOf } from './scoring-state-store.ts'
import { REGION_NAMES } from './region-names.ts'
import { analyze, bumpReference, bumpRevisions } from './revisions.ts'
import { noteRaceEvents } from './site-store.ts'

/** Arbitrary advisory lock key, shared by every process that writes races. */
const WRITERS_LOCK = 7_312_032

/**
 * Writes drafts into the racing tables within one transaction: assigns keys, counts inserted, updated and
 * unchanged rows, and collects the affected races and dataset partitions for `finish`.
 */
export class RacingWriter {
  private readonly database: Queries
  private readonly book: ReportBook
  private readonly horses: KeyRing
  private readonly people: Record<'jockey' | 'trainer', KeyRing>
  private readonly stadiums: KeyRing
  private readonly races: KeyRing
  /** Brands that this import gave to another horse, whose earlier form may now belong to that one. */
  private readonly laterBearers = new Set<string>()
  private readonly written = new Set<string>()
  private signatures: Map<string, string> | null = null
  private readonly staleRaces = new Set<string>()
  private readonly changedRaces = new Set<string>()
  private readonly movedOdds = new Set<string>()
  private readonly changedNames = new Set<string>()
  /** First day of the form lines that changed, by region id. */
  private readonly changedForm = new Map<string, string>()

  private constructor(database: Queries, book: ReportBook, rings: Record<KeyedTable, KeyRing>) {
    this.database = database
    this.book = book
    this.stadiums = rings.stadium
    this.horses = rings.horse
    this.people = rings
    this.races = rings.race
  }

  /**
   * Waits for other writers of races, because two at once would assign the same keys. `races`: ids of the
   * only races that will be queried, to avoid loading every race.
   */
  static async open(
    database: Queries,
    book: ReportBook,
    { races }: { races?: readonly string[] } = {},
  ): Promise<RacingWriter> {
    await database.rows('select pg_advisory_xact_lock($1)', [WRITERS_LOCK])
    const load = (table: KeyedTable): Promise<KeyRing> => KeyRing.load(database, table)
    return new RacingWriter(database, book, {
      stadium: await load('stadium'),
      horse: await load('horse'),
      jockey: await load('jockey'),
      trainer: await load('trainer'),
      race: await KeyRing.load(database, 'race', races),
    })
  }

  hasRace(raceId: string): boolean {
    return this.races.has(raceId)
  }

  /** Whether this import has already written the race. */
  wrote(raceId: string): boolean {
    return this.written.has(raceId)
  }

  /** Ensures that the region and these stadiums exist. */
  async place(region: RegionRules, stadiums: readonly StadiumDraft[]): Promise<void> {
    const names = REGION_NAMES[region.id]
    await this.database.rows(
      `insert into region (id, code, name_en, name_hant, name_hans, time_zone, currency, season_start_month)
       values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (id) do nothing`,
      [
        region.id,
        region.code,
        names?.en ?? region.code,
        names?.hant ?? region.code,
        names?.hans ?? region.code,
        region.timeZone,
        region.currency,
        region.seasonStartMonth,
      ],
    )
    await this.names(
      STADIUM,
      stadiums.map((stadium) => this.keyed(this.stadiums, stadium.id, region, stadium)),
    )
  }

  async writeHorses(region: RegionRules, horses: readonly HorseDraft[]): Promise<void> {
    const rows = horses.map((horse): HorseRow => {
      const id = this.horseId(region, horse.brand, horse.hant)
      return { ...horse, ...this.keyed(this.horses, id, region, horse) }
    })
    await this.names(HORSE, rows)
  }

  async writePeople(
    kind: 'jockey' | 'trainer',
    region: RegionRules,
    people: readonly PersonDraft[],
  ): Promise<void> {
    const ring = this.people[kind]
    const rows = people.map((person) => this.keyed(ring, `${region.code}-${person.name}`, region, person))
    await this.names(kind === 'jockey' ? JOCKEY : TRAINER, rows)
  }

  /** Declares that `twinOf` will be called only for these races, so that not every race has to be loaded. */
  async expect(races: readonly RaceDraft[]): Promise<void> {
    this.signatures = await readSignaturesAmong(this.database, races)
  }

  /** The earlier race with the same horses and finish times; `null` if there is none. */
  async twinOf(race: RaceDraft): Promise<string | null> {
    const signature = raceSignature(race.runners.map(({ brand, finishTimeMs }) => ({ brand, finishTimeMs })))
    if (signature === null) return null
    this.signatures ??= await readSignatures(this.database)
    const known = this.signatures.get(signature)
    if (known === undefined) this.signatures.set(signature, race.id)
    return known === undefined || known === race.id ? null : known
  }

  /** Writes races with their runners; a race's first write in an import replaces all its runners. */
  async writeRaces(races: readonly RaceDraft[]): Promise<void> {
    const newcomers = {
      horse: new Map<string, HorseRow>(),
      jockey: new Map<string, KeyedNames>(),
      trainer: new Map<string, KeyedNames>(),
    }
    const regions = new Set<RegionRules>()
    const stadiums = new Map<string, StadiumDraft>()
    const raceRows: RaceRow[] = []
    const runnerRows: RunnerRow[] = []
    for (const { runners, ...race } of races) {
      const region = regionOfStadium(race.stadiumId)!
      regions.add(region)
      if (!this.stadiums.has(race.stadiumId)) {
        stadiums.set(race.stadiumId, { id: race.stadiumId, en: race.stadiumId, hant: null, hans: null })
      }
      const numbers = runners.flatMap(({ horseNo, entryNo }) =>
        horseNo === null ? [] : [entryNo ?? horseNo],
      )
      const declared = numbers.length
      const interests = new Set(numbers).size
      raceRows.push({
        ...race,
        key: this.races.keyOf(race.id),
        regionId: region.id,
        season: seasonOf(region, race.date),
        declaredStarters: declared,
        places: placesFor(region, interests),
      })
      for (const { brand, horse, jockey, trainer, ...runner } of runners) {
        const horseId = this.horseId(region, brand, horse.hant)
        if (!newcomers.horse.has(horseId)) {
          if (!this.horses.has(horseId) && isLaterBearer(horseId)) this.laterBearers.add(brand)
          const row = this.keyed(this.horses, horseId, region, horse)
          newcomers.horse.set(horseId, { ...UNKNOWN_PROFILE, brand, ...row })
        }
        const personId = (kind: 'jockey' | 'trainer', person: PersonDraft | null): string | null => {
          if (person === null) return null
          const id = `${region.code}-${person.name}`
          if (!newcomers[kind].has(id)) {
            newcomers[kind].set(id, this.keyed(this.people[kind], id, region, person))
          }
          return id
        }
        runnerRows.push({
          ...runner,
          raceId: race.id,
          horseId,
          jockeyId: personId('jockey', jockey),
          trainerId: personId('trainer', trainer),
        })
      }
    }
    for (const region of regions) {
      await this.place(
        region,
        [...stadiums.values()].filter(({ id }) => regionOfStadium(id) === region),
      )
    }
    await this.names(HORSE, [...newcomers.horse.values()])
    await this.names(JOCKEY, [...newcomers.jockey.values()])
    await this.names(TRAINER, [...newcomers.trainer.values()])
    this.book.wrote('race', await bulkUpsert(this.database, RACE, raceRows, this.staleRaces))
    await this.dropRunnersNotIn(
      raceRows.filter(({ id }) => !this.written.has(id)),
      runnerRows,
    )
    this.book.wrote('runner', await bulkUpsert(this.database, RUNNER, runnerRows, this.staleRaces))
    for (const { id } of raceRows) this.written.add(id)
  }

  private async dropRunnersNotIn(races: readonly RaceRow[], runners: readonly RunnerRow[]): Promise<void> {
    const ids = new Set(races.map(({ id }) => id))
    if (ids.size === 0) return
    const kept = runners.filter(({ raceId }) => ids.has(raceId))
    const gone = await this.database.rows<{ race_id: string }>(
      `delete from runner r where r.race_id = any($1::text[]) and not exists (
         select from unnest($2::text[], $3::text[]) as kept (race_id, horse_id)
         where kept.race_id = r.race_id and kept.horse_id = r.horse_id)
       returning race_id`,
      [[...ids], kept.map(({ raceId }) => raceId), kept.map(({ horseId }) => horseId)],
    )
    for (const { race_id } of gone) this.staleRaces.add(race_id)
  }

  async writeDividends(dividends: readonly DividendDraft[]): Promise<void> {
    for (const raceId of await dropLinesNotIn(this.database, dividends)) this.staleRaces.add(raceId)
    this.book.wrote('dividend', await bulkUpsert(this.database, DIVIDEND, dividends, this.staleRaces))
  }

  async writeOddsTicks(ticks: readonly OddsTickDraft[]): Promise<void> {
    this.book.wrote('odds_tick', await bulkUpsert(this.database, ODDS_TICK, ticks, this.movedOdds))
  }

  async writeRaceNames(names: readonly { raceId: string; names: Names }[]): Promise<void> {
    const renamed = await this.database.rows<{ id: string }>(
      `update race r set name_en = coalesce(n.en, r.name_en)
       from unnest($1::text[], $2::text[]) as n (id, en)
       where n.id = r.id and r.name_en is distinct from coalesce(n.en, r.name_en) returning r.id`,
      [names.map(({ raceId }) => raceId), names.map((name) => name.names.en)],
    )
    for (const { id } of renamed) this.changedRaces.add(id)
    const updated = renamed.length
    this.book.wrote('race name', { inserted: 0, updated, unchanged: names.length - updated })
  }

  async writeForm(region: RegionRules, lines: readonly FormDraft[]): Promise<void> {
    const rows = lines.map((line) => ({ ...line, regionId: region.id }))
    const days = new Set<string>()
    const wrote = await bulkUpsert(this.database, FORM_LINE, rows, days)
    const [first] = [...days, this.changedForm.get(region.id) ?? '9999'].toSorted()
    if (days.size > 0) this.changedForm.set(region.id, first!)
    this.book.wrote('form_line', wrote)
  }

  /** Fills in what the results omit from the horses' own form records: rating, gear, class and distance. */
  async joinForm(region: RegionRules): Promise<void> {
    await analyze(this.database, ['race', 'runner', 'horse', 'form_line'])
    for (const id of await joinForm(this.database, region.id)) this.changedRaces.add(id)
  }

  /** Marks what to score and to rebuild. Returns the number of races whose data or odds changed. */
  async finish(): Promise<number> {
    const stale = [...this.staleRaces]
    await this.database.rows(`update race set scoring = 'stale' where id = any($1::text[])`, [stale])
    await this.noteMovedForm()
    await forgetStatesOf(this.database, [...stale, ...this.changedRaces], this.changedForm)
    await bumpRevisions(this.database, [...stale, ...this.changedRaces, ...this.movedOdds])
    await noteRaceEvents(this.database, 'odds', [...this.movedOdds], new Date())
    for (const regionId of this.changedNames) await bumpReference(this.database, regionId)
    return new Set([...stale, ...this.movedOdds]).size
  }

  private async noteMovedForm(): Promise<void> {
    for (const { regionId, day } of await firstFormOf(this.database, this.laterBearers)) {
      const known = this.changedForm.get(regionId)
      if (known === undefined || day < known) this.changedForm.set(regionId, day)
    }
  }

  /** Brands are reused after about 20 years: the same brand with another name is another horse. */
  private horseId(region: RegionRules, brand: string, name: string | null): string {
    for (let use = 1; ; use += 1) {
      const id = `${region.code}-${brand}${use === 1 ? '' : `-${use}`}`
      const known = this.horses.nameOf(id)
      if (known === undefined || known === null || name === null || known === name) {
        this.horses.name(id, name ?? known ?? null)
        return id
      }
    }
  }

  private keyed(ring: KeyRing, id: string, region: RegionRules, names: Names): KeyedNames {
    return { id, key: ring.keyOf(id), regionId: region.id, en: names.en, hant: names.hant, hans: names.hans }
  }

  private async names<Row extends KeyedNames>(table: UpsertTable<Row>, rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return
    const changed = new Set<string>()
    this.book.wrote(table.name, await bulkUpsert(this.database, table, rows, changed))
    for (const row of rows) if (changed.has(row.id)) this.changedNames.add(row.regionId)
  }
}
