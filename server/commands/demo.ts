import { hostname } from 'node:os'
import { InvalidArgumentError, type Command } from 'commander'
import { FurlongError } from '../../domain/errors.ts'
import { dayIn } from '../../domain/region.ts'
import { racesLeft } from '../ingest/demo/live-meeting.ts'
import { planRaceDay, type DayEvent, type DayPace } from '../ingest/demo/race-day.ts'
import { DEMO_REGIONS } from '../ingest/demo/regions.ts'
import { takeBatch, type FeedBatch } from '../ingest/feed.ts'
import type { Database } from '../db/database.ts'
import {
  claimSimulation,
  holdsDemonstration,
  markDrivenDays,
  readOpenRaces,
  type DrivenDay,
} from '../store/racing/demonstration.ts'
import { stopSignal, waitFor } from '../process/stop-signal.ts'
import { print, withRunningServer } from './session.ts'

const SOURCE = 'race-day'
const BOARD_EVERY_MS = 10_000
/** How long a killed command keeps the server from running the races. */
const CLAIM_MS = 30_000

function speedOf(given: string): number {
  const speed = Number(given)
  if (!(speed >= 1 && speed <= 600)) throw new InvalidArgumentError('from 1 to 600')
  return speed
}

/** `furlong demo …`: commands that drive the demonstration. */
export function demoCommands(program: Command): void {
  program
    .command('demo')
    .description('what makes the demonstration move')
    .command('race-day')
    .description(
      'run what is left of today’s simulated meetings faster than the server does: the first race is off 20 of its minutes after the start, the others every 30',
    )
    .option('--speed <n>', 'how many seconds of the race day pass in a second, 1 to 600', speedOf, 60)
    .action(async ({ speed }: { speed: number }) => {
      const stop = stopSignal()
      await withRunningServer((database) => runRaceDay(database, speed, stop))
    })
}

/**
 * Throws `not-demonstration` if races were imported: simulated and real results must not mix; `busy` if another such
 * command runs. The server leaves the races to this one until it ends.
 */
async function runRaceDay(database: Database, speed: number, stop: AbortSignal): Promise<void> {
  const name = `race-day ${hostname()} ${process.pid}`
  const claim = (until: Date | null): Promise<boolean> =>
    database.transaction((queries) => claimSimulation(queries, name, new Date(), until))
  const claimOn = async (): Promise<void> => {
    if (!(await holdsDemonstration(database))) throw new FurlongError('not-demonstration')
    if (!(await claim(new Date(Date.now() + CLAIM_MS)))) throw new FurlongError('busy')
  }
  await claimOn()
  try {
    const beginsAt = new Date()
    const events = await planToday(database, { beginsAt, speed, boardEveryMs: BOARD_EVERY_MS })
    const last = events.at(-1)!
    print(`${events.length} batches in ${Math.round((last.at.getTime() - beginsAt.getTime()) / 1000)} s`)
    for (const [index, event] of events.entries()) {
      for (let left = 1; left > 0 && !stop.aborted;) {
        left = event.at.getTime() - Date.now()
        await waitFor(Math.min(CLAIM_MS / 3, Math.max(0, left)), stop)
        await claimOn()
      }
      if (stop.aborted) break
      const key = `${beginsAt.toISOString()} ${index}`
      const batch = { source: SOURCE, key, kind: event.kind, body: event.body } as FeedBatch
      const report = await takeBatch(database, batch, new Date(), { ofDemonstration: true })
      tellOf(event, report.rejected.length)
    }
  } finally {
    await claim(null)
  }
}

/** What is left of today's meetings, as batches in order of time. */
async function planToday(database: Database, pace: DayPace): Promise<DayEvent[]> {
  const events: DayEvent[] = []
  const days: DrivenDay[] = []
  for (const region of DEMO_REGIONS) {
    const day = { regionId: region.rules.id, date: dayIn(region.rules.timeZone, pace.beginsAt) }
    const stored = await readOpenRaces(database, day)
    const ofToday = stored.filter(({ date }) => date === day.date)
    events.push(...planRaceDay(racesLeft(region, day.date, ofToday), pace))
    days.push(day)
  }
  await markDrivenDays(database, days)
  return events.toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

/** Prints a batch, but not odds: there are hundreds of them, and they are visible on the screens. */
function tellOf({ kind, body }: DayEvent, rejected: number): void {
  if (kind === 'odds' && rejected === 0) return
  const races = body.races.map(({ raceId }) => raceId).join(', ')
  print(`${kind}: ${races}${rejected > 0 ? `; ${rejected} rejected` : ''}`)
}
