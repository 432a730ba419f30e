// @module-tag rest
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { ANALYTICS_PATH } from '../../contract/api/analytics.ts'
import { MANIFEST_PATH } from '../../contract/dataset-paths.ts'
import type { Manifest } from '../../contract/dataset.ts'
import { freePort } from '../support/postgresql-server.ts'
import { hasS3Server, startS3Server, type S3Server } from '../support/s3-server.ts'
import { FURLONG, ROOT, startServerProcess, type ServerProcess } from '../support/server-process.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { DatasetBucket } from '../../server/dataset/dataset-bucket.ts'
import { datasetFolder, readIndex, readManifest } from '../../server/dataset/dataset-index.ts'
import { isUndamaged } from '../../server/dataset/duckdb-file.ts'
import { readSettings } from '../../server/process/env.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { openBucket } from '../../server/gateways/bucket.ts'
import type { BucketSettings } from '../../server/process/env.ts'
import { makePrivateFolder } from '../../server/db/folder-lock.ts'
import { enqueueJob } from '../../server/store/operation/job-store.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { Between } from '../support/between.ts'
import { hasNginx, startNginx } from '../support/nginx.ts'
import { operatingVariables } from '../support/operating.ts'
import { newDatabase, newFolder, type TestDatabase } from '../support/databases.ts'
import { writeHkFiles } from '../fixtures/hk-files.ts'

/** Users keep sending requests for this long, and one of two servers is killed meanwhile. */
const LOAD_MS = 12_000
const READERS = 4
/** A query of the daily totals, which are public. */
const TOTALS = {
  aggregate: {
    model: 'predictions',
    by: ['season'],
    measures: ['predictions', 'hits'],
    where: {
      and: [
        { dim: 'model', in: ['market-baseline'] },
        { dim: 'origin', in: ['backtest'] },
      ],
    },
  },
}

