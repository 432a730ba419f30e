import type { Database, Queries } from '../db/database.ts'
import {
  holdsDemonstration,
  holdsSimulation,
  isSimulationClaimed,
  markDrivenDays,
  readDrivenDays,
  readOpenRaces,
  type DemoRace,
} from '../store/racing/demonstration.ts'
import { isHalfWritten } from '../store/operation/pieces-store.ts'
import { holdsWriters } from '../store/racing/racing-writer.ts'
import {
  abandonedBatch,
  announcedDay,
  cardsBatch,
  dueBatch,
  liveMeeting,
  planDay,
  simulateLive,
  type LiveBatch,
  type LiveDay,
  type LiveRace,
  type Post,
} from './demo/live-meeting.ts'
import type { SimulatedRace } from './demo/race-simulator.ts'
import { DEMO_REGIONS } from './demo/regions.ts'
import type { DemoMeeting, DemoRegion } from './demo/stable.ts'
import { queueBatches, takeBatch } from './feed.ts'

const SOURCE = 'demonstration'
/** After this long without a call, the machine was asleep: what follows is a start. */
const ASLEEP_MS = 600_000
/** How long nothing is looked up although nothing is due: others may end or replace the demonstration. */
const LONGEST_REST_MS = 10_000
/** Batches of one call; the next call goes on. */
const MOST_BATCHES = 20
/** Simulated meetings that are remembered: two regions on two days, and spare ones. */
const MOST_MEETINGS = 12

/** What a transaction did; `restUntil`: nothing, and when to look again, in milliseconds. */
interface Step {
  restUntil?: number
  /** The region whose day has been announced. */
  planned?: DemoRegion
  /** The race of which the feed refused a batch. */
  refused?: string
}

/**
 * Runs the demonstration's races through the feed as time passes: announces each region's meeting of the day, moves its
 * odds, withdraws horses, and sends results and dividends, one batch a transaction. What is due follows from the
 * stored races, so that any process continues after a kill; of several, one at a time does. Stops by itself when imported
 * data have replaced the demonstration.
 */
export class LiveDemonstration {
  private readonly database: Database
  private readonly meetings = new Map<string, SimulatedRace[]>()
  /** Regions of which somebody waits for a race. */
  private readonly awaited = new Set<DemoRegion>()
  private readonly given = new Set<string>()
  private calledAt = Number.NEGATIVE_INFINITY
  private restUntil = 0

  constructor(database: Database) {
    this.database = database
  }

  /** Sends what is due. Returns the number of batches. */
  async advance(now: Date): Promise<number> {
    const time = now.getTime()
    if (Math.abs(time - this.calledAt) > ASLEEP_MS) {
      for (const region of DEMO_REGIONS) this.awaited.add(region)
      this.restUntil = 0
    }
    this.calledAt = time
    // The clock may also have been set back.
    if (time < this.restUntil && this.restUntil - time <= LONGEST_REST_MS) return 0
    for (let sent = 0; sent < MOST_BATCHES; sent += 1) {
      const { restUntil, planned, refused } = await this.database.transaction((queries) =>
        this.step(queries, now),
      )
      // Only what was committed counts.
      if (planned) this.awaited.delete(planned)
      if (refused) this.given.add(refused)
      if (restUntil === undefined) continue
      this.restUntil = Math.min(restUntil, time + LONGEST_REST_MS)
      return sent
    }
    return MOST_BATCHES
  }

