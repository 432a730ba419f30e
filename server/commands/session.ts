import { FurlongError } from '../../domain/errors.ts'
import { assemble } from '../assemble.ts'
import { readSettings, type Settings } from '../env.ts'
import type { Service } from '../services/service.ts'
import { isServed } from '../store/database-client.ts'
import type { Database } from '../store/database.ts'
import { openBeside } from '../store/open.ts'

export const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Opens the configured database, beside a server that may be running, works, and closes it whatever happens. */
export async function withDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  const database = await openBeside(readSettings())
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** The same with where it is, and whether this process has the embedded database to itself. */
export async function withPlace<Result>(
  work: (database: Database, place: Settings, alone: boolean) => Promise<Result>,
): Promise<Result> {
  const settings = readSettings()
  const alone = !settings.databaseUrl && !(await isServed(settings.dataFolder))
  return withDatabase((database) => work(database, settings, alone))
}

/**
 * The same for a command that runs for hours: on the embedded database only through a running server, for the command would
 * keep the server from starting. Throws `server-needed`.
 */
export async function withRunningServer<Result>(
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const settings = readSettings()
  if (!settings.databaseUrl && !(await isServed(settings.dataFolder))) throw new FurlongError('server-needed')
  return withDatabase(work)
}

/** The same with the service's rules, so that an operator's command is bound by them as any call is. */
export function withService<Result>(work: (service: Service) => Promise<Result>): Promise<Result> {
  return withDatabase(async (database) => {
    const { service, settled } = assemble(readSettings(), database, null, {
      print: (line) => process.stderr.write(`${line}\n`),
    })
    const result = await work(service)
    await settled()
    return result
  })
}

/** Prints as JSON, or as the lines that a person reads. */
export function tell(json: boolean, value: unknown, lines: readonly string[]): void {
  if (json) print(JSON.stringify(value, null, 2))
  else for (const line of lines) print(line)
}