// A skipped test says why. Ceph’s gateway is the S3 server here because Debian packages it.
describe.skipIf(!hasS3Server())(
  `dataset files in a bucket${hasS3Server() ? '' : ' (radosgw is missing)'}`,
  () => {
    let s3: S3Server
    let place: TestDatabase
    beforeAll(async () => {
      s3 = await startS3Server()
      place = await newDatabase('postgresql')
      await importFiles(place.database, {
        format: HK_FORMAT,
        paths: [writeHkFiles(newFolder())],
        replaceDemonstration: false,
      })
      await scoreStaleRaces(place.database)
    })
    afterAll(async () => {
      await place?.close()
      await s3?.stop()
    })

    const change = async (): Promise<void> => {
      await place.database.rows(
        `update runner set place = case place when 9 then 10 else 9 end where race_id = 'HKSHT2016090701' and horse_no = 6`,
      )
      await place.database.rows(`update race set scoring = 'stale' where id = 'HKSHT2016090701'`)
      await scoreStaleRaces(place.database)
    }
    /** A machine: its own folder and its own connection to the bucket. */
    const machine = (settings: BucketSettings) => {
      const dataFolder = newFolder()
      const bucket = new DatasetBucket(settings)
      const folder = datasetFolder(dataFolder)
      makePrivateFolder(folder)
      return {
        bucket,
        folder,
        build: () => buildDataset(place.database, dataFolder, new Date(), { bucket }),
        pull: () => bucket.pull(folder),
        manifest: () => readManifest(dataFolder)!,
        whole: async () => {
          for (const { sha256 } of readManifest(dataFolder)!.files)
            if (!(await isUndamaged(folder, sha256))) return false
          return true
        },
        revision: () => readIndex(folder)?.published?.revision,
      }
    }

    test('what one machine builds another one has, and builds nothing of it again', async () => {
      const settings = await s3.newBucket()
      const [one, other] = [machine(settings), machine(settings)]
      expect(await other.pull()).toBe(false)
      expect((await one.build()).built).toBeGreaterThan(2)
      expect(await other.pull()).toBe(true)
      expect(other.manifest()).toEqual(one.manifest())
      expect(await other.whole()).toBe(true)
      expect(await other.pull()).toBe(false)
      // Without changes nothing is built or published.
      expect((await other.build()).built).toBe(0)
      expect([one.revision(), other.revision()]).toEqual([1, 1])
      // The first machine gets what the second one builds.
      await change()
      expect((await other.build()).built).toBe(2)
      expect(await one.pull()).toBe(true)
      expect(one.manifest()).toEqual(other.manifest())
      expect(await one.whole()).toBe(true)
      // A folder is only a copy, so it may be lost.
      rmSync(one.folder, { recursive: true })
      expect(await one.pull()).toBe(true)
      expect(one.manifest()).toEqual(other.manifest())
    })

    test('of machines that build at once one publishes, and the others build on that', async () => {
      const settings = await s3.newBucket()
      const machines = [machine(settings), machine(settings), machine(settings)]
      for (let round = 1; round <= 3; round += 1) {
        await change()
        await Promise.all(machines.map(({ build }) => build()))
        await Promise.all(machines.map(({ pull }) => pull()))
        const [first, ...others] = machines.map(({ manifest }) => manifest())
        for (const manifest of others) expect(manifest).toEqual(first)
        for (const { whole } of machines) expect(await whole()).toBe(true)
        expect(new Set(machines.map(({ revision }) => revision()))).toHaveLength(1)
      }
    })

    test('old indexes go, and no file that is listed', async () => {
      const settings = await s3.newBucket()
      const [one, other] = [machine(settings), machine(settings)]
      for (let count = 0; count < 13; count += 1) {
        await change()
        await one.build()
      }
      const bucket = await openBucket(settings)
      expect(await bucket.list('index-')).toHaveLength(10)
      expect(await other.pull()).toBe(true)
      expect(other.revision()).toBe(13)
      expect(await other.whole()).toBe(true)
      bucket.close()
    })

    test('a damaged or missing object is told by its name, and the folder stays as it was', async () => {
      const settings = await s3.newBucket()
      const [one, other] = [machine(settings), machine(settings)]
      await one.build()
      await other.pull()
      const before = other.manifest()
      await change()
      await one.build()
      const known = new Set(before.files.map(({ sha256 }) => sha256))
      const fresh = one.manifest().files.find(({ sha256 }) => !known.has(sha256))!
      const key = `files/${fresh.sha256}.duckdb.br`
      const bucket = await openBucket(settings)
      const good = (await bucket.get(key))!
      for (const damage of [
        () => bucket.put(key, good.subarray(0, good.length / 2)),
        () => bucket.put(key, Buffer.from('not brotli')),
        () => bucket.remove([key]),
      ]) {
        await damage()
        await expect(other.pull()).rejects.toMatchObject({ code: 'dataset-corrupt', details: { file: key } })
        expect(other.manifest()).toEqual(before)
        expect(await other.whole()).toBe(true)
        expect(existsSync(join(other.folder, `${fresh.sha256}.duckdb`))).toBe(false)
      }
      // `build` with verification uploads every file again.
      await buildDataset(place.database, join(one.folder, '..'), new Date(), {
        verify: true,
        bucket: one.bucket,
      })
      expect(await other.pull()).toBe(true)
      expect(await other.whole()).toBe(true)
      bucket.close()
    })

    test('a bucket that answers 503, or does not answer, fails by name and then goes on', async () => {
      const settings = await s3.newBucket()
      const between = await Between.start(() => [settings.endpoint!])
      const [one, other] = [machine(settings), machine({ ...settings, endpoint: between.url })]
      await one.build()
      between.fault = 503
      await expect(other.pull()).rejects.toMatchObject({ code: 'bucket-failed' })
      await expect(other.build()).rejects.toMatchObject({ code: 'bucket-failed' })
      between.fault = 'cut'
      await expect(other.pull()).rejects.toMatchObject({ code: 'bucket-failed' })
      between.fault = null
      expect(await other.pull()).toBe(true)
      expect(await other.whole()).toBe(true)
      await between.stop()
      for (const wrong of [{ secret: 'another' }, { name: 'no-such-bucket' }])
        await expect(machine({ ...settings, ...wrong }).pull()).rejects.toMatchObject({
          code: 'bucket-failed',
        })
    })

    test('the command line publishes without a server, and examines what is published', async () => {
      const settings = await s3.newBucket()
      const alone = await newDatabase('pglite')
      await importFiles(alone.database, {
        format: HK_FORMAT,
        paths: [writeHkFiles(newFolder())],
        replaceDemonstration: false,
      })
      await scoreStaleRaces(alone.database)
      await alone.database.close()
      const command = (name: string) =>
        spawnSync(process.execPath, [...FURLONG, name], {
          cwd: ROOT,
          env: {
            ...process.env,
            NODE_ENV: '',
            DATABASE_URL: '',
            FURLONG_DATA: alone.dataFolder,
            FURLONG_S3_BUCKET: settings.name,
            FURLONG_S3_ENDPOINT: settings.endpoint,
            FURLONG_S3_KEY_ID: settings.keyId,
            FURLONG_S3_SECRET: settings.secret,
          },
          encoding: 'utf8',
        })
      expect(command('doctor').stdout).toMatch(/bucket.*nothing is published yet/)
      const built = command('build')
      expect(built.status, built.stderr).toBe(0)
      const bucket = new DatasetBucket(settings)
      expect((await bucket.examine()).revision).toBe(1)
      await bucket.close()
      expect(command('doctor').stdout).toMatch(/bucket.*revision 1 of \d+ files; this folder has revision 1/)
      rmSync(alone.dataFolder, { recursive: true, force: true })
    }, 60_000)

    test('the settings ask for what a bucket needs', () => {
      expect(readSettings(operatingVariables('FURLONG_S3_BUCKET=', 'own')).bucket).toEqual({
        name: 'furlong',
        endpoint: 'https://s3.example.org',
        region: 'eu-central-1',
        keyId: 'own',
        secret: 'own',
        prefix: 'furlong',
      })
      const some = { FURLONG_S3_BUCKET: 'b', FURLONG_S3_KEY_ID: 'k' }
      expect(() => readSettings(some)).toThrow(/FURLONG_S3_SECRET/)
      expect(
        readSettings({ ...some, FURLONG_S3_SECRET: 's', FURLONG_S3_PREFIX: '/a/b/' }).bucket,
      ).toMatchObject({
        name: 'b',
        prefix: 'a/b',
        endpoint: undefined,
      })
      expect(readSettings({}).bucket).toBeUndefined()
    })

    test.skipIf(!hasNginx())(
      `one of two servers behind nginx is killed under load, and no reader notices${hasNginx() ? '' : ' (nginx is missing)'}`,
      async () => {
        const settings = { ...(await s3.newBucket()), prefix: 'furlong/one' }
        const ports = [await freePort(), await freePort()] as const
        const start = (at: 0 | 1, dataFolder: string, worker: 'own' | 'none'): Promise<ServerProcess> =>
          startServerProcess(
            {
              PORT: String(ports[at]),
              FURLONG_TRUST_PROXY: 'loopback',
              FURLONG_DATA: dataFolder,
              DATABASE_URL: place.databaseUrl,
              FURLONG_WORKER: worker,
              FURLONG_SECRET: 'the same on every machine, as operators keep it',
              FURLONG_CARD_KEY: 'the same on every machine, as operators keep it',
              FURLONG_S3_BUCKET: settings.name,
              FURLONG_S3_ENDPOINT: settings.endpoint,
              FURLONG_S3_PREFIX: settings.prefix,
              FURLONG_S3_KEY_ID: settings.keyId,
              FURLONG_S3_SECRET: settings.secret,
            },
            /\nready\n/,
          )
        const one = await start(0, newFolder(), 'own')
        const lost = newFolder()
        let other = await start(1, lost, 'none')
        const balancer = await startNginx(ports)
        const manifestOf = async (base: string): Promise<Manifest> =>
          (await (await fetch(new URL(MANIFEST_PATH, base))).json()) as Manifest

        const stop = AbortSignal.timeout(LOAD_MS)
        let answers = 0
        const wrong: string[] = []
        const fetched = async (path: string, init: RequestInit, good: number): Promise<Buffer | null> => {
          const response = await fetch(new URL(path, balancer.url), init)
          const body = Buffer.from(await response.arrayBuffer())
          if (response.status === good) {
            answers += 1
            return body
          }
          wrong.push(`${response.status} ${path} ${body.toString().slice(0, 200)}`)
          return null
        }
        const read = async (): Promise<void> => {
          while (!stop.aborted) {
            const body = await fetched(MANIFEST_PATH, {}, 200)
            if (body === null) continue
            const { files } = JSON.parse(body.toString()) as Manifest
            const file = files.find(({ kind }) => kind === 'racing')!
            await fetched(`dataset/${file.sha256}.duckdb`, { headers: { range: 'bytes=0-99' } }, 206)
            const question = { regionId: file.regionId, request: TOTALS }
            const headers = { 'content-type': 'application/json', accept: 'application/json' }
            await fetched(ANALYTICS_PATH, { method: 'POST', headers, body: JSON.stringify(question) }, 200)
            await pause(20)
          }
        }
        // A socket passes as well.
        const opened = new WebSocket(new URL('h5/visitor_app', balancer.url.replace(/^http/, 'ws')))
        await new Promise((resolve, reject) => {
          opened.once('open', resolve)
          opened.once('error', reject)
        })
        opened.terminate()
        const reading = Promise.all(Array.from({ length: READERS }, read))
        await pause(2000)
        await other.kill()
        await pause(1000)
        // A build runs while the machine is down; a machine with an empty folder then replaces it.
        await change()
        const before = await manifestOf(one.base)
        await enqueueJob(place.database, { kind: 'build', payload: { verify: false } })
        await expect.poll(async () => (await manifestOf(one.base)).asOf).not.toBe(before.asOf)
        rmSync(lost, { recursive: true, force: true })
        other = await start(1, newFolder(), 'none')
        await reading
        expect(await manifestOf(other.base)).toEqual(await manifestOf(one.base))
        expect(wrong).toEqual([])
        expect(answers).toBeGreaterThan(200)
        await balancer.stop()
        expect(await one.stop()).toBe(0)
        expect(await other.stop()).toBe(0)
      },
      120_000,
    )
  },
)
