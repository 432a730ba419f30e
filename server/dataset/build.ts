import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DATASET_SCHEMA } from '../../contract/dataset-paths.ts'
import type { DatasetFile } from '../../contract/dataset.ts'
import { FurlongError } from '../../domain/errors.ts'
import { addDays } from '../../domain/region.ts'
import { auditLocks } from '../scoring/audit.ts'
import type { Database } from '../db/database.ts'
import { readReference, readRegions, readSeason } from '../store/racing/dataset-store.ts'
import { readSettled } from '../store/racing/settled-store.ts'
import { holdsDemonstration } from '../store/racing/demonstration.ts'
import { loadConfig } from '../store/operation/config.ts'
import { LIMITED_RACES_A_DAY, oldestFreeDay } from '../services/gate.ts'
import { diskError } from '../db/disk-error.ts'
import { lockFolder, makePrivateFolder } from '../db/folder-lock.ts'
import { PREDICTIONS } from '../../analytics/predictions.ts'
import { rowSource } from '../../analytics/source.ts'
import { ACCURACY_DAY, FILE_TABLES } from '../../analytics/tables.ts'
import { MODEL_IDS } from '../../contract/model-ids.ts'
import { isUndamaged, writeDuckdbFiles, type NamedRow } from './duckdb-file.ts'
import type { DatasetBucket } from './dataset-bucket.ts'
import {
  datasetFolder,
  readIndex,
  stampsOf,
  sweepFolder,
  writeIndex,
  type Index,
  type Partition,
} from './dataset-index.ts'
import { settledTables } from './settled-rows.ts'

export interface BuildReport {
  built: number
  unchanged: number
  bytes: number
  seconds: number
}

/** Days of locked predictions that every build compares with their commitments; `score verify`: all. */
const AUDITED_DAYS = 60

/** Attempts to build: if another machine published meanwhile, the build is repeated on top of its index. */
const MAX_ATTEMPTS = 5

/**
 * Builds the dataset files that are out of date and keeps the others; the index is replaced atomically at the
 * end. `now` determines the seven days that are public. `verify` reads the existing files and rebuilds
 * damaged ones. With a `bucket` it starts from what is published there and publishes the result. Throws
 * `bucket-failed`, `busy`, `disk-full`, `folder-read-only`.
 */
export async function buildDataset(
  database: Database,
  dataFolder: string,
  now: Date = new Date(),
  { verify = false, bucket }: { verify?: boolean; bucket?: DatasetBucket | undefined } = {},
): Promise<BuildReport> {
  const started = Date.now()
  const folder = datasetFolder(dataFolder)
  makePrivateFolder(folder)
  const unlock = lockFolder(folder)
  try {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      await bucket?.pullInto(folder)
      const before = readIndex(folder)
      const { index, built } = await buildOnto(before, database, folder, now, verify)
      if (!(await publish(bucket, folder, index, before, verify))) continue
      writeIndex(folder, index)
      sweepFolder(folder, index)
      const files = index.partitions.flatMap((partition) => partition.files)
      return {
        built,
        unchanged: index.partitions.length - built,
        bytes: files.reduce((sum, file) => sum + file.bytes, 0),
        seconds: (Date.now() - started) / 1000,
      }
    }
    throw new FurlongError('busy')
  } catch (error) {
    throw diskError(error, folder)
  } finally {
    unlock()
  }
}

/** Builds what is out of date relative to the index `before`. */
async function buildOnto(
  before: Index | null,
  database: Database,
  folder: string,
  now: Date,
  verify: boolean,
): Promise<{ index: Index; built: number }> {
  const builder = new Builder(database, folder, before?.partitions ?? [], now, verify)
  // Runs first, so that the files mark predictions that were changed after locking.
  await auditLocks(database, addDays(now.toISOString().slice(0, 10), -AUDITED_DAYS), now)
  const regions = await readRegions(database)
  for (const { regionId, season, stamp } of await stampsOf(database)) {
    if (season === 0) await builder.reference(regionId, stamp)
    else await builder.season(regionId, season, stamp)
  }
  for (const region of regions) {
    const from = oldestFreeDay(null, region.timeZone, now)!
    await builder.recent(region.id, from)
  }
  const index: Index = {
    schema: DATASET_SCHEMA,
    asOf: builder.built === 0 && before ? before.asOf : now.toISOString(),
    demonstration: await holdsDemonstration(database),
    regions,
    partitions: builder.partitions,
  }
  return { index, built: builder.built }
}

