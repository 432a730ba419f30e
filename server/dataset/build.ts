import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DATASET_SCHEMA } from '../../contract/dataset-paths.ts'
import type { DatasetFile, DatasetKind } from '../../contract/dataset.ts'
import { FurlongError } from '../../domain/errors.ts'
import { addDays } from '../../domain/region.ts'
import type { ChainHead } from '../../domain/prediction-lock.ts'
import { auditLocks } from '../scoring/audit.ts'
import type { Database } from '../db/database.ts'
import { readIdentity, readReference, readRegions, readSeason } from '../store/racing/dataset-store.ts'
import { readSettled } from '../store/racing/settled/settled-store.ts'
import { holdsDemonstration } from '../store/racing/demonstration.ts'
import { loadConfig } from '../store/operation/config.ts'
import { LIMITED_RACES_A_DAY } from '../services/gate.ts'
import { diskError } from '../db/disk-error.ts'
import { lockFolder, makePrivateFolder } from '../db/folder-lock.ts'
import { PREDICTIONS } from '../../analytics/predictions.ts'
import { rowSource } from '../../analytics/source.ts'
import { ACCURACY_DAY, FILE_TABLES } from '../../analytics/tables.ts'
import { MODEL_IDS, type ModelId } from '../../contract/model-ids.ts'
import { isUndamaged, writeDuckdbFiles, type WrittenFile } from './duckdb-file.ts'
import type { DatasetBucket } from './dataset-bucket.ts'
import {
  datasetFolder,
  oldestPublicDay,
  publishedHeads,
  readIndex,
  stampsOf,
  sweepFolder,
  writeIndex,
  type Index,
  type Partition,
} from './dataset-index.ts'
import { settledTables, type SettledPrediction } from './settled-rows.ts'

export interface BuildReport {
  built: number
  unchanged: number
  bytes: number
  seconds: number
  /** Published heads that are no longer in their region's chain of commitments. */
  missingHeads: ChainHead[]
}

/** Days of locked predictions that every build compares with their commitments; `score verify`: all. */
const AUDITED_DAYS = 60

/** Attempts to build: if another machine published meanwhile, the build is repeated on top of its index. */
const MAX_ATTEMPTS = 5

/**
 * Builds the dataset files that are out of date and keeps the others; the index is replaced atomically at the
 * end. `now`: odds seen until then are included. `verify` reads the existing files and rebuilds
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
      const { index, built, missingHeads } = await buildOnto({ database, folder, before, now, verify })
      if (!(await publish(bucket, folder, index, before, verify))) continue
      writeIndex(folder, index)
      sweepFolder(folder, index)
      const files = index.partitions.flatMap((partition) => partition.files)
      return {
        built,
        unchanged: index.partitions.length - built,
        bytes: files.reduce((sum, file) => sum + file.bytes, 0),
        seconds: (Date.now() - started) / 1000,
        missingHeads,
      }
    }
    throw new FurlongError('busy')
  } catch (error) {
    throw diskError(error, folder)
  } finally {
    unlock()
  }
}

/** What every part of a build needs; `before`: the index that it is built on. */
interface Build {
  database: Database
  folder: string
  before: Index | null
  now: Date
  verify: boolean
}

