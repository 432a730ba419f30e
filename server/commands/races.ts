import type { Command } from 'commander'
import { confirmHeld, dismissHeld, reopenRace } from '../ingest/held-results.ts'
import { doJobs } from '../jobs/do-jobs.ts'
import { stopSignal } from '../process/stop-signal.ts'
import type { Database } from '../db/database.ts'
import { listHeld } from '../store/operation/held-store.ts'
import { raceIdOf, tell, tellEach, withDatabase, withPlace, type Json } from './session.ts'

const SETTLE = { kind: 'settle', payload: { verify: false } } as const

/** `furlong races …`: results that the feed brought and that can hardly be true, and races that are not over. */
export function raceCommands(program: Command): void {
  const races = program
    .command('races')
    .description('results that wait to be confirmed, and races that were closed by mistake')
  races
    .command('held', { isDefault: true })
    .description('list results and dividends that can hardly be true: they wait to be confirmed or dismissed')
    .option('--json', 'print all that is known of them as JSON', false)
    .action(async ({ json }: Json) => {
      const held = await withDatabase((database) => listHeld(database))
      tellEach(
        json,
        held.map(({ body, ...rest }) => ({ ...rest, race: JSON.parse(body) as unknown })),
        ({ raceId, kind, reason, detail, receivedAt }) =>
          `${raceId} ${kind} ${receivedAt} ${reason}: ${detail}`,
      )
    })
  forRace(races, 'confirm', 'take what is held of a race: it is true', async (database, raceId) => {
    const kinds = await confirmHeld(database, raceId, new Date())
    return { raceId, confirmed: kinds, line: `${raceId}: ${kinds.join(' and ')} confirmed` }
  })
  forRace(
    races,
    'reopen',
    'make a final or abandoned race one that is to be run: result and dividends are removed, locked predictions stay',
    async (database, raceId) => {
      const before = await reopenRace(database, raceId, new Date())
      return { raceId, before, line: `${raceId}: ${before}, now scheduled` }
    },
  )
  races
    .command('dismiss')
    .description('forget what is held of a race')
    .argument('<race>', 'race id', raceIdOf)
    .option('--json', 'print as JSON', false)
    .action(async (raceId: string, { json }: Json) => {
      await withDatabase((database) => dismissHeld(database, raceId))
      tell(json, { raceId, dismissed: true }, [`${raceId}: dismissed`])
    })
}

/** A command that changes a race; the jobs that follow are completed before it ends. */
function forRace(
  races: Command,
  name: string,
  description: string,
  work: (database: Database, raceId: string) => Promise<{ line: string }>,
): void {
  races
    .command(name)
    .description(description)
    .argument('<race>', 'race id', raceIdOf)
    .option('--json', 'print as JSON', false)
    .action(async (raceId: string, { json }: Json) => {
      await withPlace(async (database, place, alone) => {
        const { line, ...done } = await work(database, raceId)
        await doJobs(database, place, SETTLE, { alone, onProgress: () => {}, stop: stopSignal() })
        tell(json, done, [line])
      })
    })
}
