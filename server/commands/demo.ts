import { InvalidArgumentError, type Command } from 'commander'
import { FurlongError } from '../../domain/errors.ts'
import { dayIn } from '../../domain/region.ts'
import { simulateMeeting } from '../ingest/demo/demonstration.ts'
import { END_OF_TIME, planRaceDay, type DayEvent } from '../ingest/demo/race-day.ts'
import type { SimulatedRace } from '../ingest/demo/race-simulator.ts'
import { DEMO_REGIONS } from '../ingest/demo/regions.ts'
import type { DemoRegion } from '../ingest/demo/stable.ts'
import { takeBatch, type FeedBatch } from '../ingest/feed.ts'
import type { Database } from '../db/database.ts'
import { holdsDemonstration, markDrivenDays } from '../store/racing/demonstration.ts'
import { stopSignal, waitFor } from '../process/stop-signal.ts'
import { print, withRunningServer } from './session.ts'

const SOURCE = 'race-day'
const BOARD_EVERY_MS = 10_000

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
      'run today’s simulated meetings through the feed, beside the running server: the first race is off 20 of its minutes after the start, the others every 30',
    )
    .option('--speed <n>', 'how many seconds of the race day pass in a second, 1 to 600', speedOf, 60)
    .action(async ({ speed }: { speed: number }) => {
      const stop = stopSignal()
      await withRunningServer((database) => runRaceDay(database, speed, stop))
    })
}

/** Throws `not-demonstration` if races were imported: simulated and real results must not mix. */
async function runRaceDay(database: Database, speed: number, stop: AbortSignal): Promise<void> {
  if (!(await holdsDemonstration(database))) throw new FurlongError('not-demonstration')
  const beginsAt = new Date()
  const pace = { beginsAt, speed, boardEveryMs: BOARD_EVERY_MS }
  const meetings = DEMO_REGIONS.map((region) => ({ region, today: dayIn(region.rules.timeZone, beginsAt) }))
  const events = meetings
    .flatMap(({ region, today }) => planRaceDay(meetingOf(region, today), pace))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
  const last = events.at(-1)!
  print(`${events.length} batches in ${Math.round((last.at.getTime() - beginsAt.getTime()) / 1000)} s`)
  await markDrivenDays(
    database,
    meetings.map(({ today }) => today),
  )
  for (const [index, event] of events.entries()) {
    await waitFor(Math.max(0, event.at.getTime() - Date.now()), stop)
    if (stop.aborted) break
    const key = `${beginsAt.toISOString()} ${index}`
    const batch = { source: SOURCE, key, kind: event.kind, body: event.body } as FeedBatch
    const report = await takeBatch(database, batch, new Date(), { ofDemonstration: true })
    tellOf(event, report.rejected.length)
  }
}

/**
 * Today's races with their odds up to post time, without the odds of withdrawn horses, which the stored
 * racecard already shows as withdrawn.
 */
function meetingOf(region: DemoRegion, today: string): SimulatedRace[] {
  const races = simulateMeeting(region, today, { run: true, closely: true }, END_OF_TIME)
  return races.map(({ race, ticks, ...rest }) => {
    const out = new Set(
      race.runners.flatMap(({ status, horseNo }) => (status === 'withdrawn' ? [horseNo] : [])),
    )
    return { ...rest, race, ticks: ticks.filter(({ horseNo }) => !out.has(horseNo)) }
  })
}

/** Prints a batch, but not odds: there are hundreds of them, and they are visible on the screens. */
function tellOf({ kind, body }: DayEvent, rejected: number): void {
  if (kind === 'odds' && rejected === 0) return
  const races = body.races.map(({ raceId }) => raceId).join(', ')
  print(`${kind}: ${races}${rejected > 0 ? `; ${rejected} rejected` : ''}`)
}