/** Builds what is out of date relative to the index `before`. */
async function buildOnto(
  build: Build,
): Promise<Pick<BuildReport, 'built' | 'missingHeads'> & { index: Index }> {
  const { database, before, now } = build
  const partitions: Partition[] = []
  let built = 0
  /** Reuses the partition if its stamp is unchanged and all its files exist; otherwise builds it. */
  const partition = async (
    regionId: string,
    name: string,
    stamp: string,
    files: () => Promise<DatasetFile[]>,
  ): Promise<void> => {
    const old = before?.partitions.find((each) => each.regionId === regionId && each.name === name)
    if (old?.stamp === stamp && (await isWhole(build, old))) {
      partitions.push(old)
      return
    }
    partitions.push({ regionId, name, stamp, files: await files() })
    built += 1
  }
  // Runs first, so that the files mark predictions that were changed after locking.
  const firstAudited = addDays(now.toISOString().slice(0, 10), -AUDITED_DAYS)
  const published = await publishedHeads(database, before)
  const { heads, missingHeads } = await auditLocks(database, firstAudited, now, published)
  const regions = await readRegions(database)
  for (const { regionId, season, name, stamp } of await stampsOf(database))
    await partition(regionId, name, stamp, () =>
      season === 0 ? referenceFiles(build, regionId) : seasonFiles(build, regionId, season),
    )
  for (const { id, timeZone } of regions) {
    const from = await oldestPublicDay(database, id, timeZone, now)
    const limited = (await loadConfig(database)).limitedGameplayClass
    const seasons = partitions.filter(({ regionId }) => regionId === id)
    const stamp = `${from} ${limited} ${seasons.map((each) => `${each.name}:${each.stamp}`).join(' ')}`
    await partition(id, 'recent', stamp, () => recentFiles(build, id, from, limited))
  }
  const index: Index = {
    schema: DATASET_SCHEMA,
    asOf: built === 0 && before ? before.asOf : now.toISOString(),
    demonstration: await holdsDemonstration(database),
    regions,
    partitions,
    // A head that is missing stays listed, so that it is found again until the operator accepts the chain as it is.
    chains: {
      database: await readIdentity(database),
      heads: [
        ...heads.filter(({ regionId }) => !missingHeads.some((missing) => missing.regionId === regionId)),
        ...missingHeads,
      ],
    },
  }
  return { index, built, missingHeads }
}

