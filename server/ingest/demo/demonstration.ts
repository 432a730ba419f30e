import { addDays, dayIn, daysOfSeason } from '../../../domain/region.ts'
import { seedOf, seededRandom } from '../../../domain/random.ts'
import type { Database, Queries } from '../../db/database.ts'
import {
  holdsDemonstration,
  isEmpty,
  markDemonstration,
  readDemonstrationDay,
  readDrivenDays,
} from '../../store/racing/demonstration.ts'
import { appendPromotion } from '../../store/racing/scoring-state-store.ts'
import { RacingWriter } from '../../store/racing/racing-writer.ts'
import { ReportBook } from '../../drafts/report.ts'
import { publishDouble } from './dividends.ts'
import { gearOn } from './gear.ts'
import { simulateRace, type SimulatedDetail, type SimulatedRace } from './race-simulator.ts'
import { DEMO_REGIONS } from './regions.ts'
import { remembered } from '../../../domain/remembered.ts'
import { shuffled, withAge, type DemoHorse, type DemoMeeting, type DemoRegion } from './stable.ts'

/** Arbitrary key that no other advisory lock uses. */
const DEMONSTRATION_LOCK = 7_312_027
const SEASON_DAYS = 240
const MAX_DAYS = 300
const DAYS_AHEAD = 7
/** Days before today whose odds are recorded every few minutes; earlier races have five ticks per horse. */
const CLOSE_DAYS = 14

/**
 * Fills an empty database with the demonstration, or brings an older one up to `now`: two regions, a season
 * each, results up to yesterday, racecards for today and a week ahead, and the odds seen up to now. Returns
 * whether anything was written; imported data is never changed.
 */
export async function ensureDemonstration(
  database: Database,
  now: Date = new Date(),
  seasonDays = SEASON_DAYS,
): Promise<boolean> {
  const today = dayIn('Asia/Hong_Kong', now)
  if (await holdsDemonstration(database)) {
    if ((await readDemonstrationDay(database)) === today) return moveOdds(database, now)
  } else if (!(await isEmpty(database))) {
    return false
  }
  return database.transaction(async (transaction) => {
    // Of concurrent processes on one database, the first creates it and the others find it complete.
    await transaction.rows(`select pg_advisory_xact_lock(${DEMONSTRATION_LOCK})`)
    if ((await readDemonstrationDay(transaction)) === today) return false
    const writer = await RacingWriter.open(transaction, new ReportBook())
    const driven = await readDrivenDays(transaction)
    const isNew = (await readDemonstrationDay(transaction)) === null
    for (const region of DEMO_REGIONS) {
      const isFree = ({ race: { date } }: SimulatedRace): boolean =>
        !driven({ regionId: region.rules.id, date })
      const regionDay = dayIn(region.rules.timeZone, now)
      const races = simulateSeason(region, regionDay, seasonDays, now).filter(isFree)
      await writer.place(region.rules, region.stadiums)
      const profiles = region.horses.map(({ profile }) => withAge(profile, today))
      await writer.writeHorses(region.rules, profiles)
      const jockeys = region.jockeys.map(({ person }) => person)
      await writer.writePeople('jockey', region.rules, jockeys)
      const trainers = new Set(region.horses.map(({ trainer }) => trainer))
      await writer.writePeople('trainer', region.rules, [...trainers])
      await writer.writeRaces(races.map(({ race }) => race))
      await writer.writeDividends(races.flatMap(({ dividends }) => dividends))
      await writer.writeOddsTicks(races.flatMap(({ ticks }) => ticks))
      if (isNew) await promoteNetwork(transaction, region.rules.id, races)
    }
    await writer.finish()
    await markDemonstration(transaction, today)
    return true
  })
}

/** No race of a new demonstration has shown anything yet, so the network counts from the first one. */
async function promoteNetwork(
  queries: Queries,
  regionId: string,
  races: readonly SimulatedRace[],
): Promise<void> {
  const days = races.map(({ race: { date } }) => date).toSorted()
  await appendPromotion(queries, regionId, { model: 'network', promotedAt: `${days[0]!}T00:00:00Z` })
}

/**
 * Whether the demonstration, if the database holds it, is up to today; without one, whether races were
 * imported.
 */
export async function isDemonstrationCurrent(database: Database, now: Date): Promise<boolean> {
  if (!(await holdsDemonstration(database))) return !(await isEmpty(database))
  return (await readDemonstrationDay(database)) === dayIn('Asia/Hong_Kong', now)
}

