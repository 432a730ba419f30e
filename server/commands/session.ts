import { FurlongError } from '../../domain/errors.ts'
import { parseRaceId } from '../../domain/race-id.ts'
import { assemble } from '../serving/assemble.ts'
import { readSettings, type Settings } from '../process/env.ts'
import { makeLog } from '../process/log.ts'
import type { Service } from '../services/service.ts'
import { isServed } from '../db/database-client.ts'
import type { Database } from '../db/database.ts'
import { openBeside } from '../db/open.ts'
import { StatusLine } from '../process/status-line.ts'
import { stopSignal } from '../process/stop-signal.ts'

/** Whether a command prints JSON. */
export interface Json {
  json: boolean
}

export const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Opens the configured database, even while a server is running, runs `work`, and always closes it. */
export async function withDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  const database = await openBeside(readSettings())
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/**
 * Like `withDatabase`, with the settings and whether this process has exclusive access to the embedded
 * database.
 */
export async function withPlace<Result>(
  work: (database: Database, place: Settings, alone: boolean) => Promise<Result>,
): Promise<Result> {
  const settings = readSettings()
  const alone = !settings.databaseUrl && !(await isServed(settings.dataFolder))
  return withDatabase((database) => work(database, settings, alone))
}

/**
 * Like `withDatabase`, for a command that runs for hours: the embedded database is used only through a
 * running server, because the command would otherwise keep the server from starting. Throws `server-needed`.
 */
export async function withRunningServer<Result>(
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const settings = readSettings()
  if (!settings.databaseUrl && !(await isServed(settings.dataFolder))) throw new FurlongError('server-needed')
  return withDatabase(work)
}

/** Like `withDatabase`, with the service, so that commands obey the same business rules as API calls. */
export function withService<Result>(work: (service: Service) => Promise<Result>): Promise<Result> {
  return withDatabase(async (database) => {
    const settings = readSettings()
    const { service, settled } = assemble(settings, database, null, {
      print: (line) => process.stderr.write(`${line}\n`),
      log: makeLog(settings.logLevel, 2),
    })
    const result = await work(service)
    await settled()
    return result
  })
}

/** A race id. Throws `bad-race-id`. */
export function raceIdOf(given: string): string {
  parseRaceId(given)
  return given
}

/** Race ids separated by commas. Throws `bad-race-id`. */
export const raceIdsOf = (given: string): string[] => given.split(',').map(raceIdOf)

/** The number of rows to list, at least one. */
export const limitOf = (given: string): number => Math.max(1, Math.floor(Number(given)) || 1)

/** Prints rows as JSON, or as a line each for a person. */
export const tellEach = <Row>(json: boolean, rows: readonly Row[], lineOf: (row: Row) => string): void =>
  tell(json, rows, rows.map(lineOf))

/** Prints as JSON, or as lines for a person. */
export function tell(json: boolean, value: unknown, lines: readonly string[]): void {
  if (json) print(JSON.stringify(value, null, 2))
  else for (const line of lines) print(line)
}

/** Runs something that takes long, with a line of progress and Ctrl-C. */
export async function showing<Result>(
  work: (onProgress: (text: string) => void, stop: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const status = new StatusLine(process.stderr)
  try {
    return await work((text) => status.show(text), stopSignal())
  } finally {
    status.clear()
  }
}