  /** Sends one batch, unless none is due. */
  private async step(queries: Queries, now: Date): Promise<Step> {
    const nothing = { restUntil: Infinity }
    if (!(await mayDrive(queries, now))) return nothing
    const isDriven = await readDrivenDays(queries)
    let restUntil = Infinity
    for (const [place, region] of DEMO_REGIONS.entries()) {
      const regionId = region.rules.id
      const date = announcedDay(region, now)
      const open = await readOpenRaces(queries, { regionId, date })
      const today: LiveDay = {
        date,
        stored: open.filter((race) => race.date === date),
        isDriven: isDriven({ regionId, date }),
        isAwaited: this.awaited.has(region),
      }
      if (!today.isDriven || today.isAwaited) {
        const posts = planDay(region, today, place, now)
        if (!today.isDriven) await markDrivenDays(queries, [{ regionId, date }])
        if (posts.length > 0) await this.announce(queries, region, today, posts, now)
        return { planned: region }
      }
      const races = open.filter(
        ({ id, startsAt, date: day }) =>
          startsAt !== null && !this.given.has(id) && isDriven({ regionId, date: day }),
      )
      const due = dueBatch(
        races.flatMap((race) => this.withSimulation(region, race, open) ?? []),
        now,
      )
      if (due.batch !== null) return this.send(queries, due.batch, now)
      restUntil = Math.min(restUntil, due.at)
    }
    return { restUntil }
  }

  private announce(
    queries: Queries,
    region: DemoRegion,
    { date, stored }: LiveDay,
    posts: readonly Post[],
    now: Date,
  ): Promise<boolean> {
    const meeting = liveMeeting(region, date, stored)
    const races = Math.max(meeting.races, ...posts.map(({ raceNo }) => raceNo))
    const simulated = this.simulated(region, date, { ...meeting, races })
    return this.take(queries, cardsBatch(region, simulated, posts, now), now)
  }

  /** A race with its simulation; `null` if it is not one of the simulated meeting. */
  private withSimulation(region: DemoRegion, race: DemoRace, open: readonly DemoRace[]): LiveRace | null {
    const ofDay = open.filter(({ date }) => date === race.date)
    const races = this.simulated(region, race.date, liveMeeting(region, race.date, ofDay))
    const simulated = races.find((each) => each.race.id === race.id)
    return simulated === undefined ? null : { race, simulated }
  }

  private simulated(region: DemoRegion, date: string, meeting: DemoMeeting): SimulatedRace[] {
    const key = `${region.rules.code} ${date} ${meeting.stadium} ${meeting.races}`
    const known = this.meetings.get(key)
    if (known !== undefined) return known
    const races = simulateLive(region, date, meeting)
    if (this.meetings.size >= MOST_MEETINGS) this.meetings.delete(this.meetings.keys().next().value!)
    this.meetings.set(key, races)
    return races
  }

  private async send(queries: Queries, batch: LiveBatch, now: Date): Promise<Step> {
    const isTaken = await this.take(queries, batch, now)
    if (isTaken || batch.kind === 'odds') return {}
    const { raceId } = batch.body.races[0]!
    // A race that the feed refuses must not stay scheduled for ever.
    if (batch.kind !== 'dividends') await this.take(queries, abandonedBatch(raceId), now)
    return { refused: raceId }
  }

  /** Whether the feed has taken the whole batch, now. */
  private async take(queries: Queries, batch: LiveBatch, now: Date): Promise<boolean> {
    // The feed's transaction becomes part of this one.
    const within: Database = { ...this.database, ...queries, transaction: (work) => work(queries) }
    const report = await takeBatch(within, { ...batch, source: SOURCE }, now, { ofDemonstration: true })
    return !report.repeated && report.rejected.length === 0
  }
}

/** Whether this process alone may give the demonstration's next batch; locks out other writers until the transaction ends. */
async function mayDrive(queries: Queries, now: Date): Promise<boolean> {
  if (!(await holdsDemonstration(queries)) || !(await holdsSimulation(queries))) return false
  // In the order in which a batch of the feed takes them.
  await queueBatches(queries)
  if (!(await holdsWriters(queries))) return false
  // Again: an import may have replaced the demonstration meanwhile, and would get its races.
  const isOurs = (await holdsDemonstration(queries)) && !(await isHalfWritten(queries))
  return isOurs && !(await isSimulationClaimed(queries, now))
}