/**
 * Publishes an index unless it is published already, and stores its revision in it; `false` if another
 * machine published first.
 */
async function publish(
  bucket: DatasetBucket | undefined,
  folder: string,
  index: Index,
  before: Index | null,
  verify: boolean,
): Promise<boolean> {
  if (bucket === undefined) return true
  const same = before !== null && bucket.revisionIn(before) !== null && isSame(index, before)
  const published =
    same && !verify ? before.published : await bucket.publish(folder, index, before, { anew: verify })
  if (!published) return false
  index.published = published
  return true
}

const isSame = (index: Index, { published: _published, ...before }: Index): boolean =>
  JSON.stringify(index) === JSON.stringify(before)

/** Race days of sorted rows. */
const daysOf = (rows: readonly NamedRow[]): string[] =>
  rows.flatMap(({ raceDate: day }) => (typeof day === 'string' ? [day] : []))

/** First and last of sorted days. */
const spanOf = (days: readonly string[]): Pick<DatasetFile, 'from' | 'to'> => ({
  from: days[0] ?? null,
  to: days.at(-1) ?? null,
})

class Builder {
  readonly partitions: Partition[] = []
  built = 0
  private readonly database: Database
  private readonly folder: string
  private readonly before: readonly Partition[]
  private readonly now: Date
  private readonly verify: boolean

  constructor(database: Database, folder: string, before: readonly Partition[], now: Date, verify: boolean) {
    this.database = database
    this.folder = folder
    this.before = before
    this.now = now
    this.verify = verify
  }

  /** Reuses the partition if its stamp is unchanged and all its files exist; otherwise builds it. */
  private async partition(
    regionId: string,
    name: string,
    stamp: string,
    build: () => Promise<DatasetFile[]>,
  ): Promise<void> {
    const old = this.before.find((partition) => partition.regionId === regionId && partition.name === name)
    if (old && old.stamp === stamp && (await this.isWhole(old))) {
      this.partitions.push(old)
      return
    }
    this.partitions.push({ regionId, name, stamp, files: await build() })
    this.built += 1
  }

  private async isWhole({ files }: Partition): Promise<boolean> {
    for (const { sha256 } of files) {
      const whole = this.verify
        ? await isUndamaged(this.folder, sha256)
        : existsSync(join(this.folder, `${sha256}.duckdb`))
      if (!whole) return false
    }
    return true
  }

  reference(regionId: string, stamp: string): Promise<void> {
    return this.partition(regionId, 'reference', stamp, async () => {
      const rows = await readReference(this.database, regionId)
      const [STADIUM, HORSE, JOCKEY, TRAINER] = FILE_TABLES.reference
      const { reference } = await writeDuckdbFiles(this.folder, ['reference'], async (writer) => {
        for (const [table, list] of [
          [STADIUM, rows.stadiums],
          [HORSE, rows.horses],
          [JOCKEY, rows.jockeys],
          [TRAINER, rows.trainers],
        ] as const) {
          await writer.create('reference', table)
          await writer.append('reference', table, list)
        }
      })
      const span = { from: null, to: null }
      return [
        {
          ...reference,
          ...span,
          kind: 'reference',
          regionId,
          season: null,
          model: null,
          entitlement: 'public',
        },
      ]
    })
  }