async function isWhole({ folder, verify }: Build, { files }: Partition): Promise<boolean> {
  for (const { sha256 } of files) {
    const whole = verify ? await isUndamaged(folder, sha256) : existsSync(join(folder, `${sha256}.duckdb`))
    if (!whole) return false
  }
  return true
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

const PUBLIC_KINDS: readonly DatasetKind[] = ['reference', 'racing', 'recent']

/** Notes in `spanOf` a row the days of the first and the last of the rows in it, which are in their order. */
function* noted(
  rows: Iterable<SettledPrediction>,
  spanOf: (row: SettledPrediction) => string[],
): Generator<SettledPrediction> {
  for (const row of rows) {
    const span = spanOf(row)
    const day = row[0].raceDate
    if (span.length === 0) span.push(day, day)
    else span[1] = day
    yield row
  }
}

/** A written file as the manifest lists it; `days`: the race days of its rows, sorted. */
const listed = (
  file: WrittenFile,
  kind: DatasetKind,
  of: Pick<DatasetFile, 'regionId' | 'season'> & { model?: ModelId; days?: readonly unknown[] },
): DatasetFile => {
  const { model = null, days = [], ...partition } = of
  const [from = null, to = null] = [days[0], days.at(-1)] as (string | undefined)[]
  const entitlement = PUBLIC_KINDS.includes(kind) ? 'public' : 'member'
  return { ...file, ...partition, kind, model, entitlement, from, to }
}

async function referenceFiles({ database, folder }: Build, regionId: string): Promise<DatasetFile[]> {
  const rows = await readReference(database, regionId)
  const [STADIUM, HORSE, JOCKEY, TRAINER] = FILE_TABLES.reference
  const { reference } = await writeDuckdbFiles(folder, ['reference'], async (writer) => {
    await writer.write('reference', STADIUM, rows.stadiums)
    await writer.write('reference', HORSE, rows.horses)
    await writer.write('reference', JOCKEY, rows.jockeys)
    await writer.write('reference', TRAINER, rows.trainers)
  })
  return [listed(reference, 'reference', { regionId, season: null })]
}

async function seasonFiles(
  { database, folder, now }: Build,
  regionId: string,
  season: number,
): Promise<DatasetFile[]> {
  const rows = await readSeason(database, regionId, season, now)
  const settled = settledTables(regionId, await readSettled(database, regionId, { season }))
  const models = MODEL_IDS.filter((id) => settled.models.has(id))
  const records = models.map((model) => ({ model, name: recordName(model), days: [] as string[] }))
  const byModel = new Map<string | null, (typeof records)[number]>(records.map((each) => [each.model, each]))
  const recordOf = ([, { model }]: SettledPrediction) => byModel.get(model)!
  const names = ['racing', 'details', 'sections', 'ticks', 'reasons', ...models.map(recordName)]
  const [RACE, RUNNER, DIVIDEND, PREDICTION_LOCK] = FILE_TABLES.racing
  const [PREDICTION, STARTER] = FILE_TABLES.record
  const [STARTER_DETAIL] = FILE_TABLES.details
  const [STARTER_SECTIONS] = FILE_TABLES.sections
  const [REASON] = FILE_TABLES.reasons
  const [ODDS_TICK] = FILE_TABLES.ticks
  const files = await writeDuckdbFiles(folder, names, async (writer) => {
    await writer.write('racing', RACE, rows.races)
    await writer.write('racing', RUNNER, rows.runners)
    await writer.write('racing', DIVIDEND, rows.dividends)
    await writer.write('racing', PREDICTION_LOCK, rows.locks)
    await writer.write('ticks', ODDS_TICK, rows.oddsTicks)
    await writer.write('reasons', REASON, rows.reasons)
    const predictions = noted(settled.predictions(), (row) => recordOf(row).days)
    await writer.divide(models.map(recordName), PREDICTION, predictions, (row) => recordOf(row).name)
    for (const id of models) await writer.write(recordName(id), STARTER, settled.starters(id))
    await writer.write('details', STARTER_DETAIL, settled.details())
    await writer.write('sections', STARTER_SECTIONS, settled.sections)
    if (models.length === 0) await writer.create('racing', ACCURACY_DAY)
    else await writer.derive('racing', ACCURACY_DAY, dailyTotalsSql(models.map(recordName)))
  })
  const of = { regionId, season }
  // A season without ticks, reasons or sections has no file for them.
  const extra = (
    [
      ['sections', settled.sections],
      ['ticks', rows.oddsTicks],
      ['reasons', rows.reasons],
    ] as const
  ).filter(([, list]) => list.length > 0)
  return [
    listed(files['racing']!, 'racing', { ...of, days: rows.finalDays }),
    ...extra.map(([kind, list]) =>
      listed(files[kind]!, kind, { ...of, days: list.map(({ raceDate }) => raceDate) }),
    ),
    ...records.map(({ name, model, days }) => listed(files[name]!, 'record', { ...of, model, days })),
    // The days of the models' records are those of the starters.
    ...(models.length === 0
      ? []
      : [listed(files['details']!, 'details', { ...of, days: daysOfAll(records) })]),
  ]
}

/** The settled predictions since a day; the file exists even if empty, so that the table can be queried. */
async function recentFiles(
  { database, folder }: Build,
  regionId: string,
  from: string,
  limited: string,
): Promise<DatasetFile[]> {
  const rows = await readSettled(database, regionId, { from })
  const settled = settledTables(
    regionId,
    rows,
    ({ gameplayClass }, { position }) =>
      limited === '' || gameplayClass !== Number(limited) || (position ?? 0) <= LIMITED_RACES_A_DAY,
  )
  const days: string[] = []
  const [PREDICTION, STARTER, STARTER_DETAIL, STARTER_SECTIONS] = FILE_TABLES.recent
  const { recent } = await writeDuckdbFiles(folder, ['recent'], async (writer) => {
    await writer.write(
      'recent',
      PREDICTION,
      noted(settled.predictions(), () => days),
    )
    await writer.write('recent', STARTER, limited === '' ? settled.starters() : [])
    await writer.write('recent', STARTER_DETAIL, limited === '' ? settled.details() : [])
    await writer.write('recent', STARTER_SECTIONS, limited === '' ? settled.sections : [])
  })
  return [listed(recent, 'recent', { regionId, season: null, days })]
}

/** The first and the last of the race days of all models. */
const daysOfAll = (records: readonly { days: readonly string[] }[]): string[] =>
  records.flatMap(({ days }) => days).toSorted()

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
