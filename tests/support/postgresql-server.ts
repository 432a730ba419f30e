import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

const POSTGRESQL = '/usr/lib/postgresql'

/** Folder of the server programs of the newest installed PostgreSQL version. */
function postgresqlBin(): string {
  const versions = existsSync(POSTGRESQL) ? readdirSync(POSTGRESQL) : []
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0]
  const bin = process.env['POSTGRESQL_BIN'] ?? (newest ? join(POSTGRESQL, newest, 'bin') : '')
  if (!existsSync(join(bin, 'initdb')))
    throw new Error('PostgreSQL is missing: install it, or set POSTGRESQL_BIN')
  return bin
}

export interface PostgresqlServer {
  url: string
  stop(): Promise<void>
}

export interface Standby extends PostgresqlServer {
  /** Promotes it to primary. */
  promote(): Promise<void>
}

export interface RestartablePostgresql extends PostgresqlServer {
  /** Path of its data folder. */
  data: string
  /** Kills it immediately and permanently, like a lost machine. */
  kill(): Promise<void>
  /** Kills it immediately, like a crash, and starts it again after `awayMs`. */
  crash(awayMs: number): Promise<void>
}

/** PostgreSQL refuses to run as root, so under root it runs as the user "nobody". */
const NOBODY = 65534
const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

/** Creates a new folder for one server. */
function serverFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `furlong-${name}-`))
  chmodSync(folder, 0o700)
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid)
  return folder
}

/** Program arguments for a server's data folder, port and socket folder; a standby takes the same as its primary. */
const placeOf = (data: string, port: number, folder: string): string[] => [
  '-D',
  data,
  '-p',
  String(port),
  '-h',
  '127.0.0.1',
  '-k',
  folder,
  '-c',
  'max_connections=60',
]

/** Below the range that systems use for outgoing connections: Linux's begins at 32768. */
const PORTS = { from: 15_000, to: 32_000 }

/**
 * Finds a free port. It does not let the system choose: the server binds the port only seconds later, and until then a
 * connection of a parallel test could be assigned it.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(PORTS.from, PORTS.to)
    const probe = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    })
    if (isFree) return port
  }
  throw new Error(`no free port from ${PORTS.from} to ${PORTS.to}`)
}

/**
 * Starts a dedicated PostgreSQL server on a free port, with its data in a temporary folder that is removed with it.
 * Without `durable`, nothing is forced to disk, which tests do not need but measurements do. `configuration` holds
 * PostgreSQL settings such as `shared_buffers`.
 */
export async function startPostgresql({
  durable = false,
  configuration = {},
}: { durable?: boolean; configuration?: Record<string, string> } = {}): Promise<RestartablePostgresql> {
  const bin = postgresqlBin()
  const folder = serverFolder('postgresql')
  const data = join(folder, 'data')
  const options = ['-D', data, '-U', 'furlong', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C']
  execFileSync(join(bin, 'initdb'), options, { ...owner, cwd: folder, stdio: 'pipe' })
  const port = await freePort()
  const settings = [
    ...placeOf(data, port, folder),
    '-c',
    `fsync=${durable ? 'on' : 'off'}`,
    ...Object.entries(configuration).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const url = `postgres://furlong@127.0.0.1:${port}/postgres`
  const start = async (): Promise<ChildProcess> => {
    const started = spawn(join(bin, 'postgres'), settings, { ...owner, cwd: folder, stdio: 'ignore' })
    await untilReady(url, started)
    return started
  }
  let server = await start()
  return {
    url,
    data,
    stop: () => stopper(server, folder)(),
    kill: async () => {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGQUIT')
      await ended
    },
    crash: async (awayMs) => {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGQUIT')
      await ended
      await new Promise((resolve) => setTimeout(resolve, awayMs))
      server = await start()
    },
  }
}

/** Options with which `docs/operating.md` copies a standby, besides source and target. */
export const STANDBY_OPTIONS = ['-X', 'stream', '-R', '-c', 'fast']
/** Line of the same page that makes the primary wait for the standby. */
export const STANDBY_LINE = `psql -c "alter system set synchronous_standby_names = '*'" -c "select pg_reload_conf()"`

/**
 * Starts a streaming standby of a server that `startPostgresql` started. From then on the primary acknowledges a
 * transaction only when the standby has it on disk.
 */
export async function startStandby(primaryUrl: string): Promise<Standby> {
  const bin = postgresqlBin()
  const folder = serverFolder('standby')
  const data = join(folder, 'data')
  const { hostname, port: primaryPort, username } = new URL(primaryUrl)
  const options = ['-h', hostname, '-p', primaryPort, '-U', username, '-D', data, ...STANDBY_OPTIONS]
  execFileSync(join(bin, 'pg_basebackup'), options, { ...owner, cwd: folder, stdio: 'pipe' })
  const port = await freePort()
  const url = `postgres://furlong@127.0.0.1:${port}/postgres`
  const server = spawn(join(bin, 'postgres'), placeOf(data, port, folder), {
    ...owner,
    cwd: folder,
    stdio: 'ignore',
  })
  await untilReady(url, server)
  runPsql(STANDBY_LINE, primaryUrl)
  return {
    url,
    stop: stopper(server, folder),
    promote: async () => {
      await run(url, 'select pg_promote()')
      // No standby follows it yet.
      await run(url, `alter system set synchronous_standby_names = ''`)
      await run(url, 'select pg_reload_conf()')
    },
  }
}

/** Runs a shell line that calls `psql` without naming a database, against the one of the address. */
export function runPsql(line: string, url: string): void {
  const { hostname, port, username, pathname } = new URL(url)
  const place = { PGHOST: hostname, PGPORT: port, PGUSER: username, PGDATABASE: pathname.slice(1) }
  const PATH = `${postgresqlBin()}:${process.env['PATH']}`
  execFileSync('sh', ['-ec', line], { env: { ...process.env, ...place, PATH }, stdio: 'pipe' })
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(sql)
  await client.end()
}

/** Returns a function that stops a program and removes its folder. */
const stopper = (program: ChildProcess, folder: string) => async (): Promise<void> => {
  const ended = new Promise((resolve) => program.once('exit', resolve))
  if (program.exitCode === null && program.signalCode === null) {
    program.kill('SIGINT')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 150; attempt += 1) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}`)
    const client = new pg.Client(url)
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  throw new Error('PostgreSQL did not start')
}

const PGBOUNCER = process.env['PGBOUNCER_PATH'] ?? '/usr/sbin/pgbouncer'

/** Whether PgBouncer is installed; without it its tests are skipped. */
export const hasPgBouncer = (): boolean => existsSync(PGBOUNCER)

/**
 * Starts PgBouncer in transaction mode in front of a server that `startPostgresql` started, with few server
 * connections, so that clients share them.
 */
export async function startPgBouncer(postgresqlUrl: string, connections: number): Promise<PostgresqlServer> {
  const { hostname, port: serverPort } = new URL(postgresqlUrl)
  const folder = serverFolder('pgbouncer')
  const port = await freePort()
  const users = join(folder, 'users.txt')
  const settings = join(folder, 'pgbouncer.ini')
  writeFileSync(users, '"furlong" ""\n')
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 200
`,
  )
  const server = spawn(PGBOUNCER, [settings], { ...owner, cwd: folder, stdio: 'ignore' })
  const url = `postgres://furlong@127.0.0.1:${port}/postgres`
  await untilReady(url, server)
  return { url, stop: stopper(server, folder) }
}
