import { createHash } from 'node:crypto'
import { groupBy } from '../../../domain/group-by.ts'
import { regionOfStadium } from '../../../domain/region.ts'
import type { RaceDraft } from '../../drafts/drafts.ts'
import type { Parameter, Queries } from '../../db/database.ts'

/** Minimum number of finish times: with fewer, two races may match by chance. */
const LEAST_TIMES = 4

interface Run {
  brand: string
  finishTimeMs: number | null
}

/**
 * A hash that identifies a race: of the horses with a finish time, and their times. `null` if too few have
 * one.
 */
function raceSignature(runs: readonly Run[]): string | null {
  const timed = runs.filter(({ finishTimeMs }) => finishTimeMs !== null)
  if (timed.length < LEAST_TIMES) return null
  const lines = timed.map(({ brand, finishTimeMs }) => `${brand} ${finishTimeMs}`).toSorted()
  return createHash('sha256').update(lines.join('\n')).digest('base64')
}

interface SignedRace {
  id: string
  signature: string
}

/** Horses of a region, by brand, or by what their source calls them. */
export interface Brands {
  regionId: string
  brands: readonly string[]
}

/** `ran`: only races in which one of these horses ran; `null`: every race, a season in each statement. */
async function signedRaces({ rows }: Queries, ran: Brands | null): Promise<SignedRace[]> {
  const runsOf = (where: string, parameters: Parameter[]): Promise<(Run & { id: string })[]> =>
    rows(
      `select race_id as id, coalesce(source_brand, brand) as brand, finish_time_ms
       from runner join horse on horse.id = horse_id
       where finish_time_ms is not null and race_id in (${where}) order by race_id`,
      parameters,
    )
  if (ran !== null)
    return signed(
      await runsOf(
        `select race_id from horse join runner on horse_id = horse.id
         where region_id = $1 and brand = any($2::text[])
         union select race_id from horse_alias join runner on runner.horse_id = horse_alias.horse_id
         where region_id = $1 and brand = any($2::text[])`,
        [ran.regionId, ran.brands],
      ),
    )
  const seasons = await rows<{ regionId: string; season: number }>(
    'select distinct region_id, season from race order by 1, 2',
  )
  const races: SignedRace[] = []
  for (const { regionId, season } of seasons)
    races.push(
      ...signed(await runsOf('select id from race where region_id = $1 and season = $2', [regionId, season])),
    )
  return races
}

const signed = (runs: readonly (Run & { id: string })[]): SignedRace[] =>
  [...groupBy(runs, ({ id }) => id)].flatMap(([id, list]) => {
    const signature = raceSignature(list)
    return signature === null ? [] : [{ id, signature }]
  })

/**
 * Signatures of the stored races, each with the id of its earliest race. If `ran` is given, only races in
 * which one of these horses ran: identical races have all their horses in common.
 */
export async function readSignatures(
  database: Queries,
  ran: Brands | null = null,
): Promise<Map<string, string>> {
  return earliestOf(await inTimeOrder(database, ran))
}

/**
 * Signatures of the stored races in which horses of the given races ran: these races themselves, and those
 * that they could repeat.
 */
export async function readSignaturesAmong(
  database: Queries,
  races: readonly RaceDraft[],
): Promise<Map<string, string>> {
  const signatures = new Map<string, string>()
  for (const [regionId, theirs] of groupBy(races, ({ stadiumId }) => regionOfStadium(stadiumId)!.id)) {
    const brands = [...new Set(theirs.flatMap(({ runners }) => runners.map(({ brand }) => brand)))]
    for (const [signature, id] of await readSignatures(database, { regionId, brands }))
      signatures.set(signature, id)
  }
  return signatures
}

function earliestOf(races: readonly SignedRace[]): Map<string, string> {
  const signatures = new Map<string, string>()
  for (const { id, signature } of races) if (!signatures.has(signature)) signatures.set(signature, id)
  return signatures
}

/** Stored races that repeat an earlier one, each with the id of the earlier race. */
export async function findRepeatedRaces(database: Queries): Promise<{ id: string; twin: string }[]> {
  const races = await inTimeOrder(database, null)
  const first = earliestOf(races)
  return races.flatMap(({ id, signature }) => {
    const twin = first.get(signature)!
    return twin === id ? [] : [{ id, twin }]
  })
}

/** Sorted by day: `id` begins with the racecourse, which is skipped. */
const inTimeOrder = async (database: Queries, ran: Brands | null): Promise<SignedRace[]> =>
  (await signedRaces(database, ran)).toSorted((a, b) => (a.id.slice(5) < b.id.slice(5) ? -1 : 1))

/** Finds races that repeat another one: a stored one, or one asked about before. */
export class Twins {
  private signatures: Promise<Map<string, string>> | null = null
  private readonly load: () => Promise<Map<string, string>>

  /** `load`: signatures of stored races; called for the first race that has one. */
  constructor(load: () => Promise<Map<string, string>>) {
    this.load = load
  }

  /** The earlier race with the same horses and finish times; `null` if there is none. */
  async of(race: RaceDraft): Promise<string | null> {
    const signature = raceSignature(race.runners)
    if (signature === null) return null
    this.signatures ??= this.load()
    const signatures = await this.signatures
    const known = signatures.get(signature)
    if (known === undefined) signatures.set(signature, race.id)
    return known === undefined || known === race.id ? null : known
  }
}
