import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

const POSTGRESQL = '/usr/lib/postgresql'

/** Folder of PostgreSQL's server programs, the newest version that is installed. */
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

export interface RestartablePostgresql extends PostgresqlServer {
  /** Ends it at once, as a crash would, and starts it again after `awayMs`. */
  crash(awayMs: number): Promise<void>
}

/** PostgreSQL refuses to run as root, so there it runs as nobody. */
const NOBODY = 65534
const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/**
 * Starts a PostgreSQL server of the run's own, on a free port, its data in a folder that goes with it. Without
 * `durable` nothing is forced to disk, which tests do not need and measurements must not leave out.
 */
export async function startPostgresql({ durable = false } = {}): Promise<RestartablePostgresql> {
  const bin = postgresqlBin()
  const folder = mkdtempSync(join(tmpdir(), 'furlong-postgresql-'))
  chmodSync(folder, 0o700)
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid)
  const data = join(folder, 'data')
  const options = ['-D', data, '-U', 'furlong', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C']
  execFileSync(join(bin, 'initdb'), options, { ...owner, cwd: folder, stdio: 'pipe' })
  const port = await freePort()
  const settings = [
    '-D',
    data,
    '-p',
    String(port),
    '-h',
    '127.0.0.1',
    '-k',
    folder,
    '-c',
    `fsync=${durable ? 'on' : 'off'}`,
    '-c',
    'max_connections=60',
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
    stop: () => stopper(server, folder)(),
    crash: async (awayMs) => {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGQUIT')
      await ended
      await new Promise((resolve) => setTimeout(resolve, awayMs))
      server = await start()
    },
  }
}

/** Ends a program, and takes its folder away. */
const stopper = (program: ChildProcess, folder: string) => async (): Promise<void> => {
  const ended = new Promise((resolve) => program.once('exit', resolve))
  program.kill('SIGINT')
  await ended
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

/**
 * Starts PgBouncer in transaction mode before a server that `startPostgresql` started, with few connections to it, so that
 * clients share them.
 */
export async function startPgBouncer(postgresqlUrl: string, connections: number): Promise<PostgresqlServer> {
  const { hostname, port: serverPort } = new URL(postgresqlUrl)
  const folder = mkdtempSync(join(tmpdir(), 'furlong-pgbouncer-'))
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid)
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
  const program = process.env['PGBOUNCER_PATH'] ?? '/usr/sbin/pgbouncer'
  const server = spawn(program, [settings], { ...owner, cwd: folder, stdio: 'ignore' })
  const url = `postgres://furlong@127.0.0.1:${port}/postgres`
  await untilReady(url, server)
  return { url, stop: stopper(server, folder) }
}