  season(regionId: string, season: number, stamp: string): Promise<void> {
    return this.partition(regionId, String(season), stamp, async () => {
      const rows = await readSeason(this.database, regionId, season, this.now)
      const settled = settledTables(regionId, await readSettled(this.database, regionId, { season }))
      const models = MODEL_IDS.filter((id) => settled.predictions.some(([, { model }]) => model === id))
      const names = ['racing', 'ticks', 'reasons', ...models.map(recordName)]
      const [RACE, RUNNER, DIVIDEND, PREDICTION_LOCK] = FILE_TABLES.racing
      const [PREDICTION, STARTER] = FILE_TABLES.record
      const [REASON] = FILE_TABLES.reasons
      const [ODDS_TICK] = FILE_TABLES.ticks
      const files = await writeDuckdbFiles(this.folder, names, async (writer) => {
        for (const [file, table, list] of [
          ['racing', RACE, rows.races],
          ['racing', RUNNER, rows.runners],
          ['racing', DIVIDEND, rows.dividends],
          ['racing', PREDICTION_LOCK, rows.locks],
          ['ticks', ODDS_TICK, rows.oddsTicks],
          ['reasons', REASON, rows.reasons],
          ...models.flatMap(
            (id) =>
              [
                [recordName(id), PREDICTION, settled.predictions.filter(([, { model }]) => model === id)],
                [recordName(id), STARTER, settled.starters.filter(([, { model }]) => model === id)],
              ] as const,
          ),
        ] as const) {
          await writer.create(file, table)
          await writer.append(file, table, list)
        }
        if (models.length === 0) await writer.create('racing', ACCURACY_DAY)
        else await writer.derive('racing', ACCURACY_DAY, dailyTotalsSql(models.map(recordName)))
      })
      const common = { regionId, season } as const
      // A season without ticks or reasons has no file for them.
      const extra = (['ticks', 'reasons'] as const).filter((kind) => rows[EXTRA_ROWS[kind]].length > 0)
      return [
        {
          ...files['racing']!,
          ...spanOf(rows.finalDays),
          ...common,
          kind: 'racing',
          model: null,
          entitlement: 'public',
        },
        ...extra.map((kind) => ({
          ...files[kind]!,
          ...spanOf(daysOf(rows[EXTRA_ROWS[kind]])),
          ...common,
          kind,
          model: null,
          entitlement: 'member' as const,
        })),
        ...models.map((id) => ({
          ...files[recordName(id)]!,
          ...spanOf(daysOf(settled.predictions.flatMap(([race, { model }]) => (model === id ? [race] : [])))),
          ...common,
          kind: 'record' as const,
          model: id,
          entitlement: 'member' as const,
        })),
      ]
    })
  }

  /** The settled predictions since a day; the file exists even if empty, so that the table can be queried. */
  async recent(regionId: string, from: string): Promise<void> {
    const seasons = this.partitions.filter((partition) => partition.regionId === regionId)
    const limited = (await loadConfig(this.database)).limitedGameplayClass
    const stamp = `${from} ${limited} ${seasons.map(({ name, stamp: revision }) => `${name}:${revision}`).join(' ')}`
    await this.partition(regionId, 'recent', stamp, async () => {
      const all = await readSettled(this.database, regionId, { from })
      const settled = settledTables(regionId, {
        ...all,
        predictions: all.predictions.filter(
          (row) =>
            limited === '' ||
            row.gameplayClass !== Number(limited) ||
            (all.races.get(row.raceKey)?.position ?? 0) <= LIMITED_RACES_A_DAY,
        ),
      })
      const [PREDICTION, STARTER] = FILE_TABLES.recent
      const { recent } = await writeDuckdbFiles(this.folder, ['recent'], async (writer) => {
        await writer.create('recent', PREDICTION)
        await writer.append('recent', PREDICTION, settled.predictions)
        await writer.create('recent', STARTER)
        await writer.append('recent', STARTER, limited === '' ? settled.starters : [])
      })
      const span = spanOf(daysOf(settled.predictions.map(([race]) => race)))
      return [
        { ...recent, ...span, kind: 'recent', regionId, season: null, model: null, entitlement: 'public' },
      ]
    })
  }
}

/** Rows of the files that clients fetch only on demand. */
const EXTRA_ROWS = { ticks: 'oddsTicks', reasons: 'reasons' } as const

const recordName = (model: string): string => `record_${model.replaceAll('-', '_')}`

/** SQL that fills `racing.accuracy_day` from the predictions of all models: the rollup of `DAILY_TOTALS`. */
function dailyTotalsSql(recordFiles: readonly string[]): string {
  const { sums } = PREDICTIONS
  const keys = ['season', 'region', 'race_date', 'bet_type', 'prediction_type', 'model', 'origin']
  const figures = Object.keys(ACCURACY_DAY.columns).filter((name) => !keys.includes(name))
  const columns = figures.map((name) => `${sums[name as keyof typeof sums].sql} AS ${name}`)
  const rows = rowSource(PREDICTIONS, ['prediction_type'], null, { scope: 'all' }).from
  const union = recordFiles.map((file) => `SELECT * FROM ${file}.prediction`).join(' UNION ALL ')
  return `INSERT INTO racing.accuracy_day BY NAME
    WITH prediction AS (${union})
    SELECT ${[...keys, ...columns].join(', ')} FROM ${rows}
    GROUP BY ${keys.join(', ')} ORDER BY ${keys.join(', ')}`
}
