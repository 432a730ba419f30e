import { resolve } from 'node:path'
import { z } from 'zod'
import { FurlongError } from '../domain/errors.ts'

const Environment = z.object({
  FURLONG_DATA: z.string().min(1).default('data'),
  PORT: z.coerce.number().int().min(0).max(65535).default(4170),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  FURLONG_SECRET: z.string().min(32).optional(),
})

export interface Settings {
  /** Absolute folder of everything that is written at run time. */
  dataFolder: string
  port: number
  host: string
  /** Absent: the embedded database in the data folder. */
  databaseUrl: string | undefined
  /** Absent: made once and kept in the data folder. */
  secret: string | undefined
}

/** The operator's settings; the table of them is in the README. Throws `bad-arguments` naming each bad variable. */
export function readSettings(variables: NodeJS.ProcessEnv = process.env): Settings {
  // An empty variable is one that was not set: compose files and shells write `PORT=`.
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(given)
  if (!parsed.success) {
    const reason = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
    throw new FurlongError('bad-arguments', { reason })
  }
  const { FURLONG_DATA, PORT, HOST, DATABASE_URL, FURLONG_SECRET } = parsed.data
  return {
    dataFolder: resolve(FURLONG_DATA),
    port: PORT,
    host: HOST,
    databaseUrl: DATABASE_URL,
    secret: FURLONG_SECRET,
  }
}