/** Writes the odds of upcoming races that were seen since the last call. Returns whether there were any. */
async function moveOdds(database: Database, now: Date): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const writer = await RacingWriter.open(transaction, new ReportBook())
    const driven = await readDrivenDays(transaction)
    for (const region of DEMO_REGIONS) {
      const isFree = ({ race: { date } }: SimulatedRace): boolean =>
        !driven({ regionId: region.rules.id, date })
      const races = simulateDays(region, dayIn(region.rules.timeZone, now), 0, now).filter(isFree)
      await writer.writeRaces(races.map(({ race }) => race))
      await writer.writeOddsTicks(races.flatMap(({ ticks }) => ticks))
    }
    return (await writer.finish()) > 0
  })
}

/** Days of the previous season from which the models need to learn. */
const EARLIER_DAYS = 120

/**
 * How many days before `today` a full demonstration begins: far enough to include part of the previous
 * season, but at most ten months.
 */
function daysBefore({ rules }: DemoRegion, today: string, seasonDays: number): number {
  if (seasonDays < SEASON_DAYS) return seasonDays
  return Math.max(seasonDays, Math.min(MAX_DAYS, daysOfSeason(rules, today) - 1 + EARLIER_DAYS))
}

/**
 * Every race of a region from eight to ten months before `today` to a week after it, with results up to
 * yesterday and odds up to `now`.
 */
export const simulateSeason = (
  region: DemoRegion,
  today: string,
  seasonDays = SEASON_DAYS,
  now: Date = new Date(`${today}T00:00:00Z`),
): SimulatedRace[] => simulateDays(region, today, daysBefore(region, today, seasonDays), now)

/** The races from `before` days before `today` to a week after it. */
function simulateDays(region: DemoRegion, today: string, before: number, now: Date): SimulatedRace[] {
  const races: SimulatedRace[] = []
  for (let offset = -before; offset <= DAYS_AHEAD; offset += 1) {
    const detail = { run: offset < 0, closely: offset >= -CLOSE_DAYS }
    races.push(...simulateMeeting(region, addDays(today, offset), detail, now))
  }
  return races
}

/** A region's usual meeting of a day; none on a day without racing. */
export const usualMeeting = (region: DemoRegion, date: string): DemoMeeting | null =>
  region.week[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? null

/** The largest field. */
const MOST_RUNNERS = 14

/** The horses of each race of a region's day, the highest rated first; a longer meeting begins with those of a shorter one. */
function cardsOf(region: DemoRegion, date: string, { races }: DemoMeeting): DemoHorse[][] {
  const random = seededRandom(seedOf(`${region.rules.code} ${date}`))
  let horses = shuffled(region.horses, random)
  return Array.from({ length: races }, () => {
    // Only the longest meetings need a horse twice.
    if (horses.length < MOST_RUNNERS) horses = shuffled(region.horses, random)
    const size = MOST_RUNNERS - 9 + Math.floor(random() * 10)
    return horses.splice(0, size).toSorted((a, b) => b.rating - a.rating)
  })
}

/** The brands of the horses on a usual day's cards, kept for every day that was asked for. */
const brandsOf = remembered((region: DemoRegion) =>
  remembered((date: string): ReadonlySet<string> => {
    const meeting = usualMeeting(region, date)
    return new Set(
      meeting === null
        ? []
        : cardsOf(region, date, meeting)
            .flat()
            .map(({ brand }) => brand),
    )
  }),
)

/**
 * The races of a region's day, identical for every call; by default those of its usual meeting. A longer meeting begins
 * with the races of a shorter one.
 */
export function simulateMeeting(
  region: DemoRegion,
  date: string,
  detail: SimulatedDetail,
  now: Date,
  meeting: DemoMeeting | null = usualMeeting(region, date),
): SimulatedRace[] {
  if (!meeting) return []
  const races: SimulatedRace[] = []
  for (const [index, horses] of cardsOf(region, date, meeting).entries()) {
    const card = horses.map((horse) => ({ ...horse, gear: gearOf(region, horse, date) }))
    const race = simulateRace(region, date, index + 1, meeting.stadium, card, detail, now)
    const before = races.at(-1)?.dividends ?? []
    races.push({ ...race, dividends: [...race.dividends, ...publishDouble(before, race.dividends, date)] })
  }
  return races
}

/** What a horse wears on a day; only runs at usual meetings count as earlier ones. */
const gearOf = (region: DemoRegion, { brand }: DemoHorse, date: string): string =>
  gearOn(brand, date, (from, before) => {
    const ran = brandsOf(region)
    for (let day = from; day < before; day = addDays(day, 1)) if (ran(day).has(brand)) return true
    return false
  })
