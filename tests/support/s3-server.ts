import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { BucketSettings } from '../../server/process/env.ts'
import { freePort } from './postgresql-server.ts'

const PROGRAMS = ['radosgw', 'radosgw-admin', 'ceph-mon', 'ceph-osd', 'ceph', 'monmaptool']
const STARTS = 3
/** Limit for one program of one start; a whole start takes 5 s, and 17 s on a busy machine. */
const START_LIMIT_MS = 30_000
const LOG_TAIL_LENGTH = 4000
const POLL_MS = 100

/** Whether Ceph's S3 gateway is installed on this machine. */
export const hasS3Server = (): boolean => PROGRAMS.every((name) => existsSync(`/usr/bin/${name}`))

export interface S3Server {
  url: string
  /** A new, empty bucket. */
  newBucket(): Promise<BucketSettings>
  stop(): Promise<void>
}

/**
 * Starts Ceph with one monitor, one in-memory store and its S3 gateway, all in a temporary folder. Ceph's own clients
 * occasionally deadlock, so a failed start is retried.
 */
export async function startS3Server(): Promise<S3Server> {
  const causes: unknown[] = []
  for (let attempt = 0; attempt < STARTS; attempt += 1) {
    try {
      return await startOnce()
    } catch (error) {
      causes.push(error)
    }
  }
  throw new AggregateError(causes, `Ceph did not start: ${causes.map(String).join('\n')}`)
}

async function startOnce(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'furlong-s3-'))
  for (const name of ['mon', 'osd', 'rgw', 'run']) mkdirSync(join(folder, name))
  const [monitorPort, port] = [await freePort(), await freePort()]
  const [cluster, store] = [randomUUID(), randomUUID()]
  const settings = join(folder, 'ceph.conf')
  writeFileSync(settings, settingsText(folder, cluster, monitorPort, port))
  const output = join(folder, 'output.log')
  const log = openSync(output, 'a')
  const running: ChildProcess[] = []
  const run = (program: string, ...args: string[]): void => {
    const own = program === 'monmaptool' ? args : ['-c', settings, ...args]
    execFileSync(program, own, { stdio: ['ignore', log, log], timeout: START_LIMIT_MS })
  }
  const start = (program: string, ...args: string[]): void => {
    running.push(spawn(program, ['-c', settings, ...args, '-f'], { stdio: ['ignore', log, log] }))
  }
  const stop = async (): Promise<void> => {
    await Promise.all(
      running.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return
        const ended = new Promise((resolve) => child.once('exit', resolve))
        // Everything is in memory, so no clean shutdown is needed.
        child.kill('SIGKILL')
        await ended
      }),
    )
    closeSync(log)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const map = join(folder, 'monmap')
    run('monmaptool', '--create', '--fsid', cluster, '--addv', 'a', `[v1:127.0.0.1:${monitorPort}]`, map)
    run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map)
    start('ceph-mon', '-i', 'a')
    run('ceph', '--connect-timeout', '10', 'osd', 'new', store)
    run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', store)
    run('ceph', 'osd', 'crush', 'add', 'osd.0', '1.0', 'root=default', 'host=here')
    start('ceph-osd', '-i', '0')
    // A client that connects before the store is up may wait forever.
    await untilStoreIsUp(settings)
    const [keyId, secret] = [randomUUID(), randomUUID()]
    const user = ['--uid=furlong', '--display-name=furlong', `--access-key=${keyId}`, `--secret=${secret}`]
    run('radosgw-admin', '-n', 'client.rgw', 'user', 'create', ...user)
    start('radosgw', '-n', 'client.rgw')
    const url = `http://127.0.0.1:${port}`
    await untilReady(url)
    return {
      url,
      stop,
      newBucket: async () => {
        const name = `b-${randomUUID()}`
        const s3 = await import('@aws-sdk/client-s3')
        const client = new s3.S3Client({
          endpoint: url,
          forcePathStyle: true,
          region: 'us-east-1',
          credentials: { accessKeyId: keyId, secretAccessKey: secret },
        })
        await client.send(new s3.CreateBucketCommand({ Bucket: name }))
        client.destroy()
        return { name, endpoint: url, region: 'us-east-1', keyId, secret, prefix: '' }
      },
    }
  } catch (error) {
    const tail = readFileSync(output, 'utf8').slice(-LOG_TAIL_LENGTH)
    await stop()
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${tail}`, { cause: error })
  }
}

async function untilStoreIsUp(settings: string): Promise<void> {
  const until = Date.now() + START_LIMIT_MS
  while (Date.now() < until) {
    const answer = execFileSync(
      'ceph',
      ['-c', settings, '--connect-timeout', '10', 'osd', 'dump', '--format', 'json'],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: START_LIMIT_MS,
      },
    )
    const { osds } = JSON.parse(answer.toString()) as { osds: { up: number }[] }
    if (osds.some(({ up }) => up === 1)) return
    await pause(POLL_MS)
  }
  throw new Error('the store did not come up')
}

async function untilReady(url: string): Promise<void> {
  const until = Date.now() + START_LIMIT_MS
  while (Date.now() < until) {
    const answers = await fetch(url).then(
      () => true,
      () => false,
    )
    if (answers) return
    await pause(POLL_MS)
  }
  throw new Error(`no answer of ${url}`)
}

const settingsText = (folder: string, cluster: string, monitorPort: number, port: number): string => `[global]
fsid = ${cluster}
mon host = v1:127.0.0.1:${monitorPort}
mon initial members = a
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
auth allow insecure global id reclaim = false
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon data avail crit = 0
mon data avail warn = 0
run dir = ${folder}/run
pid file = ${folder}/run/$name.pid
log file = ${folder}/$name.log
admin socket = ${folder}/run/$name.asok
ms bind msgr2 = false
[mon]
mon data = ${folder}/mon
[osd]
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 2147483648
osd class load list = *
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:${port}
rgw data = ${folder}/rgw
`
